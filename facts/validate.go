package facts

import "fmt"

// Validate reports the first rule of the tables that f breaks: indexes stay
// within their tables, children precede their parents, parents precede their
// members, spans lie within the file, kinds and flags have names, names are
// distinct. It is for the tests of extractors; Decode checks all but the last.
func Validate(f *File) error {
	if len(f.Names) == 0 || len(f.Imports) == 0 || len(f.Exprs) == 0 {
		return fmt.Errorf("validate facts: names, imports or exprs lack index 0")
	}
	if f.Imports[0] != (Import{}) || f.Exprs[0] != (Expr{}) || f.Names[0] != "" {
		return fmt.Errorf("validate facts: index 0 of names, imports or exprs is in use")
	}
	if err := check(f); err != nil {
		return fmt.Errorf("validate facts: %w", err)
	}
	seen := make(map[string]bool, len(f.Names))
	for i, n := range f.Names {
		if seen[n] {
			return fmt.Errorf("validate facts: name %d: %q occurs twice", i, n)
		}
		seen[n] = true
	}
	return nil
}

// checker finds the first violation; it takes index 0 of the tables for given.
type checker struct {
	f   *File
	err error
}

func check(f *File) error {
	c := &checker{f: f}
	c.file()
	c.scopes()
	c.defs()
	c.binds()
	c.imports()
	c.exprs()
	return c.err
}

// want records a violation in record i of a table.
func (c *checker) want(ok bool, table string, i int, what string) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf("%s %d: %s", table, i, what)
	}
}

func (c *checker) name(id NameID) bool { return int(id) < len(c.f.Names) }
func (c *checker) expr(id ExprID) bool { return int(id) < len(c.f.Exprs) }
func (c *checker) pos(p uint32) bool   { return p <= c.f.Size }
func (c *checker) span(s Span) bool    { return s.Start <= s.End && s.End <= c.f.Size }

func (c *checker) kids(r Range) bool {
	return uint64(r.First)+uint64(r.N) <= uint64(len(c.f.Kids)) && (r.N != 0 || r.First == 0)
}

func (c *checker) file() {
	f := c.f
	c.want(f.Lang == NoLang || ByID(f.Lang) != nil, "file", 0, "unknown language")
	c.want(c.name(f.Package), "file", 0, "package name out of range")
	c.want(c.kids(f.Exports), "file", 0, "exports out of range")
	c.want(len(f.Scopes) > 0 && f.Scopes[0].Kind == ScopeFile, "scope", 0, "is not the file's")
	c.want(len(f.Defs) > 0 && f.Defs[0].Kind == DefFile, "def", 0, "is not the file")
	c.want(len(f.Lines) > 0 && f.Lines[0] == 0, "line", 0, "does not start the file")
	for i, p := range f.Lines {
		if i > 0 && p > f.Lines[i-1] && c.pos(p) {
			continue
		}
		c.want(c.pos(p) && (i == 0 || p > f.Lines[i-1]), "line", i, "starts out of order")
	}
	for i := 1; i < len(f.Names); i++ {
		c.want(f.Names[i] != "", "name", i, "is empty")
	}
	for i, k := range f.Kids {
		if c.expr(k) {
			continue
		}
		c.want(c.expr(k), "kid", i, "expression out of range")
	}
	for i := range f.Texts {
		c.want(int(f.Texts[i].Kind) < len(textKindNames), "text", i, "unknown kind")
		c.want(c.span(f.Texts[i].Span), "text", i, "span out of range")
	}
	for i := range f.Errors {
		c.want(c.span(f.Errors[i]), "error", i, "span out of range")
	}
	for i := range f.Marks {
		c.want(c.name(f.Marks[i].Key) && c.name(f.Marks[i].Value), "mark", i, "name out of range")
	}
}

func (c *checker) scopes() {
	for i := range c.f.Scopes {
		s := &c.f.Scopes[i]
		c.want(int(s.Kind) < len(scopeKindNames), "scope", i, "unknown kind")
		c.want(int(s.Parent) < i || i == 0 && s.Parent == 0, "scope", i, "precedes its parent")
		c.want(int(s.Def) < len(c.f.Defs), "scope", i, "definition out of range")
		c.want(c.span(s.Span), "scope", i, "span out of range")
	}
}

func (c *checker) defs() {
	for i := range c.f.Defs {
		d := &c.f.Defs[i]
		c.want(int(d.Kind) < len(defKindNames), "def", i, "unknown kind")
		c.want(d.Flags>>len(defFlagNames) == 0, "def", i, "unknown flag")
		c.want(c.name(d.Name) && c.name(d.Container), "def", i, "name out of range")
		c.want(int(d.Parent) < i || i == 0 && d.Parent == 0, "def", i, "precedes its parent")
		c.want(int(d.Scope) < len(c.f.Scopes), "def", i, "scope out of range")
		c.want(c.span(d.Span) && c.pos(d.NamePos) && c.pos(d.SigEnd), "def", i, "position out of range")
		c.want(c.span(d.Doc), "def", i, "doc out of range")
		c.want(c.kids(d.Decorators) && c.kids(d.Bases) && c.kids(d.Implements), "def", i, "children out of range")
		c.want(c.expr(d.Recv) && c.expr(d.Type) && c.expr(d.Result) && c.expr(d.Value), "def", i, "expression out of range")
	}
}

func (c *checker) binds() {
	for i := range c.f.Binds {
		b := &c.f.Binds[i]
		c.want(int(b.Kind) < len(bindKindNames) && int(b.Part) < len(partNames), "bind", i, "unknown kind")
		c.want(b.Flags>>len(bindFlagNames) == 0, "bind", i, "unknown flag")
		c.want(int(b.Scope) < len(c.f.Scopes), "bind", i, "scope out of range")
		c.want(c.name(b.Name), "bind", i, "name out of range")
		c.want(c.pos(b.Pos) && c.pos(b.From) && c.pos(b.To) && c.pos(b.Merge), "bind", i, "position out of range")
		c.want(c.expr(b.Type) && c.expr(b.Value) && c.expr(b.On), "bind", i, "expression out of range")
		c.want(int(b.Def) < len(c.f.Defs), "bind", i, "definition out of range")
		c.want(int(b.Import) < len(c.f.Imports), "bind", i, "import out of range")
	}
}

func (c *checker) imports() {
	for i := range c.f.Imports {
		m := &c.f.Imports[i]
		c.want(int(m.Kind) < len(importKindNames), "import", i, "unknown kind")
		c.want(m.Flags>>len(importFlagNames) == 0, "import", i, "unknown flag")
		c.want(c.name(m.Module) && c.name(m.Name) && c.name(m.Alias), "import", i, "name out of range")
		c.want(c.pos(m.ModulePos) && c.pos(m.NamePos) && c.span(m.Stmt), "import", i, "position out of range")
		c.want(int(m.Scope) < len(c.f.Scopes), "import", i, "scope out of range")
	}
}

// exprs checks the forest. The children lists of expressions must not be
// longer together than the table of children, which keeps the check linear.
func (c *checker) exprs() {
	lists := uint64(0)
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		lists += uint64(e.Kids.N)
		if lists > uint64(len(c.f.Kids)) || !c.goodExpr(i, e) {
			c.want(lists <= uint64(len(c.f.Kids)), "expr", i, "shares its children list")
			c.badExpr(i, e)
			return
		}
		for _, k := range c.f.KidsOf(e.Kids) {
			if int(k) >= i {
				c.want(false, "expr", i, "precedes a child")
				return
			}
		}
	}
}

// goodExpr is badExpr without its words: expressions are most of a file.
func (c *checker) goodExpr(i int, e *Expr) bool {
	return int(e.Kind) < len(exprKindNames) && int(e.Ctx) < len(ctxNames) && int(e.Lit) < len(litNames) && int(e.Op) < len(opNames) &&
		c.name(e.Name) && int(e.Scope) < len(c.f.Scopes) && c.pos(e.Pos) && (int(e.X) < i || e.X == 0) && c.kids(e.Kids)
}

func (c *checker) badExpr(i int, e *Expr) {
	c.want(int(e.Kind) < len(exprKindNames) && int(e.Ctx) < len(ctxNames), "expr", i, "unknown kind")
	c.want(int(e.Lit) < len(litNames) && int(e.Op) < len(opNames), "expr", i, "unknown literal or operator")
	c.want(c.name(e.Name), "expr", i, "name out of range")
	c.want(int(e.Scope) < len(c.f.Scopes), "expr", i, "scope out of range")
	c.want(c.pos(e.Pos), "expr", i, "position out of range")
	c.want(int(e.X) < i || e.X == 0, "expr", i, "precedes its operand")
	c.want(c.kids(e.Kids), "expr", i, "children out of range")
}

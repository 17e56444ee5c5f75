package facts

// Builder fills the tables of one File. Extractors visit a tree once, in
// source order, so that the same bytes always give the same tables.
type Builder struct {
	File  *File
	names map[string]NameID
}

// NewBuilder starts the facts of one file: Def 0 is the file, Scope 0 its
// scope, and index 0 of the other tables means "none".
func NewBuilder(path string, lang Lang, src []byte) *Builder {
	whole := Span{0, uint32(len(src))}
	f := &File{
		Path: path, Lang: lang, Size: uint32(len(src)), Lines: LineStarts(src),
		Names:   make([]string, 1, 256),
		Imports: make([]Import, 1, 16),
		Exprs:   make([]Expr, 1, len(src)/8+16),
		Kids:    make([]ExprID, 0, len(src)/16+16),
	}
	f.Scopes = append(f.Scopes, Scope{Kind: ScopeFile, Span: whole})
	f.Defs = append(f.Defs, Def{Kind: DefFile, Span: whole})
	return &Builder{File: f, names: make(map[string]NameID, 256)}
}

// Intern returns the id of a name, adding it at its first use.
func (b *Builder) Intern(name []byte) NameID {
	if len(name) == 0 {
		return 0
	}
	if id, ok := b.names[string(name)]; ok {
		return id
	}
	return b.add(string(name))
}

// InternString is Intern for a string.
func (b *Builder) InternString(name string) NameID {
	if name == "" {
		return 0
	}
	if id, ok := b.names[name]; ok {
		return id
	}
	return b.add(name)
}

func (b *Builder) add(name string) NameID {
	id := NameID(len(b.File.Names))
	b.File.Names = append(b.File.Names, name)
	b.names[name] = id
	return id
}

// Expr appends a node; kids become its children list.
func (b *Builder) Expr(e Expr, kids ...ExprID) ExprID {
	if len(kids) > 0 {
		e.Kids = b.Range(kids)
	}
	b.File.Exprs = append(b.File.Exprs, e)
	return ExprID(len(b.File.Exprs) - 1)
}

// Range stores a children list.
func (b *Builder) Range(kids []ExprID) Range {
	if len(kids) == 0 {
		return Range{}
	}
	r := Range{uint32(len(b.File.Kids)), uint32(len(kids))}
	b.File.Kids = append(b.File.Kids, kids...)
	return r
}

// Scope appends a scope.
func (b *Builder) Scope(s Scope) ScopeID {
	b.File.Scopes = append(b.File.Scopes, s)
	return ScopeID(len(b.File.Scopes) - 1)
}

// Def appends a definition. Reserve its place before its members, so that
// parents precede children, and fill it through File.Defs afterwards.
func (b *Builder) Def(d Def) DefID {
	b.File.Defs = append(b.File.Defs, d)
	return DefID(len(b.File.Defs) - 1)
}

// Bind appends a binding.
func (b *Builder) Bind(x Bind) { b.File.Binds = append(b.File.Binds, x) }

// Import appends an import.
func (b *Builder) Import(i Import) ImportID {
	b.File.Imports = append(b.File.Imports, i)
	return ImportID(len(b.File.Imports) - 1)
}

// Text appends a comment or string.
func (b *Builder) Text(k TextKind, s Span) { b.File.Texts = append(b.File.Texts, Text{k, s}) }

// Mark appends a file-level fact.
func (b *Builder) Mark(key, value string) {
	b.File.Marks = append(b.File.Marks, Mark{b.InternString(key), b.InternString(value)})
}

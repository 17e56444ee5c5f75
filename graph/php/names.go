package php

import (
	"strings"

	"codeidx/facts"
)

// imports are the names that one namespace's use statements bring in. Classes
// and functions are keyed in lower case, constants as written.
type imports struct {
	classes, functions, constants map[string]string
}

// indexImports reads the use statements.
func (x *file) indexImports() {
	for i := 1; i < len(x.f.Imports); i++ {
		m := &x.f.Imports[i]
		if m.Kind != facts.ImportName {
			continue
		}
		t := x.aliases[m.Scope]
		if t == nil {
			t = &imports{map[string]string{}, map[string]string{}, map[string]string{}}
			x.aliases[m.Scope] = t
		}
		local := x.name(m.Alias)
		if local == "" {
			local = x.name(m.Name)
		}
		fqn := qualify(x.name(m.Module), x.name(m.Name))
		switch {
		case m.Flags&facts.ImportsFunc != 0:
			t.functions[strings.ToLower(local)] = fqn
		case m.Flags&facts.ImportsConst != 0:
			t.constants[local] = fqn
		default:
			t.classes[strings.ToLower(local)] = fqn
		}
	}
}

// importsAt returns the imports that hold in a scope: those of its namespace.
func (x *file) importsAt(s facts.ScopeID) *imports {
	for ; s != 0; s = x.f.Scopes[s].Parent {
		if x.f.Scopes[s].Kind == facts.ScopeNamespace {
			break
		}
	}
	return x.aliases[s]
}

// qualifier returns what stands before the last part of a name, its last
// separator included.
func (x *file) qualifier(e *facts.Expr) string {
	if e.X == 0 {
		return ""
	}
	return x.name(x.f.Exprs[e.X].Name)
}

// expand resolves a qualified name's qualifier: "\A\", "namespace\A\" or "B\A\".
func (x *file) expand(q, name string, s facts.ScopeID) string {
	if q[0] == '\\' {
		return q[1:] + name
	}
	if len(q) >= 10 && strings.EqualFold(q[:10], `namespace\`) {
		return qualify(x.namespaceOf(s), q[10:]+name)
	}
	first, rest, _ := strings.Cut(q, `\`)
	if t := x.importsAt(s); t != nil {
		if fqn, ok := t.classes[strings.ToLower(first)]; ok {
			return fqn + `\` + rest + name
		}
	}
	return qualify(x.namespaceOf(s), q+name)
}

// className returns the full name of the class that a Name stands for. The
// relative names self, static and parent are not expanded here.
func (x *file) className(e *facts.Expr) string {
	name := x.name(e.Name)
	if q := x.qualifier(e); q != "" {
		return x.expand(q, name, e.Scope)
	}
	if t := x.importsAt(e.Scope); t != nil {
		if fqn, ok := t.classes[strings.ToLower(name)]; ok {
			return fqn
		}
	}
	return qualify(x.namespaceOf(e.Scope), name)
}

// isVariable says whether a Name is a variable's.
func isVariable(name string) bool { return len(name) > 0 && name[0] == '$' }

// relative says which of self, static and parent a Name is, "" for none.
func (x *file) relative(e *facts.Expr) string {
	if e.X != 0 {
		return ""
	}
	switch n := x.name(e.Name); len(n) {
	case 4, 6:
		for _, r := range [...]string{"self", "static", "parent"} {
			if strings.EqualFold(n, r) {
				return r
			}
		}
	}
	return ""
}

// functionNames returns the full names that a called Name may mean, in order:
// unqualified names fall back to the global function.
func (x *file) functionNames(e *facts.Expr) []string {
	name := x.name(e.Name)
	if q := x.qualifier(e); q != "" {
		return []string{strings.ToLower(x.expand(q, name, e.Scope))}
	}
	if t := x.importsAt(e.Scope); t != nil {
		if fqn, ok := t.functions[strings.ToLower(name)]; ok {
			return []string{strings.ToLower(fqn)}
		}
	}
	return fallback(strings.ToLower(x.namespaceOf(e.Scope)), strings.ToLower(name))
}

// constantNames returns the keys of the constants that a Name may mean, in order.
func (x *file) constantNames(e *facts.Expr) []string {
	name := x.name(e.Name)
	if q := x.qualifier(e); q != "" {
		return []string{constantKey(x.expand(q, name, e.Scope))}
	}
	if t := x.importsAt(e.Scope); t != nil {
		if fqn, ok := t.constants[name]; ok {
			return []string{constantKey(fqn)}
		}
	}
	return fallback(strings.ToLower(x.namespaceOf(e.Scope)), name)
}

func fallback(space, name string) []string {
	if space == "" {
		return []string{name}
	}
	return []string{qualify(space, name), name}
}

// choose returns the classes of a full name: the one in this file, the one
// where autoloading finds it, the one in the files that this file includes,
// else all.
func (x *file) choose(fqn string) []*class {
	all := x.w.classes[strings.ToLower(fqn)]
	if len(all) < 2 {
		return all
	}
	var here, loaded, included []*class
	reach := x.included()
	for _, c := range all {
		if c.f == x {
			here = append(here, c)
		}
		if x.w.autoloads(fqn, c.f.f.Path) {
			loaded = append(loaded, c)
		}
		if reach[c.f] {
			included = append(included, c)
		}
	}
	switch {
	case len(here) == 1:
		return here
	case len(here) == 0 && len(loaded) == 1:
		return loaded
	case len(here) == 0 && len(included) == 1:
		return included
	}
	return all
}

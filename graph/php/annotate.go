package php

import (
	"strings"

	"codeidx/facts"
)

// annotation is the type of the values that a type expression describes.
func (x *file) annotation(e facts.ExprID) *typ {
	if e == 0 {
		return nil
	}
	return x.w.ask(&x.anns[e], func() *typ { return x.annotate(e) })
}

func (x *file) annotate(e facts.ExprID) *typ {
	t := &x.f.Exprs[e]
	kids := x.f.KidsOf(t.Kids)
	switch t.Kind {
	case facts.Name:
		return x.namedType(t)
	case facts.Literal:
		if t.Lit == facts.NilLit {
			return nullType
		}
		return scalarType
	case facts.Union:
		return union(x.annotations(kids)...)
	case facts.Intersect:
		return intersect(x.annotations(kids)...)
	case facts.ArrayType:
		return &typ{kind: tArray, elem: x.annotation(t.X)}
	case facts.Index:
		return x.genericType(t, kids)
	case facts.Dict: // array{key: T}
		if x.name(x.f.Exprs[t.X].Name) == "object" {
			return nil
		}
		return &typ{kind: tArray, f: x, e: e, args: []*typ{scalarType}}
	case facts.FuncType:
		return &typ{kind: tFunc, elem: x.annotation(t.X), args: x.annotations(kids)}
	}
	return nil
}

func (x *file) annotations(list []facts.ExprID) []*typ {
	out := make([]*typ, len(list))
	for i, e := range list {
		out[i] = x.annotation(e)
	}
	return out
}

func intersect(ts ...*typ) *typ {
	known := ts[:0:0]
	for _, t := range ts {
		if t != nil {
			known = append(known, t)
		}
	}
	switch len(known) {
	case 0:
		return nil
	case 1:
		return known[0]
	}
	return &typ{kind: tIntersect, args: known}
}

// namedType is the type that a name describes.
func (x *file) namedType(e *facts.Expr) *typ {
	if r := x.relative(e); r != "" {
		c := x.classAt(e.Scope)
		switch {
		case c == nil:
			return nil
		case r == "parent":
			return c.parentType(tInstance)
		}
		return &typ{kind: tInstance, c: c, self: r == "static" || c.kind() == facts.DefTrait}
	}
	if e.X == 0 {
		if t, ok := primitive(x.name(e.Name)); ok {
			return t
		}
		if e.Ctx == facts.Echo {
			if t := x.typeParam(e); t != nil {
				return t
			}
		}
	}
	return x.classType(x.className(e), tInstance)
}

// classType is an object, or the name, of the class called fqn. Several
// declarations give alternatives.
func (x *file) classType(fqn string, k typeKind) *typ {
	found := x.choose(fqn)
	switch len(found) {
	case 0:
		if k == tClass {
			return &typ{kind: tScalar, name: "class " + fqn}
		}
		return external(strings.TrimPrefix(fqn, `\`))
	case 1:
		return &typ{kind: k, c: found[0]}
	}
	ts := make([]*typ, 0, len(found))
	for _, c := range found {
		ts = append(ts, &typ{kind: k, c: c})
	}
	return union(ts...)
}

// parentType is the parent of a class, external where it is outside.
func (c *class) parentType(k typeKind) *typ {
	if len(c.parents) > 0 {
		return &typ{kind: k, c: c.parents[0]}
	}
	if len(c.outside) > 0 {
		return external(c.outside[0])
	}
	return nil
}

// primitive returns the type that one of the language's or of docblocks' own
// names describes.
func primitive(name string) (*typ, bool) {
	switch strings.ToLower(name) {
	case "int", "integer", "float", "double", "string", "bool", "boolean", "true", "false", "void", "never", "scalar", "numeric",
		"array-key", "class-string", "non-empty-string", "numeric-string", "literal-string", "positive-int", "non-negative-int", "resource",
		"callable-string", "interface-string", "trait-string", "enum-string", "lowercase-string", "non-falsy-string", "negative-int",
		"never-return", "no-return", "non-empty-lowercase-string", "truthy-string", "int-mask", "int-mask-of", "key-of", "value-of", "closed-resource":
		return scalarType, true
	case "object", "mixed":
		return nil, true
	case "null":
		return nullType, true
	case "array", "list", "non-empty-array", "non-empty-list", "iterable":
		return arrayType, true
	case "callable":
		return &typ{kind: tFunc}, true
	case "this":
		return nil, true
	}
	return nil, false
}

// genericType is the type of "X<args>".
func (x *file) genericType(e *facts.Expr, kids []facts.ExprID) *typ {
	base := &x.f.Exprs[e.X]
	args := x.annotations(kids)
	last := func() *typ {
		if len(args) == 0 {
			return nil
		}
		return args[len(args)-1]
	}
	if base.X == 0 {
		switch strings.ToLower(x.name(base.Name)) {
		case "array", "list", "non-empty-array", "non-empty-list", "iterable", "associative-array", "callable-array":
			return &typ{kind: tArray, elem: last()}
		case "class-string", "interface-string":
			return last().mapEach(func(a *typ) *typ {
				switch {
				case a == nil:
					return nil
				case a.kind == tInstance:
					return &typ{kind: tClass, c: a.c, self: a.self}
				case a.kind == tVar:
					return &typ{kind: tScalar, name: "class-string", args: []*typ{a}}
				}
				return scalarType
			})
		case "int", "key-of", "int-mask", "int-mask-of":
			return scalarType
		case "value-of":
			return nil
		}
	}
	t := x.annotation(e.X)
	if t == nil || t.kind != tInstance && t.kind != tExternal {
		return t
	}
	c := *t
	c.args = args
	return &c
}

// docBinds calls f for the statements of one tag about a definition.
func (x *file) docBinds(def facts.DefID, tag facts.DocTag, f func(*facts.Bind)) {
	for _, i := range x.docs.Of(uint32(def)) {
		if b := &x.f.Binds[i]; b.Index == tag {
			f(b)
		}
	}
}

// docType is what a tag of a definition's docblock states; the last one, which
// tools write for themselves, is the most exact.
func (x *file) docType(def facts.DefID, tag facts.DocTag, name facts.NameID) *typ {
	var t *typ
	x.docBinds(def, tag, func(b *facts.Bind) {
		if b.Name == name {
			if u := x.annotation(b.Type); u != nil {
				t = u
			}
		}
	})
	return t
}

// typeParam is the type parameter that a name of a docblock stands for, nil
// where there is none of that name.
func (x *file) typeParam(e *facts.Expr) *typ {
	defs := [2]facts.DefID{x.f.Scopes[e.Scope].Def, x.inside[e.Scope]}
	for _, d := range defs {
		var t *typ
		if d != 0 {
			x.docBinds(d, facts.DocTemplate, func(b *facts.Bind) {
				if b.Name == e.Name {
					t = &typ{kind: tVar, name: x.name(e.Name), f: x, def: d, recv: x.annotation(b.Type)}
				}
			})
		}
		if t != nil {
			return t
		}
	}
	return nil
}

// typeParams lists the names of the type parameters of a class.
func (c *class) typeParams() []string {
	var out []string
	c.f.docBinds(c.def, facts.DocTemplate, func(b *facts.Bind) { out = append(out, c.f.name(b.Name)) })
	return out
}

// hasVars says whether type parameters occur in t.
func (t *typ) hasVars() bool {
	if t == nil {
		return false
	}
	if t.kind == tVar || t.elem.hasVars() {
		return true
	}
	for _, a := range t.args {
		if a.hasVars() {
			return true
		}
	}
	return false
}

// replace puts values in the place of type parameters; those that value does
// not know become their bound. Either rests on the docblock that has them.
func (t *typ) replace(value func(v *typ) *typ) *typ {
	if !t.hasVars() {
		return t
	}
	if t.kind == tVar {
		if v := value(t); v != nil {
			return v.tainted()
		}
		return t.recv.tainted()
	}
	c := *t
	c.args = make([]*typ, len(t.args))
	for i, a := range t.args {
		c.args[i] = a.replace(value)
	}
	c.elem = t.elem.replace(value)
	if c.kind == tUnion {
		if t.part {
			c.args = append(c.args, nil)
		}
		return union(c.args...)
	}
	if c.kind == tScalar && c.name == "class-string" && c.args[0] != nil && c.args[0].kind == tInstance {
		return &typ{kind: tClass, c: c.args[0].c, doc: true}
	}
	return &c
}

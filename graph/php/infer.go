package php

import (
	"strings"

	"codeidx/facts"
)

// typeOf is the type of an expression's value.
func (x *file) typeOf(e facts.ExprID) *typ {
	if e == 0 {
		return nil
	}
	return x.w.ask(&x.exprs[e], func() *typ { return x.infer(e) })
}

func (x *file) infer(e facts.ExprID) *typ {
	t := &x.f.Exprs[e]
	kids := x.f.KidsOf(t.Kids)
	switch t.Kind {
	case facts.Name:
		return x.nameType(t)
	case facts.Select:
		return x.propertyFetch(e, t)
	case facts.ScopedVar:
		return x.memberType(x.scopeType(t.X), property, x.name(t.Name))
	case facts.Scoped:
		return x.constantFetch(t)
	case facts.Call:
		return x.callType(e)
	case facts.New:
		return x.newType(t)
	case facts.Index:
		return x.elementAt(x.typeOf(t.X), kids)
	case facts.Cond:
		return union(x.typesOf(kids)...)
	case facts.Match:
		return x.matchType(kids)
	case facts.Binary:
		return x.binaryType(t, kids)
	case facts.Unary, facts.Template:
		return scalarType
	case facts.Literal:
		if t.Lit == facts.NilLit {
			return nullType
		}
		return scalarType
	case facts.List, facts.Dict:
		return &typ{kind: tArray, f: x, e: e}
	case facts.Func:
		return &typ{kind: tFunc, f: x, scop: t.Scope}
	case facts.Assert:
		return x.castType(t, kids)
	}
	return nil
}

func (x *file) typesOf(list []facts.ExprID) []*typ {
	out := make([]*typ, len(list))
	for i, e := range list {
		out[i] = x.typeOf(e)
	}
	return out
}

// matchType joins the arms of a match; those that throw give nothing.
func (x *file) matchType(kids []facts.ExprID) *typ {
	var ts []*typ
	for _, k := range kids {
		if x.f.Exprs[k].Kind != facts.Other {
			ts = append(ts, x.typeOf(k))
		}
	}
	return union(ts...)
}

func (x *file) binaryType(t *facts.Expr, kids []facts.ExprID) *typ {
	if len(kids) != 2 {
		return nil
	}
	switch t.Op {
	case facts.OpCoalesce:
		left, right := x.typeOf(kids[0]), x.typeOf(kids[1])
		if x.f.Exprs[kids[1]].Kind == facts.Other { // "?? throw"
			return left
		}
		return union(left, right)
	case facts.OpArith:
		if l := x.typeOf(kids[0]); l != nil && l.kind == tArray {
			return union(l, x.typeOf(kids[1]))
		}
	}
	return scalarType
}

func (x *file) castType(t *facts.Expr, kids []facts.ExprID) *typ {
	name := ""
	if len(kids) > 0 {
		name = x.name(x.f.Exprs[kids[0]].Name)
	}
	switch name {
	case "array":
		if v := x.typeOf(t.X); v != nil && v.kind == tArray {
			return v
		}
		return arrayType
	case "object":
		if v := x.typeOf(t.X); v.object() {
			return v
		}
		return external("stdClass")
	}
	return scalarType
}

// nameType is the type of a variable or a constant.
func (x *file) nameType(t *facts.Expr) *typ {
	n := x.name(t.Name)
	switch {
	case n == "$this":
		return x.thisType(t)
	case isVariable(n):
		return x.variable(t.Name, t.Scope, t.Pos)
	case t.Ctx != facts.Read:
		return nil
	}
	for _, key := range x.constantNames(t) {
		if refs := x.w.constants[key]; len(refs) == 1 {
			return refs[0].f.constantType(refs[0].def)
		} else if len(refs) > 1 {
			return nil
		}
	}
	return scalarType
}

// thisType is the type of $this: where a docblock or a closure's binding says
// nothing else, an object of the class around.
func (x *file) thisType(t *facts.Expr) *typ {
	if c := x.classAt(t.Scope); c != nil {
		return &typ{kind: tInstance, c: c, self: true}
	}
	return x.variable(t.Name, t.Scope, t.Pos)
}

// scopeType is what stands before "::": the name of a class or an object.
func (x *file) scopeType(e facts.ExprID) *typ {
	t := &x.f.Exprs[e]
	if t.Kind != facts.Name || isVariable(x.name(t.Name)) {
		return x.typeOf(e)
	}
	c := x.classAt(t.Scope)
	switch r := x.relative(t); {
	case r == "":
		fqn := x.className(t)
		if len(x.w.classes[strings.ToLower(fqn)]) == 0 {
			return external(strings.TrimPrefix(fqn, `\`))
		}
		return x.classType(fqn, tClass)
	case c == nil:
		return nil
	case r == "parent":
		return c.parentType(tClass)
	default:
		return &typ{kind: tClass, c: c, self: true}
	}
}

// constantFetch is the type of "X::NAME".
func (x *file) constantFetch(t *facts.Expr) *typ {
	r := x.scopeType(t.X)
	if strings.EqualFold(x.name(t.Name), "class") {
		return r.mapEach(func(a *typ) *typ {
			switch {
			case a == nil:
				return nil
			case a.kind == tInstance || a.kind == tClass:
				return &typ{kind: tClass, c: a.c, self: a.self, doc: a.doc}
			case a.kind == tExternal:
				return &typ{kind: tScalar, name: "class " + a.name}
			}
			return scalarType
		})
	}
	return x.memberType(r, constant, x.name(t.Name))
}

func (x *file) constantType(def facts.DefID) *typ {
	return x.w.ask(&x.defs[def], func() *typ {
		d := &x.f.Defs[def]
		if d.Kind == facts.DefEnumMember {
			return instance(x.classes[d.Parent])
		}
		if d.Type != 0 {
			if t := x.annotation(d.Type); !t.vague() {
				return t
			}
		}
		return x.typeOf(d.Value)
	})
}

// newType is an object of the class that new names.
func (x *file) newType(t *facts.Expr) *typ {
	c := &x.f.Exprs[t.X]
	switch {
	case c.Kind == facts.ClassExpr:
		if k := x.classes[x.f.Scopes[c.Scope].Def]; k != nil {
			return instance(k)
		}
		return nil
	case c.Kind == facts.Name && !isVariable(x.name(c.Name)):
		return x.scopeType(t.X).objectOf()
	}
	return x.typeOf(t.X).objectOf()
}

// objectOf is an object of the class that t names.
func (t *typ) objectOf() *typ {
	return t.mapEach(func(a *typ) *typ {
		switch {
		case a == nil:
			return nil
		case a.kind == tClass || a.kind == tInstance:
			return &typ{kind: tInstance, c: a.c, self: a.self, doc: a.doc}
		case a.kind == tExternal:
			return a
		case a.kind == tScalar && strings.HasPrefix(a.name, "class "):
			return external(a.name[6:])
		}
		return nil
	})
}

// bindType is the type of what a bind gives its variable.
func (x *file) bindType(i uint32) *typ {
	return x.w.ask(&x.binds[i], func() *typ {
		b := &x.f.Binds[i]
		switch b.Kind {
		case facts.BindParam:
			return x.paramType(i, b)
		case facts.BindVar, facts.BindAttr:
			t := x.valueOf(b)
			if b.Kind == facts.BindVar && t.vague() {
				if d := x.docBefore(i); d != nil {
					return d.tainted()
				}
			}
			return t
		case facts.BindGlobal:
			if d := x.docBefore(i); d != nil {
				return d.tainted()
			}
			return x.w.globalType(x.name(b.Name))
		}
		return nil
	})
}

// maxGlobals bounds the files that are asked for the value of a global.
const maxGlobals = 16

// globalType joins what files assign first to a variable of theirs.
func (w *world) globalType(name string) *typ {
	var ts []*typ
	refs := w.globals[name]
	for _, r := range refs[:min(len(refs), maxGlobals)] {
		if t := r.f.typeOf(r.f.f.Defs[r.def].Value); t != nil && t.kind != tNull && t.kind != tScalar {
			ts = append(ts, t)
		}
	}
	return union(ts...).global()
}

// valueOf is the part of its value that a bind takes.
func (x *file) valueOf(b *facts.Bind) *typ {
	switch b.Part {
	case facts.PartWhole:
		return x.typeOf(b.Value)
	case facts.PartIndex:
		return x.typeOf(b.Value).at(int(b.Index))
	case facts.PartElem:
		return x.typeOf(b.Value).element()
	case facts.PartElemIndex:
		return x.typeOf(b.Value).element().at(int(b.Index))
	case facts.PartKey:
		return x.typeOf(b.Value).key()
	case facts.PartCaught:
		return x.annotation(b.Value)
	case facts.PartAugment:
		if t := x.typeOf(b.Value); t != nil && t.kind == tArray {
			return t
		}
		return scalarType
	}
	return nil
}

// paramType is the declared type of a parameter, else what its docblock, the
// place of its function literal or its default say.
func (x *file) paramType(i uint32, b *facts.Bind) *typ {
	t := x.annotation(b.Type)
	if d := x.docParam(b); !t.vague() {
		t = t.refined(d)
	} else {
		if d != nil {
			t = d.tainted()
		} else if l := x.literalParam(i, b); l != nil {
			t = l
		}
	}
	if b.Flags&facts.Variadic != 0 {
		return &typ{kind: tArray, elem: t}
	}
	if t == nil && b.Value != 0 {
		if d := x.typeOf(b.Value); d != nil && d.kind == tArray {
			return arrayType
		}
	}
	return t
}

// docParam is what the docblock of a function states of a parameter, its own
// or that of the method which it overrides.
func (x *file) docParam(b *facts.Bind) *typ {
	def := x.f.Scopes[b.Scope].Def
	if x.f.Defs[def].Scope != b.Scope {
		return nil
	}
	if t := x.docType(def, facts.DocParam, b.Name); t != nil {
		return t
	}
	if b.Def != 0 {
		if t := x.docType(b.Def, facts.DocVar, 0); t != nil {
			return t
		}
	}
	d := &x.f.Defs[def]
	if d.Kind != facts.DefMethod || d.Flags&(facts.Constructor|facts.Private) != 0 {
		return nil
	}
	c := x.classes[d.Parent]
	if c == nil {
		return nil
	}
	place := x.placeOf(b)
	for _, p := range c.bases() {
		o := p.find(method, strings.ToLower(x.name(d.Name)))
		if o.def == 0 {
			continue
		}
		params := o.c.f.params.Of(uint32(o.c.f.f.Defs[o.def].Scope))
		if place < len(params) {
			q := &o.c.f.f.Binds[params[place]]
			if b.Type == 0 && q.Type != 0 {
				return o.c.f.annotation(q.Type)
			}
			return o.c.f.docParam(q)
		}
	}
	return nil
}

// placeOf returns a parameter's position among those of its function.
func (x *file) placeOf(b *facts.Bind) int {
	for i, p := range x.params.Of(uint32(b.Scope)) {
		if x.f.Binds[p].Pos == b.Pos {
			return i
		}
	}
	return -1
}

package python

import (
	"strings"

	"codeidx/facts"
)

// special is the result of calling a function of the standard library that
// says something about its arguments.
func (m *module) special(e facts.ExprID, fn *typ, mode int) (*typ, bool) {
	kids := m.f.KidsOf(m.f.Exprs[e].Kids)
	arg := func(i int) *typ {
		if i < len(kids) {
			return m.typeOf(kids[i], mode)
		}
		return nil
	}
	if fn.recv != nil {
		return m.w.objectCall(fn, arg, mode), true
	}
	switch canonical(fn.name) {
	case "super":
		return m.superType(e, arg), true
	case "cast", "assert_type":
		if len(kids) == 2 {
			return m.annotation(kids[0]), true
		}
	case "type":
		if len(kids) == 1 {
			return arg(0).classOf(), true
		}
	case "deepcopy", "replace":
		return arg(0), true
	case "copy":
		if fn.name == "copy.copy" {
			return arg(0), true
		}
	case "partial":
		return &typ{kind: tCallable, res: m.w.called(arg(0), nil, mode)}, true
	case "closing", "nullcontext":
		return object("AbstractContextManager", arg(0)), true
	case "ref", "proxy":
		if strings.HasPrefix(fn.name, "weakref.") {
			return &typ{kind: tCallable, res: arg(0)}, true
		}
	case "pytest.raises":
		return object("AbstractContextManager", object("ExceptionInfo", caught(arg(0)))), true
	case "property":
		return nil, true
	case "update_wrapper", "lru_cache", "cache":
		if t := arg(0); t != nil && t.kind == tFunc {
			return t, true
		}
	}
	return m.builtinCall(fn, len(kids), arg, mode)
}

// builtinCall is the result of a builtin function or class.
func (m *module) builtinCall(fn *typ, n int, arg func(int) *typ, mode int) (*typ, bool) {
	switch canonical(fn.name) {
	case "isinstance", "issubclass", "hasattr", "callable", "any", "all", "bool":
		return boolType, true
	case "len", "int", "id", "hash", "ord", "sum":
		return intType, true
	case "str", "repr", "format", "chr":
		return strType, true
	case "list", "sorted", "set", "frozenset", "deque":
		return object(strings.Replace(canonical(fn.name), "sorted", "list", 1), m.elementOr(fn, arg(0), mode)), true
	case "tuple":
		return object("Sequence", m.w.element(arg(0), mode)), true
	case "iter", "reversed", "filter":
		if canonical(fn.name) == "filter" {
			return object("Iterator", m.w.element(arg(1), mode)), true
		}
		return object("Iterator", m.w.element(arg(0), mode)), true
	case "enumerate":
		return object("Iterator", object("tuple", intType, m.w.element(arg(0), mode))), true
	case "zip", "zip_longest":
		ts := make([]*typ, 0, n)
		for i := range n {
			ts = append(ts, m.w.element(arg(i), mode))
		}
		return object("Iterator", object("tuple", ts...)), true
	case "map":
		return object("Iterator", m.w.called(arg(0), nil, mode)), true
	case "next", "min", "max":
		if n == 1 || canonical(fn.name) == "next" {
			return m.w.element(arg(0), mode), true
		}
		return arg(0), true
	case "dict":
		if len(fn.args) == 2 {
			return object("dict", fn.args...), true
		}
		if a := arg(0); a != nil && a.kind == tObject && mapping(a.name) {
			return object("dict", a.args...), true
		}
		return object("dict"), true
	}
	return nil, false
}

func (m *module) elementOr(fn, a *typ, mode int) *typ {
	if len(fn.args) == 1 {
		return fn.args[0]
	}
	return m.w.element(a, mode)
}

// superType is super() in a method, or super(C, self).
func (m *module) superType(e facts.ExprID, arg func(int) *typ) *typ {
	x := &m.f.Exprs[e]
	if kids := m.f.KidsOf(x.Kids); len(kids) == 2 {
		c, o := arg(0), arg(1)
		if c == nil || c.kind != tClass || o == nil || o.kind != tInstance && o.kind != tClass {
			return nil
		}
		return &typ{kind: tSuper, m: c.m, def: c.def, recv: o}
	}
	for s := x.Scope; s != 0; s = m.f.Scopes[s].Parent {
		def := m.f.Scopes[s].Def
		d := &m.f.Defs[def]
		if m.f.Scopes[s].Kind != facts.ScopeFunction || d.Kind != facts.DefMethod || d.Scope != s {
			continue
		}
		recv := &typ{kind: tInstance, m: m, def: d.Parent, args: m.class(d.Parent).typeParams(), self: true}
		if d.Flags&facts.ClassMethod != 0 {
			recv.kind = tClass
		}
		return &typ{kind: tSuper, m: m, def: d.Parent, recv: recv}
	}
	return nil
}

// externalResult is what calling something from outside gives: an instance
// when its name is a class's, else a value of which only its origin is known.
func externalResult(fn *typ) *typ {
	name := canonical(fn.name)
	base := name[strings.LastIndexByte(name, '.')+1:]
	if base != "" && (base[0] >= 'A' && base[0] <= 'Z' || fn.args != nil) {
		return &typ{kind: tObject, name: name, args: fn.args}
	}
	return object("")
}

// objectCall is the result of a method of a builtin or external object.
func (w *world) objectCall(fn *typ, arg func(int) *typ, mode int) *typ {
	o := fn.recv
	method := fn.name[strings.LastIndexByte(fn.name, '.')+1:]
	switch {
	case o.name == "str":
		switch method {
		case "split", "rsplit", "splitlines":
			return object("list", strType)
		case "partition", "rpartition":
			return object("tuple", strType, strType, strType)
		case "encode":
			return object("bytes")
		case "join", "strip", "lstrip", "rstrip", "lower", "upper", "replace", "format", "title", "capitalize", "expandtabs":
			return strType
		}
		return object("")
	case mapping(o.name):
		return mappingCall(o, method, arg)
	case o.name == "ContextVar" && method == "get", o.name == "list" && method == "pop", o.name == "deque" && strings.HasPrefix(method, "pop"),
		o.name == "set" && method == "pop", o.name == "Generator" && method == "send":
		return o.arg(0)
	case method == "copy":
		return o
	case o.name == "ExitStack" && method == "enter_context":
		return w.entered(arg(0), mode)
	case method == "enter_context" && strings.HasSuffix(o.name, "ExitStack"):
		return w.entered(arg(0), mode)
	}
	return object("")
}

func mappingCall(o *typ, method string, arg func(int) *typ) *typ {
	k, v := o.arg(0), o.arg(1)
	switch method {
	case "get":
		if d := arg(1); d != nil {
			return union(v, d)
		}
		return union(v, noneType)
	case "pop", "setdefault":
		return v
	case "items":
		return object("Iterable", object("tuple", k, v))
	case "values":
		return object("Iterable", v)
	case "keys":
		return object("Iterable", k)
	case "popitem":
		return object("tuple", k, v)
	case "copy":
		return o
	}
	return object("")
}

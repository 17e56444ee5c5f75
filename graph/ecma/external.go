package ecma

import (
	"strings"

	"codeidx/facts"
)

// externalResult is what calling a function of the language gives.
func (w *world) externalResult(fn *typ, s *site) *typ {
	switch fn.name {
	case "Object.assign":
		var ts []*typ
		for i := range s.args() {
			ts = append(ts, s.argument(i))
		}
		return inter(ts...)
	case "Object.freeze", "Object.seal", "structuredClone", "Object.preventExtensions":
		return s.argument(0)
	case "Object.keys", "Object.getOwnPropertyNames":
		return builtin("Array", stringType)
	case "Object.values":
		return builtin("Array", w.anyValue(s.argument(0)))
	case "Object.entries":
		return builtin("Array", &typ{kind: tTuple, args: []*typ{stringType, w.anyValue(s.argument(0))}})
	case "Object.fromEntries":
		return builtin("Record", stringType, w.item(w.element(s.argument(0)), 1))
	case "Promise.resolve":
		return builtin("Promise", w.awaited(s.argument(0)))
	case "Promise.all", "Promise.race", "Promise.any":
		return w.promiseAll(fn.name, s)
	case "Array.from", "Array.fromAsync":
		t := builtin("Array", w.element(s.argument(0)))
		if len(s.args()) > 1 {
			t = builtin("Array", w.called(s.argument(1), nil, 0))
		}
		if fn.name == "Array.fromAsync" {
			return builtin("Promise", t)
		}
		return t
	case "Array.of":
		return builtin("Array", s.argument(0))
	case "String", "JSON.stringify", "encodeURIComponent", "decodeURIComponent":
		return stringType
	case "Number", "parseInt", "parseFloat":
		return numberType
	case "Boolean", "Array.isArray":
		return boolType
	case "JSON.parse":
		return anyType
	case "Array":
		return builtin("Array", nil)
	}
	return w.hookResult(fn, s)
}

// anyValue joins the values of an object.
func (w *world) anyValue(t *typ) *typ {
	if v := w.valueType(t); v != nil {
		return v
	}
	if t == nil || t.kind != tObject || t.expr == 0 {
		return w.element(t)
	}
	var ts []*typ
	for i, k := range t.m.kids(t.expr) {
		if x := t.m.expr(k); x.Kind == facts.Keyword && i < maxUnion {
			ts = append(ts, t.m.typeOf(x.X))
		} else {
			ts = append(ts, nil)
		}
	}
	return union(ts...)
}

func (w *world) promiseAll(name string, s *site) *typ {
	if name != "Promise.all" {
		return builtin("Promise", w.awaited(w.element(s.argument(0))))
	}
	if args := s.args(); len(args) == 1 && s.m.expr(args[0]).Kind == facts.List {
		t := &typ{kind: tTuple}
		for _, k := range s.m.kids(args[0]) {
			if s.m.expr(k).Kind == facts.Spread {
				t = nil
				break
			}
			t.args = append(t.args, w.awaited(s.m.typeOf(k)))
		}
		if t != nil {
			return builtin("Promise", t)
		}
	}
	a := s.argument(0)
	if a != nil && a.kind == tTuple {
		t := &typ{kind: tTuple}
		for _, x := range a.args {
			t.args = append(t.args, w.awaited(x))
		}
		return builtin("Promise", t)
	}
	return builtin("Promise", builtin("Array", w.awaited(w.element(a))))
}

// externalInstance is an instance of a class of the language, or of a package.
func (w *world) externalInstance(c *typ, s *site) *typ {
	args := c.args
	if strings.HasPrefix(c.name, ":") {
		return &typ{kind: tOutside, name: lastName(c.name), args: args}
	}
	switch c.name {
	case "Map", "WeakMap":
		if len(args) == 0 {
			e := w.element(s.argument(0))
			args = []*typ{w.item(e, 0), w.item(e, 1)}
		}
	case "Set", "WeakSet", "Array":
		if len(args) == 0 && c.name != "Array" {
			args = []*typ{w.element(s.argument(0))}
		}
	case "Proxy":
		return s.argument(0)
	case "Promise":
		if len(args) == 0 {
			return builtin("Promise", nil)
		}
	}
	return w.globalType(c.name, args)
}

// externalParam is what a function of the language, or of a well-known test
// runner, expects of argument i.
func (w *world) externalParam(fn *typ, s *site, i int) *typ {
	switch fn.name {
	case "Array.from":
		if i == 1 {
			return callback(w.element(s.argument(0)), numberType)
		}
	case "Object.assign":
		return s.argument(0)
	}
	return w.macroParam(s, i)
}

// macroParam types the functions that a call hands to a macro among its
// arguments, as "test(title, macro, …args)" of AVA does: an argument declared as
// Macro<[A, B]> of another package takes an A and a B behind it.
func (w *world) macroParam(s *site, i int) *typ {
	for k, a := range s.args() {
		if k >= i || k > 2 {
			return nil
		}
		x := s.m.expr(a)
		if x.Kind != facts.Name && x.Kind != facts.Call && x.Kind != facts.Select {
			continue
		}
		t := s.m.typeOf(a)
		if t != nil && t.kind == tOutside && t.name == "Macro" {
			if list := t.arg(0); list != nil && list.kind == tTuple {
				return list.arg(i - k - 1)
			}
		}
	}
	return nil
}

// lastName is the last part of an external name such as ":default.Component".
func lastName(name string) string { return name[strings.LastIndexAny(name, ".:")+1:] }

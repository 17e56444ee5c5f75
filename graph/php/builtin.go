package php

import (
	_ "embed"
	"strings"
	"sync"

	"codeidx/facts"
)

//go:embed builtin.txt
var builtinList string

// builtins are the names that PHP and its usual extensions define, in lower
// case, by kind. builtin.txt lists them below the headings "# functions: …",
// "# classes" and "# constants".
type builtins struct {
	functions, classes, constants map[string]bool
}

var builtinNames = sync.OnceValue(func() *builtins {
	b := &builtins{make(map[string]bool, 2000), make(map[string]bool, 300), make(map[string]bool, 800)}
	into := b.functions
	for line := range strings.Lines(builtinList) {
		switch {
		case strings.HasPrefix(line, "# functions"):
			into = b.functions
		case strings.HasPrefix(line, "# classes"):
			into = b.classes
		case strings.HasPrefix(line, "# constants"):
			into = b.constants
		case strings.HasPrefix(line, "#"):
		default:
			for _, n := range strings.Fields(line) {
				into[n] = true
			}
		}
	}
	return b
})

// builtinFunction says whether PHP itself defines a function.
func builtinFunction(name string) bool { return builtinNames().functions[plainName(name)] }

// builtinClass says whether PHP itself defines a class.
func builtinClass(name string) bool { return builtinNames().classes[plainName(name)] }

// builtinConstant says whether PHP itself defines a constant.
func builtinConstant(name string) bool { return builtinNames().constants[plainName(name)] }

func plainName(name string) string { return strings.ToLower(strings.TrimPrefix(name, `\`)) }

// builtinResult is the result of the functions of PHP that hand their
// arguments' types on.
func (x *file) builtinResult(name string, args []facts.ExprID) *typ {
	arg := func(i int) *typ {
		if i < len(args) {
			return x.typeOf(args[i])
		}
		return nil
	}
	list := func(t *typ) *typ {
		if e := t.element(); e != nil {
			return &typ{kind: tArray, elem: e}
		}
		return arrayType
	}
	switch name {
	case "array_filter", "array_values", "array_reverse", "array_slice", "array_unique", "array_diff", "array_diff_key", "array_intersect",
		"array_intersect_key", "array_splice", "array_diff_assoc", "array_udiff", "iterator_to_array", "array_pad", "array_uintersect":
		return list(arg(0))
	case "array_merge", "array_replace", "array_merge_recursive":
		ts := make([]*typ, 0, len(args))
		for i := range args {
			if a := arg(i); a == nil || a.kind != tArray || !a.empty() {
				ts = append(ts, list(a))
			}
		}
		return union(ts...)
	case "array_pop", "array_shift", "current", "reset", "end", "next", "prev", "array_find", "array_rand":
		if name == "array_rand" {
			return scalarType
		}
		return arg(0).element()
	case "max", "min":
		return scalarType
	case "array_map":
		if r := arg(0).called(); r != nil {
			return &typ{kind: tArray, elem: r}
		}
		return arrayType
	case "array_fill", "array_fill_keys":
		return &typ{kind: tArray, elem: arg(len(args) - 1)}
	case "array_combine":
		return list(arg(1))
	case "array_chunk":
		return &typ{kind: tArray, elem: list(arg(0))}
	case "array_keys", "array_flip", "explode", "array_column", "str_split", "range", "func_get_args", "get_object_vars", "compact":
		return arrayType
	case "call_user_func", "call_user_func_array":
		return arg(0).called()
	case "get_class", "get_called_class":
		return arg(0).mapEach(func(a *typ) *typ {
			if a != nil && a.kind == tInstance {
				return &typ{kind: tClass, c: a.c, self: a.self, doc: a.doc}
			}
			return nil
		})
	}
	return nil
}

// literalParam is the type of a parameter of a function literal that a known
// function calls with the elements of an array.
func (x *file) literalParam(i uint32, b *facts.Bind) *typ {
	l, ok := x.literals()[b.Scope]
	if !ok {
		return nil
	}
	place := x.placeOf(b)
	if place < 0 {
		return nil
	}
	kids := x.f.KidsOf(x.f.Exprs[l.call].Kids)
	fn := &x.f.Exprs[x.f.Exprs[l.call].X]
	if fn.Kind != facts.Name {
		return nil
	}
	from := -1
	switch name := strings.ToLower(x.name(fn.Name)); name {
	case "array_map":
		from = place + 1
	case "array_filter", "usort", "uasort", "array_walk", "array_find", "array_any", "array_all":
		if place == 0 || name == "usort" || name == "uasort" {
			from = 0
		}
	case "array_reduce":
		if place == 1 {
			from = 0
		}
	}
	if from < 0 || from >= len(kids) || kids[from] == l.arg {
		return nil
	}
	return x.typeOf(kids[from]).element()
}

// lambda is a function literal among the arguments of a call.
type lambda struct{ call, arg facts.ExprID }

// literals returns the function literals that stand as arguments, by scope.
func (x *file) literals() map[facts.ScopeID]lambda {
	if x.lambdas != nil {
		return x.lambdas
	}
	x.lambdas = map[facts.ScopeID]lambda{}
	for i := range x.f.Exprs {
		e := &x.f.Exprs[i]
		if e.Kind != facts.Call {
			continue
		}
		for _, k := range x.f.KidsOf(e.Kids) {
			if a := &x.f.Exprs[k]; a.Kind == facts.Func {
				x.lambdas[a.Scope] = lambda{facts.ExprID(i), k}
			}
		}
	}
	return x.lambdas
}

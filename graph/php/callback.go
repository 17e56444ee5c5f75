package php

import (
	"strings"

	"codeidx/facts"
	"codeidx/graph"
)

// callbackPlaces says which arguments of known functions are callables.
func callbackPlaces(name string) []int {
	switch name {
	case "array_map", "call_user_func", "call_user_func_array", "forward_static_call", "forward_static_call_array", "register_shutdown_function",
		"spl_autoload_register", "set_error_handler", "set_exception_handler", "ob_start", "register_tick_function",
		"header_register_callback":
		return []int{0}
	case "array_filter", "array_reduce", "array_walk", "array_walk_recursive", "usort", "uasort", "uksort", "preg_replace_callback",
		"iterator_apply", "add_action", "add_filter", "add_shortcode", "register_activation_hook",
		"register_deactivation_hook", "register_uninstall_hook", "session_set_save_handler", "array_find", "array_any", "array_all":
		return []int{1}
	case "array_udiff", "array_uintersect", "array_diff_ukey", "array_udiff_assoc":
		return []int{2}
	}
	return nil
}

// emitCallbacks makes candidates of callables that are written as strings
// where a known function expects them.
func (x *file) emitCallbacks(call, fn *facts.Expr) {
	kids := x.f.KidsOf(call.Kids)
	name := strings.ToLower(x.name(fn.Name))
	for _, i := range append(callbackPlaces(name), x.w.callbacks[name]...) {
		if i >= len(kids) {
			continue
		}
		if s := &x.f.Exprs[kids[i]]; s.Kind == facts.Literal && s.Lit == facts.StringLit && s.Name != 0 {
			x.emitString(s)
		}
	}
}

// emitString binds 'function' and 'Class::method'.
func (x *file) emitString(s *facts.Expr) {
	text := strings.TrimPrefix(x.name(s.Name), `\`)
	class, name, ok := strings.Cut(text, "::")
	if !ok {
		for _, r := range x.w.functions[strings.ToLower(text)] {
			x.callback(s, r)
		}
		return
	}
	for _, c := range x.w.classes[strings.ToLower(class)] {
		if o := c.find(method, strings.ToLower(name)); o.def != 0 {
			x.callback(s, defRef{o.c.f, o.def})
		}
	}
}

// callback makes a candidate call from the text inside of a string.
func (x *file) callback(s *facts.Expr, to defRef) {
	x.out.Edges = append(x.out.Edges, graph.Edge{
		Kind: graph.Calls, Resolution: graph.Candidate, Rule: graph.PhpCallback, From: x.f.Scopes[s.Scope].Def, Pos: s.Pos, Name: s.Name,
		To: to.target(),
	})
}

// emitPair binds [$object, 'method'] and [Some::class, 'method'] where the
// class has such a method.
func (x *file) emitPair(e *facts.Expr) {
	kids := x.f.KidsOf(e.Kids)
	if len(kids) != 2 {
		return
	}
	s := &x.f.Exprs[kids[1]]
	if s.Kind != facts.Literal || s.Lit != facts.StringLit || s.Name == 0 || x.broken(s.Pos) {
		return
	}
	name := x.name(s.Name)
	if x.w.methods[strings.ToLower(name)] == 0 {
		return
	}
	var t *typ
	if o := &x.f.Exprs[kids[0]]; o.Kind == facts.Literal && o.Lit == facts.StringLit && o.Name != 0 {
		t = x.classType(strings.TrimPrefix(x.name(o.Name), `\`), tClass)
	} else {
		t = x.typeOf(kids[0])
	}
	var r hits
	x.lookup(t, method, name, &r)
	for _, h := range r.list {
		x.callback(s, defRef{h.c.f, h.def})
	}
}

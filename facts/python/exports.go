package python

import (
	"codeidx/facts"
)

// dunderAll collects the literal elements that are assigned or added to
// __all__ of the module; anything else marks the list as dynamic.
func (w *walker) dunderAll(left uint32, value facts.ExprID, added bool) {
	if w.scope != 0 || w.kind(left) != kIdentifier || string(w.text(left)) != "__all__" || value == 0 {
		return
	}
	if !added {
		w.f.Exports = facts.Range{}
	}
	w.export(value)
}

// allCall reads "__all__.extend([…])", "__all__.append(…)" and "__all__.remove(…)".
func (w *walker) allCall(n uint32, e facts.ExprID) {
	if w.scope != 0 || e == 0 || w.f.Exprs[e].Kind != facts.Call {
		return
	}
	fn := &w.f.Exprs[w.f.Exprs[e].X]
	if fn.Kind != facts.Select || w.f.Exprs[fn.X].Kind != facts.Name || w.f.Names[w.f.Exprs[fn.X].Name] != "__all__" {
		return
	}
	args := w.f.KidsOf(w.f.Exprs[e].Kids)
	switch w.f.Names[fn.Name] {
	case "extend":
		if len(args) == 1 {
			w.export(args[0])
			return
		}
	case "append":
		if len(args) == 1 && w.f.Exprs[args[0]].Lit == facts.StringLit && w.f.Exprs[args[0]].Name != 0 {
			w.addExports(args)
			return
		}
	}
	w.dynamicAll()
}

func (w *walker) export(value facts.ExprID) {
	x := w.f.Exprs[value]
	switch x.Kind {
	case facts.List, facts.Tuple, facts.Set:
		for _, k := range w.f.KidsOf(x.Kids) {
			if e := &w.f.Exprs[k]; e.Lit != facts.StringLit || e.Name == 0 {
				w.dynamicAll()
				return
			}
		}
		w.addExports(w.f.KidsOf(x.Kids))
	case facts.Binary:
		for _, k := range w.f.KidsOf(x.Kids) {
			w.export(k)
		}
	default:
		w.dynamicAll()
	}
}

// addExports appends to the export list, which is one run of Kids.
func (w *walker) addExports(elems []facts.ExprID) {
	all := append([]facts.ExprID{}, w.f.KidsOf(w.f.Exports)...)
	all = append(all, elems...)
	for _, e := range elems {
		w.f.Exprs[e].Ctx = facts.Export
	}
	w.f.Exports = w.b.Range(all)
}

func (w *walker) dynamicAll() {
	key := w.b.InternString("dynamic_all")
	for _, m := range w.f.Marks {
		if m.Key == key {
			return
		}
	}
	w.b.Mark("dynamic_all", "")
}

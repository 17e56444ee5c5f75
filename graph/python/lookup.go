package python

import (
	"sort"

	"codeidx/facts"
)

// endOfFile as a position asks for what holds when a scope has run.
const endOfFile = ^uint32(0)

// bindsIn returns the binds of a name in one scope, in source order.
func (m *module) bindsIn(name facts.NameID, scope facts.ScopeID) []uint32 {
	return m.pick(m.names.Of(uint32(name)), scope)
}

// pick returns those of a name's binds, which are ordered by scope, that are
// in one scope.
func (m *module) pick(binds []uint32, scope facts.ScopeID) []uint32 {
	lo := sort.Search(len(binds), func(i int) bool { return m.f.Binds[binds[i]].Scope >= scope })
	hi := lo
	for hi < len(binds) && m.f.Binds[binds[hi]].Scope == scope {
		hi++
	}
	return binds[lo:hi]
}

// binding says whether a bind gives its name a value.
func binding(k facts.BindKind) bool {
	switch k {
	case facts.BindNarrow, facts.BindGlobal, facts.BindNonlocal, facts.BindDelete, facts.BindReturn, facts.BindAttr:
		return false
	}
	return true
}

// found is where a name is bound.
type found struct {
	scope facts.ScopeID
	binds []uint32 // that may hold at the use
	ok    bool
}

// find looks a name up from scope at pos, as Python does: inner functions
// first, classes only from their own body, then the module.
func (m *module) find(name facts.NameID, scope facts.ScopeID, pos uint32) found {
	all := m.names.Of(uint32(name))
	if len(all) == 0 {
		return found{}
	}
	own, flow := true, true // the use still runs in its own class body; in the flow of the scope
	for s := scope; ; s = m.f.Scopes[s].Parent {
		sc := &m.f.Scopes[s]
		if sc.Kind != facts.ScopeClass || own {
			if r, global := m.findIn(m.pick(all, s), s, pos, flow); r.ok {
				return r
			} else if global {
				r, _ := m.findIn(m.pick(all, 0), 0, endOfFile, false)
				return r
			}
		}
		switch sc.Kind {
		case facts.ScopeTypeParams:
		case facts.ScopeComprehension:
			own = false
		default:
			own = false
			if sc.Kind != facts.ScopeClass {
				flow = false
			}
		}
		if s == 0 {
			return found{}
		}
	}
}

// findIn decides among the binds of one scope. global says that the scope
// declares the name global.
func (m *module) findIn(binds []uint32, s facts.ScopeID, pos uint32, flow bool) (r found, global bool) {
	n := 0
	for _, b := range binds {
		switch m.f.Binds[b].Kind {
		case facts.BindGlobal:
			return found{}, true
		case facts.BindNonlocal:
			return found{}, false
		default:
			if binding(m.f.Binds[b].Kind) {
				n++
			}
		}
	}
	if n == 0 {
		return found{}, false
	}
	if !flow {
		pos = endOfFile
	}
	reaching := m.reach(binds, pos)
	if len(reaching) == 0 {
		if flow && (m.f.Scopes[s].Kind == facts.ScopeClass || s == 0 && m.w.builtin(m.name(m.f.Binds[binds[0]].Name))) {
			return found{}, false
		}
		reaching = m.allBinding(binds)
	}
	return found{scope: s, binds: reaching, ok: true}, false
}

func (m *module) allBinding(binds []uint32) []uint32 {
	var out []uint32
	for _, b := range binds {
		if binding(m.f.Binds[b].Kind) {
			out = append(out, b)
		}
	}
	return out
}

// reach returns the binds whose value a use at pos may see: backwards from the
// use, up to and including the first that holds for sure.
func (m *module) reach(binds []uint32, pos uint32) []uint32 {
	hi := len(binds)
	if pos != endOfFile {
		hi = sort.Search(len(binds), func(i int) bool { return m.f.Binds[binds[i]].Pos >= pos })
	}
	var out []uint32
	for i := hi - 1; i >= 0; i-- {
		b := &m.f.Binds[binds[i]]
		if !binding(b.Kind) || b.From > pos {
			continue
		}
		if b.Flags&facts.CondBind == 0 || b.To == 0 {
			if out == nil {
				return binds[i : i+1]
			}
			return append(out, binds[i])
		}
		if pos < b.To {
			if out == nil {
				return binds[i : i+1]
			}
			return append(out, binds[i])
		}
		if pos >= b.Merge && b.Merge < m.f.Size {
			out = append(out, binds[i])
		} else if pos == endOfFile && b.Merge < m.f.Size {
			out = append(out, binds[i])
		}
	}
	return out
}

// entities follows the imports among binds.
func (m *module) entities(binds []uint32) []entity {
	var out []entity
	for _, i := range binds {
		b := &m.f.Binds[i]
		switch {
		case b.Kind == facts.BindImport:
			out = addEntities(out, m.imported(b.Import))
		case b.Def != 0:
			out = addEntities(out, []entity{{kind: entityDef, m: m, def: b.Def, bind: i}})
		default:
			out = append(out, entity{kind: entityLocal, m: m, bind: i})
		}
	}
	return m.preferable(out)
}

// preferable drops the fallbacks of a conditional import: "X = None" and
// variables beside what is really imported.
func (m *module) preferable(es []entity) []entity {
	if len(es) < 2 {
		return es
	}
	real := es[:0:0]
	inside := false
	for _, e := range es {
		if !e.isNone() {
			real = append(real, e)
			inside = inside || e.kind != entityExternal
		}
	}
	if !inside {
		return es
	}
	return real
}

// isNone says whether an entity is a variable that is only ever bound to None.
func (e entity) isNone() bool {
	if e.kind == entityLocal {
		b := &e.m.f.Binds[e.bind]
		return b.Type == 0 && b.Value != 0 && e.m.f.Exprs[b.Value].Lit == facts.NilLit
	}
	if e.kind != entityDef {
		return false
	}
	d := &e.m.f.Defs[e.def]
	return d.Value != 0 && d.Type == 0 && e.m.f.Exprs[d.Value].Lit == facts.NilLit && len(e.m.byDef.Of(uint32(e.def))) == 1
}

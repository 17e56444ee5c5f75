package hooks

import (
	"fmt"

	"codeidx/facts"
)

// misfit says why the call whose name stands at a position cannot be one of a
// function, "" where it may be. Only languages that refuse a wrong number of arguments
// are judged, and only plain functions: no methods, nothing decorated, overloaded or
// defined under a condition.
func misfit(f *facts.File, pos uint32, target *facts.File, def facts.DefID) string {
	d := &target.Defs[def]
	const unclear = facts.Conditional | facts.Overload
	if d.Kind != facts.DefFunction || d.Flags&unclear != 0 || d.Decorators.N > 0 || f.Lang != facts.Python || target.Lang != facts.Python {
		return ""
	}
	call := callAt(f, pos)
	if call == nil {
		return ""
	}
	given, ok := argumentsOf(f, call)
	if !ok {
		return ""
	}
	return parametersOf(target, d.Scope).refuse(given)
}

// callAt returns the call whose callee's name stands at a position.
func callAt(f *facts.File, pos uint32) *facts.Expr {
	for i := 1; i < len(f.Exprs); i++ {
		e := &f.Exprs[i]
		if e.Kind == facts.Call && e.X != 0 && f.Exprs[e.X].Pos == pos && f.Exprs[e.X].Ctx == facts.Callee {
			return e
		}
	}
	return nil
}

// arguments are what a call gives.
type arguments struct {
	positional int
	keywords   []string
}

// argumentsOf counts; it cannot where something is unpacked.
func argumentsOf(f *facts.File, call *facts.Expr) (a arguments, ok bool) {
	for _, k := range f.KidsOf(call.Kids) {
		switch e := &f.Exprs[k]; e.Kind {
		case facts.Spread, facts.KeySpread, facts.Bad:
			return a, false
		case facts.Keyword:
			a.keywords = append(a.keywords, f.Names[e.Name])
		default:
			a.positional++
		}
	}
	return a, true
}

// parameters are what a function takes.
type parameters struct {
	positional []string
	keyword    []string
	required   map[string]bool
	rest       bool // any further positional ones
	keywords   bool // any further keywords
}

func parametersOf(f *facts.File, scope facts.ScopeID) *parameters {
	p := &parameters{required: map[string]bool{}}
	for i := range f.Binds {
		b := &f.Binds[i]
		if b.Kind != facts.BindParam || b.Scope != scope {
			continue
		}
		name := f.Names[b.Name]
		switch {
		case b.Flags&facts.Variadic != 0:
			p.rest = true
			continue
		case b.Flags&facts.KeywordRest != 0:
			p.keywords = true
			continue
		case b.Flags&facts.KeywordOnly != 0:
			p.keyword = append(p.keyword, name)
		default:
			p.positional = append(p.positional, name)
		}
		p.required[name] = b.Flags&facts.Optional == 0
	}
	return p
}

// refuse says why a call does not fit, "" where it may.
func (p *parameters) refuse(a arguments) string {
	if n := len(p.positional); a.positional > n && !p.rest {
		return fmt.Sprintf("with %d positional arguments, but it takes %d", a.positional, n)
	}
	given := map[string]bool{}
	for _, name := range p.positional[:min(a.positional, len(p.positional))] {
		given[name] = true
	}
	for _, name := range a.keywords {
		if _, known := p.required[name]; !known && !p.keywords {
			return fmt.Sprintf("with %s, which it does not take", name)
		}
		given[name] = true
	}
	for _, list := range [...][]string{p.positional, p.keyword} {
		for _, name := range list {
			if p.required[name] && !given[name] {
				return fmt.Sprintf("without %s, which it needs", name)
			}
		}
	}
	return ""
}

package query

import (
	"slices"

	"codeidx/graph"
)

// Site is a place that refers to something.
type Site struct {
	Path string
	Line uint32
	In   string // qualified name of the definition around it, or the file
}

// looseSites lists the references of a file to a name that were not bound, a
// line once.
func (x *Index) looseSites(path, name string) ([]Site, error) {
	data, ok, err := x.unresolved.Row(path)
	if err != nil || !ok {
		return nil, err
	}
	list, err := graph.DecodeLoose(data)
	if err != nil {
		return nil, x.corrupt(graph.UnresolvedTable, path, err)
	}
	f, err := x.Symbols(path)
	if err != nil {
		return nil, err
	}
	var out []Site
	for i := range list {
		u := &list[i]
		if u.Name != name || len(out) > 0 && out[len(out)-1].Line == u.Line {
			continue
		}
		s := Site{Path: path, Line: u.Line, In: path}
		if f != nil && int(u.From) < len(f.Symbols) {
			s.In = nameOf(f, int(u.From))
		}
		out = append(out, s)
	}
	return out, nil
}

// Places lists up to max of the sites, by path and line. The index must still
// be open.
func (u *Unbound) Places(max int) ([]Site, error) {
	var out []Site
	for _, f := range u.in {
		if len(out) >= max {
			break
		}
		sites, err := u.index.looseSites(f.Path, u.Name)
		if err != nil {
			return nil, err
		}
		out = append(out, sites...)
	}
	return out[:min(len(out), max)], nil
}

// Affected lists what the change of a definition may have broken: of a removed
// one the sites that were bound to it and are bound to nothing now, of one with
// another signature the calls of it. known is false where that cannot be told:
// the work tree has no graph yet. The index must still be open.
func (c *Change) Affected() (sites []Site, known bool, err error) {
	if c.affected == nil {
		return nil, true, nil
	}
	return c.affected()
}

// affects returns what Affected answers for one difference, nil for nothing.
func (s *symbolDelta) affects(before, after *state) func() ([]Site, bool, error) {
	switch {
	case s.b >= 0 && (s.a < 0 || !slices.Contains(s.what, "signature")):
		return nil
	case after.index == nil:
		return func() ([]Site, bool, error) { return nil, false, nil }
	case s.b < 0:
		return func() ([]Site, bool, error) {
			sites, err := s.orphans(before.index, after.index)
			return sites, true, err
		}
	}
	return func() ([]Site, bool, error) {
		sites, err := after.index.callSites(s.bt.Key(s.b))
		return sites, true, err
	}
}

// orphans lists the sites that lost a removed definition.
func (s *symbolDelta) orphans(before, after *Index) ([]Site, error) {
	files, err := before.inbound(s.at.Key(s.a))
	var out []Site
	for _, path := range files {
		sites, siteErr := after.looseSites(path, s.name())
		if siteErr != nil {
			return nil, siteErr
		}
		out = append(out, sites...)
	}
	return out, err
}

func (x *Index) callSites(k graph.Key) ([]Site, error) {
	steps, err := x.incomingSteps(k, want{kinds: []graph.Kind{graph.Calls}})
	var out []Site
	for i := range steps {
		e := &steps[i].edge
		out = append(out, Site{e.Path, e.Line, nameOf(steps[i].end.file, steps[i].end.i)})
	}
	return out, err
}

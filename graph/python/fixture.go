package python

import (
	"strings"

	"codeidx/facts"
)

// fixtureType is what pytest gives for a parameter of a test or of a fixture:
// the result of the fixture of that name in the module or in the nearest
// conftest.py above it.
func (m *module) fixtureType(def facts.DefID, name string) *typ {
	if !strings.HasPrefix(m.name(m.f.Defs[def].Name), "test_") && !m.isFixture(def) {
		return nil
	}
	if t := m.fixture(name, def); t != nil {
		return t
	}
	for d := m.dir; ; d = parentDir(d) {
		if c := m.w.files[join(d, "conftest.py")]; c != nil && c != m {
			if t := c.fixture(name, 0); t != nil {
				return t
			}
		}
		if d == "" {
			return nil
		}
	}
}

// fixture is the result of the module's fixture called name; a fixture may use
// the one of the same name that it replaces, so user itself does not count.
func (m *module) fixture(name string, user facts.DefID) *typ {
	id := m.global(name)
	if id == 0 {
		return nil
	}
	for _, b := range m.bindsIn(id, 0) {
		d := m.f.Binds[b].Def
		if m.f.Binds[b].Kind != facts.BindDef || d == user || !m.isFixture(d) {
			continue
		}
		t := m.w.result(&typ{kind: tFunc, m: m, def: d}, nil, weak)
		if m.f.Defs[d].Flags&facts.Generator != 0 {
			t = m.w.element(t, weak)
		}
		return t
	}
	return nil
}

// isFixture says whether a function is decorated as a pytest fixture.
func (m *module) isFixture(def facts.DefID) bool {
	for _, e := range m.f.KidsOf(m.f.Defs[def].Decorators) {
		if x := &m.f.Exprs[e]; x.Kind == facts.Call {
			e = x.X
		}
		if t := m.typeOf(e, strict); t != nil && t.kind == tExternal && strings.HasPrefix(t.name, "pytest") && strings.HasSuffix(t.name, ".fixture") {
			return true
		}
	}
	return false
}

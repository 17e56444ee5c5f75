package golang

import (
	"errors"
	"sort"

	"codeidx/facts"
	"codeidx/graph"
)

// past is what the resolution of some files takes from an earlier one of the
// whole program, whose declarations were the same: which types implement which
// interfaces.
type past struct {
	graph.Known
	some map[int32]bool
}

// ResolveSome resolves the changed files and those that they concern. They are
// evaluated as in Resolve, and load the packages that they mention; what needs
// all types of the program is read from known.
func (*Resolver) ResolveSome(p *graph.Program, changed []graph.Changed, known graph.Known, out []graph.FileEdges) ([]int32, bool) {
	r := newResolution(p, out)
	r.past = &past{Known: known, some: map[int32]bool{}}
	some, ok := r.concerned(changed)
	if !ok {
		return nil, false
	}
	for _, i := range some {
		r.past.some[i] = true
	}
	for _, i := range some {
		r.load(folder(p.Info(int(i)).Path))
		f := r.files[i]
		f.out = &out[i]
		f.importEdges()
		f.evalAll()
	}
	for _, i := range some {
		if !r.implementedBefore(r.files[i]) {
			return nil, false
		}
	}
	return some, r.dispatchSome() && !r.circular
}

// edgesOf is where the edges of file i go: those of a file that is only read
// are dropped.
func (r *resolution) edgesOf(i int32) *graph.FileEdges {
	if r.past != nil && !r.past.some[i] {
		return &graph.FileEdges{}
	}
	return &r.out[i]
}

// implementedBefore links the types of a file to the interfaces that they
// implemented before. It answers false where one of them is not there.
func (r *resolution) implementedBefore(f *file) bool {
	refs, err := r.past.Refs(f.Path)
	if err != nil || refs == nil {
		return err == nil
	}
	var symbols *graph.FileSymbols
	for i := range refs.Edges {
		e := &refs.Edges[i]
		if e.Rule != graph.GoImplements {
			continue
		}
		if symbols == nil {
			if symbols, err = r.past.Symbols(f.Path); err != nil || symbols == nil {
				return false
			}
		}
		if int(e.From) >= len(symbols.Symbols) {
			return false
		}
		from, ok1 := r.definition(symbols.Key(int(e.From)))
		to, ok2 := r.definition(refs.Targets[e.To])
		if !ok1 || !ok2 {
			return false
		}
		d := &f.Defs[from.def]
		f.out.Edges = append(f.out.Edges, graph.Edge{
			Kind: graph.Implements, Rule: graph.GoImplements, From: from.def, Pos: d.NamePos, Name: d.Name,
			To: graph.Target{File: to.file, Def: to.def},
		})
	}
	return true
}

// definition finds the definition of a key in the program as it is now.
func (r *resolution) definition(k graph.Key) (defRef, bool) {
	i, ok := r.prog.Find(k.Path)
	if !ok {
		return defRef{}, false
	}
	def, ok := graph.FindDef(r.prog.File(i), k)
	return defRef{i, def}, ok
}

// dispatchSome adds the implementations behind calls through interfaces whose
// implementations are known: plain ones that every build takes.
func (r *resolution) dispatchSome() bool {
	r.sets = methodSets{impls: map[typeID][]typeID{}}
	calls := r.calls[:0]
	for _, c := range r.calls {
		if !r.past.some[c.file] {
			continue
		}
		if _, ok := r.sets.impls[c.face]; !ok && !r.recall(c.face) {
			return false
		}
		calls = append(calls, c)
	}
	r.calls = calls
	r.dispatch()
	return true
}

// recall lists the implementations of an interface as implementations does.
func (r *resolution) recall(face typeID) bool {
	x := r.types.types[face]
	if x.kind != tNamed || x.list != 0 {
		return false
	}
	g := r.files[x.file]
	d := &g.Defs[x.def()]
	if d.Flags&(facts.Alias|facts.Local) != 0 || len(g.typeParams[d.Scope]) > 0 || g.build != 0 {
		return false
	}
	incoming, err := r.past.Incoming(g.Path)
	if err != nil {
		return false
	}
	var types []defRef
	for i := range incoming {
		key := incoming[i].Key
		if graph.LastPart(key.Qualified) != g.Names[d.Name] {
			continue
		}
		if def, ok := graph.FindDef(g.File, key); !ok || def != x.def() {
			continue
		}
		if types, err = r.recallTypes(key, incoming[i].Paths); err != nil {
			return false
		}
	}
	sort.Slice(types, func(i, j int) bool {
		return types[i].file < types[j].file || types[i].file == types[j].file && types[i].def < types[j].def
	})
	list := make([]typeID, 0, len(types))
	for _, d := range types {
		r.load(folder(r.prog.Info(int(d.file)).Path))
		list = append(list, r.files[d.file].defType(d.def))
	}
	r.sets.impls[face] = list
	return true
}

// recallTypes lists the types of some files that implement an interface.
func (r *resolution) recallTypes(face graph.Key, paths []string) ([]defRef, error) {
	var types []defRef
	for _, path := range paths {
		keys, err := r.past.Implementers(path, face)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			t, ok := r.definition(k)
			if !ok {
				return nil, errors.New("a type is gone")
			}
			types = append(types, t)
		}
	}
	return types, nil
}

package golang

import (
	"bytes"

	"codeidx/facts"
)

// constDecl visits "const …". A spec without values repeats those before it.
func (w *walker) constDecl(i uint32) {
	end := w.nodes[i].Next
	grouped := w.grouped(i)
	s := valueSpec{kind: facts.BindConst}
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.kind(c) != kConstSpec || !w.solid(c) {
			continue
		}
		s.span = w.span(c)
		if !grouped {
			s.span = w.span(i)
		}
		w.valueSpec(c, &s)
	}
}

// varDecl visits "var …" or the list of its specs.
func (w *walker) varDecl(i uint32, span facts.Span) {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if !w.solid(c) {
			continue
		}
		switch w.kind(c) {
		case kVarSpecList:
			w.varDecl(c, facts.Span{})
		case kVarSpec:
			s := valueSpec{kind: facts.BindVar, span: span}
			if span.End == 0 {
				s.span = w.span(c)
			}
			w.valueSpec(c, &s)
		}
	}
}

// valueSpec is what a const or var spec gives its names.
type valueSpec struct {
	kind   facts.BindKind
	span   facts.Span
	typ    facts.ExprID
	values []facts.ExprID
}

// valueSpec visits one spec; s keeps its type and values for the next one.
func (w *walker) valueSpec(i uint32, s *valueSpec) {
	first := facts.DefID(len(w.f.Defs))
	if !w.local {
		w.reserveValues(i, s)
	}
	outer := w.def
	if int(first) < len(w.f.Defs) {
		w.def = first // owns the fields of an anonymous struct
	}
	typ, value := w.child(i, w.fields.typ), w.child(i, w.fields.value)
	if s.kind == facts.BindVar || value != 0 {
		s.typ = w.expr(typ, facts.TypeUse)
		mark := len(w.kids)
		w.exprList(value, facts.Read)
		s.values = append(s.values[:0], w.kids[mark:]...)
		w.kids = w.kids[:mark]
	}
	w.def = outer
	names, id := 0, first
	w.eachName(i, func(uint32) { names++ })
	index := 0
	w.eachName(i, func(n uint32) {
		x := facts.Bind{Kind: s.kind, Pos: w.nodes[n].Start, Type: s.typ}
		x.Value, x.Part, x.Index = part(s.values, index, names)
		index++
		text := w.text(n)
		if blank(text) {
			return
		}
		x.Name = w.b.Intern(text)
		if w.local {
			x.From = w.nodes[i].End
		} else {
			x.Def = id
			w.f.Defs[id].Type, w.f.Defs[id].Value = x.Type, x.Value
			id++
		}
		w.bind(x)
	})
}

// reserveValues appends a definition for each name of a package-level spec.
func (w *walker) reserveValues(i uint32, s *valueSpec) {
	kind := facts.DefVariable
	if s.kind == facts.BindConst {
		kind = facts.DefConstant
	}
	w.eachName(i, func(n uint32) {
		if blank(w.text(n)) {
			return
		}
		id := w.newDef(kind, n, s.span)
		w.f.Defs[id].SigEnd = w.valueSigEnd(i, n)
	})
}

// valueSigEnd ends the signature of a variable or constant: the whole spec
// where it stands on one line, else what comes before the value.
func (w *walker) valueSigEnd(i, name uint32) uint32 {
	end := w.nodes[name].End
	if t := w.child(i, w.fields.typ); t != 0 && !bytes.ContainsRune(w.text(t), '\n') {
		end = w.nodes[t].End
	}
	if !bytes.ContainsRune(w.text(i), '\n') {
		end = w.nodes[i].End
	}
	return end
}

// part says what name number index of several takes from the values.
func part(values []facts.ExprID, index, names int) (facts.ExprID, facts.Part, uint16) {
	switch {
	case len(values) == 1 && names > 1:
		return values[0], facts.PartIndex, uint16(index)
	case index < len(values):
		return values[index], facts.PartWhole, 0
	}
	return 0, facts.PartWhole, 0
}

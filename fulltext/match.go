package fulltext

import (
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// match is what one segment holds of a query.
type match struct {
	*segment
	terms [][numColumns]postings       // by term of the plan
	any   []*roaring.Bitmap            // by term: docs that hold it in any field
	tiers [Lexical + 1]*roaring.Bitmap // docs of each tier, before filters
	table *table                       // loaded where some doc may be a hit
}

// match reads from segment s all postings that p needs.
func (ix *Index) match(p *plan, s *segment) (*match, error) {
	m := &match{segment: s, terms: make([][numColumns]postings, len(p.terms))}
	d := ix.symbolTerms(s)
	order := make([]int, len(p.terms))
	for i := range order {
		order[i] = i
	}
	// In ascending order, each block is read once.
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(p.terms[a], p.terms[b]) })
	for _, part := range []*dict{d, ix.bodyTerms(s)} {
		if !p.Fields.any(part.order) {
			continue
		}
		for _, i := range order {
			if err := m.find(p, i, part); err != nil {
				return nil, err
			}
		}
	}
	for i := range m.terms {
		m.any = append(m.any, union(m.terms[i][:NumFields]...))
	}
	return m, m.sortDocs(p, d)
}

// find reads what one part has of the term with number i, in the fields that
// the query looks into.
func (m *match) find(p *plan, i int, part *dict) error {
	cols, err := part.find(p.terms[i])
	if err != nil {
		return err
	}
	for _, f := range part.order {
		if p.Fields.Has(f) {
			m.terms[i][f] = cols[f]
		}
	}
	return nil
}

// sortDocs fills the tiers.
func (m *match) sortDocs(p *plan, d *dict) error {
	for tier := range m.tiers {
		m.tiers[tier] = roaring.New()
	}
	m.tiers[Lexical] = roaring.FastOr(m.any...)
	m.tiers[NameParts] = m.all(p.parts, Name, Qualified)
	if p.Fields&SymbolFields == 0 {
		return nil
	}
	whole, err := d.find(p.normal)
	if err != nil {
		return err
	}
	var exact []postings
	if p.Fields.Has(Path) {
		exact = append(exact, whole[wholePath])
	}
	if p.Fields.Has(Qualified) {
		exact = append(exact, whole[wholeQualified])
	}
	m.tiers[Exact] = union(exact...)
	if !p.Fields.Has(Name) {
		return nil
	}
	m.tiers[NameExact] = union(whole[wholeName])
	if prefix := p.prefix(); prefix != "" {
		err = d.prefix(prefix, func(names postings) { m.tiers[NamePrefix].Or(names.docs) })
	}
	return err
}

// all returns the docs that hold each of the terms in one of the fields from
// first to last; none where there are no terms.
func (m *match) all(terms []int, first, last Field) *roaring.Bitmap {
	docs := make([]*roaring.Bitmap, 0, len(terms))
	for _, i := range terms {
		docs = append(docs, union(m.terms[i][first:last+1]...))
	}
	return roaring.FastAnd(docs...)
}

// union returns the docs of all postings. They must not be changed: a bitmap
// may be that of the postings itself.
func union(list ...postings) *roaring.Bitmap {
	docs := make([]*roaring.Bitmap, 0, numColumns)
	for _, p := range list {
		if p.docs != nil {
			docs = append(docs, p.docs)
		}
	}
	if len(docs) == 1 {
		return docs[0]
	}
	return roaring.FastOr(docs...)
}

// allowed returns the docs of one of the languages and one of the kinds.
func (ix *Index) allowed(langs, kinds []byte, s *segment) (*roaring.Bitmap, error) {
	docs := roaring.New()
	docs.AddRange(0, uint64(s.docs))
	d := ix.symbolTerms(s)
	for _, filter := range []struct {
		values []byte
		term   func(byte) string
	}{{kinds, kindTerm}, {langs, langTerm}} {
		if len(filter.values) == 0 {
			continue
		}
		pass := roaring.New()
		for _, v := range filter.values {
			cols, err := d.find(filter.term(v))
			if err != nil {
				return nil, err
			}
			pass.Or(union(cols[wholeName]))
		}
		docs.And(pass)
	}
	return docs, nil
}

// hits loads the table and returns the tier of each doc, 0 for those that do
// not match or that a filter holds back, and the number of hits. Filters act
// here, before anything is ranked.
func (ix *Index) hits(p *plan, m *match) (tiers []Tier, total int, err error) {
	found := roaring.FastOr(m.tiers[Exact : p.weakest()+1]...)
	if found.IsEmpty() || !m.mayHold(p.PathPrefix) {
		return nil, 0, nil
	}
	pass, err := ix.allowed(p.Langs, p.Kinds, m.segment)
	if err != nil {
		return nil, 0, err
	}
	if found.And(pass); found.IsEmpty() {
		return nil, 0, nil
	}
	if m.table, err = ix.table(m.segment); err != nil {
		return nil, 0, err
	}
	if p.PathPrefix != "" {
		found.And(m.table.under(p.PathPrefix))
	}
	tiers = make([]Tier, m.docs)
	for tier := p.weakest(); tier >= Exact; tier-- {
		roaring.And(m.tiers[tier], found).Iterate(func(doc uint32) bool {
			tiers[doc] = tier
			return true
		})
	}
	return tiers, int(found.GetCardinality()), nil
}

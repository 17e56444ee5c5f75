package fulltext

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Search returns the best hits of a query and how many there are in all. Hits
// are ordered by tier; within one by whether the path holds all parts of the
// query, score, and kind; ties by path and symbol. Test and generated code has
// half its score and no merit of path, unless the query names tests.
func Search(ctx context.Context, ix *Index, q Query) ([]Hit, int, error) {
	p := newPlan(q)
	if p.normal == "" || ix.docs == 0 {
		return nil, 0, nil
	}
	matches := make([]*match, len(ix.segments))
	for i := range ix.segments {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		m, err := ix.match(p, &ix.segments[i])
		if err != nil {
			return nil, 0, fmt.Errorf("search segment %q: %w", ix.segments[i].first, err)
		}
		matches[i] = m
	}
	best := ranking{limit: q.Limit}
	s := newScorer(ix, matches, len(p.terms))
	for i, m := range matches {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		tiers, n, err := ix.hits(p, m)
		if err != nil {
			return nil, 0, fmt.Errorf("search segment %q: %w", m.first, err)
		}
		if n > 0 {
			best.total += n
			best.addSegment(p, m, i, tiers, s.rank(m, tiers))
		}
	}
	hits := make([]Hit, 0, len(best.list))
	for _, r := range best.sorted() {
		hits = append(hits, matches[r.segment].hit(p, r))
	}
	return hits, best.total, nil
}

// ranked is a hit as it is compared.
type ranked struct {
	tier    Tier
	kind    byte
	path    bool // the path holds all parts of the query
	doc     uint16
	segment int32
	score   int64 // in steps, see scoreSteps
}

// compare orders by rank. Segments and docs are in order of paths.
func (a ranked) compare(b ranked) int {
	switch {
	case a.tier != b.tier:
		return cmp.Compare(a.tier, b.tier)
	case a.path != b.path && a.path:
		return -1
	case a.path != b.path:
		return 1
	}
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.kind, b.kind),
		cmp.Compare(a.segment, b.segment), cmp.Compare(a.doc, b.doc))
}

// ranking keeps the best hits seen.
type ranking struct {
	limit int
	list  []ranked // the best, up to the last cut, and all better ones since
	cut   bool     // list[limit-1] bounds what can still be among the best
	total int
}

func (b *ranking) addSegment(p *plan, m *match, segment int, tiers []Tier, score []float64) {
	paths := m.all(p.parts, Path, Path)
	for doc, tier := range tiers {
		if tier == 0 {
			continue
		}
		r := ranked{tier: tier, kind: m.table.kinds[doc], doc: uint16(doc), segment: int32(segment)}
		down := !p.tests && m.table.flags[doc]&(Test|Generated) != 0
		r.path = !down && paths.ContainsInt(doc)
		if down {
			score[doc] *= penalty
		}
		r.score = int64(math.Round(score[doc] * scoreSteps))
		b.add(r)
	}
}

func (b *ranking) add(r ranked) {
	if b.cut && r.compare(b.list[b.limit-1]) > 0 {
		return
	}
	b.list = append(b.list, r)
	if b.limit > 0 && len(b.list) >= 2*b.limit+64 {
		b.list, b.cut = b.sorted(), true
	}
}

func (b *ranking) sorted() []ranked {
	slices.SortFunc(b.list, ranked.compare)
	if b.limit > 0 && len(b.list) > b.limit {
		return b.list[:b.limit]
	}
	return b.list
}

func (m *match) hit(p *plan, r ranked) Hit {
	doc := int(r.doc)
	return Hit{
		Path: m.table.path(doc), Sym: m.table.syms[doc],
		Kind: m.table.kinds[doc], Lang: m.table.langs[doc], Flags: m.table.flags[doc],
		Tier: r.tier, Score: float64(r.score) / scoreSteps, Why: m.why(p, r.tier, uint32(doc)),
	}
}

// why says by what a doc was found: "exact name; name: run; path: cmd, run".
func (m *match) why(p *plan, tier Tier, doc uint32) string {
	var b strings.Builder
	b.WriteString(tier.String())
	for f := range NumFields {
		before := "; " + f.String() + ": "
		for i, term := range p.terms {
			if docs := m.terms[i][f].docs; docs != nil && docs.Contains(doc) {
				b.WriteString(before)
				b.WriteString(term)
				before = ", "
			}
		}
	}
	return b.String()
}

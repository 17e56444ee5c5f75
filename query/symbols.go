package query

import (
	"context"

	"codeidx/fulltext"
)

// symbols finds definitions by path or name, best first; where the query names
// none, those that share a word with it. Those after the asked page are counted
// only.
func symbols(x *Index, p Params) (*result, error) {
	res := &result{}
	hits, total, err := x.lookup(p, p.need, fulltext.NamePrefix)
	if err == nil && total == 0 {
		hits, total, err = x.lookup(p, p.need, fulltext.Lexical)
	}
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		d, err := x.definition(h)
		if err != nil {
			return nil, err
		}
		res.add(d)
	}
	res.Total = total
	return res, nil
}

// lookup runs one ranked search over the symbols, down to the weakest tier.
// limit 0 means all.
func (x *Index) lookup(p Params, limit int, weakest fulltext.Tier) ([]fulltext.Hit, int, error) {
	ctx := context.Background()
	ix, err := x.textIndex(ctx)
	if err != nil {
		return nil, 0, err
	}
	return fulltext.Search(ctx, ix, p.textQuery(limit, weakest))
}

// textQuery is the ranked search that parameters ask for.
func (p *Params) textQuery(limit int, weakest fulltext.Tier) fulltext.Query {
	q := fulltext.Query{Text: p.Query, PathPrefix: p.PathPrefix, Weakest: weakest, Limit: limit}
	if p.Lang != "" {
		q.Langs = []byte{byte(languageByName(p.Lang).ID)}
	}
	if k, ok := kindByName(p.SymbolKind); ok && p.SymbolKind != "" {
		q.Kinds = []byte{byte(k)}
	}
	return q
}

// definition makes the answer form of a search hit.
func (x *Index) definition(h fulltext.Hit) (*Definition, error) {
	f, err := x.Symbols(h.Path)
	if err != nil {
		return nil, err
	}
	if f == nil || int(h.Sym) >= len(f.Symbols) {
		return nil, x.noSymbol(h.Path, h.Sym)
	}
	return &Definition{
		Symbol: x.symOf(f, int(h.Sym)), Doc: firstSentence(f.Symbols[h.Sym].Doc), Tier: h.Tier.String(), Score: h.Score, Why: h.Why,
	}, nil
}

// noSymbol says that the text index and the symbol table disagree.
func (x *Index) noSymbol(path string, sym uint32) error {
	return errorf(StoreCorrupt, "run: git codeidx index", "the text index names symbol %d of %s, which has none", sym, path)
}

// firstSentence cuts a docstring after its first sentence.
func firstSentence(s string) string {
	for i := 0; i+1 < len(s); i++ {
		if (s[i] == '.' || s[i] == '!' || s[i] == '?') && s[i+1] == ' ' {
			return s[:i+1]
		}
	}
	return s
}

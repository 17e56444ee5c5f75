package fulltext

import "unicode/utf8"

// Query asks for symbols. An empty filter lets every doc pass.
type Query struct {
	Text       string // never syntax: punctuation only separates words
	Langs      []byte // any of these
	Kinds      []byte // any of these
	PathPrefix string // a folder or a file, see Under
	Fields     Fields // where to look; 0: SymbolFields
	Weakest    Tier   // leave out what matches less well; 0: nothing
	Limit      int    // of hits; 0 or less: none
}

// Tier says how a hit matches. A smaller tier ranks first.
type Tier uint8

// Tiers. Exact, NameExact and NamePrefix compare the Normal of the whole query.
// A tier counts where the query looks into its fields: Exact where into paths
// and qualified names, NameExact and NamePrefix where into names, NameParts
// where into one of these two.
const (
	Exact      Tier = 1 + iota // equals the path or the qualified name
	NameExact                  // equals the name
	NameParts                  // all parts of the query stand in the name or qualified name
	NamePrefix                 // the name starts with it
	Lexical                    // some term of the query stands in some field
)

var tierNames = [...]string{
	Exact: "exact path or qualified name", NameExact: "exact name", NameParts: "parts of name",
	NamePrefix: "prefix of name", Lexical: "words",
}

// String returns the name of output.
func (t Tier) String() string { return tierNames[t] }

// Hit is one symbol that matches a query.
type Hit struct {
	Path              string
	Sym               uint32
	Kind, Lang, Flags byte
	Tier              Tier
	Score             float64 // BM25F in steps of 0.001, comparable within one answer and tier
	Why               string  // tier, then the fields with the terms that they hold
}

// plan is a query made ready for all segments.
type plan struct {
	Query
	normal string
	terms  []string // distinct Words of the text, in order
	parts  []int    // indexes into terms: distinct parts of identifiers
	tests  bool     // the query asks for tests, which then are not weighted down
}

func newPlan(q Query) *plan {
	p := &plan{Query: q, normal: Normal(q.Text)}
	if p.Fields == 0 {
		p.Fields = SymbolFields
	}
	number := map[string]int{}
	for _, w := range Words(q.Text) {
		if _, ok := number[w]; !ok {
			number[w] = len(p.terms)
			p.terms = append(p.terms, w)
		}
	}
	seen := map[string]bool{}
	for _, part := range Split(q.Text) {
		if !seen[part] {
			seen[part] = true
			p.parts = append(p.parts, number[part])
		}
		p.tests = p.tests || part == "test" || part == "tests"
	}
	return p
}

// weakest returns the last tier that counts.
func (p *plan) weakest() Tier {
	if p.Weakest < Exact || p.Weakest > Lexical {
		return Lexical
	}
	return p.Weakest
}

// prefix returns what the names of tier NamePrefix start with, "" for none: a
// clipped form is no prefix of anything.
func (p *plan) prefix() string {
	if len(p.normal) > clipTerm-utf8.UTFMax {
		return ""
	}
	return p.normal
}

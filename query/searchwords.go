package query

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"codeidx/facts"
	"codeidx/fulltext"
	"codeidx/graph"
)

// Layers of full text, apart from each other: what a text is for.
const (
	layerCode      = "code"
	layerComment   = "comment"
	layerDocstring = "docstring"
	layerString    = "string"
	layerSQL       = "sql"
)

// layers are those of full text, in the order in which help names them.
func layers() []string {
	return []string{layerCode, layerComment, layerDocstring, layerString, layerSQL}
}

// layerFields are the fields of the text index that a layer is searched in.
func layerFields(layer string) fulltext.Fields {
	switch layer {
	case layerCode:
		return fulltext.FieldsOf(fulltext.Signature, fulltext.Code)
	case layerComment:
		return fulltext.FieldsOf(fulltext.Comment)
	case layerDocstring:
		return fulltext.FieldsOf(fulltext.Docstring)
	}
	return fulltext.FieldsOf(fulltext.String)
}

// searchWords ranks the definitions whose own text holds words of the query
// and cites the best line of each.
func searchWords(x *Index, p Params) (*result, error) {
	wanted, err := p.wantedLayers()
	if err != nil {
		return nil, err
	}
	q := p.textQuery(p.need, fulltext.Lexical)
	for _, l := range wanted {
		q.Fields |= layerFields(l)
	}
	// The index knows string literals, not which of them are SQL.
	exact := slices.Contains(wanted, layerString) == slices.Contains(wanted, layerSQL)
	if !exact {
		q.Limit = 0
	}
	ctx := context.Background()
	ix, err := x.textIndex(ctx)
	if err != nil {
		return nil, err
	}
	found, total, err := fulltext.Search(ctx, ix, q)
	if err != nil {
		return nil, err
	}
	w := &citer{x: x, layers: wanted, words: map[string]bool{}, texts: map[string]*layered{}}
	for _, word := range fulltext.Words(p.Query) {
		w.words[word] = true
	}
	res := &result{Total: total, Limits: append(searchLimits(), textLimits()...)}
	for _, h := range found {
		hit, err := w.cite(h)
		if err != nil {
			return nil, err
		}
		if hit != nil {
			res.add(hit)
		}
	}
	if len(found) == total {
		res.Total = len(res.Items)
	}
	if p.need > 0 && len(res.Items) > p.need {
		res.Items = res.Items[:p.need]
	}
	return res, nil
}

// textLimits say what full text leaves out.
func textLimits() []string {
	return []string{"search: words of source files only; prose (Markdown) and commit messages are not indexed"}
}

// wantedLayers are the asked layers, all where none is named.
func (p *Params) wantedLayers() ([]string, error) {
	for _, l := range p.Layers {
		if !slices.Contains(layers(), l) {
			code := InvalidRequest
			if l == "prose" || l == "commit" {
				code = UnsupportedCapability
			}
			return nil, errorf(code, "layers: "+strings.Join(layers(), ", "), "there is no layer %q in this index", l)
		}
	}
	if len(p.Layers) == 0 {
		return layers(), nil
	}
	return p.Layers, nil
}

// citer cites lines for hits of the text index.
type citer struct {
	x      *Index
	layers []string
	words  map[string]bool
	texts  map[string]*layered // by path
}

// layered is a file with what its text is for.
type layered struct {
	src     []byte
	symbols *graph.FileSymbols
	parts   []part       // in order of position
	docs    []facts.Span // of each definition
}

// part is a run of bytes of one layer.
type part struct {
	layer    string
	from, to int
}

// cited is a line: where it starts, where its first word is, and how many
// words of the query it has.
type cited struct {
	start, at, words int
	layer            string
}

// cite makes the answer form of a hit, nil where no line of the wanted layers
// holds a word of the query.
func (w *citer) cite(h fulltext.Hit) (*SearchHit, error) {
	t, err := w.text(h.Path)
	if err != nil {
		return nil, err
	}
	if t == nil || int(h.Sym) >= len(t.symbols.Symbols) {
		return nil, errorf(StoreCorrupt, "run: git codeidx index", "the text index names symbol %d of %s, which has none", h.Sym, h.Path)
	}
	best := w.best(t, int(h.Sym))
	if best.words == 0 {
		return nil, nil
	}
	line, _, _ := bytes.Cut(t.src[best.start:], []byte{'\n'})
	number := uint32(bytes.Count(t.src[:best.start], []byte{'\n'}) + 1)
	hit := &SearchHit{
		Path: h.Path, Line: number, Col: uint32(best.at - best.start + 1), Layer: best.layer, Untrusted: best.layer != layerCode,
		Score: h.Score, In: enclosing(t.symbols, int(h.Sym)),
	}
	hit.show(line, best.at-best.start)
	w.mark(hit)
	return hit, nil
}

// text reads a file and cuts it into layers, once.
func (w *citer) text(path string) (*layered, error) {
	if t, ok := w.texts[path]; ok {
		return t, nil
	}
	e, err := w.x.entry(path)
	if err != nil || e == nil || e.Facts.Len == 0 {
		return nil, err
	}
	raw, err := w.x.gen.Get(e.Facts)
	if err != nil {
		return nil, err
	}
	f, err := facts.Decode(raw)
	if err != nil {
		return nil, w.x.corrupt("facts", path, err)
	}
	t := &layered{}
	if t.src, err = w.x.Source(path); err != nil {
		return nil, err
	}
	if t.symbols, err = w.x.Symbols(path); err != nil || t.symbols == nil {
		return nil, err
	}
	for i := range f.Defs {
		t.docs = append(t.docs, f.Defs[i].Doc)
	}
	if len(t.docs) != len(t.symbols.Symbols) || slices.ContainsFunc(t.docs, func(d facts.Span) bool { return int(d.End) > len(t.src) }) {
		return nil, w.x.corrupt("facts", path, errors.New("it is of another source"))
	}
	t.parts = layersOf(f, t.src, t.docs)
	w.texts[path] = t
	return t, nil
}

// layersOf cuts the source of a file into parts. docs are the docstrings of its
// definitions.
func layersOf(f *facts.File, src []byte, docs []facts.Span) []part {
	docs = slices.Clone(docs)
	slices.SortFunc(docs, func(a, b facts.Span) int { return cmp.Compare(a.Start, b.Start) })
	var parts []part
	at := 0
	for _, t := range f.Texts {
		from, to := int(t.Span.Start), int(t.Span.End)
		if from < at || to > len(src) {
			continue // inside of another text
		}
		for len(docs) > 0 && docs[0].End <= t.Span.Start {
			docs = docs[1:]
		}
		layer := layerComment
		switch {
		case len(docs) > 0 && docs[0].Start <= t.Span.Start:
			layer = layerDocstring
		case t.Kind != facts.String && t.Kind != facts.Markup:
		case isSQL(src[from:to]):
			layer = layerSQL
		default:
			layer = layerString
		}
		parts = append(parts, part{layerCode, at, from}, part{layer, from, to})
		at = to
	}
	return append(parts, part{layerCode, at, len(src)})
}

// sqlStart is how a string literal that is SQL begins: a verb and, further on,
// a word that the verb takes.
var sqlStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?is)^[a-z]{0,3}[\"'`]*\\s*\\(?\\s*(" + strings.Join([]string{
		`select\s.*\sfrom\s`, `select\s+[\w.*@()]+\s*;?[\s"'` + "`" + `]*$`, `insert\s+(or\s+\w+\s+|ignore\s+)?into\s`, `replace\s+into\s`, `update\s.*\sset\s`, `delete\s+from\s`,
		`with\s+(recursive\s+)?\w+\s.*\bas\s*\(`, `(create|alter|drop)\s+(or\s+replace\s+)?(temporary\s+|temp\s+|unique\s+)?(table|index|view|database|schema|trigger|function)\s`,
		`truncate\s+table\s`, `merge\s+into\s`,
	}, "|") + ")")
})

func isSQL(literal []byte) bool { return sqlStart().Match(literal) }

// best finds the line of a symbol's own text, in the wanted layers, that has
// the most words of the query; of equals the first.
func (w *citer) best(t *layered, sym int) cited {
	var best, now cited
	seen := map[string]bool{}
	for _, p := range w.ownParts(t, sym) {
		eachIdentifier(t.src[p.from:p.to], func(offset int, ident string) {
			at := p.from + offset
			if start := bytes.LastIndexByte(t.src[:at], '\n') + 1; now.start != start || now.layer != p.layer || now.words == 0 {
				now = cited{start: start, at: at, layer: p.layer}
				clear(seen)
			}
			for _, word := range fulltext.Words(ident) {
				if w.words[word] && !seen[word] {
					seen[word] = true
					if now.words == 0 {
						now.at = at
					}
					now.words++
				}
			}
			if now.words > best.words {
				best = now
			}
		})
	}
	return best
}

// ownParts are the parts of a symbol in the wanted layers, without those of
// the definitions inside it.
func (w *citer) ownParts(t *layered, sym int) []part {
	var out []part
	if doc := t.docs[sym]; doc.Start < doc.End && slices.Contains(w.layers, layerDocstring) {
		out = append(out, part{layerDocstring, int(doc.Start), int(doc.End)})
	}
	span := t.symbols.Symbols[sym].Bytes
	at := int(span.Start)
	until := func(end int) {
		for _, p := range t.parts {
			if from, to := max(p.from, at), min(p.to, end); from < to && p.layer != layerDocstring && slices.Contains(w.layers, p.layer) {
				out = append(out, part{p.layer, from, to})
			}
		}
	}
	for i := range t.symbols.Symbols {
		inner := t.symbols.Symbols[i].Bytes
		if i == sym || inner == span || inner.Start < span.Start || inner.End > span.End || int(inner.End) <= at {
			continue
		}
		until(int(inner.Start))
		at = int(inner.End)
	}
	until(int(span.End))
	return out
}

// eachIdentifier calls f for every run of letters, marks, digits and
// underscores.
func eachIdentifier(text []byte, f func(offset int, ident string)) {
	start := -1
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		in := r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
		if in && start < 0 {
			start = i
		} else if !in && start >= 0 {
			f(start, string(text[start:i]))
			start = -1
		}
		i += n
	}
	if start >= 0 {
		f(start, string(text[start:]))
	}
}

// mark finds the words of the query in the text of a hit.
func (w *citer) mark(h *SearchHit) {
	eachIdentifier([]byte(h.Text), func(at int, ident string) {
		if len(h.Marks) < maxMarks && slices.ContainsFunc(fulltext.Words(ident), func(word string) bool { return w.words[word] }) {
			h.Marks = append(h.Marks, []int{at, at + len(ident)})
		}
	})
}

package worker

import (
	"errors"
	"fmt"
	"time"

	"codeidx/facts"
	"codeidx/facts/ecma"
	"codeidx/facts/golang"
	"codeidx/facts/php"
	"codeidx/facts/python"
	"codeidx/facts/syntax"
	"codeidx/facts/treesitter"
)

// Extractor turns the tree of one file into facts. It serves one goroutine.
type Extractor interface {
	Extract(path string, t *syntax.Tree) (*facts.File, error)
}

// newExtractor returns the extractor of a language, nil where there is none.
func newExtractor(l facts.Lang, g *syntax.Grammar) Extractor {
	switch l {
	case facts.Go:
		return golang.New(g)
	case facts.JavaScript, facts.TypeScript, facts.TSX:
		return ecma.New(g)
	case facts.PHP:
		return php.New(g)
	case facts.Python:
		return python.New(g)
	}
	return nil
}

// ErrUnsupported is reported for a language without an extractor.
var ErrUnsupported = errors.New("language has no extractor")

// ExtractInProcess extracts the facts of one file in this process, without
// protection against the parser. It is for tests.
func ExtractInProcess(path string, lang facts.Lang, src []byte) (*facts.File, error) {
	e := engine{extractor: newExtractor}
	defer e.close()
	return e.extract(path, lang, src, DefaultTimeout)
}

// engine holds a parser and an extractor for each language that it has met.
type engine struct {
	extractor func(facts.Lang, *syntax.Grammar) Extractor
	languages map[facts.Lang]*language
}

type language struct {
	parser    *treesitter.Parser
	extractor Extractor
}

func (e *engine) extract(path string, lang facts.Lang, src []byte, timeout time.Duration) (*facts.File, error) {
	l, err := e.language(lang)
	if err != nil {
		return nil, fmt.Errorf("extract facts: %w", err)
	}
	tree, err := l.parser.Parse(src, timeout)
	if err != nil {
		return nil, fmt.Errorf("extract facts: %w", err)
	}
	f, err := l.extractor.Extract(path, tree)
	if err != nil {
		return nil, fmt.Errorf("extract facts: %w", err)
	}
	return f, nil
}

func (e *engine) language(id facts.Lang) (*language, error) {
	if l := e.languages[id]; l != nil {
		return l, nil
	}
	entry := facts.ByID(id)
	if entry == nil {
		return nil, ErrUnsupported
	}
	parser, err := treesitter.New(entry.Grammar)
	if err != nil {
		return nil, err
	}
	x := e.extractor(id, parser.Grammar())
	if x == nil {
		parser.Close()
		return nil, ErrUnsupported
	}
	if e.languages == nil {
		e.languages = make(map[facts.Lang]*language)
	}
	l := &language{parser, x}
	e.languages[id] = l
	return l, nil
}

func (e *engine) close() {
	for _, l := range e.languages {
		l.parser.Close()
	}
}

// Package treesitter is the only cgo of the project: it parses one buffer with
// a tree-sitter grammar and returns the tree as one flat array. A Parser is
// for one goroutine. Memory above the limit given to Limit ends the process,
// so callers that must survive run it in a worker process (facts/worker).
package treesitter

/*
#cgo CFLAGS: -std=c11 -O2 -D_DEFAULT_SOURCE
#cgo linux LDFLAGS: -Wl,--unresolved-symbols=ignore-all
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include "shim.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"codeidx/facts/syntax"

	_ "github.com/tree-sitter/go-tree-sitter" // links the C library

	tsgo "github.com/tree-sitter/tree-sitter-go/bindings/go"
	tsjavascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	tsphp "github.com/tree-sitter/tree-sitter-php/bindings/go"
	tspython "github.com/tree-sitter/tree-sitter-python/bindings/go"
	tstypescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// ErrTimeout is reported by Parse. The parser stays usable.
var ErrTimeout = errors.New("parse timed out")

// ExitMemory is the exit status of a process that went over its limit.
const ExitMemory = C.CX_EXIT_MEMORY

// MaxDepth is how deeply the nodes of a tree may be nested. A node at that
// depth comes as an error (syntax.Error) without its children.
const MaxDepth = C.CX_MAX_DEPTH

// languageOf returns a linked grammar, nil where there is none of that name.
func languageOf(grammar string) unsafe.Pointer {
	switch grammar {
	case "go":
		return tsgo.Language()
	case "javascript":
		return tsjavascript.Language()
	case "php":
		return tsphp.LanguagePHP()
	case "python":
		return tspython.Language()
	case "tsx":
		return tstypescript.LanguageTSX()
	case "typescript":
		return tstypescript.LanguageTypescript()
	}
	return nil
}

var allocator sync.Once

// Limit ends the process with ExitMemory when its parsers together hold more
// than bytes (0: no limit). The first call decides; New calls Limit(0).
func Limit(bytes uint64) {
	allocator.Do(func() { C.cx_use_arenas(C.size_t(bytes)) })
}

// PeakAllocated returns the most bytes that parsing has held at once.
func PeakAllocated() uint64 { return uint64(C.cx_peak_allocated()) }

// Allocated returns the bytes that parsing holds now.
func Allocated() uint64 { return uint64(C.cx_allocated()) }

// Parser parses one language. Close it: it owns C memory.
type Parser struct {
	c       *C.cx_parser
	grammar *syntax.Grammar
}

// New returns a parser for a grammar name of the language registry.
func New(grammar string) (*Parser, error) {
	Limit(0)
	l := languageOf(grammar)
	if l == nil {
		return nil, fmt.Errorf("load grammar %q: not linked", grammar)
	}
	c := C.cx_parser_new(l)
	if c == nil {
		return nil, fmt.Errorf("load grammar %q: ABI %d is not supported", grammar, C.cx_abi(l))
	}
	return &Parser{c: c, grammar: grammarOf(l)}, nil
}

func grammarOf(l unsafe.Pointer) *syntax.Grammar {
	n := uint16(C.cx_symbol_count(l))
	g := &syntax.Grammar{Kinds: make([]string, n), Named: make([]bool, n)}
	for i := range n {
		g.Kinds[i] = C.GoString(C.cx_symbol_name(l, C.uint16_t(i)))
		g.Named[i] = C.cx_symbol_named(l, C.uint16_t(i)) != 0
	}
	fields := uint16(C.cx_field_count(l))
	g.Fields = make([]string, fields+1)
	for i := uint16(1); i <= fields; i++ {
		g.Fields[i] = C.GoString(C.cx_field_name(l, C.uint16_t(i)))
	}
	return g
}

// Grammar names the node kinds and fields of the parser's trees.
func (p *Parser) Grammar() *syntax.Grammar { return p.grammar }

// Parse parses src within the timeout. The tree's nodes are valid until the
// next Parse or Close.
func (p *Parser) Parse(src []byte, timeout time.Duration) (*syntax.Tree, error) {
	r := C.cx_parse(p.c, (*C.char)(unsafe.Pointer(unsafe.SliceData(src))), C.uint32_t(len(src)), C.uint64_t(timeout.Microseconds()))
	if r.status == C.CX_TIMEOUT {
		return nil, ErrTimeout
	}
	nodes := unsafe.Slice((*syntax.Node)(unsafe.Pointer(r.nodes)), int(r.count))
	return &syntax.Tree{Src: src, Nodes: nodes}, nil
}

// Close frees the parser's C memory.
func (p *Parser) Close() {
	C.cx_parser_free(p.c)
	p.c = nil
}

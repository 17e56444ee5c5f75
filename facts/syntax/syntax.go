// Package syntax holds the flat form of a concrete syntax tree: one array of
// fixed-size nodes in pre-order, as the parser's C side writes it. It is pure
// Go, so that extractors build and test without the C toolchain.
package syntax

// Node is one syntax node. The C struct of facts/treesitter has the same
// layout (16 bytes); keep both in step.
type Node struct {
	Start uint32 // first byte
	End   uint32 // one past the last byte
	Next  uint32 // index of the first node that is not below this one
	Kind  uint16 // grammar symbol, see Grammar.KindName
	Field uint8  // field id within the parent, 0 for none
	Flags uint8
}

// Flags of a Node.
const (
	Named    uint8 = 1 << iota // a named node, not a bare token
	Error                      // the parser could not fit this text
	Missing                    // inserted by error recovery, has no text
	HasError                   // an Error or Missing node lies below
	Extra                      // may appear anywhere, such as a comment
)

// ErrorKind is the symbol of ERROR nodes in every grammar.
const ErrorKind = 65535

// Grammar names the symbols and fields of one grammar.
type Grammar struct {
	Kinds  []string // symbol id → node type as the grammar names it
	Named  []bool   // symbol id → named node type
	Fields []string // field id → name; entry 0 is empty
}

// Kind returns the id of a named node type, or ErrorKind-1 (never in a tree)
// where the grammar lacks it.
func (g *Grammar) Kind(name string) uint16 { return g.find(name, true) }

// Token returns the id of an anonymous token such as "*" or "async".
func (g *Grammar) Token(name string) uint16 { return g.find(name, false) }

func (g *Grammar) find(name string, named bool) uint16 {
	for i, k := range g.Kinds {
		if k == name && g.Named[i] == named {
			return uint16(i)
		}
	}
	return ErrorKind - 1
}

// Field returns the id of a field name, 255 where the grammar lacks it.
func (g *Grammar) Field(name string) uint8 {
	for i, f := range g.Fields {
		if f == name {
			return uint8(i)
		}
	}
	return 255
}

// Tree is one parsed file. Nodes[0] is the root; the subtree of node i is
// Nodes[i:Nodes[i].Next].
type Tree struct {
	Src   []byte
	Nodes []Node
}

// Text returns the source text of a node.
func (t *Tree) Text(i uint32) string {
	n := &t.Nodes[i]
	return string(t.Src[n.Start:n.End])
}

// First returns the first child of i, or 0 when it has none.
func (t *Tree) First(i uint32) uint32 {
	if i+1 < t.Nodes[i].Next {
		return i + 1
	}
	return 0
}

// Sibling returns the child of parent after i, or 0 at the end.
func (t *Tree) Sibling(parent, i uint32) uint32 {
	if n := t.Nodes[i].Next; n < t.Nodes[parent].Next {
		return n
	}
	return 0
}

// Child returns the first child of i that has the field, or 0.
func (t *Tree) Child(i uint32, field uint8) uint32 {
	end := t.Nodes[i].Next
	for c := i + 1; c < end; c = t.Nodes[c].Next {
		if t.Nodes[c].Field == field {
			return c
		}
	}
	return 0
}

// Children calls f for each child of i in order until f returns false.
func (t *Tree) Children(i uint32, f func(c uint32) bool) {
	end := t.Nodes[i].Next
	for c := i + 1; c < end; c = t.Nodes[c].Next {
		if !f(c) {
			return
		}
	}
}

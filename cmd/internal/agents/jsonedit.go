package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// object is a JSON object with its keys in order; list an array.
type (
	object []field
	list   []any
	field  struct {
		key   string
		value any
	}
)

// entry is one value of ours in a JSON file: under key in the object at path,
// or, where key is "", an element of the array at path.
type entry struct {
	path  []string
	key   string
	value any
	ours  func(value string) bool // whether a value at that place is of our making
}

// The layout of an entry says what was there before, so that removing needs
// no record:
//
//   - it stands first in its container, so that no comma of others moves;
//   - in a container that was empty it follows the bracket at once;
//   - in a container that we made white space follows the bracket, and a
//     container in which it is alone goes with it, up to the file.
//
// style is how a text is laid out.
type style struct {
	newline string
	unit    string // one step of indentation
}

func styleOf(text []byte, root *node) style {
	s := style{"\n", "  "}
	if bytes.Contains(text, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	if root != nil && len(root.members) > 0 {
		if in, ok := indentOf(text, root.members[0].start); ok && in != "" {
			s.unit = in
		}
	}
	return s
}

// indentOf returns the white space in front of a place, where it is alone on
// its line.
func indentOf(text []byte, at int) (string, bool) {
	i := bytes.LastIndexByte(text[:at], '\n')
	if i < 0 || len(bytes.TrimLeft(text[i+1:at], " \t")) > 0 {
		return "", false
	}
	return string(text[i+1 : at]), true
}

// insert returns text with the entry in it. A nil text is no file.
func insert(text []byte, e *entry) ([]byte, error) {
	if text == nil {
		st := styleOf(nil, nil)
		key, value := e.rest(0)
		return []byte("{" + st.newline + st.unit + st.member(key, value, st.unit, true) + st.newline + "}" + st.newline), nil
	}
	root, err := parseTree(text)
	if err != nil {
		return nil, err
	}
	n := root
	for i, key := range e.path {
		m, err := n.find(key)
		if err != nil {
			return nil, err
		}
		if m == nil {
			k, value := e.rest(i)
			return styleOf(text, root).into(text, n, k, value), nil
		}
		n = m.value
		if want := e.kindAt(i); n.kind != want {
			return nil, fmt.Errorf("%s is not written as %c", strings.Join(e.path[:i+1], "."), want)
		}
	}
	return styleOf(text, root).into(text, n, e.key, e.value), nil
}

// kindAt is the kind of container that path element i must hold.
func (e *entry) kindAt(i int) byte {
	if i == len(e.path)-1 && e.key == "" {
		return '['
	}
	return '{'
}

// made marks a container that we make: its layout shows it.
type made struct{ value any }

// rest is what to insert where path element i is missing: its key, and the
// containers from there on.
func (e *entry) rest(i int) (string, any) {
	if i == len(e.path) {
		return e.key, e.value
	}
	key, value := e.rest(i + 1)
	if e.kindAt(i) == '[' {
		return e.path[i], made{list{value}}
	}
	return e.path[i], made{object{{key, value}}}
}

// into inserts a member at the front of a container.
func (s style) into(text []byte, n *node, key string, value any) []byte {
	at := n.start + 1
	var add string
	switch in, own := "", false; {
	case len(n.members) == 0:
		add = s.member(key, value, "", false)
	default:
		if in, own = indentOf(text, n.members[0].start); own {
			add = s.newline + in + s.member(key, value, in, true) + ","
		} else {
			add = s.member(key, value, "", false) + ","
		}
	}
	return bytes.Join([][]byte{text[:at], []byte(add), text[at:]}, nil)
}

// member writes a key, if any, with its value. indent is that of its line;
// wide puts each part on its own line.
func (s style) member(key string, value any, indent string, wide bool) string {
	if key == "" {
		return s.render(value, indent, wide)
	}
	return quote(key) + ": " + s.render(value, indent, wide)
}

func (s style) render(value any, indent string, wide bool) string {
	gap := ""
	if m, ok := value.(made); ok {
		value, gap = m.value, " "
	}
	var open, shut string
	var parts []string
	switch v := value.(type) {
	case object:
		open, shut = "{", "}"
		for _, f := range v {
			parts = append(parts, s.member(f.key, f.value, indent+s.unit, wide))
		}
	case list:
		if words, ok := plainWords(v); ok {
			return words
		}
		open, shut = "[", "]"
		for _, x := range v {
			parts = append(parts, s.render(x, indent+s.unit, wide))
		}
	default:
		return quote(v)
	}
	if !wide {
		return open + gap + strings.Join(parts, ", ") + gap + shut
	}
	in := s.newline + indent + s.unit
	return open + in + strings.Join(parts, ","+in) + s.newline + indent + shut
}

// plainWords writes a list of strings on one line.
func plainWords(v list) (string, bool) {
	var words []string
	for _, x := range v {
		if _, ok := x.(string); !ok {
			return "", false
		}
		words = append(words, quote(x))
	}
	return "[" + strings.Join(words, ", ") + "]", true
}

func quote(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only strings, numbers and booleans come here
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// place is where an entry stands: the containers from the root on, and the
// position of the member in each.
type place struct {
	nodes []*node
	index []int
}

// locate finds our entry; a foreign value under its key is an error of its own.
func locate(text []byte, e *entry) (*place, error) {
	if text == nil {
		return nil, nil
	}
	n, err := parseTree(text)
	if err != nil {
		return nil, err
	}
	p := &place{}
	for _, key := range e.path {
		i, err := n.position(key)
		if err != nil || i < 0 || n.members[i].value.kind == 'v' {
			return nil, err
		}
		p.nodes, p.index = append(p.nodes, n), append(p.index, i)
		n = n.members[i].value
	}
	for i := range n.members {
		m := &n.members[i]
		value := string(text[m.value.start:m.value.end])
		switch {
		case m.key != e.key:
		case e.ours(value):
			p.nodes, p.index = append(p.nodes, n), append(p.index, i)
			return p, nil
		case e.key != "":
			return nil, errForeign
		}
	}
	return nil, nil
}

var errForeign = fmt.Errorf("there is an entry codeidx that is not ours")

func (n *node) position(key string) (int, error) {
	m, err := n.find(key)
	if err != nil || m == nil {
		return -1, err
	}
	for i := range n.members {
		if &n.members[i] == m {
			return i, nil
		}
	}
	return -1, nil
}

// text returns our value as it stands.
func (p *place) text(text []byte) string {
	k := len(p.nodes) - 1
	v := p.nodes[k].members[p.index[k]].value
	return string(text[v.start:v.end])
}

// cut returns text without the entry, nil where the file goes with it.
func (p *place) cut(text []byte) []byte {
	for k := len(p.nodes) - 1; k >= 0; k-- {
		n, i := p.nodes[k], p.index[k]
		if len(n.members) > 1 {
			return n.without(text, i)
		}
		if !n.isMade(text) {
			m := &n.members[i]
			end := max(m.value.end, m.comma)
			return bytes.Join([][]byte{text[:n.start+1], text[end:]}, nil)
		}
	}
	return nil
}

// isMade says whether the one member of a container came with it: white space
// in front, nothing but white space behind.
func (n *node) isMade(text []byte) bool {
	m := &n.members[0]
	before, after := text[n.start+1:m.start], text[max(m.value.end, m.comma):n.end-1]
	return len(before) > 0 && len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0
}

// without cuts member i of several, with one comma.
func (n *node) without(text []byte, i int) []byte {
	m := &n.members[i]
	from, to := n.start+1, m.comma
	if i > 0 {
		from = n.members[i-1].comma
	}
	if m.comma == 0 { // the last: the comma before it goes
		from, to = n.members[i-1].value.end, m.value.end
	}
	return bytes.Join([][]byte{text[:from], text[to:]}, nil)
}

func indexFrom(text []byte, part string, from int) int {
	if from > len(text) {
		return -1
	}
	i := bytes.Index(text[from:], []byte(part))
	if i < 0 {
		return -1
	}
	return from + i
}

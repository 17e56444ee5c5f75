package agents

import (
	"encoding/json"
	"fmt"
)

// node is a value of a JSON text with comments and trailing commas, by its
// place: text[start:end].
type node struct {
	kind       byte // '{', '[' or 'v' for anything else
	start, end int
	members    []member
}

// member is an element of an array, or a value of an object with its key.
type member struct {
	key   string
	start int // of the key, or of the element
	value *node
	comma int // place behind the comma that follows, 0 for none
}

// Deepest nesting that is read.
const maxNesting = 200

// parseTree reads a whole text, which must be one object.
func parseTree(text []byte) (*node, error) {
	p := &treeParser{text: text}
	if len(text) >= 3 && string(text[:3]) == "\xef\xbb\xbf" {
		p.at = 3
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.at < len(text) || root.kind != '{' {
		return nil, fmt.Errorf("the file is not one JSON object")
	}
	return root, nil
}

type treeParser struct {
	text []byte
	at   int
}

func (p *treeParser) fail(want string) error {
	line := 1
	for _, b := range p.text[:min(p.at, len(p.text))] {
		if b == '\n' {
			line++
		}
	}
	return fmt.Errorf("line %d: %s expected", line, want)
}

func (p *treeParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// space skips white space and comments.
func (p *treeParser) space() error {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.at++
		case c == '/' && p.at+1 < len(p.text) && p.text[p.at+1] == '/':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		case c == '/' && p.at+1 < len(p.text) && p.text[p.at+1] == '*':
			end := indexFrom(p.text, "*/", p.at+2)
			if end < 0 {
				return p.fail("the end of a comment")
			}
			p.at = end + 2
		default:
			return nil
		}
	}
	return nil
}

func (p *treeParser) value(depth int) (*node, error) {
	switch c := p.peek(); {
	case depth > maxNesting:
		return nil, p.fail("less nesting")
	case c == '{' || c == '[':
		return p.container(c, depth)
	case c == '"':
		n := &node{kind: 'v', start: p.at}
		_, err := p.quoted()
		n.end = p.at
		return n, err
	}
	n := &node{kind: 'v', start: p.at}
	for p.at < len(p.text) && !isDelimiter(p.text[p.at]) {
		p.at++
	}
	n.end = p.at
	if !json.Valid(p.text[n.start:n.end]) {
		return nil, p.fail("a value")
	}
	return n, nil
}

func isDelimiter(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', ',', ':', '{', '}', '[', ']', '"', '/':
		return true
	}
	return false
}

// quoted reads a string and returns what it says.
func (p *treeParser) quoted() (string, error) {
	start := p.at
	for p.at++; p.at < len(p.text) && p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	if p.at >= len(p.text) {
		return "", p.fail("the end of a string")
	}
	p.at++
	var s string
	if err := json.Unmarshal(p.text[start:p.at], &s); err != nil {
		return "", p.fail("a string")
	}
	return s, nil
}

func (p *treeParser) container(open byte, depth int) (*node, error) {
	n := &node{kind: open, start: p.at}
	shut := open + 2 // '{' and '}', '[' and ']' are two apart
	p.at++
	for {
		if err := p.space(); err != nil {
			return nil, err
		}
		if p.peek() == shut {
			p.at++
			n.end = p.at
			return n, nil
		}
		if k := len(n.members); k > 0 && n.members[k-1].comma == 0 {
			return nil, p.fail("a comma or " + string(shut))
		}
		m, err := p.member(open, depth)
		if err != nil {
			return nil, err
		}
		n.members = append(n.members, m)
	}
}

func (p *treeParser) member(open byte, depth int) (member, error) {
	m := member{start: p.at}
	var err error
	if open == '{' {
		if p.peek() != '"' {
			return m, p.fail("a key")
		}
		if m.key, err = p.quoted(); err != nil {
			return m, err
		}
		if err := p.space(); err != nil {
			return m, err
		}
		if p.peek() != ':' {
			return m, p.fail("a colon")
		}
		p.at++
		if err := p.space(); err != nil {
			return m, err
		}
	}
	if m.value, err = p.value(depth + 1); err != nil {
		return m, err
	}
	if err := p.space(); err != nil {
		return m, err
	}
	if p.peek() == ',' {
		p.at++
		m.comma = p.at
	}
	return m, nil
}

// find returns the member with a key, which must not be there twice.
func (n *node) find(key string) (*member, error) {
	var found *member
	for i := range n.members {
		if n.members[i].key != key {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the key %q is there twice", key)
		}
		found = &n.members[i]
	}
	return found, nil
}

package agents

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// block is a run of lines of ours between two marker lines, at the end of a
// TOML or Markdown file.
type block struct {
	begin, end string // marker lines
	lines      []string
	// foreign matches a line that does the same but is not ours; nil for none.
	foreign *regexp.Regexp
	check   func(text []byte) error // of a text that takes the block; nil for none
}

// insert returns text with the block at its end. A nil text is no file. An
// empty line in front, or a line without its end behind, say what the file
// was like.
func (b *block) insert(text []byte) ([]byte, error) {
	nl := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		nl = "\r\n"
	}
	body := strings.Join(append(append([]string{b.begin}, b.lines...), b.end), nl)
	switch {
	case text == nil:
		return []byte(body + nl), nil
	case len(text) > 0 && text[len(text)-1] != '\n':
		return append(text[:len(text):len(text)], nl+body...), nil
	}
	return append(text[:len(text):len(text)], nl+body+nl...), nil
}

// span finds the block: text[from:to] is all that insert added.
func (b *block) span(text []byte) (from, to int, err error) {
	from = lineStart(text, b.begin, 0)
	if from < 0 {
		return 0, 0, nil
	}
	end := lineStart(text, b.end, from)
	if end < 0 {
		return 0, 0, fmt.Errorf("the line %q has no %q behind it", b.begin, b.end)
	}
	to = end + len(b.end)
	if rest := text[to:]; bytes.HasPrefix(rest, []byte("\r\n")) {
		to += 2
	} else if bytes.HasPrefix(rest, []byte("\n")) {
		to++
	}
	if from > 0 {
		from--
		if from > 0 && text[from-1] == '\r' {
			from--
		}
	}
	return from, to, nil
}

// lineStart finds a whole line.
func lineStart(text []byte, line string, from int) int {
	for {
		i := indexFrom(text, line, from)
		if i < 0 {
			return -1
		}
		end := i + len(line)
		if (i == 0 || text[i-1] == '\n') && (end == len(text) || text[end] == '\n' || text[end] == '\r') {
			return i
		}
		from = end
	}
}

// cut returns text without the block, nil where the file began with it and
// held nothing else.
func (b *block) cut(text []byte) ([]byte, error) {
	from, to, err := b.span(text)
	if err != nil || to == 0 {
		return text, err
	}
	made := from == 0 && bytes.HasPrefix(text, []byte(b.begin))
	rest := bytes.Join([][]byte{text[:from], text[to:]}, nil)
	if made && len(rest) == 0 {
		return nil, nil
	}
	return rest, nil
}

// state compares what stands in text with what we would write.
func (b *block) state(text []byte) (State, error) {
	from, to, err := b.span(text)
	if err != nil {
		return Missing, err
	}
	if to == 0 {
		if b.foreign != nil && b.foreign.Match(text) {
			return Missing, errForeign
		}
		if b.check != nil {
			return Missing, b.check(text)
		}
		return Missing, nil
	}
	var got []string
	for _, l := range strings.Split(strings.TrimSpace(string(text[from:to])), "\n") {
		got = append(got, strings.TrimSuffix(l, "\r"))
	}
	if strings.Join(got[1:len(got)-1], "\n") == strings.Join(b.lines, "\n") {
		return Installed, nil
	}
	return Outdated, nil
}

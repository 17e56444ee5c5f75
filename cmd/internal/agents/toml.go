package agents

import (
	"bytes"
	"fmt"
)

// checkTOML says whether a table can follow a text: all strings, arrays and
// inline tables are closed. What else may be wrong in it is left to the client.
func checkTOML(text []byte) error {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	line, depth := 1, 0
	for i := 0; i < len(text); {
		n := 1
		switch c := text[i]; c {
		case '#':
			if n = bytes.IndexByte(text[i:], '\n'); n < 0 {
				n = len(text) - i
			}
		case '"', '\'':
			if n = tomlString(text[i:]); n < 0 {
				return fmt.Errorf("line %d: a string is not closed", line)
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth < 0 {
				return fmt.Errorf("line %d: %c closes nothing", line, c)
			}
		}
		line += bytes.Count(text[i:i+n], []byte("\n"))
		i += n
	}
	if depth > 0 {
		return fmt.Errorf("line %d: a bracket is not closed", line)
	}
	return nil
}

// tomlString returns the length of the string that a text begins with, -1
// where it does not end: three quotes go over lines, one must end on its own,
// and only double ones know escapes.
func tomlString(text []byte) int {
	quote, open := text[0], 1
	if len(text) >= 3 && text[1] == quote && text[2] == quote {
		open = 3
	}
	for i := open; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == '\n' && open == 1:
			return -1
		case bytes.HasPrefix(text[i:], bytes.Repeat([]byte{quote}, open)):
			end := i + open
			for open == 3 && end < len(text) && text[end] == quote && end < i+5 {
				end++ // up to two quotes may stand before the three that end it
			}
			return end
		}
	}
	return -1
}

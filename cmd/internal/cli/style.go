package cli

import "strings"

// style is the few looks of text output.
type style string

const (
	plain   style = ""
	bold    style = "1"
	dim     style = "2"
	red     style = "31"
	green   style = "32"
	yellow  style = "33"
	magenta style = "35"
	cyan    style = "36"
)

// paint returns text in a style where colour is on. The text is made
// printable first.
func (a *app) paint(s style, text string) string {
	text = printable(text)
	if !a.color || s == plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// pad fills text with spaces to a width in columns.
func pad(text string, width int) string {
	if n := columns(text); n < width {
		return text + strings.Repeat(" ", width-n)
	}
	return text
}

// columns counts runes: close enough to terminal cells for code.
func columns(s string) int {
	n := 0
	for range s {
		n++
	}
	return n
}

// clip cuts text to a width in columns, with an ellipsis.
func clip(text string, width int) string {
	if columns(text) <= width {
		return text
	}
	if width <= 1 {
		return ""
	}
	n := 0
	for i := range text {
		if n == width-1 {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// wrap breaks text into lines of at most width columns, between words; a longer
// word has a line of its own.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Split(text, " ") {
		switch {
		case line == "":
			line = word
		case columns(line)+1+columns(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable replaces what could drive a terminal (controls, escape sequences,
// bidirectional overrides, invalid UTF-8) by visible escapes. Repository text
// is data: it must not act.
func printable(s string) string {
	clean := true
	for _, r := range s {
		if !harmless(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case harmless(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}

func harmless(r rune) bool {
	return r == '\t' || r != utf8.RuneError && unicode.IsPrint(r) || r == '\u00a0'
}

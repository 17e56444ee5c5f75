package install

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"codeidx/hooks"
)

// The block of a hook file stands behind its first line if that names the shell,
// else at its top. There it runs whatever the rest does: foreign hooks end with
// `exit 0` or `exec` often enough that nothing behind them is ever reached. And
// the exit status of the hook stays that of its last command.
//
// Its first line says what else Install added, so that Uninstall can take that
// away, too.
const (
	beginPlain   = "# >>> codeidx >>>"
	beginNewFile = "# >>> codeidx: new file >>>"
	beginLineEnd = "# >>> codeidx: with the line end before it >>>"
	end          = "# <<< codeidx <<<"
)

// shebang is the first line of a file that we make.
const shebang = "#!/bin/sh\n"

// block returns the lines for an event. They print nothing, hold no descriptor of
// git's caller, and succeed, under `sh -eu` also where the program is missing or
// fails; pre-push alone may speak and refuse. What git sends on stdin the lines
// behind them get, too.
func block(begin, event, exe string) string {
	return begin + "\n# For git codeidx. Take it out with: git codeidx uninstall\n" + body(event, exe) + end + "\n"
}

func body(event, exe string) string {
	switch {
	case event == hooks.PrePush:
		return fmt.Sprintf(keepStdin+`codeidx_status=0
if test -x %[1]s; then
	printf '%%s\n' "$codeidx_stdin" | %[1]s hook %[2]s "$@" || codeidx_status=$?
elif command -v git-codeidx >/dev/null 2>&1; then
	printf '%%s\n' "$codeidx_stdin" | git-codeidx hook %[2]s "$@" || codeidx_status=$?
fi
test "$codeidx_status" != 1 || exit 1
`+giveStdin, quote(exe), event)
	case readsStdin(event):
		return fmt.Sprintf(keepStdin+`if test -x %[1]s; then
	printf '%%s\n' "$codeidx_stdin" | %[1]s hook %[2]s "$@"
elif command -v git-codeidx; then
	printf '%%s\n' "$codeidx_stdin" | git-codeidx hook %[2]s "$@"
fi >/dev/null 2>&1 || :
`+giveStdin, quote(exe), event)
	}
	return fmt.Sprintf(`if test -x %[1]s; then
	%[1]s hook %[2]s "$@"
elif command -v git-codeidx; then
	git-codeidx hook %[2]s "$@"
fi </dev/null >/dev/null 2>&1 || :
`, quote(exe), event)
}

// What git sends is kept in a variable and given to the rest of the script.
const (
	keepStdin = "codeidx_stdin=$(cat) || :\n"
	giveStdin = `if test -n "$codeidx_stdin"; then
exec <<CODEIDX
$codeidx_stdin
CODEIDX
else
	exec </dev/null
fi
`
)

func readsStdin(event string) bool { return event == hooks.PostRewrite || event == hooks.PrePush }

// oneLiner does the same as a command of git's configuration, to which git
// appends "$@". Git gives each such command its own stdin.
func oneLiner(event, exe string) string {
	redirect := "</dev/null >/dev/null 2>&1 || :"
	switch {
	case event == hooks.PrePush:
		redirect = "|| test $? != 1"
	case readsStdin(event):
		redirect = ">/dev/null 2>&1 || :"
	}
	return fmt.Sprintf(`codeidx() { if test -x %[1]s; then %[1]s hook %[2]s "$@"; elif command -v git-codeidx >/dev/null 2>&1; then git-codeidx hook %[2]s "$@"; fi %[3]s; }; codeidx`,
		quote(exe), event, redirect)
}

// quote makes a word of a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// insert puts the block into the text of a hook file, nil for a new one. The
// text has none yet.
func insert(text []byte, event, exe string) []byte {
	if text == nil {
		return []byte(shebang + block(beginNewFile, event, exe))
	}
	at, begin, gap := 0, beginPlain, ""
	if bytes.HasPrefix(text, []byte("#!")) {
		if at = bytes.IndexByte(text, '\n') + 1; at == 0 {
			at, begin, gap = len(text), beginLineEnd, "\n"
		}
	}
	return join(text[:at], []byte(gap), []byte(block(begin, event, exe)), text[at:])
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

var errUnclosed = errors.New("our block has no end line; remove it by hand")

// remove takes all blocks out of a text. gone says that nothing is left of a file
// that was ours.
func remove(text []byte) (rest []byte, gone bool, err error) {
	rest = text
	for {
		b, found, err := find(rest)
		if err != nil {
			return text, false, err
		}
		if !found {
			return rest, gone && string(rest) == shebang, nil
		}
		gone = gone || b.begin == beginNewFile
		before := rest[:b.from]
		if b.begin == beginLineEnd {
			before = bytes.TrimSuffix(before, []byte{'\n'})
		}
		rest = join(before, rest[b.to:])
	}
}

// found is where a block lies in a text.
type found struct {
	begin    string
	from, to int // with its line ends
}

// find returns the first block.
func find(text []byte) (b found, ok bool, err error) {
	at := 0
	for line := range bytes.Lines(text) {
		switch word := strings.TrimRight(string(line), "\r\n \t"); {
		case !ok && (word == beginPlain || word == beginNewFile || word == beginLineEnd):
			b.begin, b.from, ok = word, at, true
		case ok && word == end:
			b.to = at + len(line)
			return b, true, nil
		}
		at += len(line)
	}
	if ok {
		return b, false, errUnclosed
	}
	return b, false, nil
}

package golang

import (
	"bytes"
	"sort"
	"strings"

	"codeidx/facts"
)

// docBefore returns the doc comment of a declaration that starts at pos: the
// comments on the lines right above it. They become DocComment texts.
func (w *walker) docBefore(pos uint32) facts.Span {
	texts := w.f.Texts
	k := sort.Search(len(texts), func(i int) bool { return texts[i].Span.Start >= pos }) - 1
	doc := facts.Span{}
	for ; k >= 0; k-- {
		t := &texts[k]
		if t.Kind == facts.String || !w.oneLine(t.Span.End, pos) || !w.startsLine(t.Span.Start) {
			break
		}
		if doc.End == 0 {
			doc.End = t.Span.End
		}
		doc.Start, pos = t.Span.Start, t.Span.Start
		t.Kind = facts.DocComment
	}
	return doc
}

// oneLine says whether one line end and nothing else but blanks lies between
// two offsets.
func (w *walker) oneLine(from, to uint32) bool {
	lines := 0
	for _, c := range w.src[from:to] {
		switch c {
		case '\n':
			lines++
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return lines == 1
}

// startsLine says whether only blanks stand before pos on its line.
func (w *walker) startsLine(pos uint32) bool {
	for pos > 0 {
		pos--
		switch w.src[pos] {
		case '\n':
			return true
		case ' ', '\t':
		default:
			return false
		}
	}
	return true
}

// marks records what decides whether a build takes the file: constraint lines
// above the package clause and the suffixes of its name.
func (w *walker) marks(p string) {
	clause := w.f.Size
	for c := uint32(1); c < w.nodes[0].Next; c = w.nodes[c].Next {
		if w.kind(c) == kPackageClause {
			clause = w.nodes[c].Start
			break
		}
	}
	for _, t := range w.f.Texts {
		if t.Span.Start >= clause {
			break
		}
		line := w.src[t.Span.Start:t.Span.End]
		if bytes.HasPrefix(line, []byte("//go:build ")) || bytes.HasPrefix(line, []byte("// +build ")) {
			w.b.Mark("build", strings.TrimSpace(string(line)))
		}
	}
	if w.test {
		w.b.Mark("test_file", "")
	}
	goos, goarch := nameConstraint(p)
	if goos != "" {
		w.b.Mark("goos", goos)
	}
	if goarch != "" {
		w.b.Mark("goarch", goarch)
	}
}

func isTestFile(p string) bool { return strings.HasSuffix(p, "_test.go") }

// nameConstraint returns the operating system and architecture that a file
// name asks for, as in "x_linux_amd64.go".
func nameConstraint(p string) (goos, goarch string) {
	name := strings.TrimSuffix(strings.TrimSuffix(p[strings.LastIndexByte(p, '/')+1:], ".go"), "_test")
	parts := strings.Split(name, "_")
	n := len(parts)
	if n >= 2 && knownArch(parts[n-1]) {
		goarch = parts[n-1]
		n--
	}
	if n >= 2 && knownOS(parts[n-1]) {
		goos = parts[n-1]
	}
	return goos, goarch
}

func knownOS(s string) bool {
	switch s {
	case "aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
		"openbsd", "plan9", "solaris", "wasip1", "windows", "zos":
		return true
	}
	return false
}

func knownArch(s string) bool {
	switch s {
	case "386", "amd64", "amd64p32", "arm", "armbe", "arm64", "arm64be", "loong64", "mips", "mipsle", "mips64", "mips64le",
		"mips64p32", "mips64p32le", "ppc", "ppc64", "ppc64le", "riscv", "riscv64", "s390", "s390x", "sparc", "sparc64", "wasm":
		return true
	}
	return false
}

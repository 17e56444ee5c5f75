package gitstore

import (
	"bytes"
	"unicode/utf8"
)

// judge says why bytes are not included, "" where they are. Only source can be
// generated or minified; configuration is read whoever wrote it.
func judge(c *candidate, class Class, data []byte) Reason {
	switch {
	case isLFSPointer(data):
		return LFSPointer
	case bytes.IndexByte(data, 0) >= 0:
		return Binary
	case !utf8.Valid(data):
		return NotUTF8
	case class != ClassSource || c.forced:
		return ""
	case c.generated == unsaid && saysGenerated(data):
		return Generated
	case isMinified(data):
		return Minified
	}
	return ""
}

func isLFSPointer(data []byte) bool {
	const maxPointer = 1024
	return len(data) < maxPointer && bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/"))
}

// Limits of the search for a generator's mark: it stands in the comments at
// the top.
const (
	markBytes = 8 << 10
	markLines = 80
)

// saysGenerated looks for a generator's mark in the comments before the first
// line of code: "Code generated … DO NOT EDIT" and its kin, or "@generated".
func saysGenerated(data []byte) bool {
	rest := bytes.TrimPrefix(data[:min(len(data), markBytes)], []byte("\uFEFF"))
	block := false
	for n := 0; n < markLines && len(rest) > 0; n++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		line = bytes.TrimSpace(line)
		var comment bool
		if comment, block = commentLine(line, block); !comment {
			return false
		}
		if hasMark(line) {
			return true
		}
	}
	return false
}

// hasMark says whether a comment line declares its file generated.
func hasMark(line []byte) bool {
	if i := bytes.Index(line, []byte("enerated")); i >= 0 && bytes.Contains(line[i:], []byte("DO NOT EDIT")) {
		return true
	}
	i := bytes.Index(line, []byte("@generated"))
	if i < 0 {
		return false
	}
	// Not part of a longer word, nor an address such as user@generated.
	before, after := line[:i], line[i+len("@generated"):]
	return (len(before) == 0 || !wordByte(before[len(before)-1])) && (len(after) == 0 || !wordByte(after[0]))
}

func wordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// commentLine says whether a trimmed line is empty, a comment in one of the
// usual forms or the "<?php" that comes before one, and whether a block comment
// goes on after it.
func commentLine(line []byte, block bool) (comment, after bool) {
	if block {
		return true, !bytes.Contains(line, []byte("*/"))
	}
	if bytes.HasPrefix(line, []byte("/*")) {
		return true, !bytes.Contains(line[2:], []byte("*/"))
	}
	if len(line) == 0 {
		return true, false
	}
	for _, mark := range [...]string{"//", "#", "--", ";", "<!--", "<?php"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true, false
		}
	}
	return false, false
}

// A bundle is measured, not guessed by its name: at least minifiedShare
// quarters of its bytes stand in lines longer than longLine, in a file that is
// large enough for that to mean anything.
const (
	longLine      = 1000
	minifiedMin   = 4 << 10
	minifiedShare = 3
)

func isMinified(data []byte) bool {
	if len(data) < minifiedMin {
		return false
	}
	long := 0
	for rest := data; len(rest) > longLine; {
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		if n > longLine {
			long += n
		}
		rest = rest[min(n+1, len(rest)):]
	}
	return 4*long >= minifiedShare*len(data)
}

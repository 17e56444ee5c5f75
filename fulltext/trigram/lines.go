package trigram

import "bytes"

// Line is a line that matches. Offsets are bytes of the file.
type Line struct {
	Number     int // from 1
	Start, End int // of the line, without its "\n"
	First      [2]int
	Matches    int // that do not overlap
}

const byteOrderMark = "\uFEFF"

// Scanner finds lines. It keeps its memory between files; it is for one
// goroutine.
type Scanner struct {
	folded []byte
}

// Lines calls emit for each line of src, UTF-8, that the pattern matches, in
// order, until emit returns false. A byte order mark is no part of a line; a
// "\r" before the "\n" is.
func (p *Pattern) Lines(s *Scanner, src []byte, emit func(Line) bool) {
	l := lines{p: p, src: src, emit: emit, number: 1}
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		l.counted = len(byteOrderMark)
	}
	switch {
	case p.exact != nil:
		l.next = func(from int) int { return indexFrom(src, p.exact, from) }
		l.walk(l.counted)
	case p.needles != nil && !foldsSpecial(src):
		f := &finder{text: s.fold(src), at: make([]int, len(p.needles))}
		for _, text := range p.needles {
			f.list = append(f.list, []byte(text))
		}
		l.next = f.after
		l.walk(l.counted)
	default:
		l.scan(l.counted)
	}
}

func (s *Scanner) fold(src []byte) []byte {
	if cap(s.folded) < len(src) {
		s.folded = make([]byte, len(src))
	}
	s.folded = s.folded[:len(src)]
	lower(s.folded, src)
	return s.folded
}

// lines is one pass over a file.
type lines struct {
	p       *Pattern
	src     []byte
	emit    func(Line) bool
	next    func(from int) int // where a match may be, -1 for nowhere
	number  int                // of the line at counted
	counted int
}

// walk looks at the lines that next leads to.
func (l *lines) walk(from int) {
	for from < len(l.src) {
		at := l.next(from)
		if at < 0 {
			return
		}
		end := lineEnd(l.src, at)
		if !l.line(max(lineStart(l.src, at), l.counted), end) {
			return
		}
		from = end + 1
	}
}

// scan tries the expression on all of the text, a window at a time.
func (l *lines) scan(from int) {
	last := len(bytes.TrimSuffix(l.src, []byte{'\n'})) // no line follows the last line break
	for from < len(l.src) {
		end := lineEnd(l.src, min(from+l.p.window, last))
		m := l.p.re.FindIndex(l.src[from:end])
		if m == nil {
			from = end + 1
			continue
		}
		at := from + m[0]
		end = lineEnd(l.src, at)
		if !l.line(max(lineStart(l.src, at), from), end) {
			return
		}
		from = end + 1
	}
}

// line tests one line; false ends the pass.
func (l *lines) line(start, end int) bool {
	found := Line{Start: start, End: end}
	if exact := l.p.exact; exact != nil {
		i := bytes.Index(l.src[start:end], exact)
		if i < 0 {
			return true
		}
		found.First = [2]int{start + i, start + i + len(exact)}
		found.Matches = bytes.Count(l.src[start:end], exact)
	} else {
		all := l.p.re.FindAllIndex(l.src[start:end], -1)
		if all == nil {
			return true
		}
		found.First = [2]int{start + all[0][0], start + all[0][1]}
		found.Matches = len(all)
	}
	l.number += bytes.Count(l.src[l.counted:start], []byte{'\n'})
	l.counted = start
	found.Number = l.number
	return l.emit(found)
}

// Matches returns the parts of a line that match, at most limit; none is empty.
func (p *Pattern) Matches(line []byte, limit int) [][]int {
	var out [][]int
	for _, m := range p.re.FindAllIndex(line, limit) {
		if m[0] < m[1] {
			out = append(out, m)
		}
	}
	return out
}

// finder finds the next of several strings in folded text.
type finder struct {
	text []byte
	list [][]byte
	at   []int // of each: its place, where it is not before the asked one
	used bool
}

func (f *finder) after(from int) int {
	best := -1
	for i, text := range f.list {
		if !f.used || f.at[i] >= 0 && f.at[i] < from {
			f.at[i] = indexFrom(f.text, text, from)
		}
		if at := f.at[i]; at >= 0 && (best < 0 || at < best) {
			best = at
		}
	}
	f.used = true
	return best
}

func indexFrom(text, part []byte, from int) int {
	i := bytes.Index(text[from:], part)
	if i < 0 {
		return -1
	}
	return from + i
}

func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

func lineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

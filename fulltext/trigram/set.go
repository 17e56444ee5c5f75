package trigram

import "math/bits"

// fileSet is a set of the files of one run, a bit each.
type fileSet []uint64

func newFileSet(files int) fileSet { return make(fileSet, (files+63)/64) }

// fullFileSet has all files of a run.
func fullFileSet(files int) fileSet {
	s := newFileSet(files)
	for i := range s {
		s[i] = ^uint64(0)
	}
	if files%64 != 0 {
		s[len(s)-1] = 1<<(files%64) - 1
	}
	return s
}

func (s fileSet) and(t fileSet) {
	for i := range s {
		s[i] &= t[i]
	}
}

func (s fileSet) or(t fileSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

func (s fileSet) clone() fileSet { return append(fileSet(nil), s...) }

func (s fileSet) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// each calls f for the files of the set, ascending.
func (s fileSet) each(f func(int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(64*i + bits.TrailingZeros64(w))
		}
	}
}

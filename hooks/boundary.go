package hooks

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"codeidx/facts"
)

// SliceBoundary is the kind of an entry that says that code went from one
// function into another (spec/evidence.md, I4).
const SliceBoundary Kind = "slice_boundary"

// boundaryLines is the least number of lines that make a slice boundary: so many
// in a row, blanks apart, that left the text of one function or method and are new
// in another. Lines without a letter or digit do not count, and a function that
// moved as a whole is no boundary.
const boundaryLines = 3

// Boundary is one slice boundary.
type Boundary struct {
	ID       string `json:"id"`
	Kind     Kind   `json:"kind"`
	FromPath string `json:"from_path"`
	From     string `json:"from"` // qualified name
	ToPath   string `json:"to_path"`
	To       string `json:"to"`
	Lines    int    `json:"lines"` // of the longest run
}

// text is the lines of one function, as old or new.
type text struct {
	path, name string
	was, is    []string
}

// run is some lines in a row.
type run [boundaryLines]string

// boundaries finds the slice boundaries among the files of one event.
func boundaries(event string, list []*Delta) ([]Boundary, error) {
	texts := changedTexts(list)
	left := map[run][]int{} // runs that left a text
	for i, t := range texts {
		for r := range missing(t.was, t.is) {
			left[r] = append(left[r], i)
		}
	}
	var found []Boundary
	for i, t := range texts {
		longest := arrived(&t, i, left)
		for from, n := range longest {
			b := Boundary{Kind: SliceBoundary, FromPath: texts[from].path, From: texts[from].name, ToPath: t.path, To: t.name, Lines: n}
			var err error
			if b.ID, err = contentID([...]string{event, string(b.Kind), b.FromPath, b.From, b.ToPath, b.To}); err != nil {
				return nil, err
			}
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b Boundary) int {
		return cmp.Or(strings.Compare(a.FromPath, b.FromPath), strings.Compare(a.From, b.From), strings.Compare(a.ToPath, b.ToPath), strings.Compare(a.To, b.To))
	})
	return slices.CompactFunc(found, func(a, b Boundary) bool { return a.ID == b.ID }), nil
}

// arrived returns the length in lines of the longest run in a row that is new in
// text number own and left another one, by the number of that.
func arrived(t *text, own int, left map[run][]int) map[int]int {
	longest, current := map[int]int{}, map[int]int{}
	fresh := missing(t.is, t.was)
	for k := range len(t.is) - boundaryLines + 1 {
		r := runAt(t.is, k)
		next := map[int]int{}
		if fresh[r] {
			for _, from := range left[r] {
				if from != own {
					next[from] = max(current[from]+1, boundaryLines)
					longest[from] = max(longest[from], next[from])
				}
			}
		}
		current = next
	}
	return longest
}

// missing returns the runs of a that b does not have.
func missing(a, b []string) map[run]bool {
	m := map[run]bool{}
	for k := range len(a) - boundaryLines + 1 {
		m[runAt(a, k)] = true
	}
	for k := range len(b) - boundaryLines + 1 {
		delete(m, runAt(b, k))
	}
	return m
}

func runAt(lines []string, k int) run { return run(lines[k : k+boundaryLines]) }

// changedTexts lists the functions and methods that came, went or changed.
func changedTexts(list []*Delta) []text {
	var texts []text
	for _, d := range list {
		for _, i := range d.removed {
			if isFunction(d.old, i) && !d.movedAway[i] {
				texts = append(texts, text{validPath(d.old.path), d.old.definition(i).Name, lines(d.old.body(i)), nil})
			}
		}
		for _, p := range d.pairs {
			if isFunction(d.new, p.new) {
				texts = append(texts, text{d.Path, d.new.definition(p.new).Name, lines(d.old.body(p.old)), lines(d.new.body(p.new))})
			}
		}
		for _, j := range d.added {
			if isFunction(d.new, j) && !d.movedHere[j] {
				texts = append(texts, text{d.Path, d.new.definition(j).Name, nil, lines(d.new.body(j))})
			}
		}
	}
	return texts
}

func isFunction(v *version, i int) bool {
	k := v.symbol(i).Kind
	return k == facts.DefFunction || k == facts.DefMethod
}

// lines returns the lines that count, with single blanks.
func lines(body []byte) []string {
	var list []string
	for l := range strings.Lines(string(body)) {
		if strings.ContainsFunc(l, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			list = append(list, strings.Join(strings.Fields(l), " "))
		}
	}
	return list
}

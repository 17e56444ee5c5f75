package query

import "bytes"

// maxDiffCells bounds the table of one comparison; where the differing middle
// of two files is larger, it counts as changed altogether.
const maxDiffCells = 4 << 20

// diffLines marks each line of now by what old has there. The runs cover now
// in order; removed lines stand between them.
func diffLines(old, now [][]byte) []LineMark {
	head := 0
	for head < len(old) && head < len(now) && bytes.Equal(old[head], now[head]) {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && bytes.Equal(old[len(old)-1-tail], now[len(now)-1-tail]) {
		tail++
	}
	var r runs
	r.same(head)
	r.middle(old[head:len(old)-tail], now[head:len(now)-tail])
	r.same(tail)
	r.flush()
	return r.marks
}

// runs joins steps of a comparison to marks. Lines that are gone where others
// came are changed ones.
type runs struct {
	marks      []LineMark
	old, now   int // lines behind us
	gone, come int // since the last equal line
}

func (r *runs) same(n int) {
	if n == 0 {
		return
	}
	r.flush()
	if k := len(r.marks) - 1; k >= 0 && r.marks[k].Kind == "same" {
		r.marks[k].Last += n
		r.marks[k].Count += n
	} else {
		r.marks = append(r.marks, LineMark{"same", r.now + 1, r.now + n, n, r.old + 1})
	}
	r.old, r.now = r.old+n, r.now+n
}

func (r *runs) flush() {
	m := LineMark{First: r.now + 1, Last: r.now + r.come, Count: r.come, Old: r.old + 1}
	switch {
	case r.gone > 0 && r.come > 0:
		m.Kind = "changed"
	case r.gone > 0:
		m.Kind, m.Count = "removed", r.gone
	case r.come > 0:
		m.Kind, m.Old = "added", 0
	default:
		return
	}
	r.marks = append(r.marks, m)
	r.old, r.now, r.gone, r.come = r.old+r.gone, r.now+r.come, 0, 0
}

// middle compares by longest common subsequence.
func (r *runs) middle(old, now [][]byte) {
	if len(old) == 0 || len(now) == 0 || len(old) > maxDiffCells/len(now) {
		r.gone, r.come = len(old), len(now)
		return
	}
	w := len(now) + 1
	best := make([]int32, (len(old)+1)*w) // length of the common subsequence of old[i:] and now[j:]
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if bytes.Equal(old[i], now[j]) {
				best[i*w+j] = best[(i+1)*w+j+1] + 1
			} else {
				best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(old) && j < len(now) {
		switch {
		case bytes.Equal(old[i], now[j]):
			r.same(1)
			i, j = i+1, j+1
		case best[(i+1)*w+j] >= best[i*w+j+1]:
			r.gone++
			i++
		default:
			r.come++
			j++
		}
	}
	r.gone, r.come = r.gone+len(old)-i, r.come+len(now)-j
}

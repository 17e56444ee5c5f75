package build

import (
	"bytes"

	"codeidx/gitstore"
)

// textRun is a run of files in the text index of an earlier generation.
type textRun struct {
	files  []textFile // path and key
	blocks []gitstore.BlockRef
	last   bool // no path stands behind it: it may have ended for want of files
}

// textRuns lists the runs of a generation by their first path; none where the
// generation is damaged.
func textRuns(g *gitstore.Generation) map[string]textRun {
	if g == nil {
		return nil
	}
	runs := map[string]textRun{}
	blocks := g.Sections[gitstore.TextSection]
	starts := make([]int, 0, 8) // of each run, in blocks
	for i := range blocks {
		if i == 0 || !bytes.Equal(runOf(blocks[i].Key), runOf(blocks[i-1].Key)) {
			starts = append(starts, i)
		}
	}
	next := 0 // run that is not open yet
	var first string
	err := g.EachEntry(func(e *gitstore.Entry) {
		if e.Class != gitstore.ClassSource || e.Facts.Len == 0 {
			return
		}
		if next < len(starts) && e.Path == string(runOf(blocks[starts[next]].Key)) {
			first = e.Path
			end := len(blocks)
			if next+1 < len(starts) {
				end = starts[next+1]
			}
			runs[first] = textRun{blocks: blocks[starts[next]:end], last: end == len(blocks)}
			next++
		}
		r := runs[first]
		r.files = append(r.files, textFile{path: e.Path, key: e.Key})
		runs[first] = r
	})
	if err != nil || next != len(starts) {
		return nil
	}
	return runs
}

// runOf is the first path of the run that a block belongs to.
func runOf(key []byte) []byte {
	path, _, _ := bytes.Cut(key, []byte{0})
	return path
}

// reuse takes the blocks of an earlier run over where it has the files that
// come first now, and returns how many they are; 0 where it does not.
func (t *textWriter) reuse(files []textFile) int {
	run, ok := t.prior[files[0].path]
	n := len(run.files)
	if !ok || n > len(files) || run.last && n < len(files) {
		return 0
	}
	for i := range run.files {
		if run.files[i].path != files[i].path || run.files[i].key != files[i].key {
			return 0
		}
	}
	for i := range run.blocks {
		if t.writer.Known(run.blocks[i].Blob) != nil {
			return 0 // not there any more
		}
	}
	t.refs = append(t.refs, run.blocks...)
	return n
}

package facts

import "sort"

// LineStarts returns the offset of the first byte of each line; a line ends
// after "\n".
func LineStarts(src []byte) []uint32 {
	lines := make([]uint32, 1, len(src)/32+1)
	for i, b := range src {
		if b == '\n' {
			lines = append(lines, uint32(i+1))
		}
	}
	return lines
}

// Line returns the 1-based line of a byte offset.
func (f *File) Line(pos uint32) int {
	return sort.Search(len(f.Lines), func(i int) bool { return f.Lines[i] > pos })
}

// Position returns the 1-based line and the 1-based byte column of an offset.
func (f *File) Position(pos uint32) (line, col int) {
	line = f.Line(pos)
	return line, int(pos-f.Lines[line-1]) + 1
}

// Name returns the text of a name.
func (f *File) Name(id NameID) string { return f.Names[id] }

// Qualified returns the lexically qualified name of a definition, its parts
// joined by dots: "Server.Start", "outer.inner". The file itself has none.
func (f *File) Qualified(id DefID) string {
	d := &f.Defs[id]
	if id == 0 {
		return ""
	}
	name := f.Names[d.Name]
	if d.Container != 0 {
		return f.Names[d.Container] + "." + name
	}
	if d.Parent != 0 {
		return f.Qualified(d.Parent) + "." + name
	}
	return name
}

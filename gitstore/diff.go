package gitstore

// diff compares what was seen with what was wanted.
func (c *checker) diff() *Diff {
	d := &Diff{Seen: buildSnapshot(c.cands, c.results, c.attributes, c.seenAt)}
	f, o := 0, 0
	for i := range c.cands {
		path, prior := c.cands[i].path, c.priors[i]
		f = d.unlisted(c.want.Files, f, path)
		o = d.unlistedOmissions(c.want.Omitted, o, path)
		if prior.file != nil {
			f++
		}
		if prior.omit != nil {
			o++
		}
		d.add(path, prior, &c.results[i])
	}
	for ; f < len(c.want.Files); f++ {
		d.Deleted = append(d.Deleted, c.want.Files[f].Path)
	}
	for ; o < len(c.want.Omitted); o++ {
		d.Omissions = append(d.Omissions, c.want.Omitted[o].Path)
	}
	return d
}

// unlisted records the files before path, from number f on, which nothing lists
// any more, and returns the number of the first other one.
func (d *Diff) unlisted(files []File, f int, path string) int {
	for ; f < len(files) && files[f].Path < path; f++ {
		d.Deleted = append(d.Deleted, files[f].Path)
	}
	return f
}

func (d *Diff) unlistedOmissions(omitted []Omission, o int, path string) int {
	for ; o < len(omitted) && omitted[o].Path < path; o++ {
		d.Omissions = append(d.Omissions, omitted[o].Path)
	}
	return o
}

// add sorts one listed path into the lists.
func (d *Diff) add(path string, prior prior, out *outcome) {
	switch f, o := prior.file, prior.omit; {
	case f != nil && out.reason == "":
		if out.sum != f.SHA256 || out.mode != f.Mode {
			d.Modified = append(d.Modified, path)
		}
	case f != nil && out.reason == Unreadable:
		d.Unreadable = append(d.Unreadable, path)
	case f != nil && out.reason == TooLarge:
		d.Modified = append(d.Modified, path)
	case f != nil:
		d.Deleted = append(d.Deleted, path)
	case out.reason == "":
		d.Added = append(d.Added, path)
	case o == nil || o.Reason != out.reason || o.SHA256 != out.sum:
		d.Omissions = append(d.Omissions, path)
	}
}

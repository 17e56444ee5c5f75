package build

import (
	"encoding/binary"
	"slices"

	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// schemaVersion is part of every generation's identity: raise it when the same
// input gives other sections.
const schemaVersion = 2

// identity is everything that decides about the content of a generation.
type identity struct {
	policy    gitstore.Policy
	roots     []string // of Program, like the next two
	includes  []string
	callbacks []string
	resolvers []graph.Resolver
}

// settle gives a program the configured answers that facts do not hold.
func (id *identity) settle(p *graph.Program) {
	p.Roots, p.Includes, p.Callbacks = id.roots, id.includes, id.callbacks
}

// digest returns the manifest digest (spec/engine.md §1): SHA-256 over
// labelled, length-delimited fields.
func (id *identity) digest(s *gitstore.Snapshot) gitstore.Digest {
	var d labelled
	d.field("codeidx manifest")
	d.number(schemaVersion)
	d.number(facts.Format)
	d.list("exclude", id.policy.Exclude)
	d.list("include", id.policy.Include)
	d.flag("untracked", id.policy.IncludeUntracked)
	d.field("limits")
	d.number(uint64(id.policy.MaxFileSize))
	d.list("roots", id.roots)
	d.list("includes", id.includes)
	d.list("callbacks", id.callbacks)
	d.list("resolvers", graph.Versions(id.resolvers))
	for i := range facts.Languages {
		l := &facts.Languages[i]
		d.list("language", []string{l.Name, l.Grammar, l.Version, facts.Runtime})
		d.number(uint64(l.Extractor))
	}
	d.field("files")
	d.number(uint64(len(s.Files)))
	for i := range s.Files {
		f := &s.Files[i]
		d.field(f.Path)
		d.number(uint64(f.Mode))
		d.number(uint64(f.Size))
		d.field(string(f.SHA256[:]))
		d.number(uint64(f.Class))
		d.number(uint64(f.Lang))
	}
	d.field("omitted")
	d.number(uint64(len(s.Omitted)))
	for i := range s.Omitted {
		o := &s.Omitted[i]
		d.field(o.Path)
		d.field(string(o.Reason))
		d.number(uint64(o.Size))
		d.field(string(o.SHA256[:]))
	}
	d.field(string(s.Attributes[:]))
	return gitstore.DigestOf(d.b)
}

// labelled is an unambiguous listing of fields.
type labelled struct{ b []byte }

func (d *labelled) field(s string) {
	d.b = binary.AppendUvarint(d.b, uint64(len(s)))
	d.b = append(d.b, s...)
}

func (d *labelled) number(v uint64) { d.b = binary.AppendUvarint(d.b, v) }

func (d *labelled) flag(label string, v bool) {
	d.field(label)
	if v {
		d.number(1)
	} else {
		d.number(0)
	}
}

func (d *labelled) list(label string, list []string) {
	d.field(label)
	d.number(uint64(len(list)))
	for _, s := range list {
		d.field(s)
	}
}

// manifestRows makes the tables of included and of omitted files.
func manifestRows(s *gitstore.Snapshot, entries []gitstore.Entry) (files, omitted []gitstore.Row) {
	for i := range entries {
		files = append(files, gitstore.Row{Key: entries[i].Path, Data: entries[i].Encode()})
	}
	for i := range s.Omitted {
		o := &s.Omitted[i]
		omitted = append(omitted, gitstore.Row{Key: o.Path, Data: gitstore.EncodeOmission(o)})
	}
	return files, omitted
}

// coverageOf counts what a generation holds and leaves out.
func coverageOf(s *gitstore.Snapshot, entries []gitstore.Entry, stats *graph.Stats) gitstore.Coverage {
	c := gitstore.Coverage{
		Omitted: map[string]int{}, Symbols: stats.Symbols, Resolved: stats.Resolved, Candidate: stats.Candidate, Unresolved: stats.Unresolved,
	}
	for i := range entries {
		if entries[i].Class != gitstore.ClassSource {
			continue
		}
		c.Files++
		switch entries[i].Status {
		case "ok":
		case "partial":
			c.Partial++
		default:
			c.Failed++
		}
	}
	for i := range s.Omitted {
		c.Omitted[string(s.Omitted[i].Reason)]++
	}
	return c
}

// sorted returns a configured list in canonical order.
func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

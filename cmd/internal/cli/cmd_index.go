package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"codeidx/gitstore"
	"codeidx/gitstore/build"
	"codeidx/query"
)

// buildFlags are what index and sync take.
type buildFlags struct {
	outputFlags
	Trace string `help:"Write the time of each stage to FILE as JSON." placeholder:"FILE" type:"path"`
}

type indexCmd struct{ buildFlags }

func (c *indexCmd) Run(a *app) error {
	return c.build(a, func(b *build.Builder) (*build.Result, error) { return b.Index(a.ctx) })
}

// The heap of a build only grows. While a tree is small the heap may triple
// between collections, which saves some 4 % of the CPU; the more source there
// is, the more memory counts.
const buildGC = 200

var paces = []struct {
	above   int64 // bytes of source
	percent int
}{{16 << 20, 40}, {6 << 20, 100}}

// pace makes the collector work harder as a tree proves large. show may be nil.
func pace(show func(build.Progress)) func(build.Progress) {
	now := buildGC
	return func(p build.Progress) {
		for _, s := range paces {
			if p.Bytes > s.above && s.percent < now {
				now = s.percent
				debug.SetGCPercent(now)
			}
		}
		if show != nil {
			show(p)
		}
	}
}

// build opens the repository, runs a build and reports it.
func (c *buildFlags) build(a *app, run func(*build.Builder) (*build.Result, error)) error {
	c.apply(a)
	debug.SetGCPercent(buildGC)
	began := time.Now()
	s, err := a.open(true)
	if err != nil {
		return err
	}
	defer s.close()
	s.foldDrift()
	book := s.analyst().Open()
	b := s.builder()
	m := newMeter(a.err)
	b.Progress = pace(nil)
	if a.progress {
		b.Progress = pace(m.show)
	}
	res, err := run(b)
	m.clear()
	if err != nil {
		return buildError(err)
	}
	if err := book.Close(a.ctx); err != nil && !a.quiet {
		printNotice(a.err, err.Error())
	}
	s.reportBuild(res, time.Since(began))
	s.published = !res.Unchanged
	s.close()
	if c.Trace == "" {
		return nil
	}
	if s.reclaimed > 0 {
		res.Stages = append(res.Stages, build.Stage{Name: "reclaiming", Took: s.reclaimed})
	}
	return writeTrace(c.Trace, res)
}

func buildError(err error) error {
	switch {
	case errors.Is(err, build.ErrBusy):
		return &query.Error{Code: query.WorkspaceBusy, Message: err.Error(), Hint: "try again when nothing writes into it"}
	case errors.Is(err, gitstore.ErrLocked):
		return &query.Error{Code: query.WorkspaceBusy, Message: err.Error(), Hint: "another build of this work tree is running; codeidx.lockWait sets how long to wait"}
	case errors.Is(err, gitstore.ErrRefChanged):
		return &query.Error{Code: query.WorkspaceBusy, Message: err.Error(), Hint: "another build was first: run it again"}
	}
	return err
}

// buildReport is the JSON document of index and sync.
type buildReport struct {
	Schema      string            `json:"schema"`
	Binding     string            `json:"binding"`
	Fingerprint string            `json:"fingerprint"`
	Manifest    string            `json:"manifest"`
	Commit      string            `json:"commit"`
	Outcome     string            `json:"outcome"` // built, known or unchanged
	Parsed      int               `json:"parsed"`
	Reused      int               `json:"reused"`
	NewBytes    int64             `json:"new_bytes"`
	Coverage    gitstore.Coverage `json:"coverage"`
}

func (s *session) reportBuild(res *build.Result, took time.Duration) {
	if s.json {
		b, err := encodeJSON(buildReport{
			Schema: "codeidx.build.v1", Binding: s.binding, Fingerprint: query.Fingerprint(res.Manifest, s.binding, s.repo), Manifest: res.Manifest.String(),
			Commit: string(s.repo.Head), Outcome: outcome(res), Parsed: res.Parsed, Reused: res.Reused, NewBytes: res.Stats.NewBytes, Coverage: res.Coverage,
		})
		if err == nil {
			s.out.Write(b)
		}
		return
	}
	if s.quiet {
		return
	}
	c := &res.Coverage
	switch outcome(res) {
	case "unchanged":
		fmt.Fprintf(s.out, "up to date: %s, %s (%s)\n", plural(c.Files, "file"), plural(c.Symbols, "definition"), round(took))
		return
	case "known":
		fmt.Fprintf(s.out, "back at a known state: %s, %s (%s)\n", plural(c.Files, "file"), plural(c.Symbols, "definition"), round(took))
		return
	}
	fmt.Fprintf(s.out, "indexed %s in %s: %s, %s and %s (%d parsed, %d reused, %s written)\n", plural(c.Files, "file"), round(took),
		plural(c.Symbols, "definition"), plural(c.Resolved, "proven edge"), plural(c.Candidate, "candidate"), res.Parsed, res.Reused, byteCount(res.Stats.NewBytes))
	s.reportGaps(c)
}

// reportGaps names what the index leaves out and where to read more.
func (s *session) reportGaps(c *gitstore.Coverage) {
	var gaps []string
	if c.Failed > 0 {
		gaps = append(gaps, plural(c.Failed, "file")+" could not be parsed")
	}
	if c.Partial > 0 {
		gaps = append(gaps, plural(c.Partial, "file")+" with syntax errors")
	}
	if c.Unresolved > 0 {
		gaps = append(gaps, plural(c.Unresolved, "reference")+" left unresolved, with reasons")
	}
	other := 0
	for reason, n := range c.Omitted {
		if reason != string(gitstore.Unsupported) {
			other += n
		}
	}
	if other > 0 {
		gaps = append(gaps, plural(other, "file")+" left out")
	}
	if n := c.Omitted[string(gitstore.Unsupported)]; n > 0 {
		gaps = append(gaps, plural(n, "file")+" in other languages")
	}
	if len(gaps) > 0 {
		fmt.Fprintln(s.out, s.paint(dim, "not in it: "+strings.Join(gaps, ", ")+"; see: git codeidx diagnostics"))
	}
}

func outcome(res *build.Result) string {
	switch {
	case res.Unchanged:
		return "unchanged"
	case res.Known && res.Parsed == 0:
		return "known"
	}
	return "built"
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func round(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}

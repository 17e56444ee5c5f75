package cli

import (
	"fmt"

	"codeidx/gitstore"
)

type fsckCmd struct{ outputFlags }

// fsckReport is the JSON document of fsck.
type fsckReport struct {
	Schema   string        `json:"schema"`
	Clean    bool          `json:"clean"`
	Findings []fsckFinding `json:"findings"`
}

type fsckFinding struct {
	Severity string `json:"severity"`
	Where    string `json:"where"`
	What     string `json:"what"`
	Advice   string `json:"advice"`
}

func (c *fsckCmd) Run(a *app) error {
	c.apply(a)
	s, err := a.open(false)
	if err != nil {
		return err
	}
	defer s.close()
	if s.store == nil {
		return noIndex()
	}
	findings, err := s.store.Fsck(a.ctx)
	if err != nil {
		return err
	}
	damaged := false
	report := fsckReport{Schema: "codeidx.fsck.v1", Findings: []fsckFinding{}}
	for _, f := range findings {
		damaged = damaged || f.Severity == gitstore.Damage
		report.Findings = append(report.Findings, fsckFinding{f.Severity.String(), f.Where, f.What, f.Advice})
	}
	report.Clean = !damaged
	if err := s.printFsck(&report); err != nil {
		return err
	}
	if damaged {
		return exitStatus(exitNo)
	}
	return nil
}

func (s *session) printFsck(r *fsckReport) error {
	if s.json {
		b, err := encodeJSON(r)
		s.out.Write(b)
		return err
	}
	look := map[string]style{"damage": red, "warning": yellow, "note": dim}
	for _, f := range r.Findings {
		fmt.Fprintf(s.out, "%s  %s: %s\n", s.paint(look[f.Severity], pad(f.Severity, 7)), printable(f.Where), printable(f.What))
		fmt.Fprintf(s.out, "         %s\n", s.paint(dim, f.Advice))
	}
	if r.Clean && !s.quiet {
		fmt.Fprintln(s.out, "the store is sound")
	}
	return nil
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"codeidx/gitstore"
	"codeidx/hooks"
)

type driftCmd struct {
	outputFlags
	Since  string `help:"Only events since T: a time (RFC 3339), a date, or an age such as 2h, 3d, 1w." placeholder:"T"`
	Limit  int    `help:"Show at most N events; 0 is no bound." placeholder:"N" default:"50"`
	Scan   bool   `help:"Compare the work tree with the index first, and record what differs."`
	Brief  bool   `help:"Say in at most 600 bytes what differs now, for an agent that begins." xor:"form"`
	Report bool   `help:"Show the report of the build of GENERATION, else of the last one." xor:"form"`

	Generation string `arg:"" optional:"" help:"With --report: the manifest digest of a generation, or its beginning."`
}

func (c *driftCmd) Run(a *app) error {
	c.apply(a)
	since, err := parseSince(c.Since, time.Now())
	if err != nil {
		return err
	}
	if c.Limit < 0 {
		return badValue(fmt.Sprintf("--limit %d is below zero", c.Limit), "0 is no bound")
	}
	if c.Generation != "" && !c.Report {
		return badValue("a generation goes with --report", "git codeidx drift --report GENERATION")
	}
	s, err := a.open(false)
	if err != nil {
		return err
	}
	defer s.close()
	if c.Report {
		return s.showReport(c.Generation)
	}
	if c.Scan {
		if err := s.scan(); err != nil {
			return err
		}
	}
	if c.Brief {
		return s.brief()
	}
	r, err := s.drift(hooks.Filter{Since: since, Limit: c.Limit})
	if err != nil {
		return err
	}
	if a.json {
		b, err := encodeJSON(r.document())
		a.out.Write(b)
		return err
	}
	s.renderDrift(r)
	return nil
}

// scan compares the work tree with the index now.
func (s *session) scan() error {
	if s.store == nil || s.binding == "" {
		return noIndex()
	}
	s.foldDrift()
	res, err := s.analyst().Scan(s.ctx)
	if errors.Is(err, gitstore.ErrNoGeneration) {
		return noIndex()
	}
	if err == nil && res.Differs == 0 && !s.quiet && !s.json {
		printNotice(s.err, "the work tree is as it was indexed")
	}
	return err
}

// driftAnswer is what drift shows.
type driftAnswer struct {
	*hooks.Drift
	binding  string
	since    time.Time
	subjects map[string]string // of commits
	failures []hooks.Failure
}

// foldDrift brings the ledger up to date, where there is one, and works out what
// the changes mean. What goes wrong is said; the rest is shown.
func (s *session) foldDrift() {
	if s.store == nil || s.binding == "" {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.config.LockWait)
	defer cancel()
	_, err := hooks.Fold(ctx, s.repo, s.store, s.binding)
	if err == nil {
		ctx, cancel := context.WithTimeout(s.ctx, s.config.HooksBudget)
		defer cancel()
		// What there is no time for is explained next time.
		if err = s.analyst().Explain(ctx); errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
	}
	if err != nil && !s.quiet {
		printNotice(s.err, "the drift ledger could not be brought up to date: "+err.Error())
	}
}

// drift folds what waits and reads.
func (s *session) drift(f hooks.Filter) (*driftAnswer, error) {
	r := &driftAnswer{binding: s.binding, since: f.Since}
	s.foldDrift()
	var err error
	if r.Drift, err = hooks.Read(s.ctx, s.repo, s.store, s.binding, f); err != nil {
		return nil, err
	}
	if r.failures, err = hooks.ReadLog(s.repo.BindingDir()); err != nil {
		return nil, err
	}
	var commits []string
	for i := range r.Steps {
		if id := r.Steps[i].New; id != "" {
			commits = append(commits, id)
		}
	}
	r.subjects, err = hooks.Subjects(s.ctx, s.repo, commits)
	return r, err
}

// parseSince reads a time, a date (its beginning here), or an age.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return t, nil
	}
	if age, err := time.ParseDuration(text); err == nil && age >= 0 {
		return now.Add(-age), nil
	}
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		number, ok := strings.CutSuffix(text, unit)
		if n, err := strconv.ParseUint(number, 10, 16); ok && err == nil {
			return now.AddDate(0, 0, -days*int(n)), nil
		}
	}
	return time.Time{}, badValue(fmt.Sprintf("--since %q is no time", text), "2026-01-31, 2026-01-31T12:00:00Z, 2h, 3d, 1w")
}

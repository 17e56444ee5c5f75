package cli

import (
	"encoding/json"
	"fmt"

	"codeidx/query"
)

// ask runs one operation and prints its answer.
func (a *app) ask(op string, p query.Params, f *queryFlags) error {
	r, err := a.answer(op, p, f)
	if err != nil {
		return err
	}
	if a.json {
		b, err := r.Encode()
		if err != nil {
			return err
		}
		a.out.Write(b)
	} else {
		a.render(r)
	}
	if f.ExitCode && len(r.Items) == 0 {
		return exitStatus(exitNo)
	}
	return nil
}

func (a *app) answer(op string, p query.Params, f *queryFlags) (*query.Response, error) {
	f.apply(a)
	s, err := a.open(false)
	if err != nil {
		return nil, err
	}
	defer s.close()
	p = f.params(p)
	p.Prefix = s.repo.Prefix
	return query.Run(a.ctx, s.env(), query.OpByName(op), p, f.options())
}

// linesHeader is the first object of a --jsonl answer.
type linesHeader struct {
	Schema        string               `json:"schema"`
	Fingerprint   string               `json:"fingerprint"`
	Commit        string               `json:"commit"`
	Freshness     string               `json:"freshness"`
	Complete      bool                 `json:"complete"`
	Items         int                  `json:"items"`
	StaleWarnings []query.StaleWarning `json:"stale_warnings"`
}

// askLines runs one operation and prints a header and an object an item.
func (a *app) askLines(op, schema string, p query.Params, f *queryFlags) error {
	r, err := a.answer(op, p, f)
	if err != nil {
		return err
	}
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(linesHeader{schema, r.Fingerprint, r.Commit, r.Freshness, r.Complete, len(r.Items), r.StaleWarnings}); err != nil {
		return err
	}
	for _, it := range r.Items {
		if err := e.Encode(it); err != nil {
			return fmt.Errorf("write answer: %w", err)
		}
	}
	return nil
}

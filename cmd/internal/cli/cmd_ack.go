package cli

import (
	"errors"
	"fmt"

	"codeidx/hooks"
)

type ackCmd struct {
	outputFlags
	IDs  []string `arg:"" name:"id" help:"Ids of entries or events, as drift shows them; the beginning is enough."`
	Note string   `help:"Why." placeholder:"TEXT"`
}

// ackReport is the JSON document of ack.
type ackReport struct {
	Schema  string   `json:"schema"`
	Settled []string `json:"settled"`
}

func (c *ackCmd) Run(a *app) error {
	c.apply(a)
	s, err := a.open(false)
	if err != nil {
		return err
	}
	defer s.close()
	if s.store == nil || s.binding == "" {
		return noIndex()
	}
	s.foldDrift()
	ids, err := hooks.Acknowledge(a.ctx, s.repo, s.store, s.binding, c.IDs, c.Note)
	if errors.Is(err, hooks.ErrNoEntry) {
		return badValue(err.Error(), "ids: git codeidx drift --json")
	}
	if err != nil {
		return err
	}
	if a.json {
		b, err := encodeJSON(ackReport{"codeidx.acked.v1", ids})
		a.out.Write(b)
		return err
	}
	if !a.quiet {
		fmt.Fprintln(a.out, "settled "+plural(len(ids), "record"))
	}
	return nil
}

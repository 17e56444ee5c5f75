package cli

import (
	"strings"

	"codeidx/query"
)

// outputFlags are what every command takes.
type outputFlags struct {
	JSON     bool  `name:"json" help:"Answer with one JSON document."`
	Quiet    bool  `short:"q" help:"Print no summary and no progress."`
	Progress *bool `negatable:"" help:"Show progress on stderr (default: on a terminal)."`
}

func (o *outputFlags) apply(a *app) {
	a.json, a.quiet = o.JSON, o.Quiet
	if o.Progress != nil {
		a.progress = *o.Progress
	}
	if a.quiet {
		a.progress = false
	}
}

// queryFlags are what every question takes.
type queryFlags struct {
	outputFlags
	Limit     int    `help:"Show at most N items." placeholder:"N"`
	MaxBytes  int    `help:"Bound the JSON document to N bytes (512 to 32768)." placeholder:"N"`
	Cursor    string `help:"Go on after an earlier answer (its \"next\")." placeholder:"C"`
	Stale     string `help:"When the code differs from the index: mark, refuse or sync." placeholder:"POLICY"`
	Freshness string `help:"How to verify: strict or stat." placeholder:"MODE"`
	Expect    string `help:"Answer only from the index with this fingerprint." placeholder:"F"`
	ExitCode  bool   `help:"Exit with 1 where nothing matches."`
	Path      string `help:"Only files below PREFIX." placeholder:"PREFIX"`
	Lang      string `help:"Only this language." placeholder:"L"`
}

// kindFlag selects definitions by kind.
type kindFlag struct {
	Kind string `help:"Only definitions of this kind: function, method, class, …" placeholder:"K"`
}

func (f *queryFlags) params(p query.Params) query.Params {
	p.Limit, p.Lang = f.Limit, f.Lang
	p.PathPrefix = strings.Trim(f.Path, "/")
	if f.Path == "." {
		p.PathPrefix = ""
	}
	return p
}

func (f *queryFlags) options() query.Options {
	return query.Options{
		Stale: f.Stale, Freshness: f.Freshness, Expect: f.Expect, MaxBytes: f.MaxBytes, Cursor: f.Cursor,
	}
}

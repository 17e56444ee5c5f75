package cli

import (
	"fmt"
	"slices"
	"strings"

	"codeidx/query"
)

type testsCmd struct {
	queryFlags
	gitDiffFlags
	Names  []string `arg:"" optional:"" help:"Paths or symbols that change."`
	Depth  int      `default:"8" help:"Follow N steps (1 to 12)." placeholder:"N"`
	Stdin  bool     `help:"Read paths from stdin, one a line."`
	NUL    bool     `short:"z" help:"With --stdin: paths end with NUL."`
	Format string   `help:"Print only what makes a runner run them: pytest, go, jest or phpunit." placeholder:"RUNNER"`
}

func (c *testsCmd) Run(a *app) error {
	if c.Format != "" && !slices.Contains([]string{"pytest", "go", "jest", "phpunit"}, c.Format) {
		return badValue(fmt.Sprintf("--format %q is none of pytest, go, jest, phpunit", c.Format), "")
	}
	if c.Stdin {
		paths, err := readPaths(a.in, c.NUL)
		if err != nil {
			return err
		}
		c.Names = append(c.Names, paths...)
	}
	p := query.Params{Symbols: c.Names, Depth: c.Depth}
	changed, err := c.places(a)
	if err != nil {
		return err
	}
	if c.asked() {
		known, err := a.indexed(changed)
		if err != nil {
			return err
		}
		p.Symbols = append(p.Symbols, known...)
	}
	if len(p.Symbols) == 0 && c.asked() {
		return badValue("git diff names no indexed file", "of deleted files: git codeidx impact-changes")
	}
	if c.Format == "" || c.JSON {
		return a.ask("tests", p, &c.queryFlags)
	}
	r, err := a.answer("tests", p, &c.queryFlags)
	if err != nil {
		return err
	}
	return a.printSelectors(r, c.Format, c.ExitCode)
}

// indexed keeps the places of a diff whose file git does not say is gone and
// the index knows: a diff names documents and deleted files, too.
func (a *app) indexed(places []string) ([]string, error) {
	s, err := a.open(false)
	if err != nil {
		return nil, err
	}
	defer s.close()
	known, skipped, err := query.KnownPlaces(s.env(), places)
	if len(skipped) > 0 && !a.quiet {
		printNotice(a.err, fmt.Sprintf("%s of the diff not indexed: %s", plural(len(skipped), "place"), strings.Join(skipped[:min(len(skipped), 5)], ", ")))
	}
	return known, err
}

// printSelectors prints the arguments of a runner, one line each; go test takes
// one package a line.
func (a *app) printSelectors(r *query.Response, format string, exitCode bool) error {
	lines := query.Selectors(r.Items, format)
	for _, l := range lines {
		fmt.Fprintln(a.out, printable(l))
	}
	if !a.quiet {
		for _, l := range r.Limitations[len(r.Limitations)-1:] {
			printNotice(a.err, l)
		}
		if r.Freshness != "fresh" {
			printNotice(a.err, fmt.Sprintf("stale: %s differ from the index; bring it up to date: git codeidx sync", plural(r.Drift.Files, "file")))
		}
	}
	if exitCode && len(lines) == 0 {
		return exitStatus(exitNo)
	}
	return nil
}

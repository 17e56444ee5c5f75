package cli

import (
	"bytes"
	"io"

	"codeidx/query"
)

type impactCmd struct {
	queryFlags
	kindFlag
	Symbols []string `arg:"" optional:"" help:"Symbols or paths that change."`
	Depth   int      `default:"2" help:"Follow N steps (1 to 5)." placeholder:"N"`
	Mode    string   `default:"hard" help:"hard: proven steps only; full: heuristic ones too." placeholder:"MODE"`
	gitDiffFlags
	Stdin bool `help:"Read paths from stdin, one a line."`
	NUL   bool `short:"z" help:"With --stdin: paths end with NUL."`
}

func (c *impactCmd) Run(a *app) error {
	if c.Stdin {
		paths, err := readPaths(a.in, c.NUL)
		if err != nil {
			return err
		}
		c.Symbols = append(c.Symbols, paths...)
	}
	changed, err := c.places(a)
	if err != nil {
		return err
	}
	c.Symbols = append(c.Symbols, changed...)
	if len(c.Symbols) == 0 && c.asked() {
		return badValue("git diff names no changed file", "commit or edit something, or name a symbol or a path")
	}
	if len(c.Symbols) == 0 {
		return badValue("impact needs a symbol or a path", "for example: git codeidx impact parse.go")
	}
	p := query.Params{Symbols: c.Symbols, SymbolKind: c.Kind, Depth: c.Depth, Mode: c.Mode}
	return a.ask("impact", p, &c.queryFlags)
}

// readPaths splits a list of paths that end with a newline or NUL.
func readPaths(r io.Reader, nul bool) ([]string, error) {
	b, err := io.ReadAll(io.LimitReader(r, 16<<20))
	if err != nil {
		return nil, err
	}
	sep := []byte("\n")
	if nul {
		sep = []byte{0}
	}
	var out []string
	for part := range bytes.SplitSeq(b, sep) {
		if len(part) > 0 {
			out = append(out, string(part))
		}
	}
	return out, nil
}

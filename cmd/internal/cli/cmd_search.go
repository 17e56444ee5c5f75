package cli

import "codeidx/query"

type searchCmd struct {
	queryFlags
	Substring  bool     `short:"F" help:"QUERY is the text itself." xor:"match"`
	Regex      bool     `short:"E" help:"QUERY is an expression (RE2), matched line by line." xor:"match"`
	Layer      []string `help:"Words of these layers only: code, comment, docstring, string, sql." placeholder:"L"`
	IgnoreCase bool     `short:"i" help:"Letters match in either case."`
	NUL        bool     `short:"z" name:"null" help:"Print PATH, NUL, LINE:COL:TEXT, as it is."`
	Query      []string `arg:"" help:"Words, text or expression."`
}

func (c *searchCmd) Run(a *app) error {
	p := query.Params{Query: joinWords(c.Query), IgnoreCase: c.IgnoreCase, Layers: c.Layer}
	switch {
	case c.Regex:
		p.Match = "regex"
	case c.Substring:
		p.Match = "substring"
	}
	a.nul = c.NUL
	return a.ask("search", p, &c.queryFlags)
}

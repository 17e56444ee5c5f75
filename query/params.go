package query

// Params are the parameters of every operation; each takes those that its
// Fields name. Zero values mean the operation's defaults.
type Params struct {
	Kind       string   `json:"kind"` // operation
	Symbol     string   `json:"symbol,omitempty"`
	Symbols    []string `json:"symbols,omitempty"`
	Paths      []string `json:"paths,omitempty"`
	Before     string   `json:"before,omitempty"`
	Query      string   `json:"query,omitempty"`
	Path       string   `json:"path,omitempty"`
	First      int      `json:"first_line,omitempty"`
	Last       int      `json:"last_line,omitempty"`
	PathPrefix string   `json:"path_prefix,omitempty"`
	Lang       string   `json:"lang,omitempty"`
	SymbolKind string   `json:"symbol_kind,omitempty"`
	EdgeKind   string   `json:"edge_kind,omitempty"`
	Depth      int      `json:"depth,omitempty"`
	Budget     int      `json:"budget_tokens,omitempty"`
	Mode       string   `json:"mode,omitempty"`
	Match      string   `json:"match,omitempty"`
	IgnoreCase bool     `json:"ignore_case,omitempty"`
	Layers     []string `json:"layers,omitempty"`
	Hard       bool     `json:"hard,omitempty"`
	Limit      int      `json:"limit,omitempty"`

	// Prefix is the caller's folder below the top, for relative paths. It is
	// no part of the question.
	Prefix string `json:"-"`

	// need is how many items the answer can show, those before its cursor
	// included; 0 is all of them.
	need int
}

// check applies defaults and bounds of an operation.
func (p *Params) check(op *Op) error {
	for i := range op.Fields {
		if err := op.Fields[i].accept(op, p, op.Fields[i].Name, false); err != nil {
			return err
		}
	}
	if p.SymbolKind != "" {
		if _, ok := kindByName(p.SymbolKind); !ok {
			return errorf(InvalidRequest, "kinds: "+kindList(), "there is no definition kind %q", p.SymbolKind)
		}
	}
	if p.Lang != "" && languageByName(p.Lang) == nil {
		return errorf(UnsupportedCapability, "languages: "+languageList(), "language %q is not supported", p.Lang)
	}
	if p.Limit < 0 {
		return errorf(InvalidRequest, "", "limit %d is negative", p.Limit)
	}
	return nil
}

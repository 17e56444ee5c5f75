package query

// Params are the parameters of every operation; each takes those that ops.go
// names. Zero values mean the operation's defaults.
type Params struct {
	Kind       string   `json:"kind"` // operation
	Symbol     string   `json:"symbol,omitempty"`
	Symbols    []string `json:"symbols,omitempty"`
	Query      string   `json:"query,omitempty"`
	Path       string   `json:"path,omitempty"`
	First      int      `json:"first_line,omitempty"`
	Last       int      `json:"last_line,omitempty"`
	PathPrefix string   `json:"path_prefix,omitempty"`
	Lang       string   `json:"lang,omitempty"`
	SymbolKind string   `json:"symbol_kind,omitempty"`
	EdgeKind   string   `json:"edge_kind,omitempty"`
	Depth      int      `json:"depth,omitempty"`
	Mode       string   `json:"mode,omitempty"`
	Hard       bool     `json:"hard,omitempty"`
	Budget     int      `json:"budget_tokens,omitempty"`
	Limit      int      `json:"limit,omitempty"`

	// Prefix is the caller's folder below the top, for relative paths. It is
	// no part of the question.
	Prefix string `json:"-"`
}

// Longest query text, in bytes (spec/engine.md §6).
const maxQuery = 8192

// check applies defaults and bounds of an operation.
func (p *Params) check(op *Op) error {
	if op.MaxDepth > 0 {
		if p.Depth == 0 {
			p.Depth = op.Depth
		}
		if p.Depth < 1 || p.Depth > op.MaxDepth {
			return errorf(InvalidRequest, "", "depth %d is out of range: %s takes 1 to %d", p.Depth, op.Name, op.MaxDepth)
		}
	}
	if op.Name == "impact" && p.Mode == "" {
		p.Mode = "hard"
	}
	if p.Mode != "" && p.Mode != "hard" && p.Mode != "full" {
		return errorf(InvalidRequest, "", "mode %q is neither hard nor full", p.Mode)
	}
	if p.SymbolKind != "" {
		if _, ok := kindByName(p.SymbolKind); !ok {
			return errorf(InvalidRequest, "kinds: "+kindList(), "there is no definition kind %q", p.SymbolKind)
		}
	}
	if p.Lang != "" && languageByName(p.Lang) == nil {
		return errorf(UnsupportedCapability, "languages: "+languageList(), "language %q is not supported", p.Lang)
	}
	if op.NeedsQuery && (len(p.Query) == 0 || len(p.Query) > maxQuery) {
		return errorf(InvalidRequest, "", "query has %d bytes: 1 to %d are taken", len(p.Query), maxQuery)
	}
	if p.Limit < 0 {
		return errorf(InvalidRequest, "", "limit %d is negative", p.Limit)
	}
	return nil
}

package query

import (
	"encoding/json"

	"codeidx/gitstore"
)

// Schema names the envelope of every answer (spec/engine.md §7).
const Schema = "codeidx.query.v1"

// Response is the envelope. The field names are frozen; golden files keep
// each operation's items.
type Response struct {
	Schema        string            `json:"schema"`
	Binding       string            `json:"binding"`
	Fingerprint   string            `json:"fingerprint"`
	Commit        string            `json:"commit"`
	ObjectFormat  string            `json:"git_object_format"`
	Dirty         bool              `json:"dirty"`
	CheckedAt     string            `json:"checked_at"`
	Freshness     string            `json:"freshness"` // fresh, stale or unknown
	FreshnessMode string            `json:"freshness_mode"`
	Complete      bool              `json:"complete"`
	Operation     Params            `json:"operation"`
	Status        string            `json:"status"` // ok or partial
	Partial       []string          `json:"partial_reasons,omitempty"`
	Before        *Endpoint         `json:"before,omitempty"`
	After         *Endpoint         `json:"after,omitempty"`
	Of            []Sym             `json:"of,omitempty"`
	Unknown       []string          `json:"unknown,omitempty"`
	Items         []Item            `json:"items"`
	Total         int               `json:"total"`
	AtLeast       bool              `json:"total_at_least,omitempty"` // counting stopped at Total
	Next          string            `json:"next,omitempty"`
	Unbound       *Unbound          `json:"unbound,omitempty"`
	Outside       int               `json:"outside_filter,omitempty"`
	Coverage      gitstore.Coverage `json:"coverage"`
	Limitations   []string          `json:"limitations"`
	Notes         []string          `json:"notes,omitempty"`
	Capability    Capability        `json:"capability"`
	Origin        string            `json:"origin"`
	Drift         DriftCount        `json:"drift"`
	StaleWarnings []StaleWarning    `json:"stale_warnings"`
}

// Endpoint is one of the two states that a comparison is between.
type Endpoint struct {
	State       string `json:"state"`                 // previous, current, live or worktree
	Fingerprint string `json:"fingerprint,omitempty"` // none of the work tree: it is not indexed
	BuiltAt     string `json:"built_at,omitempty"`
}

// Capability says whether the answer could use everything it should.
type Capability struct {
	Level   string   `json:"level"` // full or degraded
	Missing []string `json:"missing,omitempty"`
}

// DriftCount counts what differs from the index.
type DriftCount struct {
	Files   int `json:"files"`
	Symbols int `json:"symbols"`
	Entries int `json:"entries"` // ledger entries not yet settled
}

// StaleWarning names a file that an item leans on and that differs from the
// index, and what to do.
type StaleWarning struct {
	Path    string `json:"path"`
	Reason  string `json:"reason"` // modified, added, deleted or unreadable
	Since   string `json:"since,omitempty"`
	Suggest string `json:"suggest"`
}

// limitations stand in every answer: what static analysis cannot promise.
func limitations() []string {
	return []string{"static analysis: reflection, generated code and dynamic dispatch beyond the named candidates are not covered"}
}

// Encode writes the one canonical JSON form, without escaping HTML.
func (r *Response) Encode() ([]byte, error) { return encodeJSON(r) }

func encodeJSON(v any) ([]byte, error) {
	var b jsonBuffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b, nil
}

type jsonBuffer []byte

func (b *jsonBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

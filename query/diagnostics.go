package query

import (
	"codeidx/gitstore"
	"codeidx/graph"
)

// Diagnostic is one thing that the index does not know, with its reason.
type Diagnostic struct {
	Type   string `json:"type"` // "unresolved", "parse" or "omitted"
	Reason string `json:"reason"`
	Path   string `json:"path"`
	Line   uint32 `json:"line,omitempty"`
	Col    uint32 `json:"col,omitempty"`
	Name   string `json:"name,omitempty"`
	Kind   string `json:"kind,omitempty"`
	From   string `json:"from,omitempty"`
	Stale
}

// Paths lists the file that the diagnostic speaks of.
func (d *Diagnostic) Paths() []string { return []string{d.Path} }

// diagnostics lists omissions, parse failures and unresolved references.
func diagnostics(x *Index, p Params) (*result, error) {
	res := &result{}
	if err := x.gen.EachOmission(func(o *gitstore.Omission) {
		if underPrefix(o.Path, p.PathPrefix) {
			res.add(&Diagnostic{Type: "omitted", Reason: string(o.Reason), Path: o.Path})
		}
	}); err != nil {
		return nil, err
	}
	if err := x.eachParseFailure(func(path, status string) {
		if underPrefix(path, p.PathPrefix) {
			res.add(&Diagnostic{Type: "parse", Reason: status, Path: path})
		}
	}); err != nil {
		return nil, err
	}
	var failed error
	err := x.unresolved.Scan(p.PathPrefix, func(r row) bool {
		if underPrefix(r.Key, p.PathPrefix) {
			failed = x.looseItems(res, r)
		}
		return failed == nil
	})
	if err != nil {
		return nil, err
	}
	return res, failed
}

func (x *Index) looseItems(res *result, r row) error {
	list, err := graph.DecodeLoose(r.Data)
	if err != nil {
		return x.corrupt("unresolved", r.Key, err)
	}
	f, err := x.Symbols(r.Key)
	if err != nil || f == nil {
		return err
	}
	for _, u := range list {
		from := ""
		if int(u.From) < len(f.Symbols) {
			from = nameOf(f, int(u.From))
		}
		res.add(&Diagnostic{
			Type: "unresolved", Reason: u.Reason.String(), Path: r.Key, Line: u.Line, Col: u.Col, Name: u.Name, Kind: u.Kind.String(), From: from,
		})
	}
	return nil
}

package mcp

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"codeidx/query"
)

// read returns lines of a file or the source of one definition.
func read(c *call) (document, error) {
	path, symbol := c.args.text("path"), c.args.text("symbol")
	if (path == "") == (symbol == "") {
		return nil, invalid(c.tool.usage(), "read needs path or symbol, one of them")
	}
	kind, more := "code", map[string]any(nil)
	if path != "" {
		place, err := parsePlace(path)
		if err != nil {
			return nil, err
		}
		kind, more = "read", place
		c.args["path"] = place["path"]
		delete(place, "path")
	}
	r, err := c.question(kind, more, nil)
	if err != nil {
		return nil, err
	}
	a := c.newAnswer(r)
	if len(r.Items) == 0 {
		a.Summary = a.unknown(r, symbol)
		return a, nil
	}
	s := r.Items[0].(*query.Snippet)
	a.Summary = span(s.Path, uint32(s.First), uint32(s.Last))
	if s.Symbol != nil {
		a.Summary = s.Symbol.Qualified + " " + s.Symbol.Kind + " " + a.Summary
	}
	return &excerpt{*a, s}, nil
}

// excerpt is an answer of one item whose lines are cut to fit.
type excerpt struct {
	answer
	text *query.Snippet
}

func (x *excerpt) fit(max int) ([]byte, error) {
	s := x.text
	lines := bytes.SplitAfter([]byte(s.Text), []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	low, high := 1, len(lines)
	var best []byte
	for low <= high {
		n := (low + high) / 2
		if best == nil {
			n = high
		}
		data, err := x.show(lines, n)
		if err != nil {
			return nil, err
		}
		if len(data) <= max {
			low, best = n+1, data
		} else {
			high = n - 1
		}
	}
	if len(lines) == 0 {
		return x.show(nil, 0)
	}
	if best == nil {
		return nil, &query.Error{Code: query.BudgetTooSmall, Message: fmt.Sprintf("line %d of %s does not fit into %d bytes", s.First, s.Path, max), Hint: "raise max_bytes"}
	}
	return best, nil
}

// show encodes the first n lines.
func (x *excerpt) show(lines [][]byte, n int) ([]byte, error) {
	s, a := x.text, x.answer
	last := s.First + n - 1
	a.Items = []any{&source{
		At: span(s.Path, uint32(s.First), uint32(max(last, s.First))), Lines: s.Lines, Stale: s.Stale.Stale, Code: string(bytes.Join(lines[:n], nil)),
	}}
	if n < len(lines) {
		a.Complete = false
		a.Notes = append(a.Notes[:len(a.Notes):len(a.Notes)], "cut to max_bytes")
		a.Next = "read " + span(s.Path, uint32(last+1), uint32(s.Last))
	}
	return encode(&a)
}

// parsePlace splits PATH[:A[-B]] into the fields of the operation read. What
// follows the last colon belongs to the path where it is no number.
func parsePlace(s string) (map[string]any, error) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 || i+1 == len(s) || s[i+1] < '0' || s[i+1] > '9' {
		return map[string]any{"path": s}, nil
	}
	from, to, ranged := strings.Cut(s[i+1:], "-")
	first, err := strconv.Atoi(from)
	last := first
	if err == nil && ranged {
		last, err = strconv.Atoi(to)
	}
	if err != nil || first < 1 || last < first {
		return nil, invalid("write PATH:FIRST-LAST", "lines %.40q are no range", s[i+1:])
	}
	return map[string]any{"path": s[:i], "first_line": first, "last_line": last}, nil
}

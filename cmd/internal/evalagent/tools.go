package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tools answers with our server over a pipe.
type tools struct {
	ctx     context.Context
	session *sdk.ClientSession
}

// connect starts the server and lets it build the index, which every session
// but the first finds.
func connect(ctx context.Context, binary, tree string) (*tools, error) {
	bin, err := exec.LookPath(binary)
	if err != nil {
		return nil, err
	}
	if bin, err = filepath.Abs(bin); err != nil {
		return nil, err
	}
	cmd := exec.Command(bin, "mcp")
	cmd.Dir = tree
	client := sdk.NewClient(&sdk.Implementation{Name: "evalagent", Version: "1"}, nil)
	s, err := client.Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	t := &tools{ctx, s}
	_, err = t.call(&answer{}, "sync", map[string]any{})
	return t, err
}

func (t *tools) close()       { t.session.Close() }
func (t *tools) name() string { return "tools" }

// document is what the policy reads of an answer.
type document struct {
	Items []item
	Sites []string
	Next  string `json:"next_cursor"`
}

type item struct {
	At, Def, Kind, Name, Role, Candidate, Change string
	Broken                                       []string
}

func (t *tools) call(a *answer, tool string, args map[string]any) (*document, error) {
	r, err := t.session.CallTool(t.ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return nil, err
	}
	text, _ := r.Content[0].(*sdk.TextContent)
	if text == nil || r.IsError {
		return nil, fmt.Errorf("%s %v: %+v", tool, args, r.Content)
	}
	a.took(len(text.Text))
	d := &document{}
	return d, json.Unmarshal([]byte(text.Text), d)
}

// pages asks until there is no further page.
func (t *tools) pages(a *answer, tool string, args map[string]any, each func(item)) error {
	args["limit"] = 50
	for {
		d, err := t.call(a, tool, args)
		if err != nil {
			return err
		}
		for _, i := range d.Items {
			each(i)
		}
		if d.Next == "" {
			return nil
		}
		args["cursor"] = d.Next
	}
}

func (t *tools) answer(q *question) (*answer, error) {
	a := &answer{}
	claim := func(s string) { a.claims = append(a.claims, s) }
	related := func(kind string, each func(item)) error {
		return t.pages(a, "relations", map[string]any{"symbol": q.at, "kind": kind, "hard": true}, each)
	}
	var err error
	switch q.kind {
	case "callers":
		err = related("callers", func(i item) { claim(i.At) })
	case "callees":
		err = related("callees", func(i item) { claim(i.Def) })
	case "implementers":
		err = related("references", func(i item) {
			if isOneOf(i.Kind, "inherits", "implements") {
				claim(i.At)
			}
		})
	case "overrides":
		err = related("references", func(i item) {
			if i.Kind == "overrides" {
				claim(i.At)
			}
		})
	case "definition":
		err = t.define(a, q, claim)
	case "impact":
		args := map[string]any{"symbol": q.path, "kind": "impact", "depth": 1}
		err = t.pages(a, "relations", args, func(i item) {
			if p := pathOf(i.At); p != q.path {
				claim(p)
			}
		})
	case "tests":
		err = t.pages(a, "relations", map[string]any{"symbol": q.at, "kind": "tests"}, func(i item) { claim(pathOf(i.At)) })
	case "changes":
		err = t.changes(a, claim)
	case "read":
		var d *document
		if d, err = t.call(a, "read", map[string]any{"symbol": q.at}); err == nil && len(d.Items) > 0 {
			lines(d.Items[0].At, claim)
		}
	case "phrase":
		var d *document
		if d, err = t.call(a, "explore", map[string]any{"query": q.words}); err == nil {
			for _, i := range d.Items {
				claim(startOf(i.At))
			}
		}
	}
	return a, err
}

// define asks for the name and keeps the definitions that are called so, files
// and members of another kind apart.
func (t *tools) define(a *answer, q *question, claim func(string)) error {
	d, err := t.call(a, "symbols", map[string]any{"query": q.name, "limit": 5})
	if err != nil {
		return err
	}
	for _, i := range d.Items {
		if simple(i.Name) == q.name && !isOneOf(i.Kind, "file", "namespace", "field", "property", "method", "variable") {
			claim(startOf(i.At))
		}
	}
	return nil
}

// changes reads what the session broke.
func (t *tools) changes(a *answer, claim func(string)) error {
	return t.pages(a, "changes", map[string]any{}, func(i item) {
		for _, b := range i.Broken {
			for _, line := range strings.Split(b[strings.LastIndexByte(b, ':')+1:], ",") {
				claim(pathOf(b) + ":" + line)
			}
		}
	})
}

// pathOf and startOf split PATH:FIRST-LAST.
func pathOf(at string) string { return at[:max(strings.LastIndexByte(at, ':'), 0)] }

func startOf(at string) string {
	first, _, _ := strings.Cut(at[strings.LastIndexByte(at, ':')+1:], "-")
	return pathOf(at) + ":" + first
}

// lines names every line of a range.
func lines(at string, each func(string)) {
	first, last, ranged := strings.Cut(at[strings.LastIndexByte(at, ':')+1:], "-")
	from, _ := strconv.Atoi(first)
	to := from
	if ranged {
		to, _ = strconv.Atoi(last)
	}
	for n := from; n <= to; n++ {
		each(place(pathOf(at), n))
	}
}

package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codeidx/gitstore"
	"codeidx/gitstore/build"
	"codeidx/query"
)

// call is one call of a tool.
type call struct {
	*server
	ctx    context.Context
	tool   *tool
	args   values
	report func(build.Progress) // nil where the client asked for no progress

	work   *session
	synced time.Duration // spent on bringing the index up to date
	// unsynced is why that failed where there is an index to answer from.
	unsynced error
	// published says that a build made a generation: the store may be worth a
	// reclaim.
	published bool
}

// document is an answer that can be cut to a size.
type document interface {
	// fit returns the JSON of as much as fits into max bytes.
	fit(max int) ([]byte, error)
}

func (s *server) handler(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		c := &call{server: s, ctx: ctx, tool: t, report: progress(ctx, req)}
		defer c.end()
		data, err := c.answer(req.Params.Arguments)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return s.failure(err), nil
		}
		return result(data), nil
	}
}

// answer runs a call. A fault of ours ends the call, not the server.
func (c *call) answer(arguments json.RawMessage) (data []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "codeidx: fault in tool %s: %v\n%s", c.tool.name, r, debug.Stack())
			data, err = nil, fmt.Errorf("fault in git codeidx: %v", r)
		}
	}()
	if c.args, err = c.tool.read(arguments); err != nil {
		return nil, err
	}
	doc, err := c.tool.run(c)
	if err != nil {
		return nil, err
	}
	size := c.args.number("max_bytes")
	if size == 0 {
		size = query.DefaultBytes
	}
	return doc.fit(size)
}

// result carries one document twice, as clients show either: structured, and
// as the same text.
func result(data []byte) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data)}
}

// failure is an answer that could not be given.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func (s *server) failure(err error) *sdk.CallToolResult {
	code, message, hint := s.Explain(err)
	line := func(t string) string { return clip(strings.ReplaceAll(strings.TrimSpace(t), "\n", "; "), 1000) }
	data, err := encode(map[string]failure{"error": {code, line(message), line(hint)}})
	if err != nil {
		data = []byte(`{"error":{"code":"failed","message":"the error cannot be written"}}`)
	}
	r := result(data)
	r.IsError = true
	return r
}

// encode writes JSON without escaping what only HTML needs, and without the
// newline.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// begin opens the work tree that the call means.
func (c *call) begin() error {
	dir, err := c.folder()
	if err != nil {
		return err
	}
	c.close()
	if c.work, err = c.open(c.ctx, dir, false); err != nil {
		if errors.Is(err, gitstore.ErrNotRepository) {
			return notRepository(dir)
		}
		return err
	}
	if c.args.text("repo") != "" && !within(dir, c.repo().Top) {
		return invalid("start the server without GIT_DIR in its environment", "the environment of the server binds it to %s; %s is not in it", c.repo().Top, dir)
	}
	c.work.env.Sync = func(context.Context) error {
		_, c.unsynced = c.sync()
		return c.unsynced
	}
	return nil
}

func (c *call) close() {
	if c.work != nil {
		c.work.close()
		c.work = nil
	}
}

// end closes the work tree of a call. What this call's build left behind is
// reclaimed in the background, while its answer is on the way.
func (c *call) end() {
	work := c.work
	c.close()
	if c.published && work != nil && c.server.ctx.Err() == nil {
		c.jobs.reclaim(work.env.Repo.StoreDir(), work.env.Config)
	}
}

func (c *call) repo() *gitstore.Repo { return c.work.env.Repo }

// folder is the folder that the call means: its argument, else the server's.
func (c *call) folder() (string, error) {
	dir, hint := c.args.text("repo"), "give a folder of the work tree, absolute or relative to "+c.Dir
	switch {
	case dir == "":
		dir, hint = c.Dir, "it is where this server was started; pass repo, or make it again"
	case !filepath.IsAbs(dir):
		dir = filepath.Join(c.Dir, dir)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", invalid(hint, "there is no folder %q", dir)
	}
	if !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	return dir, nil
}

func within(dir, top string) bool {
	a, err := filepath.EvalSymlinks(dir)
	b, err2 := filepath.EvalSymlinks(top)
	if err != nil || err2 != nil {
		return false
	}
	rel, err := filepath.Rel(b, a)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// notRepository names the repositories just below: agents are often started
// one folder above them.
func notRepository(dir string) error {
	hint := "pass repo: a folder inside a git work tree"
	found, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "*", ".git"))
	for i, p := range found {
		if i == 8 {
			hint += fmt.Sprintf(" and %d more", len(found)-i)
			break
		}
		if i == 0 {
			hint += "; there are:"
		}
		hint += " " + filepath.Dir(p)
	}
	return &query.Error{Code: "not_a_repository", Message: dir + " is in no git work tree", Hint: hint}
}

func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// sync brings the index up to date and keeps the time that it took.
func (c *call) sync() (*job, error) {
	began := time.Now()
	j, err := c.jobs.sync(c.ctx, c.repo().Top, c.repo().BindingDir(), c.report)
	c.synced += time.Since(began)
	c.published = c.published || err == nil && !j.result.Unchanged
	return j, err
}

// ask runs an operation. Where there is no index yet, it is built first. Where
// an index cannot be brought up to date (another process builds, the store is
// read-only or full), it answers as it is: what leans on files that differ is
// marked, and a note says why.
func (c *call) ask(op *query.Op, p query.Params) (*query.Response, error) {
	p.Prefix = c.repo().Prefix
	run := func(stale string) (*query.Response, error) {
		return query.Run(c.ctx, c.work.env, op, p, query.Options{Stale: stale})
	}
	r, err := run(c.Stale)
	if c.unsynced != nil && c.ctx.Err() == nil {
		return run("mark")
	}
	var missing *query.Error
	if !errors.As(err, &missing) || missing.Code != query.IndexMissing {
		return r, err
	}
	if _, err := c.sync(); err != nil {
		return nil, err
	}
	if err := c.begin(); err != nil {
		return nil, err
	}
	return run(c.Stale)
}

// relative turns an absolute path in the work tree, which agents like to give,
// into one from its top.
func (c *call) relative(name string) {
	if p := c.args.text(name); filepath.IsAbs(p) {
		if rest, ok := strings.CutPrefix(p, c.repo().Top+"/"); ok {
			c.args[name] = rest
		}
	}
}

// stages are those of a build, in order, for progress that only rises.
var stages = []string{"reading", "resolving", "writing", "verifying", "publishing"}

// progress returns what tells a client how far a build is, nil where it gave
// no token.
func progress(ctx context.Context, req *sdk.CallToolRequest) func(build.Progress) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	last := 0.0
	return func(p build.Progress) {
		at := stageOf(p)
		if at <= last {
			return
		}
		last = at
		message := p.Stage
		if p.Total > 0 {
			message = fmt.Sprintf("%s: %d of %d files", p.Stage, p.Files, p.Total)
		}
		// A client that does not listen any more is no reason to stop.
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: at, Total: float64(len(stages)), Message: message,
		})
	}
}

func stageOf(p build.Progress) float64 {
	for i, name := range stages {
		if name == p.Stage {
			part := 0.0
			if p.Total > 0 {
				part = min(float64(p.Files)/float64(p.Total), 0.99)
			}
			return float64(i) + max(part, 0.01)
		}
	}
	return 0
}

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// What no store and no output may hold: the content of credential files, of what
// becomes one later, and of files outside of the tree.
const (
	canary      = "tr0ub4dor"
	laterCanary = "c0rrecth0rse"
	outerCanary = "0utersecret"
)

// secretPaths are credential files of every kind in the list, as names of
// sources where that is possible: a parser would find much in them.
var secretPaths = []string{
	".env", ".ENV", ".Env.Py", ".env.local.py", "sub/.env.production", ".envrc", "id_rsa.py", "id_ed25519", "deploy.key", "cert.PEM", "auth.json",
	"config/db.local.php", "app/config/autoload/global.LOCAL.PHP", "secrets.yaml", "wp-config.php", ".npmrc", "credentials.json",
	".aws/credentials", ".ssh/x.py", ".gnupg/y.js", "prod.tfvars", "client_secret_1.py", ".git-credentials",
}

// secretText holds the canary as every language's definition and as prose.
func secretText(path, canary string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".php":
		return "<?php\n/** " + canary + " */\nclass C" + canary + " { const P = '" + canary + "'; function f" + canary + "() { return '" + canary + "'; } }\n"
	case ".js":
		return "export function f" + canary + "() { return '" + canary + "' }\n"
	case ".json":
		return `{"` + canary + `": "` + canary + `"}`
	}
	return "PASSWORD = '" + canary + "'\n\n\ndef f" + canary + "():\n    \"\"\"" + canary + "\"\"\"\n    return '" + canary + "'\n"
}

// secretRepo has every kind of secret: tracked, untracked, staged, linked to, and
// files that become secret.
func secretRepo(t *testing.T) string {
	files := map[string]string{
		"lib.py": "def target():\n    return 1\n", "app.py": "from lib import target\n\n\ndef use():\n    return target()\n",
		"settings.py": "def load():\n    return target()\n", "keys/settings.py": "x = 1\n",
	}
	for _, p := range secretPaths {
		files[p] = secretText(p, canary)
	}
	dir := repoOf(t, files)
	outside := filepath.Join(t.TempDir(), "outside.py")
	writeFiles(t, filepath.Dir(outside), map[string]string{"outside.py": secretText("a.py", outerCanary)})
	t.Chdir(dir)
	gitHere(t, "config", "codeidx.includeUntracked", "true")
	for link, target := range map[string]string{"link.py": ".env", "link2.py": "id_rsa.py", "out.py": outside, "folder": filepath.Dir(outside), "passwd.py": "/etc/passwd"} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	writeFiles(t, dir, map[string]string{
		"untracked/.env": secretText(".env", canary), "untracked/id_rsa.py": secretText("a.py", canary), "untracked/ok.py": "def ok():\n    return 1\n",
	})
	mustRun(t, "index", "--trace", filepath.Join(dir, ".git", "trace"))
	mustRun(t, "install")
	// Two files become secret, and then get what is secret in them.
	gitHere(t, "mv", "settings.py", ".env.settings.py")
	gitHere(t, "mv", "keys", ".ssh2")
	if err := os.Rename(".ssh2", "key.ssh"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("deep/.ssh", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("key.ssh/settings.py", "deep/.ssh/settings.py"); err != nil {
		t.Fatal(err)
	}
	later := secretText("a.py", laterCanary)
	writeFiles(t, dir, map[string]string{".env.settings.py": later, "deep/.ssh/settings.py": later})
	gitHere(t, "add", "-A", "-f")
	gitHere(t, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "becomes secret")
	runWith(t, "", "hook", "post-commit")
	return dir
}

// secretCalls ask every verb for secrets, by path and by word, and around them.
func secretCalls() [][]string {
	calls := [][]string{
		{"status"}, {"map"}, {"map", "--depth", "5"}, {"edges"}, {"diagnostics"}, {"changes"}, {"impact-changes"}, {"drift", "--scan"}, {"drift"}, {"drift", "--brief"},
		{"verify"}, {"fsck"}, {"tests", "--since", "HEAD~1"}, {"impact", "--since", "HEAD~1"}, {"explore", "password", "of", "settings"},
		{"install", "--status"}, {"agents", "hook", "session-start"}, {"agents", "hook", "post-edit"}, {"agents", "status", "--client", "all"}, {"gc"}, {"version"}, {"man"},
		{"hook", "post-commit"}, {"ack", "0"}, {"read", "/etc/passwd"}, {"live-read", "/etc/passwd"}, {"live-read", "../outside.py"}, {"read", "folder/outside.py"}, {"live-read", "folder/outside.py"},
	}
	// Words that are secret only the secret knows: a query would echo the whole one.
	for _, word := range []string{"PASSWORD", "ub4dor", "rsa"} {
		for _, verb := range []string{"symbols", "explore", "callers", "callees", "references", "code"} {
			calls = append(calls, []string{verb, word})
		}
		calls = append(calls, []string{"search", "-F", word}, []string{"search", "-E", word + ".*"}, []string{"search", "-F", "-z", word})
	}
	for _, p := range append([]string{".env.settings.py", "deep/.ssh/settings.py", "untracked/.env", "link.py", "link2.py", "out.py", "passwd.py"}, secretPaths...) {
		for _, verb := range []string{"read", "live-read", "impact", "tests", "map"} {
			calls = append(calls, []string{verb, p})
		}
		calls = append(calls, []string{"code", p + ":1"}, []string{"callers", p + ":4"}, []string{"edges", "--path", p}, []string{"read", p + ":1-5"})
	}
	return calls
}

// The content of credential files is in no output of any verb, in no tool's answer
// and nowhere in the store, whatever becomes of the files.
func TestSecretsStaySecret(t *testing.T) {
	dir := secretRepo(t)
	// Each time every other call is in JSON.
	ask := func(inJSON int) {
		t.Helper()
		for i, args := range secretCalls() {
			if i%2 == inJSON {
				args = append(args, "--json")
			}
			wantNoSecret(t, "", args...)
		}
		for _, request := range []string{`{"operation":{"kind":"read","path":".env"}}`, `{"operation":{"kind":"live-read","path":"id_rsa.py"}}`} {
			wantNoSecret(t, request, "query", "--request-file", "-")
		}
		askTools(t)
		wantNoSecret(t, pushOf(t), "hook", "pre-push", "origin", "url")
	}
	ask(0) // stale
	wantNoSecret(t, "", "sync", "--trace", filepath.Join(dir, ".git", "trace"))
	wantNoSecret(t, "", "drift", "--report")
	ask(1) // fresh
	var st struct {
		Coverage struct{ Omitted map[string]int }
	}
	if err := json.Unmarshal(mustRun(t, "status", "--json"), &st); err != nil {
		t.Fatal(err)
	}
	if want := len(secretPaths) + 4; st.Coverage.Omitted["secret"] != want {
		t.Errorf("%d files are omitted as secret, want %d", st.Coverage.Omitted["secret"], want)
	}
	for _, text := range []string{canary, laterCanary, outerCanary} {
		found, payloads, err := storeHolds(filepath.Join(dir, ".git", "codeidx"), text)
		if err != nil || payloads == 0 || found != "" {
			t.Errorf("%s is in the store at %q (%d payloads, %v)", text, found, payloads, err)
		}
	}
	// The search above can find: what is no secret is there.
	if found, _, err := storeHolds(filepath.Join(dir, ".git", "codeidx"), "return target"); err != nil || found == "" {
		t.Errorf("a source is not in the store: %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, ".git", "trace")); err != nil || holdsSecret(text) != "" {
		t.Errorf("trace: %v, %s", err, text)
	}
}

func wantNoSecret(t *testing.T, input string, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	Main(args, Streams{In: strings.NewReader(input), Out: &out, Err: &errs})
	if found := holdsSecret(append(out.Bytes(), errs.Bytes()...)); found != "" {
		t.Errorf("%q tells %q: %s%s", args, found, out.Bytes(), errs.Bytes())
	}
}

func holdsSecret(text []byte) string {
	for _, c := range []string{canary, laterCanary, outerCanary, "root:x:0"} {
		if bytes.Contains(text, []byte(c)) {
			return c
		}
	}
	return ""
}

// dialogue is both ends of a session whose input ends when all is answered.
type dialogue struct {
	in      *strings.Reader
	mu      sync.Mutex
	written *sync.Cond
	out     bytes.Buffer
	left    int // answers that are still to come
}

func (d *dialogue) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left -= bytes.Count(b, []byte("\n"))
	d.written.Broadcast()
	return d.out.Write(b)
}

func (d *dialogue) Read(b []byte) (int, error) {
	n, err := d.in.Read(b)
	d.mu.Lock()
	defer d.mu.Unlock()
	for err == io.EOF && d.left > 0 {
		d.written.Wait()
	}
	return n, err
}

// askTools asks every tool of the MCP server for secrets.
func askTools(t *testing.T) {
	t.Helper()
	input, calls := secretTools()
	d := &dialogue{in: strings.NewReader(input), left: calls}
	d.written = sync.NewCond(&d.mu)
	var errs bytes.Buffer
	Main([]string{"mcp"}, Streams{In: d, Out: d, Err: &errs})
	for line := range strings.Lines(d.out.String() + errs.String()) {
		if found := holdsSecret([]byte(line)); found != "" {
			t.Errorf("a tool tells %q: %s", found, line)
		}
	}
	if n := strings.Count(d.out.String(), `"result"`); n != calls {
		t.Errorf("%d of %d calls were answered", n, calls)
	}
}

// secretTools is the input of such a session, and how many answers it asks for.
func secretTools() (input string, calls int) {
	var b strings.Builder
	id := 0
	send := func(method string, params any) {
		id++
		text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if err != nil {
			panic(err)
		}
		b.Write(append(text, '\n'))
	}
	send("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "t", "version": "1"}})
	b.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	tool := func(name string, args map[string]any) {
		send("tools/call", map[string]any{"name": name, "arguments": args})
	}
	tool("status", nil)
	tool("changes", nil)
	tool("sync", nil)
	for _, p := range append([]string{"/etc/passwd", "folder/outside.py", "out.py", "link.py", ".env.settings.py"}, secretPaths...) {
		tool("read", map[string]any{"path": p})
		tool("explore", map[string]any{"query": p})
		tool("symbols", map[string]any{"query": "PASSWORD", "path": p})
		tool("relations", map[string]any{"kind": "impact", "symbol": p})
		tool("relations", map[string]any{"kind": "tests", "symbol": p})
	}
	return b.String(), id
}

// pushOf is what git tells pre-push of the last commit.
func pushOf(t *testing.T) string {
	head, parent := strings.TrimSpace(gitHere(t, "rev-parse", "HEAD")), strings.TrimSpace(gitHere(t, "rev-parse", "HEAD~1"))
	return fmt.Sprintf("refs/heads/main %s refs/heads/main %s\n", head, parent)
}

// Whatever the umask and the repository's own sharing, nobody but the owner gets at
// the store, nor at what the hooks write.
func TestStoreIsPrivateWhateverTheUmask(t *testing.T) {
	for _, mask := range []int{0, 0o027, 0o077} {
		for _, shared := range []string{"false", "0666"} {
			t.Run(fmt.Sprintf("umask %03o, shared %s", mask, shared), func(t *testing.T) {
				defer syscall.Umask(syscall.Umask(mask))
				dir := repoOf(t, map[string]string{"a.py": "def f():\n    return 1\n"})
				t.Chdir(dir)
				gitHere(t, "init", "-q", "--shared="+shared)
				gitHere(t, "worktree", "add", "-q", filepath.Join(t.TempDir(), "linked"), "-b", "other")
				for _, top := range []string{dir, linkedTop(t)} {
					t.Chdir(top)
					mustRun(t, "index", "--trace", filepath.Join(dir, ".git", "codeidx", "trace"))
					runWith(t, "", "hook", "post-commit")
					runWith(t, "", "hook", "post-rewrite", "nonsense")
					mustRun(t, "drift", "--scan")
					appendText(t, "a.py", "\n\ndef more():\n    return 1\n")
					mustRun(t, "sync")
					mustRun(t, "drift")
				}
				mustRun(t, "gc")
				seen := 0
				for _, ours := range []string{".git/codeidx", ".git/worktrees/linked/codeidx"} {
					err := filepath.WalkDir(filepath.Join(dir, ours), func(p string, d fs.DirEntry, err error) error {
						if err != nil {
							return err
						}
						info, err := d.Info()
						if err == nil && info.Mode().Perm()&0o077 != 0 {
							t.Errorf("%s is open to others: %v", p, info.Mode())
						}
						seen++
						return err
					})
					if err != nil {
						t.Error(err)
					}
				}
				if seen < 20 {
					t.Errorf("only %d files of ours", seen)
				}
			})
		}
	}
}

// linkedTop is the linked work tree of the repository at hand.
func linkedTop(t *testing.T) string {
	for line := range strings.Lines(gitHere(t, "worktree", "list", "--porcelain")) {
		if p, ok := strings.CutPrefix(strings.TrimSpace(line), "worktree "); ok && strings.HasSuffix(p, "/linked") {
			return p
		}
	}
	t.Fatal("no linked work tree")
	return ""
}

// A list that is said to hold every kind must.
func TestSecretPathsAreAllSecret(t *testing.T) {
	dir := repoOf(t, map[string]string{"a.py": "x = 1\n"})
	t.Chdir(dir)
	files := map[string]string{}
	for _, p := range secretPaths {
		files[p] = secretText(p, "harmless")
	}
	writeFiles(t, dir, files)
	gitHere(t, "add", "-A", "-f")
	mustRun(t, "index")
	out := string(mustRun(t, "diagnostics", "--jsonl"))
	for _, p := range secretPaths {
		if !slices.ContainsFunc(strings.Split(out, "\n"), func(l string) bool {
			return strings.Contains(l, `"path":"`+p+`"`) && strings.Contains(l, `"reason":"secret"`)
		}) {
			t.Errorf("%s is not omitted as secret", p)
		}
	}
}

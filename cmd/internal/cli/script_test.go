package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"codeidx/facts/worker"
	"codeidx/gitstore"
)

// The scripts run the real binary (this test binary, re-executed) against the
// real git, isolated from the developer's configuration.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == worker.Verb { // a worker of a test that runs Main in this process
		os.Exit(worker.Main(os.Stdin, os.Stdout))
	}
	testscript.Main(m, map[string]func(){
		"git-codeidx": func() {
			os.Exit(Main(os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
		},
	})
}

const scripts = "../../../testdata/script"

func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scripts, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", scripts, err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 scripts,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup:               isolate,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo": makeRepo, "json": checkJSON, "corrupt": corrupt, "sound": sound, "status": exitsWith,
			"mkfifo": makeFifo, "sparse": makeSparse, "bytes": makeBytes, "nested": makeNested, "longline": makeLongLine, "canary": findCanary,
			"uids": sameUIDs, "unpack": unpack,
		},
	})
}

// isolate leaves nothing of the developer's git in the environment.
func isolate(env *testscript.Env) error {
	kept := env.Vars[:0]
	for _, v := range env.Vars {
		if !strings.HasPrefix(v, "GIT_") {
			kept = append(kept, v)
		}
	}
	env.Vars = append(kept,
		"GIT_CONFIG_GLOBAL="+filepath.Join(env.WorkDir, ".gitconfig"), "GIT_CONFIG_NOSYSTEM=1", "GIT_TEMPLATE_DIR=",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z", "TERM=dumb", "COLUMNS=120",
	)
	return os.WriteFile(filepath.Join(env.WorkDir, ".gitconfig"), []byte("[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n"), 0o600)
}

// makeRepo turns a folder of the script into a repository with one commit:
// repo DIR.
func makeRepo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: repo DIR")
	}
	ts.Check(ts.Exec("git", "init", "-q", args[0]))
	ts.Check(ts.Exec("git", "-C", args[0], "add", "-A"))
	ts.Check(ts.Exec("git", "-C", args[0], "commit", "-q", "--allow-empty", "-m", "first"))
}

// checkJSON compares a field of the JSON document on stdout with a value:
// json FIELD.FIELD… VALUE. A field of a list is its index; "#" its length.
func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json FIELD.FIELD VALUE")
	}
	var doc any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &doc); err != nil {
		ts.Fatalf("stdout is no JSON document: %v", err)
	}
	got := fmt.Sprint(field(ts, doc, strings.Split(args[0], ".")))
	if (got == args[1]) == neg {
		ts.Fatalf("%s is %q", args[0], got)
	}
}

func field(ts *testscript.TestScript, v any, path []string) any {
	for _, p := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[p]
		case []any:
			if p == "#" {
				return len(x)
			}
			var i int
			if _, err := fmt.Sscan(p, &i); err != nil || i >= len(x) {
				ts.Fatalf("list of %d has no element %q", len(x), p)
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// corrupt flips one byte in the middle of the largest file below a folder that
// matches a pattern: corrupt DIR PATTERN.
func corrupt(ts *testscript.TestScript, neg bool, args []string) {
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), args[1]))
	if err != nil || len(files) == 0 {
		ts.Fatalf("nothing matches %s/%s", args[0], args[1])
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		ts.Check(err)
		b[len(b)/2] ^= 0x40
		ts.Check(os.Chmod(f, 0o600))
		ts.Check(os.WriteFile(f, b, 0o600))
	}
}

// makeFifo makes a named pipe, which must never block a capture: mkfifo FILE.
func makeFifo(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(syscall.Mkfifo(ts.MkAbs(args[0]), 0o644))
}

// makeSparse makes a file of a size that holds no data: sparse FILE BYTES.
func makeSparse(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), nil, 0o644))
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}

// makeBytes writes a file with Go escapes: bytes FILE TEXT.
func makeBytes(ts *testscript.TestScript, neg bool, args []string) {
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// makeNested writes a Python file with parentheses nested N deep, one a line,
// and a function after them: nested FILE N.
func makeNested(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := "x = " + strings.Repeat("(\n", n) + strings.Repeat(")\n", n) + "\ndef after(): pass\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// makeLongLine writes one line of N bytes: longline FILE N.
func makeLongLine(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("x="+strings.Repeat("1+", n/2)+"1\n"), 0o644))
}

// findCanary looks for a text in all files below a folder and in every object of
// the store there, payloads decompressed: canary DIR TEXT.
func findCanary(ts *testscript.TestScript, neg bool, args []string) {
	found, payloads, err := storeHolds(ts.MkAbs(args[0]), args[1])
	ts.Check(err)
	if payloads == 0 {
		ts.Fatalf("the store in %s has no payload", args[0])
	}
	if (found != "") == neg {
		ts.Fatalf("text %q found: %q", args[1], found)
	}
}

// storeHolds says where below a store a text stands, "" for nowhere, and how many
// payloads it looked into.
func storeHolds(dir, text string) (found string, payloads int, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, readErr := os.ReadFile(p)
			if strings.Contains(p+string(b), text) {
				found = p
			}
			return readErr
		}
		return err
	})
	if err != nil {
		return "", 0, err
	}
	store, err := gitstore.Open(context.Background(), dir, gitstore.Options{})
	if err != nil {
		return "", 0, err
	}
	defer store.Close()
	out, err := exec.Command("git", "--git-dir="+dir, "cat-file", "--batch", "--batch-all-objects").Output()
	for err == nil && len(out) > 0 {
		head, rest, _ := bytes.Cut(out, []byte("\n"))
		var id, kind string
		var size int
		if _, err = fmt.Sscan(string(head), &id, &kind, &size); err != nil {
			break
		}
		raw := rest[:size]
		out = rest[size+1:]
		if bytes.HasPrefix(raw, []byte("cix\x01")) {
			payloads++
			var oid gitstore.OID
			if oid, err = gitstore.ParseOID(id); err == nil {
				raw, _, err = store.GetOID(oid)
			}
		}
		if bytes.Contains(raw, []byte(text)) {
			found = kind + " " + id
		}
	}
	return found, payloads, err
}

// unpack writes the files of an archive of testdata: unpack ARCHIVE DIR.
func unpack(ts *testscript.TestScript, neg bool, args []string) {
	a, err := txtar.ParseFile(filepath.Join(startDir, scripts, "..", args[0]))
	ts.Check(err)
	if len(a.Files) == 0 {
		ts.Fatalf("%s holds no files", args[0])
	}
	for _, f := range a.Files {
		name := filepath.Join(ts.MkAbs(args[1]), f.Name)
		ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
		ts.Check(os.WriteFile(name, f.Data, 0o644))
	}
}

// sameUIDs compares the edge identities of a kind in two edge lists: uids FILE
// FILE KIND.
func sameUIDs(ts *testscript.TestScript, neg bool, args []string) {
	list := func(file string) (out []string) {
		for line := range strings.Lines(ts.ReadFile(file)) {
			var e struct {
				Kind string
				UID  string `json:"edge_uid"`
			}
			ts.Check(json.Unmarshal([]byte(line), &e))
			if e.Kind == args[2] {
				out = append(out, e.UID)
			}
		}
		return out
	}
	one, two := list(args[0]), list(args[1])
	if len(one) == 0 || slices.Equal(one, two) == neg {
		ts.Fatalf("%d identities in %s, %d in %s", len(one), args[0], len(two), args[1])
	}
}

// sound checks a store with our fsck and with git's: sound DIR.
func sound(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(ts.Exec("git", "-C", dir, "codeidx", "fsck", "-q"))
	ts.Check(ts.Exec("git", "--git-dir="+filepath.Join(dir, ".git", "codeidx"), "fsck", "--full", "--strict"))
	if out := ts.ReadFile("stdout"); strings.Contains(out, "dangling blob") {
		ts.Fatalf("a payload belongs to no generation: %s", out)
	}
}

// exitsWith runs a command and compares its exit status: status N COMMAND…
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	want := args[0]
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if e, ok := err.(*exec.ExitError); ok {
		got = fmt.Sprint(e.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %s, want %s", got, want)
	}
}

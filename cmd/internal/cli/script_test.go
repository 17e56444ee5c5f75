package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts run the real binary (this test binary, re-executed) against the
// real git, isolated from the developer's configuration.
func TestMain(m *testing.M) {
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

// sound checks a store with our fsck and with git's: sound DIR.
func sound(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(ts.Exec("git", "-C", dir, "codeidx", "fsck", "-q"))
	ts.Check(ts.Exec("git", "--git-dir="+filepath.Join(dir, ".git", "codeidx"), "fsck", "--full", "--strict"))
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

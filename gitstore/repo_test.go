package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDiscover(t *testing.T) {
	w := newTree(t)
	w.write("sub/dir/a.go", "package a\n")
	if r := w.discover(); r.Head != "" {
		t.Errorf("unborn HEAD: %q", r.Head)
	}
	w.write("HEAD", "a file with the name of a revision")
	w.commit()
	head := strings.TrimSpace(w.git("rev-parse", "HEAD"))
	want := Repo{
		Top: w.dir, GitDir: w.path(".git"), CommonDir: w.path(".git"), Format: SHA1, Head: head,
		bindingDir: w.path(".git/codeidx"), indexFile: w.path(".git/index"), attributesFile: w.path(".git/info/attributes"),
	}
	at := func(dir string) Repo {
		t.Helper()
		r, err := Discover(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return *r
	}
	compare := func(name string, got, want Repo) {
		t.Helper()
		if d := cmp.Diff(want, got, cmp.AllowUnexported(Repo{})); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	compare("top", at(w.dir), want)

	below := want
	below.Prefix = "sub/dir/"
	compare("below", at(w.path("sub/dir")), below)

	alias := want
	alias.Prefix = "sub/"
	t.Setenv("GIT_PREFIX", "sub/")
	compare("alias", at(w.dir), alias)
	os.Unsetenv("GIT_PREFIX")

	linked := filepath.Join(filepath.Dir(w.dir), "linked")
	w.git("worktree", "add", "-q", linked, "-b", "other")
	compare("linked work tree", at(linked), Repo{
		Top: linked, GitDir: w.path(".git/worktrees/linked"), CommonDir: w.path(".git"), Format: SHA1, Head: head,
		bindingDir: w.path(".git/worktrees/linked/codeidx"), indexFile: w.path(".git/worktrees/linked/index"),
		attributesFile: w.path(".git/info/attributes"),
	})

	t.Setenv("GIT_DIR", ".git")
	t.Setenv("GIT_WORK_TREE", ".")
	compare("--git-dir --work-tree", at(w.dir), want)
}

func TestDiscoverSHA256(t *testing.T) {
	w := newTree(t, "--object-format=sha256")
	w.commit()
	if r := w.discover(); r.Format != SHA256 || len(r.Head) != 64 {
		t.Errorf("format %v, HEAD %q", r.Format, r.Head)
	}
}

func TestDiscoverNewlineInPath(t *testing.T) {
	w := newTree(t)
	odd := filepath.Join(w.dir, "a\nfalse", "b\n")
	if err := os.MkdirAll(odd, 0o777); err != nil {
		t.Fatal(err)
	}
	w.git("init", "-q", odd)
	r, err := Discover(context.Background(), odd)
	if err != nil {
		t.Fatal(err)
	}
	if r.Top != odd || r.CommonDir != filepath.Join(odd, ".git") {
		t.Errorf("top %q, common %q", r.Top, r.CommonDir)
	}
}

func TestDiscoverRefuses(t *testing.T) {
	isolate(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	refused := func(dir string, kind error, words string) {
		t.Helper()
		_, err := Discover(context.Background(), dir)
		if !errors.Is(err, kind) || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %v with %q", err, kind, words)
		}
	}
	refused(dir, ErrNotRepository, "fatal: not a git repository")

	w := &testTree{t: t, dir: dir}
	w.git("init", "-q", "--bare", "bare.git")
	refused(w.path("bare.git"), ErrBare, "bare")

	w.git("init", "-q", "work")
	refused(w.path("work/.git"), ErrNoWorkTree, "must be run in a work tree")

	if os.Geteuid() == 0 {
		w.git("init", "-q", "foreign")
		for _, p := range []string{"foreign", "foreign/.git"} {
			if err := os.Chown(w.path(p), 4242, 4242); err != nil {
				t.Fatal(err)
			}
		}
		refused(w.path("foreign"), ErrForeignOwner, "safe.directory")
	}

	t.Setenv("PATH", dir)
	refused(dir, ErrNoGit, "git")
}

func TestDiscoverOldGit(t *testing.T) {
	// git before 2.31 answers an option that it does not know by its name.
	if _, err := parseDiscovery("--path-format=absolute\nfalse\n.git\n"); !errors.Is(err, ErrOldGit) {
		t.Errorf("got %v", err)
	}
}

func TestDiscoverStops(t *testing.T) {
	w := newTree(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Discover(ctx, w.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestBindingID(t *testing.T) {
	w := newTree(t)
	r := w.discover()
	if id, err := r.BindingID(false); id != "" || err != nil {
		t.Fatalf("before it is made: %q, %v", id, err)
	}
	ids := make([]string, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			var err error
			if ids[i], err = r.BindingID(true); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		if len(id) != 16 || id != ids[0] {
			t.Fatalf("racing makers disagree: %q", ids)
		}
	}
	files, err := os.ReadDir(r.BindingDir())
	if err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
	w.commit()
	linked := filepath.Join(filepath.Dir(w.dir), "linked")
	w.git("worktree", "add", "-q", linked)
	other, err := Discover(context.Background(), linked)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := other.BindingID(true); err != nil || id == ids[0] {
		t.Errorf("linked work tree has the id %q, %v", id, err)
	}
	if err := os.WriteFile(filepath.Join(r.BindingDir(), "binding"), []byte("zz"), 0o600); err != nil {
		t.Fatal(err)
	}
	if id, err := r.BindingID(true); err == nil {
		t.Errorf("damaged binding read as %q", id)
	}
}

func TestConfig(t *testing.T) {
	w := newTree(t)
	base := DefaultConfig()
	equal := func(name string, want Config) {
		t.Helper()
		got, err := ReadConfig(context.Background(), w.dir)
		if err != nil {
			t.Fatal(name, err)
		}
		if d := cmp.Diff(&want, got, cmpopts.IgnoreUnexported(Config{})); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	equal("defaults", base)

	w.write("more", "[codeidx]\n\tincludeUntracked\n\tMAXFILESIZE = 2m\n\texclude = a/**\n\texclude = \"b c\\nd\"\n\tworkers = 3\n\tstale = sync\n"+
		"\tfreshness = stat\n\tlockWait = 3\n\tqueryDeadline = 1500ms\n\tunknown = kept\n[codeidx \"sub\"]\n\tmaxFiles = 1\n")
	w.git("config", "include.path", w.path("more"))
	set := base
	set.IncludeUntracked, set.MaxFileSize, set.Exclude, set.Workers = true, 2<<20, []string{"a/**", "b c\nd"}, 3
	set.Stale, set.Freshness, set.LockWait, set.QueryDeadline = "sync", FreshnessStat, 3e9, 1500e6
	equal("file", set)

	t.Setenv("GIT_CONFIG_PARAMETERS", "'codeidx.workers'='5'")
	set.Workers = 5
	equal("git -c", set)

	t.Setenv("GIT_CODEIDX_WORKERS", "7")
	t.Setenv("GIT_CODEIDX_EXCLUDE", "x:y")
	t.Setenv("GIT_CODEIDX_INCLUDE_UNTRACKED", "no")
	set.Workers, set.Exclude, set.IncludeUntracked = 7, []string{"x", "y"}, false
	equal("environment", set)

	got, err := ReadConfig(context.Background(), w.dir)
	if err != nil || !cmp.Equal(got.Raw("unknown"), []string{"kept"}) {
		t.Errorf("Raw: %q, %v", got.Raw("unknown"), err)
	}
}

func TestConfigRefuses(t *testing.T) {
	tests := []struct{ key, value, env, want string }{
		{"maxfiles", "many", "", `bad value "many" of codeidx.maxFiles: want a positive number`},
		{"maxfiles", "0", "", `bad value "0" of codeidx.maxFiles`},
		{"maxtotal", "9223372036854775807k", "", `of codeidx.maxTotal`},
		{"includeuntracked", "perhaps", "", `bad value "perhaps" of codeidx.includeUntracked: want true or false`},
		{"stale", "Mark", "", "want one of mark, refuse, sync"},
		{"prepush", "no", "", "want one of off, warn, block"},
		{"freshness", "", "", "want one of strict, stat"},
		{"workers", "0", "", "at least 1"},
		{"lockwait", "-1s", "", "want a time"},
		{"lockwait", "soon", "", "want a time"},
		{"workers", "2", "GIT_CODEIDX_MAX_FILE_SIZE=4x", `bad value "4x" of GIT_CODEIDX_MAX_FILE_SIZE`},
	}
	for _, tt := range tests {
		_, err := parseConfig([]byte("codeidx."+tt.key+"\n"+tt.value+"\x00"), []string{tt.env})
		var bad *ConfigError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s=%s %s: %v, want %q", tt.key, tt.value, tt.env, err, tt.want)
		}
	}
	if _, err := parseConfig([]byte("codeidx.exclude\x00"), nil); err == nil {
		t.Error("a list took a key without a value")
	}
	if _, err := parseConfig([]byte("codeidx.exclude\na\x00codeidx.exclude\n\x00"), nil); err != nil {
		t.Errorf("an empty value empties a list: %v", err)
	}
}

func TestColorBool(t *testing.T) {
	w := newTree(t)
	r := w.discover()
	if !r.ColorBool(context.Background(), "color.codeidx") {
		t.Error("no colour by default on a terminal")
	}
	w.git("config", "color.ui", "never")
	if r.ColorBool(context.Background(), "color.codeidx") {
		t.Error("colour although color.ui says never")
	}
}

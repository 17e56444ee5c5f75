package install

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeidx/hooks"
)

func TestRunsConfigured(t *testing.T) {
	tests := map[string]bool{
		"git version 2.39.5\n": false, "git version 2.53.9": false, "git version 2.54.0": true, "git version 2.55.0.windows.1": true,
		"git version 3.0.0": true, "git version 2.54.GIT": true, "hub version 9": false, "": false,
	}
	for version, want := range tests {
		if got := runsConfigured(version); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
}

func TestConfigured(t *testing.T) {
	ctx := context.Background()
	w := newTree(t)
	w.git("config", "hook.linter.command", "true")
	before := w.git("config", "--local", "--list")
	exe := program(t, filepath.Join(t.TempDir(), "a b'c", "git-codeidx"), "")
	// The blocks of an older git go: each event would be recorded twice.
	mustInstall(t, w, exe)
	in := &installer{repo: w.repo(), exe: exe, configured: true}
	for range 2 {
		if _, err := in.install(ctx); err != nil {
			t.Fatal(err)
		}
		if exists(w.hook("post-commit")) {
			t.Error("the hook file is still there")
		}
		for _, event := range hooks.Names() {
			key := "hook.codeidx-" + event
			if got := w.git("config", "--local", "--get-all", key+".event"); got != event+"\n" {
				t.Errorf("%s.event is %q", key, got)
			}
			wantCommandWorks(t, w, key, event, exe)
		}
	}
	other := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "")
	in.exe = other
	if _, err := in.install(ctx); err != nil {
		t.Fatal(err)
	}
	wantCommandWorks(t, w, "hook.codeidx-post-commit", "post-commit", other)
	mustUninstall(t, w)
	if diff := cmp.Diff(before, w.git("config", "--local", "--list")); diff != "" {
		t.Errorf("configuration after uninstall (-want +got):\n%s", diff)
	}
}

// wantCommandWorks runs the command as git does: by the shell, with the
// arguments of the hook behind it.
func wantCommandWorks(t *testing.T, w *tree, key, event, exe string) {
	t.Helper()
	command := strings.TrimSuffix(w.git("config", "--local", "--get", key+".command"), "\n")
	n := len(calls(t, exe))
	out, err := exec.Command("sh", "-c", command+` "$@"`, command, "old", "new", "1").CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%s: %q, %v", key, out, err)
	}
	if got := calls(t, exe); len(got) != n+1 || got[n] != "hook "+event+" old new 1" {
		t.Errorf("%s: calls %q", key, got)
	}
}

func TestConfiguredNeedsNoFile(t *testing.T) {
	w := newTree(t)
	w.git("config", "core.hooksPath", ".husky")
	in := &installer{repo: w.repo(), exe: "/x/git-codeidx", configured: true}
	list, err := in.install(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range list {
		if h.State != Installed || !h.Changed || h.Problem != "" {
			t.Errorf("%+v", h)
		}
	}
	if list, err = in.status(context.Background()); err != nil || list[0].State != Installed {
		t.Errorf("status %+v, %v", list, err)
	}
}

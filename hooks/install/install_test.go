package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeidx/hooks"
)

// foreign are hook files that others made and that take our block.
var foreign = map[string]string{
	"plain":             "#!/bin/sh\necho foreign\n",
	"no final newline":  "#!/bin/sh\necho foreign",
	"ends with exit":    "#!/bin/sh\necho foreign\nexit 0\n",
	"ends with exec":    "#!/bin/sh\nexec echo foreign\n",
	"strict":            "#!/bin/sh -eu\necho foreign\n",
	"bash":              "#!/usr/bin/env bash\nset -euo pipefail\necho foreign\n",
	"no shebang":        "echo foreign\n",
	"CRLF in the body":  "#!/bin/sh\n# a comment\r\necho foreign\n",
	"only a shebang":    "#!/bin/sh\n",
	"cut short shebang": "#!/bin/sh",
	"comment at first":  "# by hand\necho foreign\n",
	"empty":             "",
}

func TestForeignHooksKeepTheirBytes(t *testing.T) {
	for name, text := range foreign {
		t.Run(name, func(t *testing.T) {
			w := newTree(t)
			exe := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "")
			write(t, w.hook("post-commit"), text, 0o750)
			mustInstall(t, w, exe)
			if info, err := os.Stat(w.hook("post-commit")); err != nil || info.Mode().Perm() != 0o750 {
				t.Errorf("mode %v, %v; want 0750", info.Mode(), err)
			}
			out := w.commit()
			if want := strings.Contains(text, "echo"); strings.Contains(out, "foreign") != want {
				t.Errorf("the foreign hook printed %q", out)
			}
			if got := calls(t, exe); len(got) != 1 || got[0] != "hook post-commit" {
				t.Errorf("calls %q", got)
			}
			once := read(t, w.hook("post-commit"))
			for _, h := range mustInstall(t, w, exe) {
				if h.Changed || h.State != Installed {
					t.Errorf("a second install did %+v", h)
				}
			}
			if diff := cmp.Diff(once, read(t, w.hook("post-commit"))); diff != "" {
				t.Errorf("a second install changed the file:\n%s", diff)
			}
			mustUninstall(t, w)
			if diff := cmp.Diff(text, read(t, w.hook("post-commit"))); diff != "" {
				t.Errorf("after uninstall (-want +got):\n%s", diff)
			}
			if exists(w.hook("post-checkout")) {
				t.Error("the file that was ours alone is still there")
			}
		})
	}
}

func TestRefusedFilesStay(t *testing.T) {
	tests := []struct {
		name, text string
		mode       os.FileMode
		reason     string
	}{
		{"python", "#!/usr/bin/env python3\nprint('foreign')\n", 0o755, "script for python3"},
		{"env with options", "#!/usr/bin/env -S A=b node\n", 0o755, "script for node"},
		{"not executable", "#!/bin/sh\necho foreign\n", 0o644, "not executable"},
		{"CRLF shebang", "#!/bin/sh\r\necho foreign\r\n", 0o755, "CR LF"},
		{"binary", "\x7fELF\x00\x01", 0o755, "a program"},
		{"unclosed block", "#!/bin/sh\n# >>> codeidx >>>\n", 0o755, "no end line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTree(t)
			write(t, w.hook("post-checkout"), tt.text, tt.mode)
			wantRefusal(t, w, tt.reason)
			if got := read(t, w.hook("post-checkout")); got != tt.text {
				t.Errorf("the file is now %q", got)
			}
			mustUninstall(t, w)
			if got := read(t, w.hook("post-checkout")); got != tt.text {
				t.Errorf("after uninstall the file is %q", got)
			}
		})
	}
}

// wantRefusal wants Install to change nothing and to name lines for each hook
// that do the same.
func wantRefusal(t *testing.T, w *tree, reason string) {
	t.Helper()
	exe := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "")
	_, err := Install(context.Background(), w.repo(), exe)
	var r *Refused
	if !errors.As(err, &r) || !strings.Contains(r.Reason, reason) {
		t.Fatalf("install: %v; want a refusal for %q", err, reason)
	}
	if exists(w.hook("post-commit")) {
		t.Error("another hook was installed")
	}
	for _, event := range hooks.Names() {
		if !strings.Contains(r.Paste[event], quote(exe)+" hook "+event) {
			t.Errorf("lines for %s: %q", event, r.Paste[event])
		}
	}
}

func TestSymbolicLinkIsRefused(t *testing.T) {
	w := newTree(t)
	target := filepath.Join(t.TempDir(), "shared")
	write(t, target, "#!/bin/sh\n", 0o755)
	if err := os.MkdirAll(filepath.Dir(w.hook("x")), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, w.hook("post-checkout")); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, w, "symbolic link")
	if got := read(t, target); got != "#!/bin/sh\n" {
		t.Errorf("the target is now %q", got)
	}
}

func TestHooksPath(t *testing.T) {
	outside := t.TempDir()
	tests := []struct{ path, reason string }{
		{".husky", "in the work tree"},
		{".", "in the work tree"},
		{outside, "outside"},
		{os.DevNull, "outside"},
		{"", "empty"},
	}
	for _, tt := range tests {
		t.Run("path "+tt.path, func(t *testing.T) {
			w := newTree(t)
			w.git("config", "core.hooksPath", tt.path)
			wantRefusal(t, w, tt.reason)
			for _, h := range mustUninstall(t, w) {
				if h.Changed || h.State != Missing {
					t.Errorf("uninstall did %+v", h)
				}
			}
		})
	}
	t.Run("link out of the git directory", func(t *testing.T) {
		w := newTree(t)
		if err := os.Symlink(outside, filepath.Join(w.dir, ".git", "hooks")); err != nil {
			t.Fatal(err)
		}
		wantRefusal(t, w, "outside")
	})
	t.Run("inside the git directory", func(t *testing.T) {
		w := newTree(t)
		w.git("config", "core.hooksPath", ".git/own hooks")
		mustInstall(t, w, program(t, filepath.Join(t.TempDir(), "git-codeidx"), ""))
		if !exists(filepath.Join(w.dir, ".git", "own hooks", "post-commit")) {
			t.Error("no hook where core.hooksPath points")
		}
	})
}

func TestLinesPastedByHandCount(t *testing.T) {
	w := newTree(t)
	exe := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "")
	w.git("config", "core.hooksPath", "hooks")
	for _, event := range hooks.Names() {
		write(t, filepath.Join(w.dir, "hooks", event), "#!/bin/sh\n"+block(beginPlain, event, exe), 0o755)
	}
	for _, h := range mustInstall(t, w, exe) {
		if h.Changed || h.State != Installed {
			t.Errorf("install did %+v", h)
		}
	}
	for _, h := range mustUninstall(t, w) {
		if h.Changed || h.State != Installed || h.Problem == "" {
			t.Errorf("uninstall did %+v", h)
		}
	}
}

func TestLinkedWorkTreeSharesTheHooks(t *testing.T) {
	w := newTree(t)
	w.commit()
	linked := &tree{t, filepath.Join(filepath.Dir(w.dir), "linked")}
	w.git("worktree", "add", "-q", linked.dir)
	exe := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "")
	mustInstall(t, linked, exe)
	if !exists(w.hook("post-commit")) {
		t.Fatal("no hook in the common directory")
	}
	linked.commit()
	w.commit()
	if got := calls(t, exe); len(got) != 2 {
		t.Errorf("calls %q; want one a work tree", got)
	}
	mustUninstall(t, w)
	if exists(w.hook("post-commit")) {
		t.Error("the hook is still there")
	}
}

func TestOtherProgramTakesThePlace(t *testing.T) {
	w := newTree(t)
	old := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "")
	exe := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "")
	mustInstall(t, w, old)
	list, err := Status(context.Background(), w.repo(), exe)
	if err != nil || list[0].State != Outdated {
		t.Errorf("status %+v, %v; want outdated", list, err)
	}
	mustInstall(t, w, exe)
	if list, err = Status(context.Background(), w.repo(), exe); err != nil || list[0].State != Installed {
		t.Errorf("status %+v, %v; want installed", list, err)
	}
	w.commit()
	if calls(t, old) != nil || len(calls(t, exe)) != 1 {
		t.Errorf("old program %q, new one %q", calls(t, old), calls(t, exe))
	}
	mustUninstall(t, w)
	if exists(w.hook("post-commit")) {
		t.Error("the hook is still there")
	}
}

func TestLinesAddedToOurFileStay(t *testing.T) {
	w := newTree(t)
	mustInstall(t, w, program(t, filepath.Join(t.TempDir(), "git-codeidx"), ""))
	write(t, w.hook("post-commit"), read(t, w.hook("post-commit"))+"echo mine\n", 0o755)
	mustUninstall(t, w)
	if got := read(t, w.hook("post-commit")); got != "#!/bin/sh\necho mine\n" {
		t.Errorf("left %q", got)
	}
}

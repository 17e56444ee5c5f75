package install

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"codeidx/hooks"
)

func TestRemoveUndoesInsert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.SampledFrom([]string{"", "#!/bin/sh", "#!/bin/sh\n", "#!/bin/sh\r\n", "#"}).Draw(t, "first")
		text := []byte(first + rapid.StringOf(rapid.SampledFrom([]rune("a\n\r# ><"))).Draw(t, "text"))
		got, _, err := remove(insert(text, "post-commit", "/x/git-codeidx"))
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%q became %q, %v", text, got, err)
		}
	})
}

func TestRemoveNewFile(t *testing.T) {
	rest, gone, err := remove(insert(nil, "post-commit", "/x"))
	if !gone || err != nil {
		t.Errorf("rest %q, gone %v, %v", rest, gone, err)
	}
}

func FuzzRemove(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(insert(nil, "post-commit", "/x"))
	f.Add(insert([]byte("#!/bin/sh"), "post-commit", "/x"))
	f.Add([]byte(end + "\n" + beginPlain + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		rest, _, err := remove(text)
		if err != nil {
			return
		}
		if _, found, err := find(rest); found || err != nil {
			t.Errorf("a block is left in %q (%v)", rest, err)
		}
		if len(rest) > len(text) {
			t.Errorf("%q grew to %q", text, rest)
		}
	})
}

// TestBlockIsGentle runs git with the block around programs that misbehave.
func TestBlockIsGentle(t *testing.T) {
	tests := []struct {
		name    string
		folder  string // of the program
		program string // what it does
		foreign string // the rest of the hook
		status  int    // of git checkout, which fails with 1 where the hook fails
	}{
		{"program fails", "p", "exit 7", "", 0},
		{"program fails in a strict hook", "p", "exit 7", "set -eu\n", 0},
		{"program is noisy", "p", "echo NOISE; echo NOISE >&2", "", 0},
		{"program reads stdin", "p", "cat >/dev/null", "", 0},
		{"foreign hook fails", "p", "", "false\n", 1},
		{"foreign hook exits", "p", "", "exit 3\n", 1},
		{"odd path", `a b'c"d$e\f;g`, "", "exit 3\n", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTree(t)
			w.commit()
			exe := program(t, filepath.Join(t.TempDir(), tt.folder, "git-codeidx"), tt.program)
			write(t, w.hook("post-checkout"), "#!/bin/sh\n"+tt.foreign, 0o755)
			mustInstall(t, w, exe)
			out, status := w.run("checkout", "-q", "-b", "side")
			if status != tt.status || out != "" {
				t.Errorf("git checkout: status %d, output %q; want %d and none", status, out, tt.status)
			}
			got := calls(t, exe)
			if len(got) != 1 || !strings.HasPrefix(got[0], "hook post-checkout ") || !strings.HasSuffix(got[0], " 1") {
				t.Errorf("calls %q", got)
			}
		})
	}
}

func TestBlockWithoutProgram(t *testing.T) {
	w := newTree(t)
	dir := t.TempDir()
	exe := program(t, filepath.Join(dir, "git-codeidx"), "")
	mustInstall(t, w, exe)
	onPath := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "")
	if err := os.Remove(exe); err != nil {
		t.Fatal(err)
	}
	if out := w.commit(); out != "" {
		t.Errorf("without the program git commit prints %q", out)
	}
	t.Setenv("PATH", filepath.Dir(onPath)+string(os.PathListSeparator)+os.Getenv("PATH"))
	w.commit()
	if got := calls(t, onPath); len(got) != 1 || got[0] != "hook post-commit" {
		t.Errorf("calls of the program on PATH: %q", got)
	}
}

// TestNobodyWaitsForOurChildren: a child that outlives the hook must not keep
// open what git's caller reads. If it did, the commit below would never end.
func TestNobodyWaitsForOurChildren(t *testing.T) {
	w := newTree(t)
	alive := filepath.Join(t.TempDir(), "alive")
	write(t, alive, "", 0o644)
	exe := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "(while test -e '"+alive+"'; do sleep 0.05; done) &")
	t.Cleanup(func() { os.Remove(alive) })
	mustInstall(t, w, exe)
	w.commit()
	if !exists(alive) || len(calls(t, exe)) != 1 {
		t.Errorf("calls %q", calls(t, exe))
	}
}

// TestStdinIsForOthers: the lines behind the block read what git sends.
func TestStdinIsForOthers(t *testing.T) {
	exe := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "cat >/dev/null")
	script := string(insert([]byte("#!/bin/sh\ncat\n"), "post-rewrite", exe))
	for _, shell := range []string{"sh", "dash", "bash"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		cmd := exec.Command(shell, "-c", script, "hook", "amend")
		cmd.Stdin = strings.NewReader("old new\n")
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != "old new\n" {
			t.Errorf("%s: %q, %v", shell, out, err)
		}
	}
}

// TestPrePushBlock: only status 1 of the program stops a push; what follows the
// block gets what git sends, be it nothing.
func TestPrePushBlock(t *testing.T) {
	const sent = "refs/heads/a 11 refs/heads/a 00\nrefs/heads/b 22 refs/heads/b 00\n"
	tests := []struct {
		program string
		stdin   string
		status  int
		out     string // of the program and then of the lines behind
	}{
		{"cat", sent, 0, sent + sent},
		{"echo refused >&2; exit 1", sent, 1, "refused\n"},
		{"exit 7", sent, 0, sent},
		{"kill -9 $$", sent, 0, sent},
		{"exec <&-", sent, 0, sent},
		{"", "", 0, ""},
		{"", "a $(echo no) `echo no` \\ $HOME\n", 0, "a $(echo no) `echo no` \\ $HOME\n"},
	}
	for _, shell := range []string{"sh", "dash", "bash"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		for _, tt := range tests {
			exe := program(t, filepath.Join(t.TempDir(), "git-codeidx"), tt.program)
			cmd := exec.Command(shell, "-c", string(insert([]byte("#!/bin/sh\nset -eu\ncat\n"), hooks.PrePush, exe)), "pre-push", "origin", "url")
			cmd.Stdin = strings.NewReader(tt.stdin)
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			_ = cmd.Run()
			text := out.String()
			if tt.status == 1 {
				text += errs.String()
			}
			if cmd.ProcessState.ExitCode() != tt.status || text != tt.out {
				t.Errorf("%s, program %q: status %d, output %q (%s); want %d, %q", shell, tt.program, cmd.ProcessState.ExitCode(), text, errs.String(), tt.status, tt.out)
			}
			if got := calls(t, exe); len(got) != 1 || got[0] != "hook pre-push origin url" {
				t.Errorf("calls %q", got)
			}
		}
	}
}

// TestConfiguredPrePush runs the command of git's configuration as git does.
func TestConfiguredPrePush(t *testing.T) {
	for status, want := range map[string]int{"0": 0, "1": 1, "7": 0} {
		exe := program(t, filepath.Join(t.TempDir(), "git-codeidx"), "cat; exit "+status)
		cmd := exec.Command("sh", "-c", oneLiner(hooks.PrePush, exe)+` "$@"`, "codeidx", "origin", "url")
		cmd.Stdin = strings.NewReader("refs\n")
		out, _ := cmd.Output()
		if got := cmd.ProcessState.ExitCode(); got != want || string(out) != "refs\n" {
			t.Errorf("program ends with %s: status %d, output %q; want %d", status, got, out, want)
		}
	}
}

func TestShells(t *testing.T) {
	tests := map[string]string{
		"#!/bin/sh": "", "#! /bin/bash -e": "", "#!/usr/bin/env -S VAR=1 zsh -f": "", "echo": "", "": "",
		"#!/usr/bin/perl -w": "script for perl", "#!": "an unnamed program", "#!/usr/bin/env": "an unnamed program", "#!/usr/bin/fish": "fish",
	}
	for line, want := range tests {
		if got := whyNotShell([]byte(line+"\n"), 0o755); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q; want %q", line, got, want)
		}
	}
}

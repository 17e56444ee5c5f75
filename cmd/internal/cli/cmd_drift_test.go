package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeidx/gitstore"
	"codeidx/query"
)

func TestParseSince(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	now := time.Date(2030, 3, 15, 12, 0, 0, 0, zone)
	tests := map[string]string{
		"": "0001-01-01T00:00:00Z", "2030-03-01": "2030-03-01T00:00:00+02:00", "2030-03-01T05:06:07Z": "2030-03-01T05:06:07Z",
		"2h": "2030-03-15T10:00:00+02:00", "90m": "2030-03-15T10:30:00+02:00", "3d": "2030-03-12T12:00:00+02:00", "2w": "2030-03-01T12:00:00+02:00",
		"yesterday": "", "-2h": "", "d": "", "-1d": "", "3y": "", "1.5d": "", "2030-13-01": "",
	}
	for text, want := range tests {
		got, err := parseSince(text, now)
		if (err != nil) != (want == "") || err == nil && got.Format(time.RFC3339) != want {
			t.Errorf("%q: %v, %v; want %q", text, got, err, want)
		}
	}
}

// hookRepo is a repository of its own, and the current folder.
func hookRepo(t *testing.T) (git func(args ...string)) {
	t.Helper()
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Chdir(t.TempDir())
	git = func(args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.name=A U Thor", "-c", "user.email=a@example.org"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "--template=")
	return git
}

func runMain(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, err bytes.Buffer
	status = Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &err})
	return out.String(), err.String(), status
}

func TestHookAndDrift(t *testing.T) {
	git := hookRepo(t)
	if out, _, status := runMain(t, "drift"); status != 0 || !strings.HasPrefix(out, "nothing is recorded") {
		t.Errorf("without anything: status %d, %q", status, out)
	}
	for name, text := range map[string]string{"a.py": "1\n", "odd\x1b[31m.py": "2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git("add", "-A")
	git("commit", "-q", "-m", "the \x1b[31m subject")
	for _, args := range [][]string{{"hook", "post-commit"}, {"hook"}, {"hook", "post-checkout", "x"}, {"hook", "unheard-of"}} {
		if out, errs, status := runMain(t, args...); status != 0 || out+errs != "" {
			t.Errorf("%q: status %d, output %q", args, status, out+errs)
		}
	}
	out, errs, status := runMain(t, "drift")
	for _, want := range []string{"  commit ", `  the \x1b[31m subject`, "  add     a.py\n", `  add     odd\x1b[31m.py`, "the hooks noted 3 failures"} {
		if !strings.Contains(out, want) {
			t.Errorf("drift lacks %q", want)
		}
	}
	if status != 0 || errs != "" || strings.Contains(out, "\x1b") {
		t.Errorf("drift: status %d, stderr %q, stdout %q", status, errs, out)
	}
	var doc driftDocument
	out, _, _ = runMain(t, "drift", "--json", "--since", "1d")
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, e := range doc.Entries {
		paths = append(paths, string(e.Kind)+" "+e.Path)
		if e.Event != doc.Events[0].ID || e.Commit != doc.Events[0].New || e.DetectedBy != "hook:post-commit" {
			t.Errorf("entry %+v of event %+v", e, doc.Events[0])
		}
	}
	if diff := cmp.Diff([]string{"add a.py", "add odd\x1b[31m.py"}, paths); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if doc.Schema != "codeidx.drift.v1" || !doc.Complete || len(doc.Failures) != 3 || doc.Events[0].Subject != "the \x1b[31m subject" {
		t.Errorf("document %+v", doc)
	}
	if _, _, status := runMain(t, "drift", "--since", "soon"); status != exitBad {
		t.Errorf("--since soon: status %d", status)
	}
}

func TestBriefIsShort(t *testing.T) {
	long := strings.Repeat("é", 90) + "/\x1b.py"
	for n := range 40 {
		st := &query.Status{State: "stale", BuiltAt: "2030-01-02T03:04:05Z", Coverage: &gitstore.Coverage{}}
		for i := range n {
			st.Changed.Modified = append(st.Changed.Modified, long[:2*i]+long)
		}
		st.Changed.Total = 1000 * n
		text := briefText(st)
		if len(text) > briefBytes || !strings.HasSuffix(text, "git codeidx sync\n") || strings.Contains(text, "\x1b") {
			t.Errorf("%d paths: %d bytes: %q", n, len(text), text)
		}
	}
}

func TestInstallAndUninstall(t *testing.T) {
	git := hookRepo(t)
	states := func(args ...string) (list []string) {
		t.Helper()
		out, errs, status := runMain(t, args...)
		var r hooksReport
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != 0 || errs != "" {
			t.Fatalf("%q: status %d, stderr %q, stdout %q", args, status, errs, out)
		}
		for _, h := range r.Hooks {
			list = append(list, h.Event+" "+h.State)
		}
		return list
	}
	var missing, installed []string
	for _, event := range []string{"post-commit", "post-checkout", "post-merge", "post-rewrite", "pre-push"} {
		missing, installed = append(missing, event+" missing"), append(installed, event+" installed")
	}
	for _, step := range []struct {
		args []string
		want []string
	}{
		{[]string{"install", "--status", "--json"}, missing}, {[]string{"install", "--json"}, installed},
		{[]string{"install", "--status", "--json"}, installed}, {[]string{"uninstall", "--json"}, missing},
	} {
		if diff := cmp.Diff(step.want, states(step.args...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", step.args, diff)
		}
	}
	git("config", "core.hooksPath", ".husky")
	out, errs, status := runMain(t, "install")
	if status != exitUnsupported || !strings.Contains(out, "# >>> codeidx >>>\n") || !strings.Contains(errs, "in the work tree") {
		t.Errorf("refusal: status %d, stderr %q, stdout %q", status, errs, out)
	}
	if _, err := os.Stat(filepath.Join(".husky")); err == nil {
		t.Error("install made the folder that it refused")
	}
}

package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// jsonFiles are configuration files as people and tools leave them.
var jsonFiles = map[string]string{
	"empty object":          `{}`,
	"empty object and line": "{}\n",
	"object over two lines": "{\n}\n",
	"spaces":                "{ }",
	"empty servers":         "{\n  \"mcpServers\": {}\n}\n",
	"empty servers, spaced": "{\n  \"mcpServers\": {\n  }\n}\n",
	"empty hooks":           `{"hooks": {}, "servers": {}, "mcp": {}}`,
	"empty events":          "{\n\t\"hooks\": {\n\t\t\"SessionStart\": [],\n\t\t\"afterFileEdit\": [ ]\n\t}\n}",
	"other server":          "{\n  \"mcpServers\": {\n    \"files\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"files\"]\n    }\n  }\n}\n",
	"four spaces":           "{\n    \"a\": 1,\n    \"servers\": {\n        \"x\": {}\n    },\n    \"b\": [1, 2, {\"c\": null}]\n}\n",
	"tabs":                  "{\n\t\"theme\": \"dark\",\n\t\"mcpServers\": {\n\t\t\"x\": {}\n\t}\n}\n",
	"carriage returns":      "{\r\n  \"mcpServers\": {\r\n    \"x\": {\r\n    }\r\n  }\r\n}\r\n",
	"one line":              `{"theme":"dark","mcpServers":{"x":{"command":"x"}},"mcp":{"y":{}}}`,
	"no end of line":        "{\n  \"theme\": \"dark\"\n}",
	"comments": "// my settings\n{\n  // servers\n  \"servers\": { // all of them\n    /* first */ \"x\": {\n      \"command\": \"x\" // why\n    }, // last\n" +
		"  },\n  \"mcp\": {\n    // none yet\n  },\n}\n// end\n",
	"trailing commas":     "{\n  \"mcpServers\": {\n    \"x\": {},\n  },\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"hooks\": []},\n    ],\n  },\n}\n",
	"byte order mark":     "\xef\xbb\xbf{\n  \"a\": 1\n}\n",
	"escapes":             "{\n  \"a\\\"b\": \"{\\\\\\\"}//\",\n  \"mcp\\u0053ervers\": {\"x\": {}}\n}\n",
	"order and odd space": "{ \"z\" :1 ,\n\n\"mcpServers\" : { \"y\" : {} , \"x\":{}}  \n , \"a\":2}",
	"foreign hooks":       "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{\"type\": \"command\", \"command\": \"lint\"}]\n      }\n    ]\n  }\n}\n",
	"version":             "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [{\"command\": \"x\"}]\n  }\n}\n",
	"mcp servers of v2":   "{\n  \"mcp\": {\n    \"servers\": {\n      \"x\": {\"type\": \"local\", \"command\": [\"x\"]}\n    }\n  }\n}\n",
	"version alone":       "{\n  \"version\": 1\n}\n",
}

var tomlFiles = map[string]string{
	"empty": "", "one": "model = \"x\"\n", "no end": "model = \"x\"", "table": "# mine\n[mcp_servers.other]\ncommand = \"x\"\n\n\n",
	"carriage returns": "a = 1\r\n[t]\r\nb = 2\r\n", "carriage return, no end": "a = 1\r\nb = 2",
	"all kinds of strings": "a = \"[ \\\" #\" # ' [\nb = '\\'\nc = \"\"\"\n[x\n\"\"\"\"\"\nd = '''\n\"[\n'''\ne = [\n  {x = 1}, # ]\n]\n", "byte order mark": "\xef\xbb\xbfa = 1\r\n",
	"string with marker": "a = \"\"\"\n  # codeidx: begin\n\"\"\"\n",
}

func testOptions(top, scope string) Options {
	return Options{Clients: Clients(), Scope: scope, Top: top, Home: filepath.Join(top, "home"), Command: []string{"git", "codeidx"}, Instructions: true}
}

// allParts are those of both scopes.
func allParts(top string) []part {
	var out []part
	for _, scope := range []string{Project, User} {
		l := layout{testOptions(top, scope)}
		for _, c := range Clients() {
			out = append(out, l.parts(c)...)
		}
		out = append(out, l.instructions())
	}
	return out
}

// roundTrip installs and uninstalls a part in a text and checks all that must
// hold on the way.
func roundTrip(t interface {
	Helper()
	Fatalf(string, ...any)
}, p *part, text []byte) {
	t.Helper()
	in, err := install(p, text)
	if err != nil {
		t.Fatalf("install: %v\n%s", err, text)
	}
	if st, err := p.state(in); err != nil || st != Installed {
		t.Fatalf("state after install: %v, %v\n%s", st, err, in)
	}
	if again, err := install(p, in); err != nil || !bytes.Equal(again, in) {
		t.Fatalf("a second install changes it (%v):\n%s\n%s", err, in, again)
	}
	if !contains(in, text) {
		t.Fatalf("bytes of the file are lost:\n%s\n%s", text, in)
	}
	out, err := remove(p, in)
	if err != nil || (out == nil) != (text == nil) || !bytes.Equal(out, text) {
		t.Fatalf("uninstall (%v) gives %q, was %q; between:\n%s", err, out, text, in)
	}
	if none, err := remove(p, text); err != nil || !bytes.Equal(none, text) {
		t.Fatalf("uninstall of nothing (%v) changes %q to %q", err, text, none)
	}
}

// contains says whether the bytes of part are all in text, in order.
func contains(text, part []byte) bool {
	for _, b := range text {
		if len(part) > 0 && b == part[0] {
			part = part[1:]
		}
	}
	return len(part) == 0
}

func TestRoundTrip(t *testing.T) {
	for _, p := range allParts("/top") {
		files := jsonFiles
		if p.block != nil {
			files = tomlFiles
		}
		roundTrip(t, &p, nil)
		for name, text := range files {
			t.Run(p.client+"/"+p.what+"/"+name, func(t *testing.T) { roundTrip(t, &p, []byte(text)) })
		}
	}
}

// A program that moved is written anew in place of the old entry.
func TestOutdated(t *testing.T) {
	old, moved := testOptions("/top", Project), testOptions("/top", Project)
	old.Command = []string{"/old dir/git-codeidx"}
	for _, c := range Clients() {
		before, after := layout{old}.parts(c), layout{moved}.parts(c)
		for i := range before {
			files := jsonFiles
			if before[i].block != nil {
				files = tomlFiles
			}
			for name, text := range files {
				in, err := install(&before[i], []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				if st, err := after[i].state(in); err != nil || st != Outdated {
					t.Fatalf("%s %s: %v %v", c, name, st, err)
				}
				if in, err = install(&after[i], in); err != nil || bytes.Contains(in, []byte("/old dir")) {
					t.Fatalf("%s %s: %v\n%s", c, name, err, in)
				}
				if out, err := remove(&after[i], in); err != nil || string(out) != text {
					t.Errorf("%s %s: %v: %q became %q", c, name, err, text, out)
				}
			}
		}
	}
}

func TestForeignAndBroken(t *testing.T) {
	l := layout{testOptions("/top", Project)}
	claude, codex := l.parts("claude")[0], l.parts("codex")[0]
	for _, text := range []string{
		"", "[]", "{", `{"a":1`, `{"a" 1}`, `{"a":1}}`, `{"a":}`, `{"a":tru}`, `{'a':1}`, "{/*", `{"a":"`, `{,}`, `{"a":1,,"b":2}`, `{"a":1 "b":2}`,
		`{"mcpServers":[]}`, `{"mcpServers":1}`, `{"mcpServers":{},"mcpServers":{}}`, `{"mcpServers":{"codeidx":{"command":"mine"}}}`,
		strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300),
	} {
		if out, err := install(&claude, []byte(text)); err == nil {
			t.Errorf("%.60q became %q", text, out)
		}
	}
	for _, text := range []string{"[mcp_servers.codeidx]\ncommand = \"mine\"\n", "mcp_servers.codeidx.command = \"x\"\n", "mcp_servers = {}\n", "[mcp_servers.\"codeidx\"]\n"} {
		if out, err := install(&codex, []byte(text)); !errors.Is(err, errForeign) {
			t.Errorf("%q became %q, %v", text, out, err)
		}
	}
	for _, text := range []string{"a = \"x\n", "a = 'x", "a = \"\"\"\nopen\n", "a = [1,\n2\n", "a = ]\n", "a = {b = 1\n", "a = \"x\\\"\n"} {
		if out, err := install(&codex, []byte(text)); err == nil {
			t.Errorf("%q became %q", text, out)
		}
	}
	if _, err := install(&codex, []byte(codex.block.begin+"\n[x]\n")); err == nil {
		t.Error("a block without end is taken")
	}
}

// What others put beside our entry afterwards stays, and the file is right.
func TestRemoveAfterOthersEdited(t *testing.T) {
	p := layout{testOptions("/top", Project)}.parts("claude")[0]
	value := `{"command": "git", "args": ["codeidx", "mcp"]}`
	for _, c := range []struct{ text, want string }{
		{`{"mcpServers":{"codeidx":` + value + `,"x":1}}`, `{"mcpServers":{"x":1}}`},
		{`{"mcpServers":{"x":1,"codeidx":` + value + `}}`, `{"mcpServers":{"x":1}}`},
		{`{"mcpServers":{"x":1,"codeidx":` + value + `,"y":2}}`, `{"mcpServers":{"x":1,"y":2}}`},
		{`{"mcpServers":{"x":1, "codeidx":` + value + `,}}`, `{"mcpServers":{"x":1,}}`},
		{"{\n\"mcpServers\":{\n\"codeidx\":" + value + "\n},\n\"a\":1}", "{\n\"a\":1}"},
		{"{\n\"mcpServers\":{\n// mine\n\"codeidx\":" + value + "\n}}", "{\n\"mcpServers\":{\n}}"},
	} {
		got, err := remove(&p, []byte(c.text))
		if err != nil || string(got) != c.want {
			t.Errorf("%q (%v) became %q, want %q", c.text, err, got, c.want)
		}
	}
}

// genJSON writes a random object with comments and odd white space.
func genJSON(t *rapid.T, depth int) string {
	gap := func() string {
		return rapid.SampledFrom([]string{"", "", " ", "\n", "\n  ", "\t", " // c\n", "/* } */", "\r\n"}).Draw(t, "gap")
	}
	keys := []string{"mcpServers", "servers", "mcp", "hooks", "SessionStart", "afterFileEdit", "x", "y"}
	var b strings.Builder
	b.WriteString("{" + gap())
	n := rapid.IntRange(0, 3).Draw(t, "members")
	seen := map[string]bool{}
	for range n {
		k := rapid.SampledFrom(keys).Draw(t, "key")
		if seen[k] {
			continue
		}
		seen[k] = true
		if len(seen) > 1 {
			b.WriteString("," + gap())
		}
		var v string
		switch {
		case k == "SessionStart" || k == "afterFileEdit":
			v = rapid.SampledFrom([]string{"[]", "[ ]", "[\n]", `[{"a":1}]`, "[\n  {\"a\": 1}\n]", "[1,]"}).Draw(t, "list")
		case k != "x" && k != "y" || depth > 0:
			v = "{}"
			if depth < 3 {
				v = genJSON(t, depth+1)
			}
		default:
			v = rapid.SampledFrom([]string{"1", `"a\"}"`, "null", "-1.5e3", "true"}).Draw(t, "value")
		}
		b.WriteString(fmt.Sprintf("%q%s:%s%s%s", k, gap(), gap(), v, gap()))
	}
	if len(seen) > 0 && rapid.Bool().Draw(t, "trailing comma") {
		b.WriteString("," + gap())
	}
	return b.String() + "}"
}

func TestRoundTripOfRandomFiles(t *testing.T) {
	parts := slices.DeleteFunc(allParts("/top"), func(p part) bool { return p.block != nil })
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(genJSON(t, 0) + rapid.SampledFrom([]string{"", "\n", " // end"}).Draw(t, "end"))
		if _, err := parseTree(text); err != nil {
			t.Fatalf("the generator made %q: %v", text, err)
		}
		p := rapid.SampledFrom(parts).Draw(t, "part")
		roundTrip(t, &p, text)
	})
}

func FuzzParseTree(f *testing.F) {
	for _, text := range jsonFiles {
		f.Add([]byte(text))
	}
	p := layout{testOptions("/top", Project)}.parts("claude")[0]
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := parseTree(text)
		if err != nil {
			return
		}
		if root.start < 0 || root.end > len(text) || text[root.start] != '{' || text[root.end-1] != '}' {
			t.Fatalf("root %+v of %q", root, text)
		}
		if in, err := install(&p, text); err == nil && !bytes.Equal(in, text) {
			if out, err := remove(&p, in); err != nil || !bytes.Equal(out, text) {
				t.Fatalf("%q became %q (%v)", text, out, err)
			}
		}
	})
}

// The whole way on disk: several files, links, modes, files that git tracks.
func TestFilesOnDisk(t *testing.T) {
	top := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", top}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	put := func(name, text string, mode fs.FileMode) {
		t.Helper()
		p := filepath.Join(top, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(text), mode), os.Chmod(p, mode)); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q")
	put(".mcp.json", jsonFiles["other server"], 0o644)
	put("dotfiles/cursor.json", jsonFiles["comments"], 0o600)
	put(".codex/config.toml", tomlFiles["table"], 0o600)
	if err := errors.Join(os.MkdirAll(filepath.Join(top, ".cursor"), 0o755), os.Symlink("../dotfiles/cursor.json", filepath.Join(top, ".cursor/mcp.json"))); err != nil {
		t.Fatal(err)
	}
	run("add", ".mcp.json")
	before := snapshot(t, top)

	o := testOptions(top, Project)
	changes, err := Install(o)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, changes)
	for _, c := range changes {
		if tracked := strings.HasSuffix(c.Path, ".mcp.json"); tracked != (c.Problem != "") || tracked == c.Changed || tracked && !strings.Contains(c.Paste, "codeidx") {
			t.Errorf("%s: %+v", c.Path, c)
		}
	}
	if got := snapshot(t, top)[".mcp.json"]; got != before[".mcp.json"] {
		t.Error("a tracked file was touched")
	}
	if fi, err := os.Lstat(filepath.Join(top, ".cursor/mcp.json")); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is no link any more")
	}
	o.Force = true
	if changes, err = Install(o); err != nil {
		t.Fatal(err)
	}
	apply(t, changes)
	if changes, err = Status(o); err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if c.State != Installed {
			t.Errorf("%s %s is %s", c.Client, c.What, c.State)
		}
	}
	if changes, err = Uninstall(o); err != nil {
		t.Fatal(err)
	}
	apply(t, changes)
	after := snapshot(t, top)
	for name := range after {
		if after[name] != before[name] {
			t.Errorf("%s is %q, was %q", name, after[name], before[name])
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files, were %d", len(after), len(before))
	}
}

func apply(t *testing.T, changes []*Change) {
	t.Helper()
	for _, c := range changes {
		if err := c.Apply(); err != nil {
			t.Fatal(err)
		}
	}
}

// snapshot reads all files with their modes.
func snapshot(t *testing.T, top string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		text, err := os.ReadFile(p)
		info, err2 := d.Info()
		rel, _ := filepath.Rel(top, p)
		out[rel] = fmt.Sprintf("%v %s", info.Mode(), text)
		return errors.Join(err, err2)
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestChangedMeanwhile(t *testing.T) {
	top := t.TempDir()
	if out, err := exec.Command("git", "-C", top, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	o := testOptions(top, Project)
	o.Clients, o.Instructions = []string{"gemini"}, false
	changes, err := Install(o)
	if err != nil {
		t.Fatal(err)
	}
	p := changes[0].Path
	if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte("{}"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := changes[0].Apply(); err == nil {
		t.Error("a file that appeared meanwhile was overwritten")
	}
}

// A file that is in the way is named and left, and the others are written.
func TestFilesInTheWay(t *testing.T) {
	top := t.TempDir()
	if out, err := exec.Command("git", "-C", top, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	path := func(name string) string { return filepath.Join(top, name) }
	if err := errors.Join(
		os.Mkdir(path(".mcp.json"), 0o755), os.Mkdir(path(".cursor"), 0o755), os.Symlink("../nowhere.json", path(".cursor/mcp.json")),
		os.WriteFile(path(".gemini"), []byte("no folder"), 0o644), os.Mkdir(path(".vscode"), 0o755), os.WriteFile(path(".vscode/mcp.json"), []byte("{\"servers\": {"), 0o644),
		os.WriteFile(path("opencode.json"), []byte("{\"mcp\": {\"codeidx\": {\"command\": [\"mine\"]}}}"), 0o644),
		os.Mkdir(path(".codex"), 0o755), os.WriteFile(path(".codex/config.toml"), []byte("[mcp_servers.codeidx]\ncommand = \"mine\"\n"), 0o644),
	); err != nil {
		t.Fatal(err)
	}
	changes, err := Install(testOptions(top, Project))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		".mcp.json": "cannot be read", ".cursor/mcp.json": "leads nowhere", ".gemini/settings.json": "cannot be read", ".vscode/mcp.json": "line 1",
		"opencode.json": "not ours", ".codex/config.toml": "not ours",
	}
	before := snapshotOf(t, top, want)
	for _, c := range changes {
		name := relative(top, c.Path)
		if why, refused := want[name]; refused != (c.Problem != "") || !strings.Contains(c.Problem, why) || refused && !strings.Contains(c.Paste, "codeidx") {
			t.Errorf("%s: %q, want %q", name, c.Problem, why)
		}
	}
	apply(t, changes)
	for name, was := range snapshotOf(t, top, want) {
		if was != before[name] {
			t.Errorf("%s was touched", name)
		}
	}
	for _, name := range []string{".codex/hooks.json", ".cursor/hooks.json", ".claude/settings.local.json"} {
		if _, err := os.Stat(path(name)); err != nil {
			t.Errorf("%s is not written: %v", name, err)
		}
	}
}

// snapshotOf reads what can be read of some files.
func snapshotOf(t *testing.T, top string, names map[string]string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name := range names {
		info, err := os.Lstat(filepath.Join(top, name))
		text, _ := os.ReadFile(filepath.Join(top, name))
		out[name] = fmt.Sprint(err == nil && info.Mode().IsRegular(), string(text))
	}
	return out
}

// OpenCode keeps servers in two layouts; ours goes where the others are.
func TestOpenCodeLayouts(t *testing.T) {
	for text, want := range map[string]string{
		"{}": `"mcp": { "codeidx": {"type": "local", "command": ["git", "codeidx", "mcp"], "enabled": true} }`,
		`{"mcp":{"servers":{"x":{"type":"local"}}}}`:                 `"servers":{"codeidx": {"type": "local", "command": ["git", "codeidx", "mcp"]},"x"`,
		`{"mcp":{"servers":{"type":"local","command":["servers"]}}}`: `{"mcp":{"codeidx": {"type": "local", "command": ["git", "codeidx", "mcp"], "enabled": true},"servers"`,
	} {
		top := t.TempDir()
		file := filepath.Join(top, "opencode.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p := layout{testOptions(top, Project)}.parts("opencode")[0]
		in, err := install(&p, []byte(text))
		if err != nil || !strings.Contains(string(in), want) {
			t.Errorf("%s (%v) became\n%s\nwant\n%s", text, err, in, want)
		}
		if err := os.WriteFile(file, in, 0o644); err != nil {
			t.Fatal(err)
		}
		p = layout{testOptions(top, Project)}.parts("opencode")[0]
		if out, err := remove(&p, in); err != nil || string(out) != text {
			t.Errorf("%s came back as %s (%v)", text, out, err)
		}
	}
}

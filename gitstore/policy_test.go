package gitstore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSecretList(t *testing.T) {
	secret := []string{
		".env", "a/.env", ".ENV", ".env.local", ".env.example", "deploy/.env.production", "server.key", "certs/tls.PEM", "id_rsa",
		"id_rsa.pub", "keys/id_ed25519", "auth.json", "config/db.local.php", "app/config/autoload/db.local.php", "wp-config.php",
		".netrc", ".npmrc", ".pypirc", "home/.aws/credentials", ".docker/config.json", ".kube/config", ".ssh/anything.py",
		"release.keystore", "x.p12", "terraform.tfvars", ".envrc", ".git-credentials", "secrets.yaml",
	}
	open := []string{
		"env.py", "environment.go", "secrets.py", "credentials.go", "key.go", "keys/parse.py", "auth.go", "db.local.php",
		"myconfig/db.local.php", "config/local.php", "pem.go", "config.json", "docker/config.json", "aws/credentials", "ssh/agent.go",
		"a.env.py", "tests/id_parser.py", "monkey", "package.json",
	}
	for _, p := range secret {
		if !isSecret(p) {
			t.Errorf("%s is not secret", p)
		}
	}
	for _, p := range open {
		if isSecret(p) {
			t.Errorf("%s is secret", p)
		}
	}
}

func TestPathDanger(t *testing.T) {
	tests := map[string]Reason{
		"a/b.go": "", "...": "", "a/..b": "", ".gitignore": "", "x\ny": "", "git": "",
		"../a": EscapesTree, "a/../b": EscapesTree, "/a": EscapesTree, "a//b": EscapesTree, "./a": EscapesTree, "a/.": EscapesTree,
		".git/config": EscapesTree, "a/.GIT/b": EscapesTree, "a/": EscapesTree, "": EscapesTree,
		"\xff.go": PathNotUTF8, "a/\xc3\x28/b": PathNotUTF8,
	}
	for p, want := range tests {
		if got := pathDanger(p); got != want {
			t.Errorf("%q: %q, want %q", p, got, want)
		}
	}
}

// TestGlobsAsGit compares single patterns with what git ignores by them.
func TestGlobsAsGit(t *testing.T) {
	w := newTree(t)
	component := rapid.StringMatching(`[ab.]{1,3}|\*|\*\*|a\*|\*b|\?|[ab]\?|\[ab\]|\[!a\]b|\\a`)
	name := rapid.StringMatching(`[ab]{1,3}`)
	rapid.Check(t, func(rt *rapid.T) {
		pattern := strings.Join(rapid.SliceOfN(component, 1, 3).Draw(rt, "pattern"), "/")
		pattern = rapid.SampledFrom([]string{"", "", "/"}).Draw(rt, "root") + pattern + rapid.SampledFrom([]string{"", "", "/"}).Draw(rt, "dir")
		if strings.Contains(pattern, "./") || strings.Contains(pattern, "/.") || strings.HasSuffix(pattern, ".") {
			rt.Skip("git cleans dots")
		}
		paths := rapid.SliceOfNDistinct(rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(name, 1, 4).Draw(rt, "parts"), "/")
		}), 1, 20, rapid.ID[string]).Draw(rt, "paths")
		w.write(".git/info/exclude", "sure\n"+pattern+"\n")
		gs := compileGlobs([]string{pattern})
		ignored := w.ignored(append(paths, "sure"))
		for _, p := range paths {
			if got := gs.match(p); got != ignored[p] {
				rt.Fatalf("pattern %q, path %q: match %v, git %v", pattern, p, got, ignored[p])
			}
		}
	})
}

// ignored asks git which paths an ignore rule covers. It takes a path that does
// not exist for a file.
func (w *testTree) ignored(paths []string) map[string]bool {
	out := w.gitIn(strings.Join(paths, "\x00")+"\x00", "check-ignore", "-z", "--no-index", "--stdin")
	ignored := map[string]bool{}
	for _, rec := range splitNUL([]byte(out)) {
		ignored[string(rec)] = true
	}
	return ignored
}

func TestGlobLists(t *testing.T) {
	tests := []struct {
		patterns []string
		yes, no  []string
	}{
		{nil, nil, []string{"a"}},
		{[]string{"vendor/"}, []string{"vendor/a.go", "x/vendor/b"}, []string{"vendor", "vendors/a"}},
		{[]string{"/docs"}, []string{"docs", "docs/a/b"}, []string{"x/docs"}},
		{[]string{"*.pb.go"}, []string{"a.pb.go", "x/y/b.pb.go"}, []string{"a.go"}},
		{[]string{"src/**/gen"}, []string{"src/gen/a", "src/a/b/gen"}, []string{"gen", "x/src/gen"}},
		{[]string{"a/**"}, []string{"a/b", "a/b/c"}, []string{"a", "b/a/c"}},
		{[]string{"*.go", "!keep.go"}, []string{"a.go"}, []string{"keep.go", "x/keep.go"}},
		{[]string{"[z-", "a["}, nil, []string{"z", "a["}},
		{[]string{"", "/", "!"}, nil, []string{"a"}},
	}
	for _, tt := range tests {
		gs := compileGlobs(tt.patterns)
		for _, p := range tt.yes {
			if !gs.match(p) {
				t.Errorf("%q does not match %q", tt.patterns, p)
			}
		}
		for _, p := range tt.no {
			if gs.match(p) {
				t.Errorf("%q matches %q", tt.patterns, p)
			}
		}
	}
}

func TestDependencyTrees(t *testing.T) {
	paths := []string{
		"app/deps/autoload.php", "app/deps/composer/installed.json", "app/deps/x/a.php", "build/a.go", "cache/a.go",
		"lib/vendor/composer/installed.json", "lib/vendor/x/b.php", "modules.txt", "other/composer/installed.json", "other/x.php",
		"src/node_modules/p/i.js", "third/vendor/a.go", "vendor/github.com/x/y.go", "vendor/modules.txt", "vendored/a.go",
	}
	cands := untrackedCandidates(paths)
	s := newSelector(&Policy{}, cands)
	want := map[string]bool{
		"app/deps/autoload.php": true, "app/deps/composer/installed.json": true, "app/deps/x/a.php": true,
		"lib/vendor/composer/installed.json": true, "lib/vendor/x/b.php": true, "src/node_modules/p/i.js": true,
		"vendor/github.com/x/y.go": true, "vendor/modules.txt": true,
	}
	for _, p := range paths {
		if got := s.inDependencies(p); got != want[p] {
			t.Errorf("%s: %v", p, got)
		}
	}
}

func TestJudge(t *testing.T) {
	code := strings.Repeat("x = compute(y)\n", 1000)
	license := strings.Repeat("// a line of a licence\n", 30)
	tests := []struct {
		name, data string
		want       Reason
	}{
		{"empty", "", ""},
		{"plain", code, ""},
		{"crlf", "package a\r\n\r\nfunc f() {}\r\n", ""},
		{"go", "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n", Generated},
		{"go after licence", license + "\n// Code generated by x. DO NOT EDIT.\r\n\npackage a\n", Generated},
		{"go build tag", "//go:build linux\n\n// Code generated by x; DO NOT EDIT.\n", Generated},
		{"after code", "package a\n\n// Code generated by x. DO NOT EDIT.\n", ""},
		{"quoted", "package a\n\nconst s = \"// Code generated by x. DO NOT EDIT.\"\n", ""},
		{"python", "#!/usr/bin/python\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n", Generated},
		{"php", "<?php\n/**\n * @generated\n */\n", Generated},
		{"block", "/* one */\n/*\n * @generated by x\n */\n", Generated},
		{"after block", "/* one\n */ code();\n// @generated\n", Generated},
		{"after block and code", "/* one */\ncode()\n// @generated\n", ""},
		{"address", "// mail to user@generated.example\n", ""},
		{"longer word", "// @generatedBy x\n", ""},
		{"talks about it", "// This package finds generated files.\npackage a\n", ""},
		{"bom", "\uFEFF// @generated\n", Generated},
		{"nul", "package a\x00", Binary},
		{"utf-16", "p\x00a\x00", Binary},
		{"latin1", "# caf\xe9\n", NotUTF8},
		{"cut character", "x = \xe2\x82", NotUTF8},
		{"bundle", "/* licence */\n" + strings.Repeat("var a=function(b){return b};", 1000) + "\n", Minified},
		{"one long line", code + strings.Repeat("x", 3000) + "\n", ""},
		{"short", strings.Repeat("x", 2000), ""},
		{"lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n", LFSPointer},
	}
	for _, tt := range tests {
		if got := judge(&candidate{}, ClassSource, []byte(tt.data)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	generated := []byte(tests[3].data)
	for name, c := range map[string]candidate{"forced": {forced: true}, "attribute": {generated: notGenerated}} {
		if got := judge(&c, ClassSource, generated); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := judge(&candidate{}, ClassConfig, generated); got != "" {
		t.Errorf("configuration: %q", got)
	}
}

func TestMinifiedMeasure(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.IntRange(0, 3000), 1, 20).Draw(rt, "lines")
		var b strings.Builder
		long := 0
		for _, n := range lines {
			fmt.Fprintln(&b, strings.Repeat("x", n))
			if n > longLine {
				long += n
			}
		}
		want := b.Len() >= minifiedMin && 4*long >= 3*b.Len()
		if got := isMinified([]byte(b.String())); got != want {
			rt.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestSelectPaths(t *testing.T) {
	p := Policy{Exclude: []string{"gen/"}, Classify: func(path string) (Class, byte) {
		if strings.HasSuffix(path, ".go") {
			return ClassSource, 1
		}
		return ClassNone, 0
	}}
	got := SelectPaths(p, []string{"a.go", "b.txt", "gen/a.go", ".env.go", "node_modules/x/a.go", "../a.go"})
	want := []Class{ClassSource, ClassNone, ClassNone, ClassNone, ClassNone, ClassNone}
	if !slices.Equal(got, want) {
		t.Errorf("classes %v, want %v", got, want)
	}
}

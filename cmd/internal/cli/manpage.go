package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"codeidx/query"
)

// manPage is one page in roff.
type manPage struct {
	name string // without the section
	text []byte
}

// manPages makes all pages from the command table: what the parser takes is
// what they say.
func manPages() ([]manPage, error) {
	var c commands
	k, err := newParser(&c, &app{err: io.Discard})
	if err != nil {
		return nil, err
	}
	pages := []manPage{overview(k.Model)}
	for _, n := range k.Model.Children {
		if !n.Hidden {
			pages = append(pages, verbPage(n))
		}
	}
	return pages, nil
}

// roff escapes text for man.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// roffWriter writes macros and text lines.
type roffWriter struct{ bytes.Buffer }

func (w *roffWriter) title(name string) {
	fmt.Fprintf(w, ".TH %s 1 \"\" \"git codeidx\" \"Git Manual\"\n", strings.ToUpper(roff(name)))
}
func (w *roffWriter) section(name string) { fmt.Fprintf(w, ".SH %s\n", name) }
func (w *roffWriter) text(s string)       { fmt.Fprintf(w, "%s\n", roff(s)) }
func (w *roffWriter) item(term, text string) {
	fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(term), roff(text))
}

func overview(app *kong.Application) manPage {
	var w roffWriter
	w.title("git-codeidx")
	w.section("NAME")
	w.text("git-codeidx - a code index inside the git directory")
	w.section("SYNOPSIS")
	w.text("git codeidx VERB [OPTIONS] [ARGUMENTS]")
	w.section("DESCRIPTION")
	w.text(app.Help)
	w.section("VERBS")
	for _, n := range app.Children {
		if !n.Hidden {
			w.item("git codeidx "+n.Name, n.Help)
		}
	}
	w.section("CONFIGURATION")
	w.text("Keys of git config; GIT_CODEIDX_* in the environment and flags win over them.")
	for _, k := range configKeys {
		w.item("codeidx."+k[0], k[1])
	}
	w.section("EXIT STATUS")
	for _, e := range exitTexts {
		w.item(e[0], e[1])
	}
	return manPage{"git-codeidx", w.Bytes()}
}

func verbPage(n *kong.Node) manPage {
	var w roffWriter
	name := "git-codeidx-" + n.Name
	w.title(name)
	w.section("NAME")
	w.text(name + " - " + strings.TrimSuffix(n.Help, "."))
	w.section("SYNOPSIS")
	w.text("git codeidx " + usage(n))
	w.section("DESCRIPTION")
	if op := query.OpByName(n.Name); op != nil {
		w.text(strings.ToUpper(op.Summary[:1]) + op.Summary[1:] + ".")
	} else {
		w.text(n.Help)
	}
	for _, p := range n.Positional {
		w.item(strings.ToUpper(p.Name), p.Help)
	}
	w.section("OPTIONS")
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			w.item(flagTerm(f), f.Help)
		}
	}
	if ex := exampleOf(n.Name); ex != "" {
		w.section("EXAMPLE")
		w.text(ex)
	}
	w.section("SEE ALSO")
	w.text("git-codeidx(1)")
	return manPage{name, w.Bytes()}
}

func usage(n *kong.Node) string {
	parts := []string{n.Name, "[OPTIONS]"}
	for _, p := range n.Positional {
		arg := strings.ToUpper(p.Name)
		if p.IsCumulative() {
			arg += "…"
		}
		if !p.Required {
			arg = "[" + arg + "]"
		}
		parts = append(parts, arg)
	}
	return strings.Join(parts, " ")
}

func flagTerm(f *kong.Flag) string {
	term := "--" + f.Name
	if f.Tag.Negatable != "" {
		term = "--[no-]" + f.Name
	}
	if f.Short != 0 {
		term = fmt.Sprintf("-%c, %s", f.Short, term)
	}
	if !f.IsBool() {
		term += " " + f.FormatPlaceHolder()
	}
	return term
}

// exampleOf is one command line that shows a verb.
func exampleOf(verb string) string {
	if op := query.OpByName(verb); op != nil {
		return op.Example
	}
	return map[string]string{
		"index": "git codeidx index", "sync": "git codeidx sync", "status": "git codeidx status --json", "verify": "git codeidx verify",
		"fsck": "git codeidx fsck", "gc": "git codeidx gc --retain 5", "clear": "git codeidx clear", "install": "git codeidx install",
		"uninstall": "git codeidx uninstall", "drift": "git codeidx drift --since 2h", "ack": "git codeidx ack 5b4e3102", "man": "git codeidx man --install ~/.local/share/man",
		"version": "git codeidx version", "query": "git codeidx query --request-file request.json",
		"mcp": "git codeidx mcp --stale refuse", "agents": "git codeidx agents install --client claude --print",
	}[verb]
}

var exitTexts = [][2]string{
	{"0", "answered, also where nothing matches"},
	{"1", "verify or fsck found a difference or damage; nothing matched under --exit-code"},
	{"2", "bad value, ambiguous symbol, budget too small"},
	{"3", "the code changed since the index was made, or no baseline"},
	{"4", "no index yet, work tree busy, deadline passed, store damaged"},
	{"5", "not supported by this build"},
	{"128", "not a repository, or an unexpected failure"},
	{"129", "unknown verb or flag"},
}

var configKeys = [][2]string{
	{"includeUntracked", "index files that git neither tracks nor ignores (false)"},
	{"exclude", "leave out paths, patterns as in gitignore; may be given several times"},
	{"include", "take in paths that are left out as excluded, generated, minified or dependencies; several"},
	{"sourceRoots", "folders that Python packages are imported from; several (detected)"},
	{"phpIncludes", "files that PHP includes of unknown paths may mean, as candidates: a folder (modules/) or a pattern (lib/*.php); several"},
	{"callbacks", "functions that take a callable: FUNCTION:N, N the number of the argument from 1; several"},
	{"maxFileSize", "bytes of one file (4m)"},
	{"maxFiles", "included files (200000)"},
	{"maxTotal", "bytes of all included files (2g)"},
	{"maxStore", "bytes of the private store (4g)"},
	{"workers", "parser processes (one a core)"},
	{"workerMemory", "bytes of all parser processes together (1g)"},
	{"parseTimeout", "for one file (5s)"},
	{"buildDeadline", "for one index or sync (10m)"},
	{"queryDeadline", "for one question, both checks included (5s)"},
	{"lockWait", "how long to wait for another build (10s)"},
	{"driftPaths", "source files of one event, or push, whose definitions are compared (500)"},
	{"prePush", "check of what is pushed: off, warn or block (warn)"},
	{"hooksBudget", "how long that check may take (5s)"},
	{"retain", "generations that gc keeps beyond those in use (0)"},
	{"autoGC", "run gc after a build once the store has more than twice the bytes that the last gc left, plus 1 MiB, and nobody uses it (true)"},
	{"stale", "when the code differs from the index: mark, refuse or sync (mark)"},
	{"freshness", "how to verify: strict or stat (strict)"},
}

package reliability

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeidx/cmd/internal/cli"
	"codeidx/facts/worker"
)

var (
	every  = flag.Int("every", 61, "visit every `N`-th point of a sweep; 1 is all")
	report = flag.String("report", "", "write the counts as Markdown to `FILE`")
)

// This test binary is git-codeidx, too, when it is called so.
func TestMain(m *testing.M) {
	if os.Getenv(launchEnv) != "" {
		os.Unsetenv(launchEnv)
		fmt.Fprintln(os.Stderr, launch(os.Args[1:]))
		os.Exit(1)
	}
	if filepath.Base(os.Args[0]) == "git-codeidx" || len(os.Args) == 2 && os.Args[1] == worker.Verb {
		os.Exit(cli.Main(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	flag.Parse()
	status := m.Run()
	if *report != "" && status == 0 {
		if err := os.WriteFile(*report, counts.markdown(), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// density says in the title of a table how many points of a sweep were visited.
func density() string {
	if *every == 1 {
		return "every point"
	}
	return fmt.Sprintf("one point of %d", *every)
}

// table collects rows of the report; tests of one table run one after another.
type table struct {
	title, head string
	rows        []string
}

type tables []*table

var counts tables

func (ts *tables) table(title string, columns ...string) *table {
	t := &table{title: title, head: row(columns)}
	*ts = append(*ts, t)
	return t
}

func (t *table) add(cells ...any) {
	text := make([]string, len(cells))
	for i, c := range cells {
		text[i] = fmt.Sprint(c)
	}
	t.rows = append(t.rows, row(text))
}

func row(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func (ts tables) markdown() []byte {
	var b strings.Builder
	for _, t := range ts {
		fmt.Fprintf(&b, "### %s\n\n%s%s%s\n", t.title, t.head, row(strings.Split(strings.Repeat("---\n", strings.Count(t.head, "|")-2)+"---", "\n")), strings.Join(t.rows, ""))
	}
	return []byte(b.String())
}

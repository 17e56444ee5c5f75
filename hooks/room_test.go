package hooks_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"codeidx/facts/worker"
	"codeidx/gitstore"
	"codeidx/gitstore/build"
	"codeidx/graph/resolvers"
	"codeidx/hooks"
)

// bringUpVerb makes the test binary bring the ledger of a work tree up to date,
// to be killed while it does.
const bringUpVerb = "bring-up"

func bringUp(dir string) {
	ctx := context.Background()
	a, err := analystAt(dir)
	if err == nil {
		_, err = hooks.Fold(ctx, a.Repo, a.Store, a.Binding)
	}
	if err == nil {
		err = a.Explain(ctx)
	}
	if err == nil {
		_, err = a.Scan(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func analystAt(dir string) (*hooks.Analyst, error) {
	ctx := context.Background()
	repo, err := gitstore.Discover(ctx, dir)
	if err != nil {
		return nil, err
	}
	binding, err := repo.BindingID(true)
	if err != nil {
		return nil, err
	}
	store, err := gitstore.Open(ctx, repo.StoreDir(), gitstore.Options{Create: true})
	if err != nil {
		return nil, err
	}
	return newAnalyst(repo, store, binding), nil
}

func newAnalyst(repo *gitstore.Repo, store *gitstore.Store, binding string) *hooks.Analyst {
	config := gitstore.DefaultConfig()
	config.Workers = 1
	all := resolvers.All()
	return &hooks.Analyst{
		Repo: repo, Store: store, Binding: binding, Config: &config, Command: workerCommand, Resolvers: all, Policy: build.Policy(&config, all),
	}
}

func workerCommand() *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return exec.Command(exe, worker.Verb)
}

func (l *ledger) analyst() *hooks.Analyst { return newAnalyst(l.repo(), l.store, l.binding) }

// reindex does what an explicit sync does, the ledger included.
func (l *ledger) reindex() *build.Result {
	l.t.Helper()
	l.explain()
	a := l.analyst()
	book := a.Open()
	b := &build.Builder{Repo: a.Repo, Config: a.Config, Store: a.Store, Binding: a.Binding, Resolvers: a.Resolvers, Command: workerCommand}
	res, err := b.Sync(context.Background(), gitstore.Current)
	if err == nil {
		err = book.Close(context.Background())
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return res
}

// explain folds and explains.
func (l *ledger) explain() {
	l.t.Helper()
	l.fold()
	if err := l.analyst().Explain(context.Background()); err != nil {
		l.t.Fatal(err)
	}
}

func (l *ledger) scan() hooks.Scanned {
	l.t.Helper()
	l.fold()
	res, err := l.analyst().Scan(context.Background())
	if err != nil {
		l.t.Fatal(err)
	}
	return res
}

// newest prints the meaning of the newest event that has one.
func (l *ledger) newest() string {
	l.t.Helper()
	for _, s := range l.read(hooks.Filter{}).Steps {
		if s.Meaning != nil {
			return describeMeaning(s.Meaning)
		}
	}
	return ""
}

func describeMeaning(m *hooks.Meaning) string {
	var b strings.Builder
	if m.Note != "" {
		fmt.Fprintln(&b, m.Note)
	}
	for _, d := range m.Files {
		fmt.Fprintf(&b, "%s %s\n", d.Path, d.Note)
		for _, x := range d.Added {
			fmt.Fprintf(&b, "  + %s %s\n", x.Kind, x.Name)
		}
		for _, x := range d.Removed {
			fmt.Fprintf(&b, "  - %s %s\n", x.Kind, x.Name)
		}
		for _, x := range d.Changed {
			fmt.Fprintf(&b, "  ~ %s %s: %s %s%s\n", x.Kind, x.Name, strings.Join(x.How, " "), x.FromPath, x.FromName)
		}
		if n := len(d.Edges); n > 0 {
			fmt.Fprintf(&b, "  %d edges\n", n)
		}
	}
	for _, x := range m.Boundaries {
		fmt.Fprintf(&b, "%d lines: %s %s -> %s %s\n", x.Lines, x.FromPath, x.From, x.ToPath, x.To)
	}
	return b.String()
}

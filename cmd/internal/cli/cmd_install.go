package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"codeidx/gitstore"
	"codeidx/hooks"
	"codeidx/hooks/install"
	"codeidx/query"
)

type installCmd struct {
	outputFlags
	Status bool `help:"Only show what is installed."`
}

// hooksReport is the JSON document of install and uninstall.
type hooksReport struct {
	Schema   string          `json:"schema"`
	Hooks    []install.Hook  `json:"hooks"`
	Failures []hooks.Failure `json:"failures"`
}

func (c *installCmd) Run(a *app) error {
	c.apply(a)
	repo, err := gitstore.Discover(a.ctx, "")
	if err != nil {
		return err
	}
	a.decideColor(repo)
	exe, err := programPath()
	if err != nil {
		return err
	}
	do := install.Install
	if c.Status {
		do = install.Status
	}
	list, err := do(a.ctx, repo, exe)
	var refused *install.Refused
	if errors.As(err, &refused) {
		return a.refuseHooks(refused)
	}
	if err != nil {
		return err
	}
	return a.printHooks(repo, list)
}

// programPath is the absolute path of this program, links resolved.
func programPath() (string, error) {
	exe, err := os.Executable()
	if err == nil {
		exe, err = filepath.EvalSymlinks(exe)
	}
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return exe, nil
}

// refuseHooks prints the lines that do by hand what install may not.
func (a *app) refuseHooks(r *install.Refused) error {
	var lines strings.Builder
	for _, event := range hooks.Names() {
		fmt.Fprintf(&lines, "# into the hook %s, behind its first line:\n%s\n", event, r.Paste[event])
	}
	hint := "nothing was changed; put the lines above into your hooks yourself"
	if a.json {
		hint = lines.String()
	} else {
		a.out.WriteString(lines.String())
	}
	return &query.Error{Code: query.UnsupportedCapability, Message: r.Error(), Hint: hint}
}

func (a *app) printHooks(repo *gitstore.Repo, list []install.Hook) error {
	failures, err := hooks.ReadLog(repo.BindingDir())
	if err != nil {
		return err
	}
	if a.json {
		b, err := encodeJSON(hooksReport{"codeidx.hooks.v1", list, append([]hooks.Failure{}, failures...)})
		a.out.Write(b)
		return err
	}
	for _, h := range list {
		state := h.State
		switch {
		case h.Changed && state == install.Missing:
			state = "removed"
		case state == install.Installed && !h.Changed:
			state = "in place"
		}
		look := map[string]style{install.Missing: dim, install.Outdated: yellow}[h.State]
		fmt.Fprintf(a.out, "%s  %s  %s\n", pad(h.Event, 13), a.paint(look, pad(state, 9)), a.paint(dim, h.Where))
		if h.Problem != "" {
			fmt.Fprintf(a.out, "%s  %s\n", pad("", 13), a.paint(yellow, h.Problem))
		}
	}
	if slices.ContainsFunc(list, func(h install.Hook) bool { return h.State != install.Missing }) {
		a.printFailures(failures)
	}
	return nil
}

// printFailures says what the hooks failed at, the last of it.
func (a *app) printFailures(list []hooks.Failure) {
	if len(list) == 0 || a.quiet {
		return
	}
	last := list[len(list)-1]
	fmt.Fprintln(a.out, a.paint(yellow, fmt.Sprintf("the hooks noted %s, the last at %s: %s", plural(len(list), "failure"), last.Time, last.Message)))
}

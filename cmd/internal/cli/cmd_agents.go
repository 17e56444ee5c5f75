package cli

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"codeidx/cmd/internal/agents"
	"codeidx/gitstore"
	"codeidx/query"
)

type agentsCmd struct {
	Install   agentsInstallCmd   `cmd:"" help:"Put our MCP server and hooks into the configuration of coding agents."`
	Uninstall agentsUninstallCmd `cmd:"" help:"Take them out again; every other byte stays."`
	Status    agentsStatusCmd    `cmd:"" help:"Show what is in place."`
	Hook      agentsHookCmd      `cmd:"" help:"Answer a client's hook (called by the client)." hidden:""`
}

// agentFlags are what install, uninstall and status take.
type agentFlags struct {
	outputFlags
	Client []string `help:"claude, codex, cursor, vscode, gemini, opencode or all; may be repeated (default: those in use)." placeholder:"C"`
	Scope  string   `help:"project: files of this work tree; user: files of your home folder." enum:"project,user" default:"project" placeholder:"SCOPE"`
}

type agentsInstallCmd struct {
	agentFlags
	Instructions bool `help:"Also put a short block into AGENTS.md."`
	Print        bool `help:"Print what to put where, and write nothing."`
	Force        bool `help:"Change files that git tracks, too."`
}

func (c *agentsInstallCmd) Run(a *app) error {
	o, err := c.options(a)
	if err != nil {
		return err
	}
	o.Instructions, o.Force = c.Instructions, c.Force
	changes, err := agents.Install(o)
	if err != nil {
		return err
	}
	if c.Print {
		return a.printAgents(changes, true)
	}
	return a.applyAgents(changes)
}

type agentsUninstallCmd struct {
	agentFlags
	Force bool `help:"Change files that git tracks, too."`
}

func (c *agentsUninstallCmd) Run(a *app) error {
	o, err := c.options(a)
	if err != nil {
		return err
	}
	if len(c.Client) == 0 {
		o.Clients = agents.Clients()
	}
	o.Force = c.Force
	changes, err := agents.Uninstall(o)
	if err != nil {
		return err
	}
	return a.applyAgents(changes)
}

type agentsStatusCmd struct{ agentFlags }

func (c *agentsStatusCmd) Run(a *app) error {
	o, err := c.options(a)
	if err != nil {
		return err
	}
	if len(c.Client) == 0 {
		o.Clients = agents.Clients()
	}
	changes, err := agents.Status(o)
	if err != nil {
		return err
	}
	return a.printAgents(changes, false)
}

// options finds the work tree, the home folder and how clients start us: as
// git does where this program is on PATH, by its place where it is not.
func (f *agentFlags) options(a *app) (agents.Options, error) {
	f.apply(a)
	o := agents.Options{Scope: f.Scope, Command: []string{"git", "codeidx"}}
	repo, err := gitstore.Discover(a.ctx, "")
	switch {
	case err == nil:
		o.Top = repo.Top
		a.decideColor(repo)
	case f.Scope == agents.Project:
		return o, err
	}
	if o.Home, err = os.UserHomeDir(); err != nil {
		return o, fmt.Errorf("find home folder: %w", err)
	}
	if _, err := exec.LookPath("git-codeidx"); err != nil {
		exe, err := programPath()
		if err != nil {
			return o, err
		}
		o.Command = []string{exe}
	}
	o.Clients = f.Client
	switch {
	case slices.Contains(f.Client, "all"):
		o.Clients = agents.Clients()
	case len(f.Client) == 0:
		o.Clients = agents.InUse(o.Top, o.Home)
	}
	for _, c := range o.Clients {
		if !slices.Contains(agents.Clients(), c) {
			return o, badValue(fmt.Sprintf("there is no client %q", c), "clients: "+strings.Join(agents.Clients(), ", ")+", all")
		}
	}
	if len(o.Clients) == 0 {
		return o, badValue("no coding agent seems to be in use here", "name one: --client "+strings.Join(agents.Clients(), "|")+"|all")
	}
	return o, nil
}

// agentsReport is the JSON document of agents.
type agentsReport struct {
	Schema string           `json:"schema"`
	Parts  []*agents.Change `json:"parts"`
}

// applyAgents writes what may be written, and says what was not.
func (a *app) applyAgents(changes []*agents.Change) error {
	for _, c := range changes {
		if err := c.Apply(); err != nil { // the other files are none the worse for it
			c.Changed, c.Problem = false, "it cannot be written: "+err.Error()
		}
	}
	if err := a.printAgents(changes, false); err != nil {
		return err
	}
	for _, c := range changes {
		if c.Problem != "" {
			return exitStatus(exitBad)
		}
	}
	return nil
}

// printAgents lists the parts; paste shows what each would get.
func (a *app) printAgents(changes []*agents.Change, paste bool) error {
	if a.json {
		b, err := encodeJSON(agentsReport{"codeidx.agents.v1", append([]*agents.Change{}, changes...)})
		a.out.Write(b)
		return err
	}
	for _, c := range changes {
		if paste {
			fmt.Fprintf(a.out, "# %s, %s of %s:\n%s\n", printable(c.Path), c.What, c.Client, c.Paste)
			continue
		}
		state := string(c.State)
		switch {
		case c.Problem != "":
			state = "left"
		case c.Changed && c.Gone():
			state = "removed"
		case c.Changed:
			state = "written"
		}
		look := map[string]style{"missing": dim, "outdated": yellow, "left": yellow, "written": green, "removed": green}[state]
		fmt.Fprintf(a.out, "%s %s %s %s\n", pad(c.Client, 10), pad(c.What, 13), a.paint(look, pad(state, 10)), printable(c.Path))
		if c.Problem != "" {
			fmt.Fprintf(a.out, "%s %s\n", pad("", 24), a.paint(yellow, printable(c.Problem)))
			if c.Paste != "" && !a.quiet {
				fmt.Fprintf(a.out, "put this into it yourself, or run it with --force:\n%s\n", c.Paste)
			}
		}
	}
	return nil
}

type agentsHookCmd struct {
	Event string `arg:"" help:"session-start or post-edit."`
}

// Run never fails: a client would show it to the agent as a fault of its edit.
func (c *agentsHookCmd) Run(a *app) error {
	a.quiet, a.progress = true, false
	enterClientFolder(a.in)
	var err error
	switch c.Event {
	case agents.HookSession:
		err = a.sessionNote()
	case agents.HookEdit:
		err = a.syncAfterEdit()
	default:
		err = &query.Error{Code: query.InvalidRequest, Message: fmt.Sprintf("there is no hook %q", c.Event)}
	}
	if err != nil {
		printNotice(a.err, err.Error())
	}
	return nil
}

package cli

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// commands is the command table. Each verb lives in cmd_<verb>.go.
type commands struct {
	Index         indexCmd         `cmd:"" help:"Index the work tree."`
	Sync          syncCmd          `cmd:"" help:"Bring the index up to date with the work tree."`
	Status        statusCmd        `cmd:"" help:"Show what is indexed and how fresh it is."`
	Symbols       symbolsCmd       `cmd:"" help:"Find definitions."`
	Search        searchCmd        `cmd:"" help:"Find lines by text or expression."`
	Explore       exploreCmd       `cmd:"" help:"Show the definitions and calls that answer a question."`
	Callers       callersCmd       `cmd:"" help:"Show who calls a definition."`
	Callees       calleesCmd       `cmd:"" help:"Show what a definition calls."`
	References    referencesCmd    `cmd:"" help:"Show every use of a definition."`
	Impact        impactCmd        `cmd:"" help:"Show what may break when something changes."`
	Tests         testsCmd         `cmd:"" help:"Show the tests that a change may concern."`
	Changes       changesCmd       `cmd:"" help:"Show what differs from the index before."`
	ImpactChanges impactChangesCmd `cmd:"" name:"impact-changes" help:"Show what the changes may break."`
	Map           mapCmd           `cmd:"" help:"Show folders, files and key definitions."`
	Read          readCmd          `cmd:"" help:"Show captured source lines."`
	LiveRead      liveReadCmd      `cmd:"" name:"live-read" help:"Show lines as they are now, with what differs from the index."`
	Code          codeCmd          `cmd:"" help:"Show the source of one definition."`
	Query         queryCmd         `cmd:"" help:"Answer one JSON request."`
	Edges         edgesCmd         `cmd:"" help:"List every edge."`
	Diagnostics   diagnosticsCmd   `cmd:"" help:"List what the index does not know, and why."`
	Verify        verifyCmd        `cmd:"" help:"Prove that the index equals a full rebuild."`
	Fsck          fsckCmd          `cmd:"" help:"Check the private store."`
	Gc            gcCmd            `cmd:"" help:"Reclaim space of old generations; builds do so rarely by themselves (codeidx.autoGC)."`
	Clear         clearCmd         `cmd:"" help:"Remove the index of this work tree."`
	Install       installCmd       `cmd:"" help:"Install git hooks that record drift."`
	Uninstall     uninstallCmd     `cmd:"" help:"Remove our git hooks."`
	Hook          hookCmd          `cmd:"" help:"Record a git event (called by the hooks)." hidden:""`
	Drift         driftCmd         `cmd:"" help:"Show what changed since the index was built."`
	Ack           ackCmd           `cmd:"" help:"Settle recorded changes."`
	Man           manCmd           `cmd:"" help:"Install or print the man pages."`
	Mcp           mcpCmd           `cmd:"" help:"Answer a coding agent over MCP (stdin and stdout)."`
	Agents        agentsCmd        `cmd:"" help:"Wire coding agents to this program."`
	Version       versionCmd       `cmd:"" help:"Show versions."`
}

// later are the verbs of spec/cli.md that this build does not have.
var later = []string{
	"completion", "pack", "schema",
	"table-usage", "routes", "slice", "flow", "scip", "graph", "serve", "push", "fetch", "calibrate", "eval",
}

// errHelped ends parsing after help was printed.
var errHelped = errors.New("help was printed")

// newParser makes a parser of a command table: all of it, or one verb of it.
func newParser(table any, a *app) (*kong.Kong, error) {
	return kong.New(table,
		kong.Name("git codeidx"),
		kong.Description("A code index inside the git directory: who calls it, what breaks, where is it. Every answer carries its evidence and says how fresh it is."),
		kong.Writers(a.out, a.err),
		kong.Exit(func(int) { panic(errHelped) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Help(help),
	)
}

// tableFor is the command table with the verb of a command line alone: reading
// all verbs' flags costs more time than many an answer. Where the first word is
// no verb it is the whole table.
func tableFor(args []string) any {
	all := reflect.TypeFor[commands]()
	for i := range all.NumField() {
		f := all.Field(i)
		name := f.Tag.Get("name")
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		if name == args[0] {
			return reflect.New(reflect.StructOf([]reflect.StructField{f})).Interface()
		}
	}
	return &commands{}
}

// run parses a command line, runs its verb and returns the exit status.
func (a *app) run(args []string) (status int) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case errHelped:
			status = exitOK
		default:
			panic(r)
		}
	}()
	a.json = slices.Contains(args, "--json")
	if len(args) > 0 && slices.Contains(later, args[0]) {
		return a.report(unsupportedVerb(args[0]))
	}
	if len(args) == 0 || args[0] == "help" {
		args = append(slices.Clone(args[min(len(args), 1):]), "--help")
	}
	parser, err := newParser(tableFor(args), a)
	if err != nil {
		return a.report(err)
	}
	if verb := args[0]; !strings.HasPrefix(verb, "-") && !hasVerb(parser, verb) {
		return a.report(usageError{fmt.Sprintf("there is no verb %q%s", verb, nearest(parser, verb))})
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return a.report(err)
	}
	return a.finish(ctx.Run(a))
}

func (a *app) finish(err error) int {
	if err == nil {
		return exitOK
	}
	if a.json {
		return a.report(err)
	}
	a.out.Flush()
	return a.report(err)
}

// help prints the page of a verb, or the overview.
func help(options kong.HelpOptions, ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	node := ctx.Selected()
	if node == nil {
		fmt.Fprintf(ctx.Stdout, "\nExit status: 0 answered, 1 no (verify, fsck, --exit-code), 2 bad value, 3 code changed, 4 index missing\nor busy, 5 unsupported, 128 not a repository, 129 usage.\n")
		return nil
	}
	if ex := exampleOf(node.Name); ex != "" {
		fmt.Fprintf(ctx.Stdout, "\nExample:\n  %s\n", ex)
	}
	return nil
}

func unsupportedVerb(verb string) error {
	return unsupported(fmt.Sprintf("this build has no verb %q", verb), "verbs: git codeidx -h")
}

// usageError is a command line that no verb takes.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func hasVerb(k *kong.Kong, verb string) bool {
	return slices.ContainsFunc(k.Model.Children, func(n *kong.Node) bool { return n.Name == verb })
}

// nearest offers the verbs that begin like the given one.
func nearest(k *kong.Kong, verb string) string {
	var near []string
	for _, n := range k.Model.Children {
		if !n.Hidden && strings.HasPrefix(n.Name, verb[:min(len(verb), 3)]) {
			near = append(near, n.Name)
		}
	}
	if near == nil {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

func joinWords(words []string) string { return strings.Join(words, " ") }

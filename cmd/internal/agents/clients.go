package agents

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Scopes of a configuration.
const (
	Project = "project" // files in the work tree
	User    = "user"    // files of the person
)

// Clients lists the clients that we know, in the order of their names here.
func Clients() []string { return []string{"claude", "codex", "cursor", "vscode", "gemini", "opencode"} }

// part is one thing of ours in one file: entries of a JSON file or a block of
// another one.
type part struct {
	client  string
	what    string // server, hooks or instructions
	path    string
	entries []*entry
	block   *block
	seed    string // what a new file needs beside the entries, laid out as nobody would
}

// layout knows where clients keep their files.
type layout struct {
	Options
}

// parts lists what there is for a client in the scope.
func (l layout) parts(client string) []part {
	server := func(path, key string, value object) part {
		return part{client: client, what: "server", path: path, entries: []*entry{{path: []string{key}, key: "codeidx", value: value, ours: isOurServer}}}
	}
	command, args := l.Command[0], words(append(slices.Clone(l.Command[1:]), "mcp"))
	plain := object{{"command", command}, {"args", args}}
	typed := append(object{{"type", "stdio"}}, plain...)
	switch client {
	case "claude":
		return []part{server(l.pick(".mcp.json", ".claude.json"), "mcpServers", typed), l.claudeHooks()}
	case "codex":
		return []part{l.codexServer(), l.codexHooks()}
	case "cursor":
		return []part{server(l.pick(".cursor/mcp.json", ".cursor/mcp.json"), "mcpServers", plain), l.cursorHooks()}
	case "vscode":
		return []part{server(l.pick(".vscode/mcp.json", l.codeFolder()+"/mcp.json"), "servers", typed)}
	case "gemini":
		return []part{server(l.pick(".gemini/settings.json", ".gemini/settings.json"), "mcpServers", plain)}
	case "opencode":
		return []part{l.openCode()}
	}
	return nil
}

// pick chooses the file of the scope.
func (l layout) pick(project, user string) string {
	if l.Scope == User {
		return filepath.Join(l.Home, user)
	}
	return filepath.Join(l.Top, project)
}

// codeFolder is the folder of VS Code's user settings, from the home folder.
func (l layout) codeFolder() string {
	if runtime.GOOS == "darwin" {
		return "Library/Application Support/Code/User"
	}
	return ".config/Code/User"
}

// openCode writes into the file that is there. Version 2 of the client reads
// the layout of version 1, too, which is the one that both take; a file that
// keeps its servers as version 2 does gets ours beside them.
func (l layout) openCode() part {
	path := l.pick("opencode.json", ".config/opencode/opencode.json")
	if _, err := os.Stat(path); err != nil {
		if _, err := os.Stat(path + "c"); err == nil {
			path += "c"
		}
	}
	e := &entry{
		path: []string{"mcp"}, key: "codeidx", ours: isOurServer,
		value: object{{"type", "local"}, {"command", words(append(slices.Clone(l.Command), "mcp"))}, {"enabled", true}},
	}
	if text, err := os.ReadFile(path); err == nil && hasServers(text) {
		e.path, e.value = []string{"mcp", "servers"}, e.value.(object)[:2]
	}
	return part{client: "opencode", what: "server", path: path, entries: []*entry{e}}
}

// hasServers says whether a file has the object mcp.servers, which is not the
// server of that name that version 1 would see in it.
func hasServers(text []byte) bool {
	n, err := parseTree(text)
	for _, key := range []string{"mcp", "servers"} {
		if err != nil || n.kind != '{' {
			return false
		}
		m, findErr := n.find(key)
		if findErr != nil || m == nil {
			return false
		}
		n = m.value
	}
	return n.kind == '{' && !slices.ContainsFunc(n.members, func(m member) bool { return m.key == "type" && m.value.kind == 'v' })
}

// hookLine is the shell command of a hook.
func (l layout) hookLine(event string) string {
	var out []string
	for _, w := range append(slices.Clone(l.Command), "agents", "hook", event) {
		out = append(out, shellWord(w))
	}
	return strings.Join(out, " ")
}

// plainBytes need no quotes in a shell.
const plainBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-"

func shellWord(w string) string {
	if w != "" && strings.Trim(w, plainBytes) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// Seconds after which a client gives a hook up; ours end long before.
const hookTimeout = 10

// claudeHooks go into the project settings that are kept out of commits.
func (l layout) claudeHooks() part {
	return part{
		client: "claude", what: "hooks", path: l.pick(".claude/settings.local.json", ".claude/settings.json"),
		entries: []*entry{
			l.group("SessionStart", "", HookSession), l.group("PostToolUse", "Edit|Write", HookEdit),
		},
	}
}

// codexHooks runs after apply_patch, the tool that edits.
func (l layout) codexHooks() part {
	return part{
		client: "codex", what: "hooks", path: l.pick(".codex/hooks.json", ".codex/hooks.json"),
		entries: []*entry{l.group("SessionStart", "", HookSession), l.group("PostToolUse", "apply_patch", HookEdit)},
	}
}

// group is an entry in the form event → matcher → commands.
func (l layout) group(event, matcher, ours string) *entry {
	hook := object{{"type", "command"}, {"command", l.hookLine(ours)}, {"timeout", hookTimeout}}
	value := object{{"hooks", list{hook}}}
	if matcher != "" {
		value = append(object{{"matcher", matcher}}, value...)
	}
	return &entry{path: []string{"hooks", event}, value: value, ours: isOurHook}
}

// cursorHooks has no note at the start of a session: Cursor keeps what such a
// hook says from the model.
func (l layout) cursorHooks() part {
	return part{
		client: "cursor", what: "hooks", path: l.pick(".cursor/hooks.json", ".cursor/hooks.json"), seed: `"version":1`,
		entries: []*entry{{path: []string{"hooks", "afterFileEdit"}, value: object{{"command", l.hookLine(HookEdit)}}, ours: isOurHook}},
	}
}

// codexServer is a table of TOML.
func (l layout) codexServer() part {
	args := make([]string, 0, len(l.Command))
	for _, w := range append(slices.Clone(l.Command[1:]), "mcp") {
		args = append(args, quote(w)) // a JSON string is one of TOML, too
	}
	return part{
		client: "codex", what: "server", path: l.pick(".codex/config.toml", ".codex/config.toml"),
		block: &block{
			check: checkTOML,
			begin: "# codeidx: begin (git codeidx agents uninstall removes this block)", end: "# codeidx: end",
			lines:   []string{"[mcp_servers.codeidx]", "command = " + quote(l.Command[0]), "args = [" + strings.Join(args, ", ") + "]"},
			foreign: regexp.MustCompile(`(?m)^[ \t]*(\[[ \t]*)?mcp_servers[ \t]*(\.[ \t]*["']?codeidx\b|=)`),
		},
	}
}

// instructions is a short block for agents that read AGENTS.md.
func (l layout) instructions() part {
	return part{
		client: "AGENTS.md", what: "instructions", path: filepath.Join(l.Top, "AGENTS.md"),
		block: &block{
			begin: "<!-- codeidx: begin -->", end: "<!-- codeidx: end -->",
			lines: []string{
				"## Code index",
				"",
				"This repository has a code index, `git codeidx`, over MCP (server codeidx) or in the shell. Prefer it over grep for structure:",
				"`explore WORDS` for how and where, `relations` (`git codeidx callers|callees|references|impact SYMBOL`) before changing a",
				"definition. Answers are checked against the files as they are. Use grep for text in comments, strings and configuration.",
			},
		},
	}
}

func words(s []string) list {
	var l list
	for _, w := range s {
		l = append(l, w)
	}
	return l
}

func isOurServer(value string) bool {
	return strings.Contains(value, "codeidx") && strings.Contains(value, `"mcp"`)
}

func isOurHook(value string) bool {
	return strings.Contains(value, "codeidx") && strings.Contains(value, " agents hook ")
}

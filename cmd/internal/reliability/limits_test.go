package reliability

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// limit is a bound that is set low and then met.
type limit struct {
	name  string
	set   []string // of codeidx.*, as KEY=VALUE
	files map[string]string
	run   []string
	// status and says are how the command ends.
	status int
	says   []string
	// then must hold afterwards.
	then []string
	want string
}

// hungry makes the parser allocate: it has a million nodes.
var hungry = "x = [" + strings.Repeat("1,\n", 500_000) + "]\n\n\ndef after():\n    return 1\n"

var limits = []limit{
	{name: "memory of a parser", set: []string{"workerMemory=48m", "workers=1"}, files: map[string]string{"hungry.py": hungry},
		run: []string{"index"}, says: []string{"could not be parsed"}, then: []string{"diagnostics"}, want: "parse_memory"},
	{name: "time of a parser", set: []string{"parseTimeout=1ms"}, files: map[string]string{"hungry.py": hungry},
		run: []string{"index"}, says: []string{"could not be parsed"}, then: []string{"diagnostics"}, want: "parse_timeout"},
	{name: "number of files", set: []string{"maxFiles=3"}, run: []string{"index"}, status: 4, says: []string{"5", "3", "codeidx.maxFiles"}},
	{name: "bytes of all files", set: []string{"maxTotal=100"}, run: []string{"index"}, status: 4, says: []string{"100", "codeidx.maxTotal"}},
	{name: "bytes of one file", set: []string{"maxFileSize=60"}, run: []string{"index"}, says: []string{"left out"}, then: []string{"diagnostics"}, want: "too_large"},
	{name: "store", set: []string{"maxStore=1k"}, run: []string{"index"}, status: 4, says: []string{"the store would have", "codeidx.maxStore allows 1 KiB"}},
	{name: "time of a build", set: []string{"buildDeadline=1ms"}, run: []string{"index"}, status: 4, says: []string{"1ms", "codeidx.buildDeadline"}},
	{name: "time of a question", set: []string{"queryDeadline=1us"}, run: []string{"callers", "g"}, status: 4, says: []string{"in time", "--freshness stat"}},
	{name: "waiting for a lock", set: []string{"lockWait=1us"}, run: []string{"index"}, says: []string{"indexed"}},
}

// TestLimits meets each limit: the command says which it was, in numbers where
// there are any, and the index before still answers.
func TestLimits(t *testing.T) {
	rows := counts.table("Limits", "limit", "set to", "exit status", "what is said")
	for _, l := range limits {
		t.Run(l.name, func(t *testing.T) {
			p := newRepo(t, filepath.Join(t.TempDir(), "r"))
			p.must(t, "index", "-q")
			for name, text := range l.files {
				p.write(t, name, text)
			}
			p.must(t, "git", "add", "-A")
			for _, kv := range l.set {
				key, value, _ := strings.Cut(kv, "=")
				p.must(t, "git", "config", "codeidx."+key, value)
			}
			c := p.command(l.run...)
			out, _ := c.CombinedOutput()
			if status := c.ProcessState.ExitCode(); status != l.status {
				t.Errorf("status %d, want %d: %s", status, l.status, out)
			}
			for _, s := range l.says {
				if !strings.Contains(string(out), s) {
					t.Errorf("%q is not in: %s", s, out)
				}
			}
			if use, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok && use.Maxrss > 200<<10 {
				t.Errorf("%d MiB of memory", use.Maxrss>>10)
			}
			first, _, _ := strings.Cut(strings.ReplaceAll(string(out), p.dir, "…"), "\n")
			if l.then != nil {
				then := p.must(t, l.then...)
				if !strings.Contains(then, l.want) {
					t.Errorf("%s does not name %s: %s", l.then, l.want, then)
				}
				first = l.want
			}
			for _, kv := range l.set {
				key, _, _ := strings.Cut(kv, "=")
				p.must(t, "git", "config", "--unset", "codeidx."+key)
			}
			if a, status := p.ask(t); status != 0 || !p.possible(a.lines()) {
				t.Errorf("afterwards: %d %s %v", status, a.Message, a.lines())
			}
			rows.add(l.name, strings.Join(l.set, " "), l.status, fmt.Sprintf("`%s`", first))
		})
	}
}

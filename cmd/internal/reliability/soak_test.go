package reliability

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var growthSyncs = flag.Int("syncs", 40, "syncs without gc")

var soakCycles = flag.Int("soak", 24, "cycles of edit, sync, question and gc")

// server is a long-lived `git codeidx mcp` with one client.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	n   int
}

func (p *place) serve(t *testing.T) *server {
	t.Helper()
	s := &server{cmd: p.command("mcp", "--stale", "sync")}
	in, err := s.cmd.StdinPipe()
	check(t, err)
	out, err := s.cmd.StdoutPipe()
	check(t, err)
	s.in, s.out = in, bufio.NewReaderSize(out, 1<<20)
	check(t, s.cmd.Start())
	t.Cleanup(func() { s.in.Close(); _ = s.cmd.Wait() })
	s.call(t, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	check(t, err)
	return s
}

// call sends a request and returns its response.
func (s *server) call(t *testing.T, method, params string) string {
	t.Helper()
	s.n++
	_, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.n, method, params)
	check(t, err)
	for {
		line, err := s.out.ReadString('\n')
		check(t, err)
		var m struct{ ID int }
		if json.Unmarshal([]byte(line), &m) == nil && m.ID == s.n {
			return line
		}
	}
}

// holds returns the memory of a process in KiB and its open descriptors, as far
// as /proc tells.
func (s *server) holds(t *testing.T) (rss, descriptors int) {
	t.Helper()
	proc := fmt.Sprintf("/proc/%d", s.cmd.Process.Pid)
	b, err := os.ReadFile(proc + "/status")
	if err != nil {
		t.Skip("no /proc here")
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			rss, err = strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(v), "kB")))
			check(t, err)
		}
	}
	fds, err := os.ReadDir(proc + "/fd")
	check(t, err)
	return rss, len(fds)
}

// storeHolds returns the bytes and files of the store.
func (p *place) storeHolds(t *testing.T) (size int64, files int) {
	t.Helper()
	check(t, filepath.WalkDir(filepath.Join(p.dir, store), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size, files = size+info.Size(), files+1
		}
		return err
	}))
	return size, files
}

// gcEvery is how many cycles go by before gc tidies up.
const gcEvery = 100

// TestSoak edits, syncs and asks, over and over, beside a server that lives
// through all of it. Memory, descriptors and disk may not grow with the cycles;
// the ledger alone does, by what it records.
func TestSoak(t *testing.T) {
	p := newRepo(t, filepath.Join(t.TempDir(), "r"))
	p.must(t, "git", "config", "codeidx.includeUntracked", "true") // as the server does, so that both serve one generation
	p.must(t, "index", "-q")
	s := p.serve(t)
	rows := counts.table(fmt.Sprintf("Soak, %d cycles", *soakCycles), "after cycle", "store before gc, bytes", "after gc", "files in it", "ledger events", "server memory, KiB", "server descriptors")
	type mark struct {
		after      int64
		files, rss int
		fds        int
	}
	var marks []mark
	step := max(*soakCycles/4, 1)
	for i := 1; i <= *soakCycles; i++ {
		p.write(t, "a.py", fmt.Sprintf("%s\n\ndef cycle_%d():\n    return g()\n", small["a.py"], i))
		if i%3 == 0 {
			p.must(t, "hook", "post-commit")
		}
		if i%2 == 0 {
			p.must(t, "sync", "-q")
		}
		answer := s.call(t, "tools/call", `{"name":"relations","arguments":{"symbol":"g","kind":"callers"}}`)
		if !strings.Contains(answer, fmt.Sprintf("cycle_%d", i)) {
			t.Fatalf("cycle %d: %s", i, answer)
		}
		if a, _ := p.ask(t); a.Freshness != "fresh" || len(a.Items) != 2 {
			t.Fatalf("cycle %d: %s, %v", i, a.Freshness, a.lines())
		}
		if i%step == 0 {
			size, _ := p.storeHolds(t)
			p.must(t, "gc", "-q")
			after, files := p.storeHolds(t)
			rss, fds := s.holds(t)
			marks = append(marks, mark{after, files, rss, fds})
			rows.add(i, size, after, files, len(p.events(t)), rss, fds)
		} else if i%gcEvery == 0 {
			p.must(t, "gc", "-q")
		}
	}
	p.must(t, "sync", "-q")
	p.must(t, "verify", "-q")
	p.must(t, "fsck", "-q")
	first, last := marks[0], marks[len(marks)-1]
	if grown := (last.after - first.after) / int64(max(*soakCycles-step, 1)); grown > maxRecorded {
		t.Errorf("the store grew by %d bytes a cycle", grown)
	}
	if last.fds > first.fds+2 || last.rss > first.rss*3/2+8<<10 || last.files > first.files+5 {
		t.Errorf("grew from %+v to %+v", first, last)
	}
}

// maxRecorded is what a sync of one changed file and its event may add to the
// ledger, in bytes: event, changes, their meaning and the report of the build.
const maxRecorded = 6 << 10

// TestGrowth syncs again and again without gc: the packs stay few, and one gc
// brings the store back to what it needs.
func TestGrowth(t *testing.T) {
	syncs := *growthSyncs
	p := newRepo(t, filepath.Join(t.TempDir(), "r"))
	p.must(t, "index", "-q")
	p.write(t, "a.py", edited)
	p.must(t, "sync", "-q")
	p.must(t, "gc", "-q")
	begin, _ := p.storeHolds(t)
	most := 0
	for i := range syncs {
		p.write(t, "a.py", fmt.Sprintf("%s\n\ndef round_%d():\n    return g()\n", small["a.py"], i))
		p.must(t, "sync", "-q")
		most = max(most, len(p.glob(t, "objects/pack/*.pack")))
	}
	size, _ := p.storeHolds(t)
	p.must(t, "gc", "-q")
	after, _ := p.storeHolds(t)
	rows := counts.table(fmt.Sprintf("Growth over %d syncs", syncs), "bytes at the beginning", "after the syncs", "for each sync", "packs at most", "bytes after gc", "of them the ledger for each sync")
	rows.add(begin, size, (size-begin)/int64(syncs), most, after, (after-begin)/int64(syncs))
	if most > 9 || after > begin+begin/4+maxRecorded*int64(syncs) {
		t.Errorf("%d packs; %d bytes at the beginning, %d after gc", most, begin, after)
	}
	// All that is left beyond the beginning is the ledger's.
	p.must(t, "clear", "--ledger", "-q")
	p.must(t, "index", "-q")
	p.must(t, "gc", "-q")
	bare, _ := p.storeHolds(t)
	if bare > begin+begin/4 {
		t.Errorf("%d bytes at the beginning, %d without the ledger", begin, bare)
	}
}

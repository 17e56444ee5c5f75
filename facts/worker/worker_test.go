package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"codeidx/facts"
	"codeidx/facts/syntax"
)

// TestMain makes the test binary its own worker, whose extractor misbehaves
// for files of certain names.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Verb {
		os.Exit(run(os.Stdin, os.Stdout, misbehaving))
	}
	if len(os.Args) > 1 && os.Args[1] == "be-the-parent" {
		parent()
		return
	}
	os.Exit(m.Run())
}

type saboteur struct{ Extractor }

func misbehaving(l facts.Lang, g *syntax.Grammar) Extractor {
	if x := newExtractor(l, g); x != nil {
		return saboteur{x}
	}
	return nil
}

func (s saboteur) Extract(p string, t *syntax.Tree) (*facts.File, error) {
	switch path.Base(p) {
	case "segfault.go":
		syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		time.Sleep(time.Hour)
	case "exit.go":
		os.Exit(0)
	case "hang.go":
		time.Sleep(time.Hour)
	case "spin.go":
		for {
		}
	case "panic.go":
		panic("broken rule")
	case "overflow.go":
		return nil, fmt.Errorf("depth %d", forever(1))
	case "fail.go":
		return nil, errors.New("cannot be extracted")
	case "invalid.go":
		f, err := s.Extractor.Extract(p, t)
		f.Package = 1 << 20
		return f, err
	case "eat.go":
		var all [][]byte
		for {
			all = append(all, bytes.Repeat([]byte{1}, 1<<20))
		}
	case "pid.go":
		f, err := s.Extractor.Extract(p, t)
		f.Path = strconv.Itoa(os.Getpid())
		return f, err
	}
	return s.Extractor.Extract(p, t)
}

//go:noinline
func forever(n int) int { return forever(n+1) + 1 }

func command() *exec.Cmd { return exec.Command(os.Args[0], Verb) }

func newPool(t *testing.T, o Options) *Pool {
	t.Helper()
	o.Command = command
	p := NewPool(o)
	t.Cleanup(p.Close)
	return p
}

func extract(t *testing.T, p *Pool, path, src string) Result {
	t.Helper()
	r, err := p.Extract(context.Background(), Request{path, facts.Detect(path), []byte(src)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestExtract(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	for _, c := range []struct {
		path, src string
		want      Status
	}{
		{"a.go", "package a\n\nfunc F() { G() }\n", OK},
		{"a.py", "def f():\n    return g()\n", OK},
		{"empty.py", "", OK},
		{"broken.go", "package a\n\nfunc F() {\n\nfunc (", Partial},
	} {
		r := extract(t, p, c.path, c.src)
		if r.Status != c.want || r.Err != "" {
			t.Errorf("%s: %v %q, want %v", c.path, r.Status, r.Err, c.want)
			continue
		}
		f, err := ExtractInProcess(c.path, facts.Detect(c.path), []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(facts.Encode(f), r.Facts) {
			t.Errorf("%s: the worker's facts differ from those made in this process", c.path)
		}
	}
}

// TestMisbehaviourCostsItsFileOnly sends each bad file in the middle of good
// ones through one worker.
func TestMisbehaviourCostsItsFileOnly(t *testing.T) {
	for _, c := range []struct {
		name string
		want Status
		text string
	}{
		{"segfault.go", ParseCrashed, "worker died"},
		{"exit.go", ParseCrashed, "worker died: exit status 0"},
		{"panic.go", ParseCrashed, "extractor panicked: broken rule"},
		{"overflow.go", ParseCrashed, "stack exceeds"},
		{"fail.go", ParseCrashed, "cannot be extracted"},
		{"invalid.go", ParseCrashed, "package name out of range"},
		{"hang.go", ParseTimeout, "too long"},
		{"spin.go", ParseTimeout, "too long"},
		{"eat.go", ParseMemory, "too much memory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := Options{Workers: 1, MemoryLimit: 1 << 30, Timeout: time.Minute}
			switch c.want {
			case ParseTimeout:
				o.Timeout = 100 * time.Millisecond
			case ParseMemory:
				o.MemoryLimit = 128 << 20
			}
			p := newPool(t, o)
			var wait sync.WaitGroup
			for i := range 9 {
				name := fmt.Sprintf("dir/%d.go", i)
				if i == 4 {
					name = c.name
				}
				wait.Go(func() {
					r, err := p.Extract(context.Background(), Request{name, facts.Go, []byte("package a\n")})
					want, text := OK, ""
					if name == c.name {
						want, text = c.want, c.text
					}
					if err != nil || r.Status != want || !strings.Contains(r.Err, text) {
						t.Errorf("%s: %v %q %v, want %v %q", name, r.Status, r.Err, err, want, text)
					}
					if strings.Contains(r.Err, "\n") {
						t.Errorf("%s: more than one line: %q", name, r.Err)
					}
				})
			}
			wait.Wait()
		})
	}
}

func TestParserKeepsItsTimeout(t *testing.T) {
	p := newPool(t, Options{Workers: 1, Timeout: time.Millisecond})
	r := extract(t, p, "long.go", "package a\n\nvar x = []int{"+strings.Repeat("1, ", 1<<20)+"}\n")
	if r.Status != ParseTimeout || r.Err != "extract facts: parse timed out" {
		t.Errorf("%v %q, want the parser's timeout", r.Status, r.Err)
	}
	before := workerOf(t, p)
	if r := extract(t, p, "a.go", "package a\n"); r.Status != OK {
		t.Errorf("next file: %v %q", r.Status, r.Err)
	}
	if workerOf(t, p) != before {
		t.Error("the parser's timeout cost a process")
	}
}

// workerOf returns the process that serves a pool of one worker.
func workerOf(t *testing.T, p *Pool) int {
	t.Helper()
	r := extract(t, p, "pid.go", "package a\n")
	f, err := facts.Decode(r.Facts)
	if err != nil {
		t.Fatalf("%v (%v %q)", err, r.Status, r.Err)
	}
	pid, err := strconv.Atoi(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func TestParserKeepsItsMemoryLimit(t *testing.T) {
	p := newPool(t, Options{Workers: 1, MemoryLimit: 64 << 20})
	r := extract(t, p, "long.go", "package a\n\nvar x = []int{"+strings.Repeat("1, ", 1<<20)+"}\n")
	if r.Status != ParseMemory || r.Facts != nil {
		t.Errorf("%v %q, want %v", r.Status, r.Err, ParseMemory)
	}
	if r := extract(t, p, "a.go", "package a\n"); r.Status != OK {
		t.Errorf("next file: %v %q", r.Status, r.Err)
	}
}

func TestDeepNestingCostsNeitherFileNorTime(t *testing.T) {
	p := newPool(t, Options{Workers: 1, MemoryLimit: 512 << 20})
	const depth = 50000
	open, shut := strings.Repeat("(", depth), strings.Repeat(")", depth)
	for path, src := range map[string]string{
		"deep.go": "package a\n\nvar x = " + open + "1" + shut + "\n\nfunc After() {}\n",
		"deep.py": "x = " + open + "1" + shut + "\n\ndef After():\n    pass\n",
	} {
		r := extract(t, p, path, src)
		if r.Status != Partial {
			t.Errorf("%s: %v %q, want %v", path, r.Status, r.Err, Partial)
			continue
		}
		f, err := facts.Decode(r.Facts)
		if err != nil {
			t.Fatal(err)
		}
		if last := f.Qualified(facts.DefID(len(f.Defs) - 1)); last != "After" {
			t.Errorf("%s: the last definition is %q, want After", path, last)
		}
	}
}

func TestUnsupported(t *testing.T) {
	if _, err := ExtractInProcess("a.txt", facts.NoLang, nil); !errors.Is(err, ErrUnsupported) {
		t.Errorf("in process: %v, want ErrUnsupported", err)
	}
	p := newPool(t, Options{})
	if r, err := p.Extract(context.Background(), Request{"a.txt", facts.NoLang, nil}); err != nil || r.Status != ParseCrashed {
		t.Errorf("in a worker: %v %q %v", r.Status, r.Err, err)
	}
	large := Request{"a.go", facts.Go, make([]byte, MaxSource+1)}
	if r, err := p.Extract(context.Background(), large); err != nil || r.Status != ParseMemory {
		t.Errorf("file over the limit: %v %q %v", r.Status, r.Err, err)
	}
}

func TestWorkerThatCannotStart(t *testing.T) {
	p := NewPool(Options{Command: func() *exec.Cmd { return exec.Command("/nonexistent/worker") }})
	defer p.Close()
	if r, err := p.Extract(context.Background(), Request{"a.go", facts.Go, nil}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v %v, want os.ErrNotExist", r, err)
	}
}

// TestStart wants the process that was started ahead to serve the first file.
func TestStart(t *testing.T) {
	starts := make(chan struct{}, 10)
	p := NewPool(Options{Workers: 4, Command: func() *exec.Cmd { starts <- struct{}{}; return command() }})
	defer p.Close()
	p.Start()
	<-starts
	p.Start()
	for range 3 {
		extract(t, p, "a.go", "package a\n")
	}
	if n := len(starts); n != 0 {
		t.Errorf("%d more processes started for files that one serves", n)
	}
}

func TestManyCallers(t *testing.T) {
	p := newPool(t, Options{Workers: 3})
	var wait sync.WaitGroup
	for i := range 200 {
		wait.Go(func() {
			name := fmt.Sprintf("%d.go", i)
			r, err := p.Extract(context.Background(), Request{name, facts.Go, []byte(strings.Repeat("\n", i*20) + "package a\n")})
			if err != nil || r.Status != OK {
				t.Errorf("%s: %v %q %v", name, r.Status, r.Err, err)
				return
			}
			if f, err := facts.Decode(r.Facts); err != nil || f.Path != name {
				t.Errorf("%s got another file's facts (%v)", name, err)
			}
		})
	}
	wait.Wait()
}

func TestCancel(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	ctx, cancel := context.WithCancel(context.Background())
	answers := make(chan error)
	for range 3 {
		go func() {
			_, err := p.Extract(ctx, Request{"hang.go", facts.Go, nil})
			answers <- err
		}()
	}
	cancel()
	for range 3 {
		if err := <-answers; !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want context.Canceled", err)
		}
	}
}

func TestCloseKillsAndFailsTheRest(t *testing.T) {
	p := newPool(t, Options{Workers: 1})
	pid := workerOf(t, p)
	answers := make(chan error)
	for range 3 {
		go func() {
			_, err := p.Extract(context.Background(), Request{"hang.go", facts.Go, nil})
			answers <- err
		}()
	}
	p.Close()
	for range 3 {
		if err := <-answers; !errors.Is(err, ErrClosed) {
			t.Errorf("%v, want ErrClosed", err)
		}
	}
	// A collected process is gone: not even a zombie answers to its number.
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("worker %d after Close: %v, want ESRCH", pid, err)
	}
	if _, err := p.Extract(context.Background(), Request{"a.go", facts.Go, nil}); !errors.Is(err, ErrClosed) {
		t.Errorf("Extract after Close: %v, want ErrClosed", err)
	}
}

// parent starts a worker that holds this process's output open and hangs.
func parent() {
	p := NewPool(Options{Command: func() *exec.Cmd {
		c := command()
		c.ExtraFiles = []*os.File{os.Stdout}
		return c
	}})
	r, err := p.Extract(context.Background(), Request{"a.go", facts.Go, nil})
	fmt.Println(r.Status, err)
	p.Extract(context.Background(), Request{"hang.go", facts.Go, nil})
}

// TestWorkerDiesWithItsParent kills a parent whose worker does not look at its
// input; the output of both ends when both are gone.
func TestWorkerDiesWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a process with its parent")
	}
	c := exec.Command(os.Args[0], "be-the-parent")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make([]byte, len("ok <nil>\n"))
	if _, err := io.ReadFull(out, ready); err != nil || string(ready) != "ok <nil>\n" {
		t.Fatalf("parent says %q (%v)", ready, err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(out); err != nil || len(rest) != 0 {
		t.Errorf("after the kill: %q %v", rest, err)
	}
	c.Wait()
}

func TestWorkerEndsWithItsInput(t *testing.T) {
	c := command()
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if err := writeFrame(in, settings{}.encode()); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := c.Wait(); err != nil {
		t.Errorf("worker ended with %v, want status 0", err)
	}
}

func TestWorkerRefusesMalformedInput(t *testing.T) {
	for name, in := range map[string][]byte{
		"nothing":       nil,
		"short frame":   {9, 0, 0, 0, 1},
		"huge frame":    {255, 255, 255, 255},
		"bad settings":  {1, 0, 0, 0, 128},
		"bad batch":     append([]byte{2, 0, 0, 0, 0, 0}, 2, 0, 0, 0, 2, 9),
		"long settings": {3, 0, 0, 0, 0, 0, 0},
	} {
		var out bytes.Buffer
		if status := run(bytes.NewReader(in), &out, misbehaving); status != 1 {
			t.Errorf("%s: status %d, want 1", name, status)
		}
	}
	runtime.GOMAXPROCS(runtime.NumCPU())
}

func FuzzNextRequest(f *testing.F) {
	f.Add(encodeBatch([]*job{{Request: Request{"a.go", facts.Go, []byte("package a")}}, {Request: Request{"b.py", facts.Python, nil}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		for len(b) > 0 {
			_, rest, err := nextRequest(b)
			if err != nil {
				return
			}
			if len(rest) >= len(b) {
				t.Fatal("a request takes no bytes")
			}
			b = rest
		}
	})
}

func FuzzDecodeReply(f *testing.F) {
	f.Add(append(Result{Status: Partial, Err: "x"}.head(), "facts"...))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeReply(b)
		if err == nil && !bytes.HasSuffix(b, r.Facts) {
			t.Errorf("%x gives facts %x", b, r.Facts)
		}
	})
}

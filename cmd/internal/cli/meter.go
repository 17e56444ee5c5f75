package cli

import (
	"fmt"
	"io"
	"time"

	"codeidx/gitstore/build"
)

// Progress appears only when the work takes longer than meterDelay, and then
// at most once in meterStep.
const (
	meterDelay = time.Second
	meterStep  = 100 * time.Millisecond
)

// meter shows the progress of a build on a terminal: what was done, never a
// guessed percentage.
type meter struct {
	w     io.Writer
	began time.Time
	last  time.Time
}

func newMeter(w io.Writer) *meter { return &meter{w: w, began: time.Now()} }

func (m *meter) show(p build.Progress) {
	now := time.Now()
	if now.Sub(m.began) < meterDelay || now.Sub(m.last) < meterStep {
		return
	}
	m.last = now
	line := p.Stage
	if p.Files > 0 {
		line = fmt.Sprintf("%s: %d files, %s", p.Stage, p.Files, byteCount(p.Bytes))
	}
	fmt.Fprintf(m.w, "\r\x1b[Kcodeidx: %s", line)
}

// clear removes the progress line.
func (m *meter) clear() {
	if !m.last.IsZero() {
		fmt.Fprint(m.w, "\r\x1b[K")
	}
}

// byteCount shows bytes in binary units.
func byteCount(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}

func printNotice(w io.Writer, text string) { fmt.Fprintf(w, "codeidx: %s\n", oneLine(text)) }

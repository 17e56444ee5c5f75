package golang

import (
	"testing"

	"codeidx/facts"
)

// constrained makes the facts of a file with marks, given as key and value.
func constrained(marks ...string) *facts.File {
	b := facts.NewBuilder("f.go", facts.Go, nil)
	for i := 0; i < len(marks); i += 2 {
		b.Mark(marks[i], marks[i+1])
	}
	return b.File
}

func TestTogether(t *testing.T) {
	s := newBuildSet()
	build := func(line string) int32 { return s.of(constrained("build", line)) }
	plain := s.of(constrained())
	linux := s.of(constrained("goos", "linux"))
	amd64 := s.of(constrained("goos", "linux", "goarch", "amd64"))
	tests := []struct {
		name string
		a, b int32
		want bool
	}{
		{"no constraint", plain, linux, true},
		{"itself", linux, linux, true},
		{"two systems", linux, s.of(constrained("goos", "windows")), false},
		{"unix takes linux", linux, build("//go:build unix"), true},
		{"unix takes no windows", build("//go:build windows"), build("//go:build unix"), false},
		{"a system that nobody names", build("//go:build !linux && !windows"), build("//go:build unix"), true},
		{"negation", build("//go:build !windows"), build("//go:build windows"), false},
		{"free tag", build("//go:build foo"), build("//go:build bar"), true},
		{"free tag and its negation", build("//go:build foo && linux"), build("//go:build !foo"), false},
		{"architectures", amd64, s.of(constrained("goarch", "arm64")), false},
		{"name and line", amd64, build("//go:build !amd64"), false},
		{"older form", build("// +build windows"), linux, false},
		{"android is a linux", build("//go:build android"), build("//go:build linux"), true},
		{"cgo", build("//go:build cgo"), build("//go:build !cgo"), false},
		{"not readable counts as none", build("//go:build (("), linux, true},
	}
	for _, tt := range tests {
		if got := s.together(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: got %v", tt.name, got)
		}
		if got := s.together(tt.b, tt.a); got != tt.want {
			t.Errorf("%s, turned round: got %v", tt.name, got)
		}
	}
}

func TestAlone(t *testing.T) {
	s := newBuildSet()
	for line, want := range map[string]bool{
		"//go:build ignore":              true,
		"//go:build linux && ignore":     true,
		"//go:build !ignore":             false,
		"//go:build linux || ignore":     false,
		"//go:build !windows && !ignore": false,
	} {
		if got := s.alone(s.of(constrained("build", line))); got != want {
			t.Errorf("%s: got %v", line, got)
		}
	}
}

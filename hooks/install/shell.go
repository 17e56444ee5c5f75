package install

import (
	"bytes"
	"io/fs"
	"path"
	"strings"
)

// shells are the interpreters that understand the block.
var shells = [...]string{"sh", "ash", "bash", "dash", "ksh", "ksh93", "mksh", "zsh", "busybox"}

// whyNotShell says why the block cannot be put into a hook file, "" where it can.
// A file without "#!" is run by sh.
func whyNotShell(text []byte, mode fs.FileMode) string {
	if mode&0o111 == 0 {
		return "it is not executable, so that git passes it over; to make it so would turn on what is in it"
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return "it is a program, not a script"
	}
	first, _, _ := bytes.Cut(text, []byte{'\n'})
	if !bytes.HasPrefix(first, []byte("#!")) {
		return ""
	}
	if bytes.HasSuffix(first, []byte{'\r'}) {
		return "its first line ends in CR LF, so that no system can run it"
	}
	if name := interpreter(string(first[2:])); !isShell(name) {
		return "it is a script for " + name + ", not for a shell"
	}
	return ""
}

// interpreter returns the name of the program that a "#!" line runs, through
// env with its options and variables.
func interpreter(line string) string {
	words := strings.Fields(line)
	if len(words) > 0 && path.Base(words[0]) == "env" {
		words = words[1:]
		for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return "an unnamed program"
	}
	return path.Base(words[0])
}

func isShell(name string) bool {
	for _, s := range shells {
		if name == s {
			return true
		}
	}
	return false
}

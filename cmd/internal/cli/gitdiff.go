package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"codeidx/gitstore"
)

// gitDiffFlags let git say what changed.
type gitDiffFlags struct {
	Since  string `help:"What git diff REV shows: changes since a commit." placeholder:"REV"`
	Staged bool   `help:"What git diff --staged shows: changes that are staged."`
}

func (f *gitDiffFlags) asked() bool { return f.Since != "" || f.Staged }

// places returns the changed places: PATH for a new or deleted file,
// PATH:FIRST-LAST for changed lines, as they are now.
func (f *gitDiffFlags) places(a *app) ([]string, error) {
	if !f.asked() {
		return nil, nil
	}
	repo, err := gitstore.Discover(a.ctx, "")
	if err != nil {
		return nil, err
	}
	args := []string{
		"diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/",
	}
	if f.Staged {
		args = append(args, "--cached")
	}
	if f.Since != "" {
		if strings.HasPrefix(f.Since, "-") {
			return nil, badValue(fmt.Sprintf("--since %q is no revision", f.Since), "for example: --since HEAD~1")
		}
		args = append(args, f.Since)
	}
	out, err := repo.RunUnfiltered(a.ctx, append(args, "--")...)
	if err != nil {
		return nil, badValue(fmt.Sprintf("git diff: %v", err), "for example: --since HEAD~1")
	}
	return diffPlaces(out)
}

// diffPlaces reads a patch without context. A place is where the new side has
// other lines than the old one; after lines that are only gone, the lines
// around the gap.
func diffPlaces(patch []byte) ([]string, error) {
	var out []string
	old, path, whole := "", "", false
	in := bufio.NewScanner(bytes.NewReader(patch))
	in.Buffer(nil, len(patch)+1)
	left := 0 // lines of the hunk that are still to come: they may look like headers
	for in.Scan() {
		line := in.Text()
		switch {
		case left > 0 && line != "" && (line[0] == '+' || line[0] == '-'):
			left--
		case strings.HasPrefix(line, "--- "):
			old = diffPath(line[len("--- "):])
		case strings.HasPrefix(line, "+++ "):
			path = diffPath(line[len("+++ "):])
			if whole = old == "" || path == ""; whole {
				out = append(out, old+path)
			}
		case strings.HasPrefix(line, "@@ "):
			removed, first, added, ok := hunk(line)
			if !ok {
				return nil, fmt.Errorf("read git diff: odd hunk %q", line)
			}
			left = removed + added
			switch {
			case whole:
			case added > 0:
				out = append(out, fmt.Sprintf("%s:%d-%d", path, first, first+added-1))
			default:
				out = append(out, fmt.Sprintf("%s:%d-%d", path, max(first, 1), first+1))
			}
		}
	}
	return out, in.Err()
}

// diffPath returns the path of a header line, "" for none.
func diffPath(s string) string {
	s = strings.TrimSuffix(s, "\t") // git ends a path with spaces in it so
	if unquoted, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		s = unquoted
	}
	if s == "/dev/null" {
		return ""
	}
	return s[min(len("a/"), len(s)):]
}

// hunk reads "@@ -a[,removed] +first[,added] @@".
func hunk(line string) (removed, first, added int, ok bool) {
	words := strings.Fields(line)
	if len(words) < 4 {
		return 0, 0, 0, false
	}
	_, removed, ok = hunkRange(words[1], "-")
	if ok {
		first, added, ok = hunkRange(words[2], "+")
	}
	return removed, first, added, ok
}

func hunkRange(s, sign string) (first, count int, ok bool) {
	s, ok = strings.CutPrefix(s, sign)
	at, n, counted := strings.Cut(s, ",")
	first, err := strconv.Atoi(at)
	count = 1
	if err == nil && counted {
		count, err = strconv.Atoi(n)
	}
	return first, count, ok && err == nil
}

package gitstore

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Trailer is a "Key: value" line at the end of a commit message.
type Trailer struct{ Key, Value string }

const (
	commitAuthor       = "codeidx <codeidx@localhost>"
	trailerManifest    = "Codeidx-Manifest"
	trailerPredecessor = "Codeidx-Predecessor"
	trailerBatch       = "Codeidx-Batch"
)

// commit is the part of a commit object that we use.
type commit struct {
	tree     OID
	parents  []OID
	when     time.Time // in seconds
	subject  string
	trailers []Trailer
}

func (c *commit) trailer(key string) string {
	for _, t := range c.trailers {
		if t.Key == key {
			return t.Value
		}
	}
	return ""
}

func (c *commit) encode() ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %v\n", c.tree)
	for _, p := range c.parents {
		fmt.Fprintf(&b, "parent %v\n", p)
	}
	for _, who := range [...]string{"author", "committer"} {
		fmt.Fprintf(&b, "%s %s %d +0000\n", who, commitAuthor, c.when.Unix())
	}
	fmt.Fprintf(&b, "\n%s\n\n", c.subject)
	for _, t := range c.trailers {
		if t.Key == "" || strings.ContainsAny(t.Key, ": \n\x00") || strings.ContainsAny(t.Value, "\n\x00") {
			return nil, fmt.Errorf("bad trailer %q", t.Key)
		}
		fmt.Fprintf(&b, "%s: %s\n", t.Key, t.Value)
	}
	return []byte(b.String()), nil
}

var errCommit = errors.New("malformed commit")

// parseCommit reads a commit that encode wrote.
func parseCommit(data []byte) (*commit, error) {
	head, message, ok := strings.Cut(string(data), "\n\n")
	if !ok {
		return nil, errCommit
	}
	c := &commit{}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		if err := c.setHeader(key, value); err != nil {
			return nil, fmt.Errorf("%w: %w", errCommit, err)
		}
	}
	if c.tree.IsZero() {
		return nil, errCommit
	}
	var rest string
	c.subject, rest, _ = strings.Cut(message, "\n\n")
	for line := range strings.Lines(rest) {
		if key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); ok {
			c.trailers = append(c.trailers, Trailer{key, value})
		}
	}
	return c, nil
}

func (c *commit) setHeader(key, value string) (err error) {
	switch key {
	case "tree":
		c.tree, err = ParseOID(value)
	case "parent":
		var p OID
		p, err = ParseOID(value)
		c.parents = append(c.parents, p)
	case "committer":
		f := strings.Fields(value)
		var sec int64
		if sec, err = strconv.ParseInt(f[max(len(f)-2, 0)], 10, 64); err == nil {
			c.when = time.Unix(sec, 0).UTC()
		}
	}
	return err
}

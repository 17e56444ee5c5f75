package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"codeidx/gitstore"
)

// Names of the git hooks that are recorded.
const (
	PostCommit   = "post-commit"
	PostCheckout = "post-checkout"
)

// Names returns the hooks to install.
func Names() []string { return []string{PostCommit, PostCheckout} }

const eventSchema = "codeidx.event.v1"

// Event is what a hook saw: one line of the spool.
type Event struct {
	Schema     string `json:"schema"`
	ID         string `json:"id"`
	Time       string `json:"time"`        // RFC 3339, UTC, to the nanosecond
	Event      string `json:"event"`       // name of the git hook
	DetectedBy string `json:"detected_by"` // "hook:" and that name
	// Old and New are commits in hex. Old is "" where it is New's first
	// parent (post-commit) or there was none (a new work tree).
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"` // "" while HEAD is unborn
	// Branch tells a checkout of a branch or commit from one of paths.
	Branch bool `json:"branch,omitempty"`
	Rebase bool `json:"rebase,omitempty"` // while a rebase is under way
}

// newEvent describes the call of a hook with its arguments.
func newEvent(r *gitstore.Repo, name string, args []string, now time.Time) (*Event, error) {
	e := &Event{
		Schema: eventSchema, Time: now.UTC().Format(time.RFC3339Nano),
		Event: name, DetectedBy: "hook:" + name, New: r.Head, Rebase: rebasing(r.GitDir),
	}
	switch name {
	case PostCommit:
	case PostCheckout:
		if err := e.setCheckout(args, r.Format); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("no such event %q", name)
	}
	var err error
	e.ID, err = contentID(e)
	return e, err
}

// setCheckout reads the arguments of post-checkout: old and new commit, and "1"
// for a branch or "0" for paths.
func (e *Event) setCheckout(args []string, format gitstore.ObjectFormat) error {
	if len(args) != 3 || args[2] != "0" && args[2] != "1" {
		return fmt.Errorf("bad arguments of post-checkout: %q", args)
	}
	for _, id := range args[:2] {
		if raw, err := hex.DecodeString(id); err != nil || len(raw) != format.Size() {
			return fmt.Errorf("bad commit of post-checkout: %q", id)
		}
	}
	e.Old, e.New, e.Branch = orNone(args[0]), orNone(args[1]), args[2] == "1"
	return nil
}

// orNone returns "" for git's id of no commit, zeros of any length.
func orNone(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// rebasing says whether a rebase or am is under way in a git directory.
func rebasing(gitDir string) bool {
	for _, name := range [...]string{"rebase-merge", "rebase-apply"} {
		if _, err := os.Stat(filepath.Join(gitDir, name)); err == nil {
			return true
		}
	}
	return false
}

// idBytes is the length of an id: 32 hex digits.
const idBytes = 16

// contentID hashes the JSON of a value whose own id is empty.
func contentID(v any) (string, error) {
	b, err := json.Marshal(v)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:idBytes]), err
}

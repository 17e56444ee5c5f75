package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// Names of the git hooks that are recorded.
const (
	PostCommit   = "post-commit"
	PostCheckout = "post-checkout"
	PostMerge    = "post-merge"
	PostRewrite  = "post-rewrite"
)

// Names returns the hooks to install.
func Names() []string {
	return []string{PostCommit, PostCheckout, PostMerge, PostRewrite, PrePush}
}

// What post-rewrite says was done.
const (
	rewriteAmend  = "amend"
	rewriteRebase = "rebase"
)

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
	Branch  bool   `json:"branch,omitempty"`
	Rebase  bool   `json:"rebase,omitempty"`  // while a rebase is under way
	Rewrite string `json:"rewrite,omitempty"` // post-rewrite: amend or rebase
	Squash  bool   `json:"squash,omitempty"`  // post-merge: nothing was committed
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
	for _, name := range rebaseDirs() {
		if _, err := os.Stat(filepath.Join(gitDir, name)); err == nil {
			return true
		}
	}
	return false
}

// rebaseDirs are the state directories of git's two ways to rebase.
func rebaseDirs() []string { return []string{"rebase-merge", "rebase-apply"} }

// idBytes is the length of an id: 32 hex digits.
const idBytes = 16

// contentID hashes the JSON of a value whose own id is empty.
func contentID(v any) (string, error) {
	b, err := json.Marshal(v)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:idBytes]), err
}

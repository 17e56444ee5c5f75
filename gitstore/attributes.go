package gitstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Two attributes decide about inclusion: linguist-generated, in either
// direction, and -codeidx, which excludes. Only those of the repository count:
// its .gitattributes files as they are on disk and $GIT_COMMON_DIR/info/attributes,
// not the user's own nor the system's, so that two machines agree.

// maxAttributes is the size in bytes of an attributes file above which git
// ignores it, rounded down.
const maxAttributes = 100 << 20

// attributeSources digests every attributes file of the repository. relevant
// is false where none of them names one of our attributes, and git need not be
// asked.
func attributeSources(r *Repo, root int, cands []candidate) (sum Digest, relevant bool, err error) {
	h := sha256.New()
	add := func(name string, data []byte) {
		h.Write(binary.AppendUvarint(nil, uint64(len(name))))
		h.Write([]byte(name))
		h.Write(binary.AppendUvarint(nil, uint64(len(data))))
		h.Write(data)
		relevant = relevant || bytes.Contains(data, []byte("linguist-generated")) || bytes.Contains(data, []byte("codeidx"))
	}
	data, err := readGitFile(r.attributesFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return sum, false, fmt.Errorf("read attributes: %w", err)
	}
	add("", data)
	o := newOpener(root)
	defer o.close()
	for i := range cands {
		c := &cands[i]
		if c.path != ".gitattributes" && !strings.HasSuffix(c.path, "/.gitattributes") {
			continue
		}
		data, err := readSmall(o, c.path, maxAttributes)
		if reason, fail := reasonOf(err); fail != nil {
			return sum, false, fmt.Errorf("read attributes: %w", fail)
		} else if reason != "" {
			// git reads the index's copy of a file that is not on disk.
			data, relevant = []byte(string(reason)+"\x00"+string(c.id)), true
		}
		add(c.path, data)
	}
	h.Sum(sum[:0])
	return sum, relevant, nil
}

// readSmall reads a whole file of at most limit bytes.
func readSmall(o *opener, path string, limit int64) ([]byte, error) {
	fd, key, err := o.open(path)
	if err != nil {
		return nil, err
	}
	defer closeHandle(fd)
	return readAll(fd, key.Size, limit)
}

// applyAttributes asks git for the two attributes of every candidate that is
// still to be read and for which ask is true, in one command.
func applyAttributes(ctx context.Context, r *Repo, cands []candidate, ask func(i int) bool) error {
	var paths bytes.Buffer
	for i := range cands {
		if cands[i].reason == "" && ask(i) {
			paths.WriteString(cands[i].path)
			paths.WriteByte(0)
		}
	}
	if paths.Len() == 0 {
		return nil
	}
	args := []string{"-c", "core.attributesFile=", "check-attr", "-z", "--stdin"}
	if pipe, err := pipeForAttributes(r, cands); err != nil {
		return err
	} else if pipe {
		args = append(args, "--cached")
	}
	cmd := r.git(append(args, "linguist-generated", "codeidx")...)
	cmd.stdin = &paths
	cmd.env = append(cmd.env, "GIT_ATTR_NOSYSTEM=1")
	out, err := cmd.run(ctx)
	if err != nil {
		return fmt.Errorf("read attributes: %w", err)
	}
	records := splitNUL(out)
	if len(records)%3 != 0 {
		return fmt.Errorf("read attributes: unexpected answer of git check-attr")
	}
	at := 0
	for ; len(records) > 0; records = records[3:] {
		for at < len(cands) && cands[at].path != string(records[0]) {
			at++
		}
		if at == len(cands) {
			return fmt.Errorf("read attributes: unexpected path %q of git check-attr", records[0])
		}
		cands[at].attribute(string(records[1]), string(records[2]))
	}
	return nil
}

// pipeForAttributes says whether a .gitattributes file on the way to a candidate,
// tracked or not, is a pipe or a device: git would wait for it. It is then asked to
// take the index's attributes alone.
func pipeForAttributes(r *Repo, cands []candidate) (bool, error) {
	root, err := r.openTop()
	if err != nil {
		return false, err
	}
	defer closeHandle(root)
	o := newOpener(root)
	defer o.close()
	seen := map[string]bool{}
	for i := range cands {
		if cands[i].reason != "" {
			continue
		}
		for dir := path.Dir(cands[i].path); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			if key, err := o.stat(path.Join(dir, ".gitattributes")); err == nil && key.special() {
				return true, nil
			}
		}
	}
	return false, nil
}

// attribute applies one attribute of a candidate.
func (c *candidate) attribute(name, value string) {
	if c.forced {
		return
	}
	switch {
	case name == "codeidx" && (value == "unset" || value == "false"):
		c.reason = Excluded
	case name != "linguist-generated":
	case value == "set" || value == "true":
		c.generated = isGenerated
		if c.reason == "" {
			c.reason = Generated
		}
	case value == "unset" || value == "false":
		c.generated = notGenerated
	}
}

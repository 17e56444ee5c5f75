package reliability

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const store = ".git/codeidx"

// regions lists every class of bytes of a work tree's store and binding.
func regions(t *testing.T, p *place) (list []region) {
	t.Helper()
	roles := p.roles(t)
	met := map[string]bool{}
	for _, index := range p.glob(t, "objects/pack/*.idx") {
		list = append(list, p.packRegions(t, index, roles, met)...)
	}
	for _, want := range []string{"graph/edges", "facts", "source", "fulltext/symbols", "manifest", "files/included", "ledger batch", "generation commit", "tree"} {
		if !met[want] {
			t.Fatalf("no object is a %s: %v", want, met)
		}
	}
	for class, patterns := range map[string][]string{
		"refs": {"refs/codeidx/*/current", "refs/codeidx/*/live", "refs/codeidx/*/previous", "refs/codeidx/gen/*"}, "ledger ref": {"refs/codeidx/*/ledger"},
		"spool": {"spool"}, "binding": {"binding"}, "stat record": {"stats"}, "dirty record": {"dirty.json"}, "format": {"format"}, "config, HEAD": {"config", "HEAD"}, "locks": {"locks/*"},
	} {
		found := 0
		for _, pattern := range patterns {
			for _, f := range p.glob(t, pattern) {
				found++
				size := p.size(t, f)
				cut := []int64{0, size / 2, size}
				if size == 0 {
					continue
				}
				for i := range 2 {
					list = append(list, region{class, f, cut[i], max(cut[i+1], cut[i]+1), class == "spool" || class == "ledger ref"})
				}
			}
		}
		if found == 0 {
			t.Fatalf("no file is a %s", class)
		}
	}
	for _, at := range []int64{0, 30, 60, 90} { // parts of a hundred: the file is yet to come
		list = append(list, region{"packed refs", store + "/packed-refs", at, at + 10, true})
	}
	slices.SortFunc(list, func(a, b region) int {
		return cmp.Or(strings.Compare(a.class, b.class), strings.Compare(a.file, b.file), cmp.Compare(a.from, b.from))
	})
	return list
}

func (p *place) glob(t *testing.T, pattern string) (files []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.dir, store, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		rel, err := filepath.Rel(p.dir, f)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.ToSlash(rel))
	}
	return files
}

func (p *place) size(t *testing.T, file string) int64 {
	t.Helper()
	st, err := os.Stat(filepath.Join(p.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	return st.Size()
}

// roles says by id what each object is, as git sees it.
func (p *place) roles(t *testing.T) map[string]string {
	t.Helper()
	roles := map[string]string{}
	for ref := range strings.FieldsSeq(p.must(t, "git", "--git-dir="+store, "for-each-ref", "--format=%(refname)")) {
		kind, blob := "generation", ""
		if strings.HasSuffix(ref, "/ledger") {
			kind, blob = "ledger", "ledger batch"
		}
		for commit := range strings.FieldsSeq(p.must(t, "git", "--git-dir="+store, "log", "--format=%H", ref)) {
			roles[commit] = kind + " commit"
			roles[strings.TrimSpace(p.must(t, "git", "--git-dir="+store, "rev-parse", commit+"^{tree}"))] = "tree"
			for line := range strings.Lines(p.must(t, "git", "--git-dir="+store, "ls-tree", "-r", "-t", commit)) {
				head, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
				f := strings.Fields(head)
				switch {
				case f[1] == "tree":
					roles[f[2]] = "tree"
				case blob != "":
					roles[f[2]] = blob
				case !strings.Contains(name, "/"):
					roles[f[2]] = name
				default:
					roles[f[2]] = path.Dir(name)
				}
			}
		}
	}
	return roles
}

// packRegions lists the parts of a pack and of its index: of each role the last
// object, which is the newest.
func (p *place) packRegions(t *testing.T, index string, roles map[string]string, met map[string]bool) (list []region) {
	t.Helper()
	pack := strings.TrimSuffix(index, ".idx") + ".pack"
	c := p.command("git", "show-index")
	in, err := os.Open(filepath.Join(p.dir, index))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	c.Stdin = in
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	type object struct {
		at  int64
		oid string
	}
	var objects []object
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		at, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object{at, f[1]})
	}
	slices.SortFunc(objects, func(a, b object) int { return int(a.at - b.at) })
	size := p.size(t, pack)
	ends := map[string][2]int64{}
	for i, o := range objects {
		end := size - 20
		if i+1 < len(objects) {
			end = objects[i+1].at
		}
		if role := roles[o.oid]; role != "" {
			ends[role] = [2]int64{o.at, end}
		}
	}
	lost := false // a ledger has no second copy
	for role := range ends {
		lost = lost || strings.HasPrefix(role, "ledger")
	}
	for role, at := range ends {
		met[role] = true
		head := min(at[0]+16, at[1]-4)
		digest := min(head+34, at[1]-4)
		for _, part := range [][2]int64{{at[0], head}, {head, digest}, {digest, at[1] - 4}, {at[1] - 4, at[1]}} {
			if part[0] < part[1] {
				list = append(list, region{role, pack, part[0], part[1], lost})
			}
		}
	}
	n := int64(len(objects))
	list = append(list, region{"pack header", pack, 0, 12, lost}, region{"pack checksum", pack, size - 20, size, lost})
	at := int64(0)
	for _, length := range []int64{8, 1024, 20 * n, 4 * n, 4 * n, 20, 20} {
		list = append(list, region{"pack index", index, at, at + length, lost})
		at += length
	}
	return list
}

package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Severity says how bad a finding is.
type Severity uint8

const (
	// Note is about something harmless, such as what a killed process left.
	Note Severity = iota
	// Warning is about something that costs time or space.
	Warning
	// Damage is about something that cannot be read as it was written.
	Damage
)

// String returns the severity's name.
func (v Severity) String() string { return [...]string{"note", "warning", "damage"}[v] }

// Finding is one thing that Fsck noticed.
type Finding struct {
	Severity Severity
	What     string // what is wrong
	Where    string // the object, ref or file of the store
	Advice   string // what to do about it
}

// String returns the finding as one line.
func (f Finding) String() string {
	return fmt.Sprintf("%v: %s: %s (%s)", f.Severity, f.Where, f.What, f.Advice)
}

const (
	adviceRebuild = "run `git codeidx index` to build the index again"
	adviceGC      = "run `git codeidx gc`"
	adviceLedger  = "restore it from a copy, or begin a new ledger: `git codeidx clear --ledger`, then `git codeidx index`"
	advicePacked  = "restore it from a copy, or give up what the lines held, a ledger perhaps: `git codeidx clear --ledger`, then `git codeidx index`"
)

// Fsck reads everything in the store and compares it with every checksum that
// there is. Findings are sorted by place; none means that all is well. The
// error is only about Fsck itself.
func (s *Store) Fsck(ctx context.Context) ([]Finding, error) {
	c := &verifier{s: s, good: map[OID]goodObject{}}
	packs, _, err := s.packList(true)
	if err != nil {
		return nil, fmt.Errorf("check store: %w", err)
	}
	if err := c.files(packs); err != nil {
		return nil, fmt.Errorf("check store: %w", err)
	}
	for _, p := range packs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.pack(p)
	}
	if err := c.refs(ctx); err != nil {
		return nil, fmt.Errorf("check store: %w", err)
	}
	slices.SortStableFunc(c.findings, func(a, b Finding) int { return strings.Compare(a.Where, b.Where) })
	return c.findings, nil
}

// verifier collects findings. good are the objects whose content matches their
// id; of payloads also what their header says and their bytes prove.
type verifier struct {
	s        *Store
	good     map[OID]goodObject
	findings []Finding
}

type goodObject struct {
	t       objectType
	payload bool
	digest  Digest
	size    uint32
}

func (c *verifier) add(v Severity, where, advice, format string, args ...any) {
	c.findings = append(c.findings, Finding{Severity: v, What: fmt.Sprintf(format, args...), Where: where, Advice: advice})
}

// files looks at what lies around.
func (c *verifier) files(packs []*pack) error {
	for _, f := range storeFiles() {
		text, err := readOwn(filepath.Join(c.s.dir, f[0]), maxSmallFile)
		if err != nil || string(text) != f[1] {
			c.add(Warning, f[0], "git may not read the store, or make it slow to read: remove the file, then run `git codeidx index`", "is not as it was made")
		}
	}
	open := map[string]bool{}
	for _, p := range packs {
		open[filepath.Base(p.base)] = true
	}
	entries, err := os.ReadDir(c.s.packDir())
	if err != nil {
		return err
	}
	for _, e := range entries {
		where := "objects/pack/" + e.Name()
		ext := filepath.Ext(e.Name())
		switch base := strings.TrimSuffix(e.Name(), ext); {
		case strings.HasPrefix(base, "tmp_"):
			c.add(Note, where, adviceGC, "a build at work, or left by one that was killed")
		case ext == ".idx" && !open[base] && isUnreadable(filepath.Join(c.s.packDir(), base)):
			c.add(Damage, where, adviceRebuild, "pack or index cannot be opened")
		case ext == ".pack" && !open[base]:
			c.add(Note, where, adviceGC, "has no index that can be read")
		}
	}
	return nil
}

// isUnreadable tells a pack that cannot be opened from one that came or went
// since the packs were listed.
func isUnreadable(base string) bool {
	p, err := openPack(base)
	if err == nil {
		p.close()
	}
	return err != nil && !errors.Is(err, fs.ErrNotExist)
}

// pack checks a pack file's checksum, its index and every object in it.
func (c *verifier) pack(p *pack) {
	where := "objects/pack/" + filepath.Base(p.base)
	sum, err := p.checksum()
	if err != nil {
		c.add(Damage, where+".pack", adviceRebuild, "%v", err)
	}
	indexed, packSum, err := readPackIndex(p.indexFile)
	if err != nil {
		c.add(Damage, where+".idx", adviceRebuild, "%v", err)
		return
	}
	if packSum != sum {
		c.add(Damage, where+".idx", adviceRebuild, "is the index of another pack")
	}
	buf := entryBuffers.Get().(*[]byte)
	defer putBuffer(buf)
	for _, e := range indexed {
		t, data, err := p.object(e.offset, request{limit: maxObjectSize}, buf)
		if err == nil {
			err = c.object(e.oid, t, data)
		}
		if err != nil {
			c.add(Damage, fmt.Sprintf("%s.pack: object %v", where, e.oid), adviceRebuild, "%v", err)
		}
	}
	if n, err := p.count(); err != nil || n != len(indexed) {
		c.add(Damage, where+".idx", adviceRebuild, "indexes %d objects of %d", len(indexed), n)
	}
}

// object records an object that matches its id.
func (c *verifier) object(oid OID, t objectType, data []byte) error {
	if objectID(t, data) != oid {
		return errors.New("content does not match its id")
	}
	g := goodObject{t: t}
	if t == typeBlob {
		if raw, digest, err := decodePayload(data); err == nil {
			g.payload, g.digest, g.size = true, digest, uint32(len(raw))
		}
	}
	c.good[oid] = g
	return nil
}

// lookup returns an object that is good, reading it if it is in no pack.
func (c *verifier) lookup(oid OID) (goodObject, bool) {
	if g, ok := c.good[oid]; ok {
		return g, true
	}
	t, data, err := c.s.object(oid, maxObjectSize)
	if err != nil || c.object(oid, t, data) != nil {
		return goodObject{}, false
	}
	return c.good[oid], true
}

// refs checks that each ref leads to something of ours that is whole.
func (c *verifier) refs(ctx context.Context) error {
	refs, damaged, err := c.s.refs("refs/")
	if err != nil {
		return err
	}
	for _, name := range damaged {
		switch {
		case name == packedRefsFile:
			c.add(Damage, name, advicePacked, "is empty or has lines that cannot be read")
		case strings.HasSuffix(name, "/"+ledgerRefName):
			c.add(Damage, name, adviceLedger, "does not hold an object id")
		default:
			c.add(Damage, name, adviceRebuild, "does not hold an object id")
		}
	}
	checked := map[OID]bool{}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.ref(name, refs[name], checked)
	}
	return nil
}

func (c *verifier) ref(name string, oid OID, checked map[OID]bool) {
	owner, kind, ok := strings.Cut(strings.TrimPrefix(name, refPrefix), "/")
	switch {
	case !ok || !strings.HasPrefix(name, refPrefix):
		c.add(Note, name, "none needed", "is not a ref of the store")
	case owner == "gen":
		c.generation(name, oid, checked)
		if g, err := c.s.GenerationAt(oid); err == nil && g.Manifest.String() != kind {
			c.add(Damage, name, adviceRebuild, "leads to the generation of another manifest")
		}
	case checkBinding(owner) != nil:
		c.add(Note, name, "none needed", "is not a ref of the store")
	case kind == ledgerRefName:
		c.ledger(name, owner)
	default:
		c.generation(name, oid, checked)
	}
}

// generation checks that all blocks of a generation are there, are what the
// root says, and are in the tree, without which `git gc` would drop them.
func (c *verifier) generation(name string, oid OID, checked map[OID]bool) {
	if checked[oid] {
		return
	}
	checked[oid] = true
	g, err := c.s.GenerationAt(oid)
	if err != nil {
		c.add(Damage, name, adviceRebuild, "%v", err)
		return
	}
	reach := map[OID]bool{}
	if err := c.s.markReachable(oid, reach); err != nil {
		c.add(Damage, name, adviceRebuild, "%v", err)
	}
	for _, o := range slices.SortedFunc(maps.Keys(reach), func(a, b OID) int { return slices.Compare(a[:], b[:]) }) {
		if o, ok := c.lookup(o); !ok || o.t == typeBlob && !o.payload {
			c.add(Damage, name, adviceRebuild, "%s is missing or damaged", o.t)
		}
	}
	for section, blocks := range g.Sections {
		for i, b := range blocks {
			o, ok := c.lookup(b.Blob.OID)
			where := fmt.Sprintf("%s: %s block %d", name, section, i)
			switch {
			case !ok:
			case !o.payload || o.digest != b.Blob.Digest || o.size != b.Blob.Len:
				c.add(Damage, where, adviceRebuild, "%v holds another payload", b.Blob.OID)
			case !reach[b.Blob.OID]:
				c.add(Damage, where, adviceRebuild, "%v is not in the tree", b.Blob.OID)
			}
		}
	}
}

// ledger checks the chain of a ledger's batches down to its beginning.
func (c *verifier) ledger(name, binding string) {
	for _, err := range c.s.Ledger(binding) {
		if err != nil {
			c.add(Damage, name, adviceLedger, "%v", err)
		}
	}
}

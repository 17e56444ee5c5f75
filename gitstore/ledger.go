package gitstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"time"
)

// The ledger of a binding is a chain of commits, each with its batch as its
// tree: "entries", one line of JSON each, oldest first, and "torn", the spool
// lines that could not be read. The id of the newest vouches for all.
const (
	batchEntries = "entries"
	batchTorn    = "torn"
	// A spool that is being folded is called spool.<batch id>; the commit
	// names the batch, so that after a crash one can see whether it is in.
	spoolBatchPrefix = "spool."
)

// LedgerEntry is one entry of a ledger.
type LedgerEntry struct {
	JSON   json.RawMessage
	Commit OID       // its batch
	Time   time.Time // when the batch was folded
}

// FoldResult says what FoldSpool did.
type FoldResult struct {
	Entries int
	Torn    []TornLine
}

// FoldSpool moves what is in the spool of the binding whose directory is dir to
// its ledger, as one commit that is on disk before the spool goes. Safe to be
// run by several processes and to be killed at any point: no entry is lost,
// none comes in twice.
func (s *Store) FoldSpool(ctx context.Context, dir, binding string) (FoldResult, error) {
	if err := checkBinding(binding); err != nil {
		return FoldResult{}, err
	}
	res, err := s.foldSpool(ctx, dir, binding)
	if err != nil {
		return res, fmt.Errorf("fold spool: %w", err)
	}
	return res, nil
}

func (s *Store) foldSpool(ctx context.Context, dir, binding string) (res FoldResult, err error) {
	lock, err := acquireLock(ctx, lockRequest{
		path: filepath.Join(s.dir, "locks", "ledger-"+binding), exclusive: true, purpose: "writing the ledger",
	})
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	// What a killed process began comes first: it is older.
	names, err := spoolFiles(dir)
	if err != nil {
		return res, err
	}
	for _, name := range names {
		id := strings.TrimPrefix(name, spoolBatchPrefix)
		if name == spoolFile {
			id = randomHex()
			if err := moveSpool(dir, id); err != nil {
				return res, err
			}
		}
		if err := s.foldBatch(ctx, dir, binding, id, &res); err != nil {
			return res, err
		}
	}
	// The entries are in; folding packs can as well be done next time.
	_, _ = s.fold()
	return res, nil
}

// moveSpool gives the spool the name of its batch, for good: were the name lost
// after the batch is in the ledger, its entries would come in again.
func moveSpool(dir, id string) error {
	if err := renameFile(filepath.Join(dir, spoolFile), filepath.Join(dir, spoolBatchPrefix+id)); err != nil {
		return err
	}
	return syncDir(dir)
}

// foldBatch appends one batch to the ledger, unless it is there already, and
// removes its file.
func (s *Store) foldBatch(ctx context.Context, dir, binding, id string, res *FoldResult) error {
	path := filepath.Join(dir, spoolBatchPrefix+id)
	data, err := readSettled(path)
	if err != nil {
		return err
	}
	name := bindingRef(binding, ledgerRefName)
	tip, err := s.Ref(name)
	if err != nil && !errors.Is(err, ErrNoRef) {
		return err
	}
	if done, err := s.isFolded(tip, id); err != nil {
		return err
	} else if done {
		return removeFile(path)
	}
	if entries, torn := parseSpool(data); len(entries)+len(torn) > 0 {
		oid, err := s.writeBatch(tip, id, entries, torn)
		if err != nil {
			return err
		}
		if err := s.moveLedger(ctx, name, tip, oid); err != nil {
			return err
		}
		res.Entries += len(entries)
		res.Torn = append(res.Torn, torn...)
	}
	return removeFile(path)
}

// readSettled reads a spool that has been moved, once those who had opened it
// before are done with it.
func readSettled(path string) ([]byte, error) {
	f, _, err := openOwn(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := waitFlockShort(f, true); err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || st.Size() > maxSpool {
		return nil, errors.Join(err, fmt.Errorf("%s is larger than %d MiB: move it away", path, maxSpool>>20))
	}
	return readWhole(f)
}

func (s *Store) isFolded(tip OID, id string) (bool, error) {
	if tip.IsZero() {
		return false, nil
	}
	c, err := s.commit(tip)
	if err != nil {
		return false, err
	}
	return c.trailer(trailerBatch) == id, nil
}

// writeBatch writes a batch as a small pack, on disk when it returns.
func (s *Store) writeBatch(parent OID, id string, entries []json.RawMessage, torn []TornLine) (oid OID, err error) {
	w := newPackWriter(s.packDir())
	defer func() { err = errors.Join(err, w.abort()) }()
	put := func(t objectType, data []byte) (OID, error) {
		oid := objectID(t, data)
		return oid, w.add(oid, appendEntry(nil, t, data))
	}
	files, err := putBatch(entries, torn, put)
	if err != nil {
		return OID{}, err
	}
	c := commit{when: time.Now(), subject: fmt.Sprintf("ledger: %d entries", len(entries)), trailers: []Trailer{{trailerBatch, id}}}
	if !parent.IsZero() {
		c.parents = []OID{parent}
	}
	if c.tree, err = buildTrees(files, put); err != nil {
		return OID{}, err
	}
	data, err := c.encode()
	if err != nil {
		return OID{}, err
	}
	if oid, err = put(typeCommit, data); err != nil {
		return OID{}, err
	}
	_, err = w.finish(durable)
	return oid, err
}

func putBatch(entries []json.RawMessage, torn []TornLine, put func(objectType, []byte) (OID, error)) ([]treeFile, error) {
	var lines, bad bytes.Buffer
	for _, e := range entries {
		lines.Write(e)
		lines.WriteByte('\n')
	}
	for _, t := range torn {
		bad.Write(t.Text)
		bad.WriteByte('\n')
	}
	oid, err := put(typeBlob, lines.Bytes())
	files := []treeFile{{batchEntries, oid}}
	if err == nil && len(torn) > 0 {
		oid, err = put(typeBlob, bad.Bytes())
		files = append(files, treeFile{batchTorn, oid})
	}
	return files, err
}

func (s *Store) moveLedger(ctx context.Context, name string, old, new OID) error {
	return s.updateRefs(ctx, func(tx *refUpdate) error {
		tx.sync = durable
		if have, err := tx.get(name); err != nil || have != old {
			return errors.Join(err, fmt.Errorf("%w: %s", ErrRefChanged, name))
		}
		return tx.set(name, new)
	})
}

// Ledger yields the entries of a binding's ledger, newest first. Damage is
// yielded as an error and ends it.
func (s *Store) Ledger(binding string) iter.Seq2[LedgerEntry, error] {
	return func(yield func(LedgerEntry, error) bool) {
		if err := s.walkLedger(binding, yield); err != nil {
			yield(LedgerEntry{}, fmt.Errorf("read ledger: %w", err))
		}
	}
}

func (s *Store) walkLedger(binding string, yield func(LedgerEntry, error) bool) error {
	if err := checkBinding(binding); err != nil {
		return err
	}
	oid, err := s.Ref(bindingRef(binding, ledgerRefName))
	if errors.Is(err, ErrNoRef) {
		return nil
	}
	for err == nil && !oid.IsZero() {
		var c *commit
		if c, err = s.commit(oid); err != nil {
			break
		}
		var lines [][]byte
		if lines, err = s.batch(c.tree); err != nil {
			break
		}
		for i := len(lines) - 1; i >= 0; i-- {
			if !yield(LedgerEntry{JSON: lines[i], Commit: oid, Time: c.when}, nil) {
				return nil
			}
		}
		oid = OID{}
		if len(c.parents) > 0 {
			oid = c.parents[0]
		}
	}
	return err
}

// batch returns the lines of a batch, oldest first.
func (s *Store) batch(tree OID) ([][]byte, error) {
	files, err := s.tree(tree)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.name != batchEntries {
			continue
		}
		t, data, err := s.object(f.oid, maxObjectSize)
		if err != nil {
			return nil, err
		}
		data = bytes.TrimSuffix(data, []byte{'\n'})
		if t != typeBlob || len(data) == 0 {
			return nil, nil
		}
		lines := bytes.Split(data, []byte{'\n'})
		for _, l := range lines {
			if !json.Valid(l) {
				return nil, corruptObject(f.oid, errors.New("entry is not JSON"))
			}
		}
		return lines, nil
	}
	return nil, corruptObject(tree, errors.New("batch has no entries"))
}

package gitstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// The spool is where a hook notes an event and is gone: one line, written at
// once, without opening the store.
//
//	length of the JSON in decimal, ' ', its CRC-32C in 8 hex digits, ' ', JSON, '\n'
//
// It lies in the directory of the binding, so that it goes with its work tree.
const (
	spoolFile = "spool"
	// MaxSpoolLine is the greatest length of an entry's JSON.
	MaxSpoolLine = 1 << 20
)

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// TornLine is a line of the spool that is not as it was written: the writer was
// killed, or the disk was full.
type TornLine struct {
	Number int    // of the line in the file, from 1
	Text   []byte // what there is of it
	Reason string
}

func appendSpoolLine(b, entry []byte) []byte {
	b = strconv.AppendInt(b, int64(len(entry)), 10)
	b = fmt.Appendf(b, " %08x ", crc32.Checksum(entry, castagnoli()))
	return append(append(b, entry...), '\n')
}

// parseSpoolLine returns the entry in a line without its end.
func parseSpoolLine(line []byte) (json.RawMessage, error) {
	size, rest, ok := bytes.Cut(line, []byte{' '})
	sum, entry, ok2 := bytes.Cut(rest, []byte{' '})
	switch n, err := strconv.Atoi(string(size)); {
	case !ok || !ok2 || err != nil || len(sum) != 8:
		return nil, errors.New("no length and checksum")
	case n != len(entry):
		return nil, fmt.Errorf("%d bytes instead of %s", len(entry), size)
	case fmt.Sprintf("%08x", crc32.Checksum(entry, castagnoli())) != string(sum):
		return nil, errors.New("checksum is wrong")
	}
	return entry, checkEntry(entry)
}

func checkEntry(entry []byte) error {
	switch {
	case len(entry) > MaxSpoolLine:
		return errors.New("entry is too long")
	case bytes.IndexByte(entry, '\n') >= 0 || !json.Valid(entry):
		return errors.New("not one line of JSON")
	}
	return nil
}

// AppendSpool adds an entry, one line of JSON, to the spool of the binding whose
// directory is dir. Safe against other appenders and against FoldSpool.
func AppendSpool(dir string, entry []byte) error {
	if err := checkEntry(entry); err != nil {
		return fmt.Errorf("append to spool: %w", err)
	}
	for {
		f, err := openSpool(dir)
		if err != nil {
			return fmt.Errorf("append to spool: %w", err)
		}
		moved, err := f.appendLine(entry)
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("append to spool: %w", err)
		}
		if !moved {
			return nil
		}
	}
}

func openSpool(dir string) (*outFile, error) {
	if err := errors.Join(checkFolder(dir), makeDir(dir)); err != nil {
		return nil, err
	}
	return appendFile(filepath.Join(dir, spoolFile))
}

// appendLine writes an entry unless the file has been moved away by FoldSpool
// since it was opened. The lock makes FoldSpool wait for writers at work.
func (f *outFile) appendLine(entry []byte) (moved bool, err error) {
	if err := waitFlockShort(f.File, false); err != nil {
		return false, err
	}
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Lstat(f.Name())
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(mine, there) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	var line []byte
	if torn, err := f.endsTorn(mine.Size()); err != nil {
		return false, err
	} else if torn {
		line = append(line, '\n')
	}
	_, err = f.Write(appendSpoolLine(line, entry))
	return false, err
}

// endsTorn reports whether the last line has no end: a new one must not become
// part of it.
func (f *outFile) endsTorn(size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	var last [1]byte
	_, err := f.ReadAt(last[:], size-1)
	return last[0] != '\n', err
}

// ReadSpool returns the entries that wait in a binding's spool, oldest first,
// and the lines that are torn.
func ReadSpool(dir string) (entries []json.RawMessage, torn []TornLine, err error) {
	for range maxScans {
		// A file that is gone was folded, or renamed to be: look again, so that
		// its entries are met here or, by a later reader, in the ledger.
		if entries, torn, err = readSpoolOnce(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read spool: %w", err)
	}
	return entries, torn, nil
}

func readSpoolOnce(dir string) (entries []json.RawMessage, torn []TornLine, err error) {
	names, err := spoolFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		data, err := readOwn(filepath.Join(dir, name), maxSpool)
		if err != nil {
			return nil, nil, err
		}
		e, t := parseSpool(data)
		entries, torn = append(entries, e...), append(torn, t...)
	}
	return entries, torn, nil
}

// spoolFiles returns the names of the spool and, before it, of batches that are
// being folded.
func spoolFiles(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), spoolBatchPrefix) {
			names = append(names, e.Name())
		}
	}
	for _, e := range entries {
		if e.Name() == spoolFile {
			names = append(names, spoolFile)
		}
	}
	return names, err
}

func parseSpool(data []byte) (entries []json.RawMessage, torn []TornLine) {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text := bytes.TrimSuffix(line, []byte{'\n'})
		if len(text) == 0 {
			continue
		}
		entry, err := parseSpoolLine(text)
		if err != nil {
			torn = append(torn, TornLine{Number: number, Text: text, Reason: err.Error()})
			continue
		}
		entries = append(entries, entry)
	}
	return entries, torn
}

package gitstore

import (
	"bufio"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

const (
	tempPackPrefix  = "tmp_pack_"
	tempIndexPrefix = "tmp_idx_"
	packBuffer      = 256 << 10
)

// packWriter writes one pack: entries go to a temporary file as they come, and
// only what the index needs of them stays in memory. The file is made with the
// first entry. Not safe for concurrent use.
type packWriter struct {
	dir     string // objects/pack
	file    *outFile
	buf     *bufio.Writer
	size    int64
	entries []packEntry
}

func newPackWriter(dir string) *packWriter { return &packWriter{dir: dir} }

// add appends the entry of an object as appendEntry made it.
func (w *packWriter) add(oid OID, entry []byte) error {
	if w.file == nil {
		if err := w.create(); err != nil {
			return fmt.Errorf("create pack: %w", err)
		}
	}
	if _, err := w.buf.Write(entry); err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	w.entries = append(w.entries, packEntry{oid, crc32.ChecksumIEEE(entry), w.size})
	w.size += int64(len(entry))
	return nil
}

func (w *packWriter) create() error {
	f, err := createTemp(filepath.Join(w.dir, tempPackPrefix))
	if err != nil {
		return err
	}
	// The lock tells a writer at work from one that died.
	if err := tryFlock(f.File, true); err != nil {
		return errors.Join(err, f.Close(), removeFile(f.Name()))
	}
	w.file = f
	w.buf = bufio.NewWriterSize(f, packBuffer)
	w.size = packHeaderSize
	_, err = w.buf.Write(packHeader(0))
	return err
}

func packHeader(entries int) []byte {
	b := binary.BigEndian.AppendUint32([]byte(packSignature), packVersion)
	return binary.BigEndian.AppendUint32(b, uint32(entries))
}

// entryAt returns up to n bytes of the pack from off on.
func (w *packWriter) entryAt(off int64, n int) ([]byte, error) {
	if err := w.buf.Flush(); err != nil {
		return nil, err
	}
	b := make([]byte, min(int64(n), w.size-off))
	_, err := w.file.ReadAt(b, off)
	return b, err
}

// finish gives the pack its name, then the index its own: an index never lacks
// its pack. It returns their path without extension, "" where nothing was
// added.
func (w *packWriter) finish(d durability) (base string, err error) {
	if w.file == nil {
		return "", nil
	}
	defer func() { err = errors.Join(err, w.abort()) }()
	sum, err := w.seal()
	if err == nil && d == durable {
		err = w.file.Sync()
	}
	if err != nil {
		return "", fmt.Errorf("finish pack: %w", err)
	}
	base = filepath.Join(w.dir, fmt.Sprintf("pack-%x", sum))
	if _, err := os.Stat(base + ".idx"); err == nil {
		return base, nil
	}
	if err := renameFile(w.file.Name(), base+".pack"); err != nil {
		return "", fmt.Errorf("finish pack: %w", err)
	}
	if err := w.writeIndex(base, sum, d); err != nil {
		err = fmt.Errorf("write pack index: %w", err)
		if gone := removeFile(base + ".idx"); gone != nil {
			return "", errors.Join(err, gone)
		}
		return "", errors.Join(err, removeFile(base+".pack"))
	}
	return base, w.release()
}

// seal writes the number of entries into the header and the checksum at the
// end. The checksum begins with that number, so the file is read once more.
func (w *packWriter) seal() (sum [sha1.Size]byte, err error) {
	if err := w.buf.Flush(); err != nil {
		return sum, err
	}
	if _, err := w.file.WriteAt(packHeader(len(w.entries)), 0); err != nil {
		return sum, err
	}
	h := sha1.New()
	n, err := io.CopyBuffer(h, io.NewSectionReader(w.file, 0, w.size), make([]byte, packBuffer))
	if err == nil && n != w.size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return sum, err
	}
	h.Sum(sum[:0])
	_, err = w.file.WriteAt(sum[:], w.size)
	return sum, err
}

func (w *packWriter) writeIndex(base string, sum [sha1.Size]byte, d durability) error {
	f, err := createTemp(filepath.Join(w.dir, tempIndexPrefix))
	if err != nil {
		return err
	}
	return f.publish(base+".idx", encodePackIndex(w.entries, sum), d)
}

// release closes the file and leaves it.
func (w *packWriter) release() error {
	f := w.file
	w.file = nil
	return f.Close()
}

// abort removes the temporary file, if there is one.
func (w *packWriter) abort() error {
	if w.file == nil {
		return nil
	}
	name := w.file.Name()
	return errors.Join(w.release(), removeFile(name))
}

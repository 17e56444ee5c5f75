package gitstore

import (
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"io"
)

// checksum returns the checksum at the end of the pack after computing it.
func (p *pack) checksum() (sum [sha1.Size]byte, err error) {
	if p.end < packHeaderSize {
		return sum, errors.New("is cut short")
	}
	h := sha1.New()
	if _, err := io.CopyBuffer(h, io.NewSectionReader(p.file, 0, p.end), make([]byte, packBuffer)); err != nil {
		return sum, err
	}
	if _, err := p.file.ReadAt(sum[:], p.end); err != nil {
		return sum, err
	}
	if [sha1.Size]byte(h.Sum(nil)) != sum {
		return sum, errors.New("checksum is wrong")
	}
	return sum, nil
}

// count returns the number of objects that the pack's header states.
func (p *pack) count() (int, error) {
	var head [packHeaderSize]byte
	if _, err := p.file.ReadAt(head[:], 0); err != nil {
		return 0, err
	}
	if string(head[:4]) != packSignature || binary.BigEndian.Uint32(head[4:]) != packVersion {
		return 0, errors.New("is not a pack of version 2")
	}
	return int(binary.BigEndian.Uint32(head[8:])), nil
}

package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"codeidx/facts"
)

// Frames are a length of four bytes (little endian) and that many bytes.
// Numbers within them are unsigned varints.
const (
	// MaxSource is the largest file that is extracted, in bytes.
	MaxSource = 64 << 20
	maxPath   = 1 << 16
	maxBatch  = MaxSource + maxPath + batchBytes + requestOverhead

	// requestOverhead is more than a request takes beyond path and source.
	requestOverhead = 16
	// A reply is no longer than replyBase and replyFactor times its source.
	replyBase, replyFactor = 1 << 20, 64
)

var errFrame = errors.New("malformed frame")

// settings are what the parent tells a worker first.
type settings struct {
	memory  uint64 // bytes, 0 for no limit
	timeout time.Duration
}

func writeFrame(w io.Writer, payload ...[]byte) error {
	n := 0
	for _, p := range payload {
		n += len(p)
	}
	frame := make([]byte, 4, 4+n)
	binary.LittleEndian.PutUint32(frame, uint32(n))
	for _, p := range payload {
		frame = append(frame, p...)
	}
	_, err := w.Write(frame)
	return err
}

// readFrame reads one frame of at most limit bytes; io.EOF says that none
// follows.
func readFrame(r io.Reader, limit int) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if uint64(n) > uint64(limit) {
		return nil, errFrame
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, errFrame
	}
	return b, nil
}

func (s settings) encode() []byte {
	b := binary.AppendUvarint(nil, s.memory)
	return binary.AppendUvarint(b, uint64(s.timeout))
}

func decodeSettings(b []byte) (settings, error) {
	memory, b, err := number(b)
	if err != nil {
		return settings{}, err
	}
	timeout, b, err := number(b)
	if err != nil || len(b) != 0 || timeout > uint64(time.Hour) {
		return settings{}, errFrame
	}
	return settings{memory, time.Duration(timeout)}, nil
}

func encodeBatch(batch []*job) []byte {
	n := 0
	for _, j := range batch {
		n += len(j.Src) + len(j.Path) + requestOverhead
	}
	b := make([]byte, 0, n)
	for _, j := range batch {
		b = append(b, byte(j.Lang))
		b = binary.AppendUvarint(b, uint64(len(j.Path)))
		b = append(b, j.Path...)
		b = binary.AppendUvarint(b, uint64(len(j.Src)))
		b = append(b, j.Src...)
	}
	return b
}

// nextRequest takes the first request off a batch; its source aliases b.
func nextRequest(b []byte) (r Request, rest []byte, err error) {
	if len(b) == 0 {
		return r, nil, errFrame
	}
	r.Lang = facts.Lang(b[0])
	path, b, err := bytesField(b[1:])
	if err != nil {
		return r, nil, err
	}
	r.Path = string(path)
	r.Src, b, err = bytesField(b)
	return r, b, err
}

func (r Result) head() []byte {
	b := []byte{byte(r.Status)}
	b = binary.AppendUvarint(b, uint64(len(r.Err)))
	return append(b, r.Err...)
}

func decodeReply(b []byte) (Result, error) {
	if len(b) == 0 || Status(b[0]) > ParseMemory {
		return Result{}, errFrame
	}
	text, rest, err := bytesField(b[1:])
	if err != nil {
		return Result{}, fmt.Errorf("read reply: %w", err)
	}
	return Result{Status: Status(b[0]), Err: string(text), Facts: rest}, nil
}

func bytesField(b []byte) (field, rest []byte, err error) {
	n, b, err := number(b)
	if err != nil || n > uint64(len(b)) {
		return nil, nil, errFrame
	}
	return b[:n:n], b[n:], nil
}

func number(b []byte) (uint64, []byte, error) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, errFrame
	}
	return v, b[n:], nil
}

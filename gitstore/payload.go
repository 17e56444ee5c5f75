package gitstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// The content of every blob that holds a payload is
//
//	"cix" 0x01     magic and version of this layout
//	32 bytes       SHA-256 of the raw bytes
//	uint32         length of the raw bytes, little-endian
//	the rest       one zstd frame
//
// The compressed bytes differ between versions of the compressor. So a
// payload is recognised by the digest of its raw bytes, and the blob's id is
// only the address of one of its forms.
const (
	payloadMagic = "cix\x01"
	payloadHead  = len(payloadMagic) + len(Digest{}) + 4
)

// zstdBlock is what a block of a frame, which takes 4 bytes at least, can give.
const zstdBlock = 128 << 10

// MaxPayload is the greatest length of a payload's raw bytes.
const MaxPayload = 64 << 20

// ErrTooLarge is returned for a payload above MaxPayload.
var ErrTooLarge = errors.New("payload is too large")

// encoders compress on the goroutine that asks; a pool makes as many of them as
// there are goroutines that do.
var encoders = sync.Pool{New: func() any {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithNoEntropyCompression(true))
	if err != nil {
		panic("gitstore: internal error: " + err.Error())
	}
	return e
}}

// decoder serves all goroutines: its limits hold for hostile frames too.
var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)),
		zstd.WithDecoderMaxMemory(MaxPayload), zstd.WithDecodeAllCapLimit(true),
		zstd.IgnoreChecksum(true))
	if err != nil {
		panic("gitstore: internal error: " + err.Error())
	}
	return d
})

// appendPayload appends the blob content that holds raw.
func appendPayload(b, raw []byte, digest Digest) []byte {
	b = append(append(b, payloadMagic...), digest[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(raw)))
	e := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	return e.EncodeAll(raw, b)
}

// maxContent is the greatest length of a blob that holds a payload of n raw
// bytes: what does not compress grows by three bytes a block.
func maxContent(n uint32) int { return payloadHead + int(n) + 3*(int(n)/zstdBlock+1) + 64 }

// payloadHeader reads what a payload says of its raw bytes.
func payloadHeader(content []byte) (digest Digest, size uint32, err error) {
	if len(content) < payloadHead || string(content[:len(payloadMagic)]) != payloadMagic {
		return Digest{}, 0, errors.New("not a payload")
	}
	n := len(payloadMagic)
	n += copy(digest[:], content[n:])
	return digest, binary.LittleEndian.Uint32(content[n:]), nil
}

// decodePayload returns the raw bytes of a blob's content after checking them
// against its header.
func decodePayload(content []byte) (raw []byte, digest Digest, err error) {
	digest, size, err := payloadHeader(content)
	if err != nil {
		return nil, digest, err
	}
	if size > MaxPayload {
		return nil, digest, ErrTooLarge
	}
	if frame := int64(len(content) - payloadHead); int64(size) > (frame/4+1)*zstdBlock {
		return nil, digest, fmt.Errorf("%d bytes cannot come of a frame of %d", size, frame)
	}
	raw, err = decoder().DecodeAll(content[payloadHead:], make([]byte, 0, size))
	if err != nil {
		return nil, digest, fmt.Errorf("decompress: %w", err)
	}
	if len(raw) != int(size) {
		return nil, digest, fmt.Errorf("%d bytes instead of %d", len(raw), size)
	}
	if DigestOf(raw) != digest {
		return nil, digest, errors.New("bytes do not match their digest")
	}
	return raw, digest, nil
}

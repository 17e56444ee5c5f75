package gitstore

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

func TestPayloadRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOf(rapid.Byte()).Draw(t, "raw")
		if n := rapid.IntRange(0, 3).Draw(t, "repeat"); n > 0 {
			raw = bytes.Repeat(raw, n*1000)
		}
		content := appendPayload(nil, raw, DigestOf(raw))
		got, digest, err := decodePayload(content)
		if err != nil || digest != DigestOf(raw) || !bytes.Equal(got, raw) {
			t.Fatalf("got %d bytes of %d, %v", len(got), len(raw), err)
		}
		if len(content) == payloadHead {
			return
		}
		// Whatever is wrong, it is never taken for something else.
		i := rapid.IntRange(0, len(content)-1).Draw(t, "damaged")
		content[i] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if got, digest, err := decodePayload(content); err == nil && (digest != DigestOf(raw) || !bytes.Equal(got, raw)) {
			t.Fatalf("byte %d damaged: got %d other bytes", i, len(got))
		}
	})
}

// TestPayloadBomb has a frame of more bytes than the header says.
func TestPayloadBomb(t *testing.T) {
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	raw := make([]byte, 32<<20)
	bomb := appendPayload(nil, []byte("x"), DigestOf([]byte("x")))[:payloadHead]
	bomb = e.EncodeAll(raw, bomb)
	if _, _, err := decodePayload(bomb); err == nil {
		t.Error("decoded more than the header says")
	}
	huge := bytes.Clone(bomb)
	copy(huge[payloadHead-4:], "\xff\xff\xff\xff")
	if _, _, err := decodePayload(huge); err == nil {
		t.Error("decoded a payload above the limit")
	}
}

func FuzzPayload(f *testing.F) {
	for _, raw := range []string{"", "x", "some text, some text, some text"} {
		f.Add(appendPayload(nil, []byte(raw), DigestOf([]byte(raw))))
	}
	f.Add([]byte(payloadMagic))
	f.Fuzz(func(t *testing.T, content []byte) {
		raw, digest, err := decodePayload(content)
		if err == nil && DigestOf(raw) != digest {
			t.Fatal("bytes do not match their digest")
		}
	})
}

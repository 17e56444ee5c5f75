package fulltext

import "testing"

// A length is kept to the given share, ascends with its byte, and what a byte
// stands for has that byte.
func TestLengthCodes(t *testing.T) {
	for f, share := range map[Field]float64{Docstring: 0, Code: 1.0 / 16} {
		for n := 0; n < 600000; n = n + 1 + n/50 {
			limit := maxLength
			if f == Code {
				limit = lengthOf(f, maxLength)
			}
			got, want := lengthOf(f, lengthCode(f, n)), min(n, limit)
			if got > want || float64(want-got) > share*float64(want) {
				t.Errorf("%s: length %d is kept as %d", f, n, got)
			}
		}
		for code := range maxLength + 1 {
			n := lengthOf(f, byte(code))
			if back := lengthCode(f, n); int(back) != code {
				t.Errorf("%s: byte %d stands for %d, whose byte is %d", f, code, n, back)
			}
			if code > 0 && n <= lengthOf(f, byte(code-1)) {
				t.Errorf("%s: bytes %d and %d stand for the same length", f, code-1, code)
			}
		}
	}
}

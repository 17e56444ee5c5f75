package trigram

import "bytes"

// A trigram is three codes of 7 bits: codeBits each, the first in the high bits.
const (
	codeBits = 7
	numGrams = 1 << (3 * codeBits)
	gramMask = numGrams - 1
)

// code folds one byte into 7 bits: A to Z to lower case; the bytes of
// non-ASCII text onto the 26 codes that this leaves free, which makes some of
// them equal and no two texts different that were the same.
func code(b byte) uint32 {
	switch {
	case b >= 0x80:
		return 'A' + uint32(b-0x80)%26
	case 'A' <= b && b <= 'Z':
		return uint32(b) + 'a' - 'A'
	}
	return uint32(b)
}

// Beside the ASCII letters, two characters fold to one: the Kelvin sign to k
// and the long s to s. Text and patterns have them replaced, so that a pattern
// without case needs no alternatives for each k and s.
const (
	kelvin = '\u212A'
	longS  = '\u017F'
)

// foldsSpecial says whether text holds one of the two.
func foldsSpecial(text []byte) bool {
	return bytes.Contains(text, []byte(string(kelvin))) || bytes.Contains(text, []byte(string(longS)))
}

func foldSpecial(text []byte) []byte {
	if !foldsSpecial(text) {
		return text
	}
	text = bytes.ReplaceAll(text, []byte(string(kelvin)), []byte("k"))
	return bytes.ReplaceAll(text, []byte(string(longS)), []byte("s"))
}

// foldRune is what stands for a character in the strings of a condition.
func foldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r == kelvin:
		return 'k'
	case r == longS:
		return 's'
	}
	return r
}

// lower writes src with A to Z in lower case into dst, which has its length.
func lower(dst, src []byte) {
	for i, b := range src {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst[i] = b
	}
}

// gramsOf returns the trigrams of a folded string of one line, in order.
func gramsOf(s string) []uint32 {
	var out []uint32
	gram := uint32(0)
	for i := range len(s) {
		gram = (gram<<codeBits | code(s[i])) & gramMask
		if i >= 2 {
			out = append(out, gram)
		}
	}
	return out
}

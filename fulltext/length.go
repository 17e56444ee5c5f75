package fulltext

import "math/bits"

// The length of a symbol's field in terms is stored in one byte: for its name,
// signature and the like as it is, up to maxLength. Bodies are longer, and how
// much longer matters less: their lengths are exact below 2·mantissas and keep
// five leading bits above, so that 255 stands for half a million.
const (
	mantissas    = 16
	mantissaBits = 5 // the leading one included
)

// lengthCode returns the byte that stands for a length of n terms.
func lengthCode(f Field, n int) byte {
	if f < numSymbolFields || n < 2*mantissas {
		return byte(min(n, maxLength))
	}
	shift := bits.Len(uint(n)) - mantissaBits
	return byte(min(mantissas*shift+n>>shift, maxLength))
}

// lengthOf returns the least length that a byte stands for.
func lengthOf(f Field, code byte) int {
	n := int(code)
	if f < numSymbolFields || n < 2*mantissas {
		return n
	}
	shift := n/mantissas - 1
	return (n - mantissas*shift) << shift
}

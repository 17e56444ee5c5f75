package query

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// cursorAt binds a position in an answer to the index and the question:
// "<items before it>.<hash>".
func cursorAt(at int, fingerprint string, p Params) string {
	return fmt.Sprintf("%d.%s", at, questionHash(fingerprint, p))
}

func questionHash(fingerprint string, p Params) string {
	p.Limit = 0 // a page may have another size than the one before
	b, _ := json.Marshal(p)
	h := sha256.Sum256(append([]byte(fingerprint), b...))
	return hex.EncodeToString(h[:8])
}

// cursorStart is how many items come before a cursor, 0 for none.
func cursorStart(cursor, fingerprint string, p Params) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	at, question, ok := strings.Cut(cursor, ".")
	n, err := strconv.ParseUint(at, 10, 31)
	if !ok || err != nil {
		return 0, errorf(InvalidRequest, "use the next value of the answer before, unchanged", "cursor %q is malformed", cursor)
	}
	if question != questionHash(fingerprint, p) {
		return 0, errorf(CodeChanged, "ask again from the start", "the cursor belongs to another question or another index")
	}
	return int(n), nil
}

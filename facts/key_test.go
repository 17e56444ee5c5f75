package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"
)

type keyInput struct {
	path    string
	content [sha256.Size]byte
	lang    Language
}

func (in keyInput) key() Key { return ExtractionKey(in.path, in.content, &in.lang) }

func (in keyInput) equal(o keyInput) bool {
	a, b := in.lang, o.lang
	return in.path == o.path && in.content == o.content && a.Name == b.Name && a.Grammar == b.Grammar &&
		a.Version == b.Version && a.Extractor == b.Extractor
}

// drawKeyInput draws from few letters, so that different inputs often have the
// same concatenation.
func drawKeyInput(t *rapid.T, label string) keyInput {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\x01")), 0, 3, -1)
	in := keyInput{path: text.Draw(t, label+" path")}
	in.content[0] = rapid.SampledFrom([]byte("ab")).Draw(t, label+" content")
	in.lang.Name = text.Draw(t, label+" name")
	in.lang.Grammar = text.Draw(t, label+" grammar")
	in.lang.Version = text.Draw(t, label+" version")
	in.lang.Extractor = rapid.IntRange(0, 300).Draw(t, label+" extractor")
	return in
}

func TestKeysAreEqualOnlyForEqualInputs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawKeyInput(t, "a"), drawKeyInput(t, "b")
		if same := a.key() == b.key(); same != a.equal(b) {
			t.Fatalf("keys of %+v and %+v: equal %v", a, b, same)
		}
	})
}

// TestEveryInputChangesTheKey moves one letter or one number at a time.
func TestEveryInputChangesTheKey(t *testing.T) {
	base := func() keyInput {
		return keyInput{"a/b.go", [32]byte{1}, Language{Name: "go", Grammar: "go", Version: "v1", Extractor: 1}}
	}
	seen := map[Key]string{base().key(): "nothing"}
	for what, change := range map[string]func(*keyInput){
		"path":                      func(in *keyInput) { in.path = "a/c.go" },
		"path, shortened":           func(in *keyInput) { in.path = "a/b.g" },
		"content":                   func(in *keyInput) { in.content[31] = 1 },
		"language":                  func(in *keyInput) { in.lang.Name = "golang" },
		"grammar":                   func(in *keyInput) { in.lang.Grammar = "gomod" },
		"grammar version":           func(in *keyInput) { in.lang.Version = "v2" },
		"extractor":                 func(in *keyInput) { in.lang.Extractor = 2 },
		"letter moved to the left":  func(in *keyInput) { in.lang.Name, in.lang.Grammar = "gog", "o" },
		"letter moved to the right": func(in *keyInput) { in.lang.Name, in.lang.Grammar = "g", "ogo" },
	} {
		in := base()
		change(&in)
		if other, ok := seen[in.key()]; ok {
			t.Errorf("changing %s gives the key of changing %s", what, other)
		}
		seen[in.key()] = what
	}
}

// TestFrozenKey fails when the encoding of keys changes by accident, which
// would make every cached file miss. A new Format or Runtime changes it too.
func TestFrozenKey(t *testing.T) {
	in := keyInput{"a/b.go", sha256.Sum256([]byte("package b\n")), Language{Name: "go", Grammar: "go", Version: "v0.25.0", Extractor: 1}}
	key := in.key()
	const want = "3a991ff6b6fb790c9ab4dbf94c61d3e26c6651d192cdd42b9f0f5300229e8c08"
	if got := hex.EncodeToString(key[:]); got != want {
		t.Errorf("key %s, want %s", got, want)
	}
}

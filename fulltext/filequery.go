package fulltext

// FileQuery asks which files a question is about. What is compared is whole
// files, each with the texts of all its symbols.
type FileQuery struct {
	Words      []Word // at most MaxFileWords
	Langs      []byte // only files in one of these languages; none: all
	Kinds      []byte // only what symbols of one of these kinds hold; none: all
	PathPrefix string // a folder or a file, see Under
	Limit      int    // of files; 0 or less: none

	// Weigh is by what the score of a file is multiplied, given the flags of
	// its first symbol that holds a word; nil: by 1.
	Weigh func(path string, flags byte) float64
}

// MaxFileWords bounds the words of a FileQuery: a WordSet has a bit for each.
const MaxFileWords = 64

// Word is one word of a question with the terms that may stand for it.
type Word struct {
	Forms  []Form
	Weight float64 // beside the other words
}

// Form is a term, folded, and what its occurrences count for.
type Form struct {
	Term   string
	Weight float64
}

// WordSet is a set of words of a FileQuery, by number.
type WordSet uint64

// Has reports whether the set holds the word with the number i.
func (s WordSet) Has(i int) bool { return s>>i&1 != 0 }

// FileHit is a file that holds words of a question, with its symbols that do,
// best first. Symbol 0 stands for what is outside of all definitions.
type FileHit struct {
	Path    string
	Lang    byte
	Score   float64 // comparable within one answer
	Symbols []SymbolHit
}

// SymbolHit is one symbol of a FileHit.
type SymbolHit struct {
	Sym         uint32
	Kind, Flags byte
	Score       float64            // as a text of its own, comparable within one answer
	Words       [NumFields]WordSet // what each field holds
}

// Held returns the words that the symbol holds in any of the fields.
func (h *SymbolHit) Held(in Fields) WordSet {
	set := WordSet(0)
	for f, words := range h.Words {
		if in.Has(Field(f)) {
			set |= words
		}
	}
	return set
}

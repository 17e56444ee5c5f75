package gitstore

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Class says what a path is to the index.
type Class uint8

// Classes of paths.
const (
	ClassNone   Class = iota // nothing that is indexed
	ClassSource              // source text of a known language
	ClassConfig              // read by resolution: go.mod, pyproject.toml, …
	ClassMaybe               // the first bytes decide
)

// Policy says which files of a work tree are included.
type Policy struct {
	IncludeUntracked bool // with files that git neither tracks nor ignores
	// Exclude and Include are patterns as in gitignore, on paths from the top of
	// the work tree. Include wins over Exclude and over what is left out as
	// dependency, generated or minified; never over what is unsafe to read.
	Exclude, Include []string

	MaxFileSize int64 // bytes of one file; a larger one is omitted
	MaxFiles    int64 // included files; more are an error
	MaxTotal    int64 // bytes of all included files; more are an error

	// Classify decides by path alone. The second result is the caller's number
	// of the language and ends in File.Lang.
	Classify func(path string) (Class, byte)
	// ClassifyHead decides ClassMaybe by the first HeadSize bytes (fewer in a
	// shorter file) and answers ClassSource, ClassConfig or ClassNone. It is
	// called from several goroutines at once.
	ClassifyHead func(head []byte) (Class, byte)
}

// HeadSize is how many bytes ClassifyHead sees at most.
const HeadSize = 256

// Reason says why a file is not included. The names are stable.
type Reason string

// Reasons that the path, the index or the configuration gives.
const (
	Unsupported   Reason = "unsupported_language"
	Secret        Reason = "secret" // its content is never read
	Excluded      Reason = "excluded"
	Dependency    Reason = "dependency_tree"
	Submodule     Reason = "submodule"
	NestedRepo    Reason = "nested_repository" // an untracked repository of its own
	Unmerged      Reason = "unmerged"
	EscapesTree   Reason = "escapes_tree" // "..", ".git", or a folder that is a symbolic link
	PathNotUTF8   Reason = "path_not_utf8"
	SkipWorktree  Reason = "skip_worktree" // sparse checkout: not on disk
	UntrackedFile Reason = "untracked"
)

// Reasons that the file on disk gives.
const (
	Missing    Reason = "missing"
	Unreadable Reason = "unreadable"
	Symlink    Reason = "symlink"
	NotRegular Reason = "not_regular" // fifo, socket, device, folder
	TooLarge   Reason = "too_large"
)

// Reasons that the bytes give. Generated and Excluded may also come from
// gitattributes.
const (
	Generated  Reason = "generated"
	Minified   Reason = "minified"
	Binary     Reason = "binary"
	NotUTF8    Reason = "not_utf8"
	LFSPointer Reason = "lfs_pointer"
)

// candidate is one path that git lists, with what is decided without reading it.
type candidate struct {
	path      string
	id        GitID // of the index entry; "" when untracked
	reason    Reason
	class     Class
	lang      byte
	sparse    bool // skip-worktree: may be absent
	forced    bool // matches Policy.Include
	generated verdict
}

// verdict is what gitattributes say about being generated.
type verdict uint8

const (
	unsaid verdict = iota
	isGenerated
	notGenerated
)

// selector is a Policy made ready for one list of paths.
type selector struct {
	*Policy
	exclude, include globs
	trees            []string // prefixes of proven dependency trees, "vendor/"
}

func newSelector(p *Policy, cands []candidate) *selector {
	return &selector{
		Policy:  p,
		exclude: compileGlobs(p.Exclude), include: compileGlobs(p.Include),
		trees: dependencyTrees(cands),
	}
}

// decide fills in class, language and reason from the path alone. Dangers come
// first, then what the user said, so that the reason named is the strongest.
func (s *selector) decide(c *candidate) {
	if c.reason != "" {
		return
	}
	if c.reason = pathDanger(c.path); c.reason != "" {
		return
	}
	if isSecret(c.path) {
		c.reason = Secret
		return
	}
	c.forced = s.include.match(c.path)
	switch {
	case c.forced:
	case s.exclude.match(c.path):
		c.reason = Excluded
		return
	case s.inDependencies(c.path):
		c.reason = Dependency
		return
	}
	if c.class, c.lang = s.Classify(c.path); c.class == ClassNone {
		c.reason = Unsupported
	}
}

// pathDanger finds paths that no honest index holds or that cannot be written
// in an answer.
func pathDanger(p string) Reason {
	if !utf8.ValidString(p) {
		return PathNotUTF8
	}
	for rest, more := p, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		switch {
		case name == "", name == ".", name == "..", len(name) == 4 && strings.EqualFold(name, ".git"):
			return EscapesTree
		}
	}
	return ""
}

// dependencyTrees finds the folders that a package manager's own list proves
// to be its: Go's vendor/modules.txt, Composer's installed.json in a folder
// called vendor or beside the autoloader.
func dependencyTrees(cands []candidate) []string {
	var trees []string
	for i := range cands {
		p := cands[i].path
		if !strings.HasSuffix(p, "/modules.txt") && !strings.HasSuffix(p, "/composer/installed.json") {
			continue
		}
		dir := path.Dir(p)
		if path.Base(p) == "installed.json" {
			dir = path.Dir(dir)
			if path.Base(dir) != "vendor" && !hasPath(cands, dir+"/autoload.php") {
				continue
			}
		} else if path.Base(dir) != "vendor" {
			continue
		}
		trees = append(trees, dir+"/")
	}
	return trees
}

func hasPath(cands []candidate, p string) bool {
	_, ok := slices.BinarySearchFunc(cands, p, func(c candidate, p string) int { return cmp.Compare(c.path, p) })
	return ok
}

func (s *selector) inDependencies(p string) bool {
	if strings.HasPrefix(p, "node_modules/") || strings.Contains(p, "/node_modules/") {
		return true
	}
	for _, t := range s.trees {
		if strings.HasPrefix(p, t) {
			return true
		}
	}
	return false
}

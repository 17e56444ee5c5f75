package build

import (
	"codeidx/facts"
	"codeidx/gitstore"
	"codeidx/graph"
)

// Policy says which files an index includes: every file of a language of the
// registry, and the configuration that steers resolution.
func Policy(cfg *gitstore.Config, resolvers []graph.Resolver) gitstore.Policy {
	p := cfg.Policy()
	p.Classify = func(path string) (gitstore.Class, byte) {
		if l := facts.Detect(path); l != facts.NoLang {
			return gitstore.ClassSource, byte(l)
		}
		if graph.Steers(resolvers, path) {
			return gitstore.ClassConfig, 0
		}
		if facts.MayHaveShebang(path) {
			return gitstore.ClassMaybe, 0
		}
		return gitstore.ClassNone, 0
	}
	p.ClassifyHead = func(head []byte) (gitstore.Class, byte) {
		if l := facts.DetectShebang(head); l != facts.NoLang {
			return gitstore.ClassSource, byte(l)
		}
		return gitstore.ClassNone, 0
	}
	return p
}

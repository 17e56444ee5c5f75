package cli

import (
	"fmt"
	"runtime/debug"

	"codeidx/facts"
)

// Version is set by the release build.
var Version = ""

type versionCmd struct{ outputFlags }

func (c *versionCmd) Run(a *app) error {
	c.apply(a)
	v := versionString()
	if a.json {
		grammars := map[string]string{}
		for i := range facts.Languages {
			grammars[facts.Languages[i].Name] = facts.Languages[i].Version
		}
		b, err := encodeJSON(map[string]any{"schema": "codeidx.version.v1", "version": v, "tree_sitter": facts.Runtime, "grammars": grammars, "facts_format": facts.Format})
		a.out.Write(b)
		return err
	}
	fmt.Fprintf(a.out, "git-codeidx %s\n", v)
	if a.quiet {
		return nil
	}
	for i := range facts.Languages {
		l := &facts.Languages[i]
		fmt.Fprintf(a.out, "  %s  grammar %s, extractor %d\n", pad(l.Name, 10), l.Version, l.Extractor)
	}
	return nil
}

// versionString is the release, else the commit that the binary was built from.
func versionString() string {
	if Version != "" {
		return Version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "development"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "development " + s.Value[:12]
		}
	}
	return "development"
}

package php

import (
	"encoding/json"
	"path"
	"sort"
	"strings"
)

// autoload is one rule of a composer.json: classes below Prefix are found
// below Dir.
type autoload struct {
	prefix string // namespace prefix, "" for all
	dir    string
	psr0   bool // the prefix stays part of the path
}

// composer is the part of composer.json that says where classes are found.
type composer struct {
	Autoload    autoloadSection `json:"autoload"`
	AutoloadDev autoloadSection `json:"autoload-dev"`
}

type autoloadSection struct {
	PSR4     map[string]paths `json:"psr-4"`
	PSR0     map[string]paths `json:"psr-0"`
	Classmap []string         `json:"classmap"`
	Files    []string         `json:"files"`
}

// paths is one path or a list of them.
type paths []string

// UnmarshalJSON accepts a string or a list of strings.
func (p *paths) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*p = paths{one}
		return nil
	}
	var list []string
	if err := json.Unmarshal(b, &list); err != nil {
		return nil // not a path: the rule is left out
	}
	*p = list
	return nil
}

// readComposer collects the rules of every composer.json of the repository. An
// unreadable file gives none.
func (w *world) readComposer() {
	for _, c := range w.p.Config {
		if c.Path[strings.LastIndexByte(c.Path, '/')+1:] != "composer.json" {
			continue
		}
		var j composer
		if json.Unmarshal(c.Data, &j) != nil {
			continue
		}
		dir := parentDir(c.Path)
		for _, s := range []autoloadSection{j.Autoload, j.AutoloadDev} {
			w.addRules(dir, s.PSR4, false)
			w.addRules(dir, s.PSR0, true)
		}
	}
	sort.Slice(w.autoload, func(i, j int) bool {
		a, b := w.autoload[i], w.autoload[j]
		if a.prefix != b.prefix {
			return a.prefix < b.prefix
		}
		return a.dir < b.dir
	})
}

func (w *world) addRules(dir string, rules map[string]paths, psr0 bool) {
	for prefix, list := range rules {
		for _, p := range list {
			d := path.Join(dir, p)
			if d == "." {
				d = ""
			}
			w.autoload = append(w.autoload, autoload{strings.Trim(prefix, `\`), d, psr0})
		}
	}
}

// autoloads says whether an autoload rule finds a class in the file at path.
func (w *world) autoloads(fqn, file string) bool {
	for _, a := range w.autoload {
		rest := fqn
		if a.prefix != "" {
			if len(fqn) <= len(a.prefix) || !strings.EqualFold(fqn[:len(a.prefix)], a.prefix) {
				continue
			}
			if !a.psr0 {
				if fqn[len(a.prefix)] != '\\' {
					continue
				}
				rest = fqn[len(a.prefix)+1:]
			}
		}
		rel := strings.ReplaceAll(rest, `\`, "/")
		if a.psr0 {
			i := strings.LastIndexByte(rel, '/') + 1
			rel = rel[:i] + strings.ReplaceAll(rel[i:], "_", "/")
		}
		if path.Join(a.dir, rel)+".php" == file {
			return true
		}
	}
	return false
}

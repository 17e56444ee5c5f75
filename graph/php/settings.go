package php

import (
	"path"
	"strconv"
	"strings"
)

// maxConfigured bounds the files that codeidx.phpIncludes may stand for.
const maxConfigured = 200

// readSettings takes over what the user configured about code that does not say
// itself what it means. A pattern is a folder ("modules/") or as path.Match has
// it, on the whole path; a callback is FUNCTION:N with N from 1. What is neither
// has no effect.
func (w *world) readSettings() {
	for _, f := range w.order {
		if len(w.configured) < maxConfigured && matchesAny(w.p.Includes, f.f.Path) {
			w.configured = append(w.configured, f)
		}
	}
	w.callbacks = map[string][]int{}
	for _, c := range w.p.Callbacks {
		name, number, _ := strings.Cut(strings.ToLower(c), ":")
		if n, err := strconv.Atoi(number); err == nil && n > 0 && name != "" {
			w.callbacks[name] = append(w.callbacks[name], n-1)
		}
	}
}

func matchesAny(patterns []string, file string) bool {
	for _, p := range patterns {
		if folder, ok := strings.CutSuffix(p, "/"); ok && strings.HasPrefix(file, folder+"/") {
			return true
		}
		if ok, err := path.Match(p, file); ok && err == nil {
			return true
		}
	}
	return false
}

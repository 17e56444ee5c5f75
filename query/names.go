package query

import (
	"strings"

	"codeidx/facts"
)

func languageByName(name string) *facts.Language { return facts.ByName(name) }

func languageList() string {
	var names []string
	for i := range facts.Languages {
		names = append(names, facts.Languages[i].Name)
	}
	return strings.Join(names, ", ")
}

func kindList() string {
	var names []string
	for k := facts.DefKind(0); k < facts.DefKinds; k++ {
		names = append(names, k.String())
	}
	return strings.Join(names, ", ")
}

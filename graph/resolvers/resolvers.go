// Package resolvers lists the resolver of every language.
package resolvers

import (
	"codeidx/graph"
	"codeidx/graph/ecma"
	"codeidx/graph/golang"
	"codeidx/graph/php"
	"codeidx/graph/python"
)

// All returns a new resolver for each language family, in the order of the
// language registry.
func All() []graph.Resolver {
	return []graph.Resolver{python.New(), golang.New(), ecma.New(), php.New()}
}

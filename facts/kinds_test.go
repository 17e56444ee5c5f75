package facts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestEveryKindHasAName counts the constants in the source, so that a kind or
// flag that is appended without its name fails here.
func TestEveryKindHasAName(t *testing.T) {
	constants := map[string]int{}
	for _, file := range []string{"facts.go", "expr.go"} {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			typ := g.Specs[0].(*ast.ValueSpec).Type
			if typ == nil {
				t.Fatalf("%s: a group of constants has no type", file)
			}
			constants[typ.(*ast.Ident).Name] += len(g.Specs)
		}
	}
	constants["DefKind"]-- // DefKinds counts the others
	names := map[string]int{
		"DefKind": len(defKindNames), "DefFlags": len(defFlagNames), "ScopeKind": len(scopeKindNames),
		"BindKind": len(bindKindNames), "Part": len(partNames), "BindFlags": len(bindFlagNames),
		"ImportKind": len(importKindNames), "ImportFlags": len(importFlagNames), "TextKind": len(textKindNames),
		"ExprKind": len(exprKindNames), "Lit": len(litNames), "Op": len(opNames), "Ctx": len(ctxNames), "DocTag": len(docTagNames),
	}
	for typ, n := range constants {
		if names[typ] != n {
			t.Errorf("%s has %d constants and %d names", typ, n, names[typ])
		}
	}
	for kind, shape := range shapes {
		k := ExprKind(kind)
		if shape == "" && k != Call && k != Literal {
			t.Errorf("%s has no shape in dumps", k)
		}
	}
	if len(shapes) != len(exprKindNames) {
		t.Errorf("%d kinds of expressions and %d shapes", len(exprKindNames), len(shapes))
	}
}

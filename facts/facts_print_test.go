package facts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDump(t *testing.T) {
	src := "package main\n\nfunc F(a int) { fmt.Println(a, \"x\") }\n"
	at := func(s string) uint32 { return uint32(strings.Index(src, s)) }
	b := NewBuilder("a.go", Go, []byte(src))
	expr := func(e Expr, name string, kids ...ExprID) ExprID {
		e.Name = b.InternString(name)
		return b.Expr(e, kids...)
	}
	b.File.Package = b.InternString("main")
	b.Mark("build", "linux")
	def := b.Def(Def{
		Kind: DefFunction, Flags: Exported, Name: b.InternString("F"), Scope: 1, NamePos: at("F"), SigEnd: at(" {"),
		Span: Span{at("func"), uint32(len(src)) - 1},
	})
	b.Scope(Scope{Kind: ScopeFunction, Def: def, Span: b.File.Defs[def].Span})
	typ := expr(Expr{Kind: Name, Ctx: TypeUse, Pos: at("int"), Scope: 1}, "int")
	b.Bind(Bind{Kind: BindParam, Scope: 1, Name: b.InternString("a"), Pos: at("a int"), Type: typ})
	recv := expr(Expr{Kind: Name, Pos: at("fmt"), Scope: 1}, "fmt")
	callee := expr(Expr{Kind: Select, Ctx: Callee, X: recv, Pos: at("Println"), Scope: 1}, "Println")
	arg := expr(Expr{Kind: Name, Pos: at("a, "), Scope: 1}, "a")
	lit := expr(Expr{Kind: Literal, Lit: StringLit, Pos: at("\"x\""), Scope: 1}, "x")
	expr(Expr{Kind: Call, X: callee, Pos: at("fmt"), Scope: 1}, "", arg, lit)
	b.Text(String, Span{at("\"x\""), at("\"x\"") + 3})

	want := `file a.go go 52 bytes 4 lines
package main
mark build "linux"
scopes
  0 file 1:1-4:1
  1 function 3:1-3:38 def 1
defs
  1 function F 3:1-3:38 name 3:6 scope 1 [exported]
      signature "func F(a int)"
binds
  3:8 param a scope 1 type int^type
imports
exprs
  3:10 scope 1 int^type
  3:17 scope 1 fmt.Println(a, "x")
texts
  3:32-3:35 string "\"x\""
`
	var got strings.Builder
	if err := Dump(&got, b.File, []byte(src)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("dump differs (-want +got):\n%s", diff)
	}
}

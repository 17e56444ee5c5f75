package python

import (
	"codeidx/facts"
)

// block reads the statements below n.
func (w *walker) block(n uint32) {
	end := w.t.Nodes[n].Next
	for c := n + 1; c < end; c = w.t.Nodes[c].Next {
		if w.named(c) {
			w.statement(c)
		}
	}
}

// suite reads the block that field names, if it is there.
func (w *walker) suite(n uint32, field uint8) {
	if b := w.child(n, field); b != 0 {
		w.block(b)
	}
}

func (w *walker) statement(n uint32) {
	switch w.kind(n) {
	case kError:
		w.recover(n)
	case kExpressionStatement:
		w.expressionStatement(n)
	case kFunctionDefinition:
		w.functionDef(n, n)
	case kClassDefinition:
		w.classDef(n, n)
	case kDecoratedDefinition:
		w.decorated(n)
	case kReturnStatement:
		w.returnStatement(n)
	case kIfStatement:
		w.ifStatement(n)
	case kForStatement:
		w.forStatement(n)
	case kWhileStatement:
		w.whileStatement(n)
	case kTryStatement:
		w.tryStatement(n)
	case kWithStatement:
		w.withStatement(n)
	case kMatchStatement:
		w.matchStatement(n)
	case kImportStatement, kFutureImportStatement:
		w.importStatement(n)
	case kImportFromStatement:
		w.importFrom(n)
	case kDeleteStatement:
		w.deleteStatement(n)
	case kAssertStatement:
		w.assertStatement(n)
	case kGlobalStatement:
		w.scopeStatement(n, facts.BindGlobal)
	case kNonlocalStatement:
		w.scopeStatement(n, facts.BindNonlocal)
	case kTypeAliasStatement:
		w.typeAlias(n)
	case kBlock:
		w.block(n)
	default:
		w.children(n)
	}
}

// recover reads the whole statements that lie in a broken region. The region
// is listed in Errors, so that a resolver makes no edge from them.
func (w *walker) recover(n uint32) {
	end := w.t.Nodes[n].Next
	for c := n + 1; c < end; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kFunctionDefinition, kClassDefinition, kDecoratedDefinition, kExpressionStatement, kImportStatement,
			kImportFromStatement, kIfStatement, kTryStatement, kWithStatement, kForStatement, kBlock:
			w.statement(c)
		}
	}
}

// children reads the expressions directly below n.
func (w *walker) children(n uint32) {
	end := w.t.Nodes[n].Next
	for c := n + 1; c < end; c = w.t.Nodes[c].Next {
		if w.named(c) {
			w.expr(c, facts.Read)
		}
	}
}

func (w *walker) expressionStatement(n uint32) {
	end := w.t.Nodes[n].Next
	for c := n + 1; c < end; c = w.t.Nodes[c].Next {
		switch w.kind(c) {
		case kAssignment:
			w.assignment(c)
		case kAugmentedAssignment:
			w.augmented(c)
		default:
			if w.named(c) {
				w.allCall(c, w.expr(c, facts.Read))
			}
		}
	}
}

func (w *walker) returnStatement(n uint32) {
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.named(c) {
			w.returns(w.expr(c, facts.Read), facts.PartWhole)
			return
		}
	}
}

// returns binds what the function around gives back or yields.
func (w *walker) returns(value facts.ExprID, part facts.Part) {
	if w.fn.scope == 0 || value == 0 {
		return
	}
	w.b.Bind(facts.Bind{Kind: facts.BindReturn, Part: part, Scope: w.fn.scope, Pos: w.f.Exprs[value].Pos, Value: value})
	if part != facts.PartWhole {
		w.f.Defs[w.fn.def].Flags |= facts.Generator
	}
}

func (w *walker) deleteStatement(n uint32) {
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		if k := w.kind(c); k == kExpressionList || k == kTuple {
			for d := c + 1; d < w.t.Nodes[c].Next; d = w.t.Nodes[d].Next {
				if w.named(d) {
					w.deleteTarget(d)
				}
			}
			continue
		}
		w.deleteTarget(c)
	}
}

func (w *walker) deleteTarget(n uint32) {
	e := w.expr(n, facts.Delete)
	if w.kind(n) == kIdentifier && e != 0 {
		x := w.f.Exprs[e]
		w.addBind(facts.Bind{Kind: facts.BindDelete, Name: x.Name, Pos: x.Pos, From: w.node(n).End})
	}
}

func (w *walker) assertStatement(n uint32) {
	first := uint32(0)
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if !w.named(c) {
			continue
		}
		w.expr(c, facts.Read)
		if first == 0 {
			first = c
		}
	}
	if first != 0 {
		w.narrow(first, true, w.node(n).End, w.flow.end(w))
	}
}

// scopeStatement reads "global a, b" and "nonlocal a, b".
func (w *walker) scopeStatement(n uint32, k facts.BindKind) {
	for c := n + 1; c < w.t.Nodes[n].Next; c = w.t.Nodes[c].Next {
		if w.kind(c) != kIdentifier {
			continue
		}
		name := w.b.Intern(w.text(c))
		w.b.Bind(facts.Bind{Kind: k, Scope: w.scope, Name: name, Pos: w.node(c).Start})
		if k == facts.BindGlobal {
			w.fn.globals = append(w.fn.globals, name)
		}
	}
}

// typeAlias reads "type X[T] = …".
func (w *walker) typeAlias(n uint32) {
	left := w.child(n, w.fields.left)
	right := w.child(n, w.fields.right)
	if left == 0 || right == 0 {
		return
	}
	outer := w.scope
	name := w.first(left, kIdentifier)
	if name == 0 {
		return
	}
	if tp := w.first(left, kTypeParameter); tp != 0 {
		w.typeParams(tp)
	}
	typ := w.typeExpr(right)
	w.scope = outer
	id := w.b.Intern(w.text(name))
	d := w.b.Def(facts.Def{
		Kind: facts.DefType, Flags: facts.Alias | w.defFlags(id), Name: id, Parent: w.def, Scope: w.scope,
		Span: w.span(n), NamePos: w.node(name).Start, SigEnd: w.node(n).End, Type: typ,
	})
	w.addBind(facts.Bind{Kind: facts.BindDef, Name: id, Pos: w.node(name).Start, From: w.node(n).Start, Def: d})
}

// first returns the first node of kind k at or below n, 0 where there is none.
func (w *walker) first(n uint32, k kind) uint32 {
	for c := n; c < w.t.Nodes[n].Next; c++ {
		if w.kind(c) == k {
			return c
		}
	}
	return 0
}

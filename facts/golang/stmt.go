package golang

import "codeidx/facts"

// stmts visits the statements of a block, list or clause in the current scope.
func (w *walker) stmts(i uint32) {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if !w.solid(c) {
			continue
		}
		if w.kind(c) == kStatementList {
			w.stmts(c)
		} else {
			w.stmt(c)
		}
	}
}

// stmt visits one statement.
func (w *walker) stmt(i uint32) {
	fl := w.fields
	switch w.kind(i) {
	case kBlock:
		outer := w.open(facts.ScopeBlock, w.span(i))
		w.stmts(i)
		w.scope = outer
	case kExpressionStatement, kGoDefer:
		w.expr(w.inner(i), facts.Read)
	case kIncDec:
		w.expr(w.inner(i), facts.Write)
	case kShortVar:
		w.shortVar(i)
	case kAssignment:
		w.discard(w.child(i, fl.right), facts.Read)
		w.discard(w.child(i, fl.left), facts.Write)
	case kSend:
		w.expr(w.child(i, fl.channel), facts.Read)
		w.expr(w.child(i, fl.value), facts.Read)
	case kReturn:
		w.discard(w.inner(i), facts.Read)
	case kConstDeclaration:
		w.constDecl(i)
	case kVarDeclaration:
		w.varDecl(i, w.span(i))
	case kTypeDeclaration:
		w.typeDecl(i)
	case kIf:
		w.ifStmt(i)
	case kFor:
		w.forStmt(i)
	case kSwitch:
		outer := w.open(facts.ScopeBlock, w.span(i))
		w.optional(w.child(i, fl.initializer))
		w.expr(w.child(i, fl.value), facts.Read)
		w.clauses(i)
		w.scope = outer
	case kTypeSwitch:
		w.typeSwitch(i)
	case kSelect:
		w.clauses(i)
	case kLabeled:
		w.labeled(i)
	case kStatementList:
		w.stmts(i)
	case kReceiveStatement:
		w.receiveStmt(i)
	case kOther, kFieldIdentifier, kComment:
	default:
		w.expr(i, facts.Read)
	}
}

func (w *walker) optional(i uint32) {
	if i != 0 {
		w.stmt(i)
	}
}

// discard visits a list whose expressions nobody collects.
func (w *walker) discard(i uint32, ctx facts.Ctx) {
	mark := len(w.kids)
	w.exprList(i, ctx)
	w.kids = w.kids[:mark]
}

func (w *walker) labeled(i uint32) {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.solid(c) && w.kind(c) != kOther {
			w.stmt(c)
		}
	}
}

func (w *walker) ifStmt(i uint32) {
	fl := w.fields
	outer := w.open(facts.ScopeBlock, w.span(i))
	w.optional(w.child(i, fl.initializer))
	w.expr(w.child(i, fl.condition), facts.Read)
	w.optional(w.child(i, fl.consequence))
	w.optional(w.child(i, fl.alternative))
	w.scope = outer
}

func (w *walker) forStmt(i uint32) {
	fl := w.fields
	outer := w.open(facts.ScopeBlock, w.span(i))
	body := w.child(i, fl.body)
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if !w.solid(c) || c == body {
			continue
		}
		switch w.kind(c) {
		case kForClause:
			w.optional(w.child(c, fl.initializer))
			w.expr(w.child(c, fl.condition), facts.Read)
			w.optional(w.child(c, fl.update))
		case kRangeClause:
			w.rangeClause(c)
		default:
			w.expr(c, facts.Read)
		}
	}
	w.optional(body)
	w.scope = outer
}

func (w *walker) rangeClause(i uint32) {
	value := w.expr(w.child(i, w.fields.right), facts.Read)
	left := w.child(i, w.fields.left)
	if left == 0 {
		return
	}
	if !w.defines(i) {
		w.discard(left, facts.Write)
		return
	}
	parts := [2]facts.Part{facts.PartKey, facts.PartElem}
	w.eachTarget(left, func(n uint32, index int) {
		if index < len(parts) {
			w.define(n, facts.Bind{Kind: facts.BindVar, Part: parts[index], Value: value, From: w.nodes[i].End})
		}
	})
}

// defines says whether a clause has ":=".
func (w *walker) defines(i uint32) bool {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if n := &w.nodes[c]; n.End == n.Start+2 && w.src[n.Start] == ':' && w.src[n.Start+1] == '=' {
			return true
		}
	}
	return false
}

// eachTarget calls f for each expression on the left of ":=".
func (w *walker) eachTarget(i uint32, f func(n uint32, index int)) {
	if w.kind(i) != kExpressionList {
		f(i, 0)
		return
	}
	index := 0
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.solid(c) {
			f(c, index)
			index++
		}
	}
}

// define binds one target of ":="; a name that the scope already binds is
// assigned to instead.
func (w *walker) define(n uint32, x facts.Bind) {
	if w.kind(n) != kIdentifier {
		w.expr(n, facts.Write)
		return
	}
	text := w.text(n)
	if blank(text) {
		return
	}
	x.Name, x.Pos = w.b.Intern(text), w.nodes[n].Start
	if w.bound(x.Name) {
		w.expr(n, facts.Write)
		return
	}
	w.bind(x)
}

func (w *walker) shortVar(i uint32) {
	mark := len(w.kids)
	w.exprList(w.child(i, w.fields.right), facts.Read)
	left := w.child(i, w.fields.left)
	if left != 0 {
		names := 0
		w.eachTarget(left, func(uint32, int) { names++ })
		w.eachTarget(left, func(n uint32, index int) {
			x := facts.Bind{Kind: facts.BindVar, From: w.nodes[i].End}
			x.Value, x.Part, x.Index = part(w.kids[mark:], index, names)
			w.define(n, x)
		})
	}
	w.kids = w.kids[:mark]
}

func (w *walker) receiveStmt(i uint32) {
	value := w.expr(w.child(i, w.fields.right), facts.Read)
	left := w.child(i, w.fields.left)
	switch {
	case left == 0:
	case !w.defines(i):
		w.discard(left, facts.Write)
	default:
		names := 0
		w.eachTarget(left, func(uint32, int) { names++ })
		w.eachTarget(left, func(n uint32, index int) {
			x := facts.Bind{Kind: facts.BindVar, From: w.nodes[i].End}
			x.Value, x.Part, x.Index = part([]facts.ExprID{value}, index, names)
			w.define(n, x)
		})
	}
}

// clauses visits the cases of a switch or select, each in its own scope.
func (w *walker) clauses(i uint32) {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if !w.solid(c) {
			continue
		}
		switch w.kind(c) {
		case kExpressionCase, kDefaultCase, kCommunicationCase:
			outer := w.open(facts.ScopeBlock, w.span(c))
			w.discard(w.child(c, w.fields.value), facts.Read)
			w.optional(w.child(c, w.fields.communication))
			w.clauseBody(c)
			w.scope = outer
		}
	}
}

// clauseBody visits the statements of a case.
func (w *walker) clauseBody(i uint32) {
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.solid(c) && w.kind(c) == kStatementList {
			w.stmts(c)
		}
	}
}

// typeSwitch visits "switch v := x.(type)": each clause binds v, with the type
// of a case that names one type, else as x.
func (w *walker) typeSwitch(i uint32) {
	fl := w.fields
	outer := w.open(facts.ScopeBlock, w.span(i))
	w.optional(w.child(i, fl.initializer))
	operand := w.expr(w.child(i, fl.value), facts.Read)
	w.b.Expr(facts.Expr{Kind: facts.Assert, Scope: w.scope, Pos: w.nodes[i].Start, X: operand})
	alias := w.child(i, fl.alias)
	if alias != 0 && w.kind(alias) == kExpressionList {
		alias = w.inner(alias)
	}
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if k := w.kind(c); k == kTypeCase || k == kDefaultCase {
			w.typeCase(c, alias, operand)
		}
	}
	w.scope = outer
}

func (w *walker) typeCase(i, alias uint32, operand facts.ExprID) {
	outer := w.open(facts.ScopeBlock, w.span(i))
	mark := len(w.kids)
	end := w.nodes[i].Next
	for c := i + 1; c < end; c = w.nodes[c].Next {
		if w.nodes[c].Field == w.fields.typ && w.solid(c) {
			w.kids = append(w.kids, w.expr(c, facts.TypeUse))
		}
	}
	if alias != 0 && !blank(w.text(alias)) {
		x := facts.Bind{Kind: facts.BindVar, Name: w.b.Intern(w.text(alias)), Pos: w.nodes[alias].Start, From: w.nodes[i].Start}
		x.Value = operand
		if len(w.kids) == mark+1 && w.f.Exprs[w.kids[mark]].Kind != facts.Literal {
			x.Value, x.Type = 0, w.kids[mark]
		}
		w.bind(x)
	}
	w.kids = w.kids[:mark]
	w.clauseBody(i)
	w.scope = outer
}

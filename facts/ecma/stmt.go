package ecma

import (
	"codeidx/facts"
)

// statements reads the children of a block or of the program.
func (w *walker) statements(n uint32) {
	outer := w.block
	w.block = w.node(n).End
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.named(c) || w.kind(c) == kError {
			w.statement(c)
		}
	}
	w.block = outer
}

func (w *walker) statement(n uint32) {
	switch w.kind(n) {
	case kExpressionStatement, kThrowStatement:
		switch c := w.only(n); {
		case c == 0:
		case w.kind(c) == kInternalModule: // "namespace A {}" is an expression to the grammar
			w.namespaceDecl(c, n)
		default:
			w.expr(c, facts.Read)
		}
	case kReturnStatement:
		w.returnStatement(n)
	case kLexicalDeclaration, kVariableDeclaration:
		w.variables(n)
	case kFunctionDeclaration, kGeneratorFunctionDeclaration, kFunctionSignature:
		w.functionDecl(n, n)
	case kClassDeclaration, kAbstractClassDeclaration, kClass:
		w.classDecl(n, n)
	case kInterfaceDeclaration:
		w.interfaceDecl(n, n)
	case kTypeAliasDeclaration:
		w.typeAlias(n, n)
	case kEnumDeclaration:
		w.enumDecl(n, n)
	case kInternalModule, kModule:
		w.namespaceDecl(n, n)
	case kAmbientDeclaration:
		w.ambient(n, n)
	case kImportStatement:
		w.importStatement(n)
	case kImportAlias:
		w.importAlias(n)
	case kExportStatement:
		w.exportStatement(n)
	default:
		w.control(n)
	}
}

// control reads statements that hold statements.
func (w *walker) control(n uint32) {
	switch w.kind(n) {
	case kStatementBlock:
		w.blockOf(n, n)
	case kIfStatement:
		w.ifStatement(n)
	case kForStatement:
		w.forStatement(n)
	case kForInStatement:
		w.forIn(n)
	case kWhileStatement:
		w.whileStatement(n)
	case kDoStatement, kWithStatement, kLabeledStatement, kElseClause, kFinallyClause:
		w.parts(n)
	case kSwitchStatement:
		w.switchStatement(n)
	case kTryStatement:
		w.tryStatement(n)
	case kError:
		w.recover(n)
	case kComment, kHtmlComment, kBreakStatement, kContinueStatement:
	case kOther:
		w.parts(n)
	default:
		w.expr(n, facts.Read)
	}
}

// parts reads whatever stands below: statements and expressions.
func (w *walker) parts(n uint32) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.named(c) || w.kind(c) == kError {
			w.statement(c)
		}
	}
}

// recover reads what a broken region holds whole.
func (w *walker) recover(n uint32) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch w.kind(c) {
		case kFunctionDeclaration, kClassDeclaration, kAbstractClassDeclaration, kInterfaceDeclaration, kEnumDeclaration,
			kTypeAliasDeclaration, kExportStatement, kImportStatement, kLexicalDeclaration, kVariableDeclaration,
			kExpressionStatement, kStatementBlock, kIfStatement, kForStatement, kReturnStatement, kError:
			w.statement(c)
		}
	}
}

// blockOf reads block n in a scope of its own, where it declares names; around
// is the statement that the scope spans.
func (w *walker) blockOf(n, around uint32) {
	outer := w.scope
	if around != n || w.declares(n) {
		w.scope = w.openScope(facts.ScopeBlock, around, w.def)
	}
	w.statements(n)
	w.scope = outer
}

// declares says whether a block declares names of its own.
func (w *walker) declares(n uint32) bool {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch w.kind(c) {
		case kLexicalDeclaration, kClassDeclaration, kAbstractClassDeclaration, kFunctionDeclaration,
			kGeneratorFunctionDeclaration, kEnumDeclaration, kInterfaceDeclaration, kTypeAliasDeclaration, kError:
			return true
		}
	}
	return false
}

func (w *walker) returnStatement(n uint32) {
	c := w.only(n)
	if c == 0 {
		return
	}
	w.returned(w.valueExpr(c))
}

// returned binds a returned value to the function around.
func (w *walker) returned(v facts.ExprID) {
	if v != 0 {
		w.b.Bind(facts.Bind{Kind: facts.BindReturn, Scope: w.fn.scope, Pos: w.f.Exprs[v].Pos, Value: v})
	}
}

func (w *walker) ifStatement(n uint32) {
	cond := w.child(n, w.fields.cond)
	var test facts.ExprID
	if cond != 0 {
		test = w.expr(cond, facts.Read)
	}
	then, alt := w.child(n, w.fields.consequence), w.child(n, w.fields.alternative)
	if then != 0 {
		w.narrow(test, true, w.span(then))
		w.statement(then)
	}
	if alt != 0 {
		w.narrow(test, false, w.span(alt))
		w.statement(alt)
	}
	rest := facts.Span{Start: w.node(n).End, End: w.block}
	if then != 0 && w.leaves(then) {
		w.narrow(test, false, rest)
	} else if alt != 0 && w.leaves(alt) {
		w.narrow(test, true, rest)
	}
}

// leaves says whether a statement never reaches the one after it.
func (w *walker) leaves(n uint32) bool {
	switch w.kind(n) {
	case kReturnStatement, kThrowStatement, kBreakStatement, kContinueStatement:
		return true
	case kStatementBlock, kElseClause:
		c := w.last(n)
		return c != 0 && w.leaves(c)
	case kIfStatement:
		a, b := w.child(n, w.fields.consequence), w.child(n, w.fields.alternative)
		return a != 0 && b != 0 && w.leaves(a) && w.leaves(b)
	}
	return false
}

func (w *walker) forStatement(n uint32) {
	outer := w.scope
	init := w.child(n, w.fields.initializer)
	if init != 0 && w.kind(init) == kLexicalDeclaration {
		w.scope = w.openScope(facts.ScopeBlock, n, w.def)
	}
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.named(c) || w.kind(c) == kError {
			w.statement(c)
		}
	}
	w.scope = outer
}

// forIn reads "for (x of y)" and "for (x in y)".
func (w *walker) forIn(n uint32) {
	var value facts.ExprID
	if r := w.child(n, w.fields.right); r != 0 {
		value = w.expr(r, facts.Read)
	}
	outer := w.scope
	left, kindNode := w.child(n, w.fields.left), w.child(n, w.fields.kind)
	part := facts.PartElem
	if op := w.child(n, w.fields.operator); op != 0 && string(w.text(op)) == "in" {
		part = facts.PartKey
	}
	s := source{value: value, part: part, assign: kindNode == 0}
	if kindNode != 0 && w.kind(kindNode) != tVar {
		w.scope = w.openScope(facts.ScopeBlock, n, w.def)
	}
	if kindNode != 0 && w.kind(kindNode) == tVar {
		s.hoist = true
	}
	if left != 0 {
		w.pattern(left, s)
	}
	if b := w.child(n, w.fields.body); b != 0 {
		w.statement(b)
	}
	w.scope = outer
}

func (w *walker) whileStatement(n uint32) {
	var test facts.ExprID
	if c := w.child(n, w.fields.cond); c != 0 {
		test = w.expr(c, facts.Read)
	}
	if b := w.child(n, w.fields.body); b != 0 {
		w.narrow(test, true, w.span(b))
		w.statement(b)
	}
}

func (w *walker) switchStatement(n uint32) {
	var subject facts.ExprID
	if v := w.child(n, w.fields.value); v != 0 {
		subject = w.expr(v, facts.Read)
	}
	body := w.child(n, w.fields.body)
	if body == 0 {
		return
	}
	outer, outerBlock := w.scope, w.block
	w.scope = w.openScope(facts.ScopeBlock, body, w.def)
	for c := body + 1; c < w.next(body); c = w.next(c) {
		if w.named(c) || w.kind(c) == kError {
			w.block = w.node(c).End
			w.switchCase(c, subject)
		}
	}
	w.scope, w.block = outer, outerBlock
}

// switchCase reads one case. Its test holds in its body, unless the case
// before it falls through.
func (w *walker) switchCase(c uint32, subject facts.ExprID) {
	value := w.child(c, w.fields.value)
	if w.kind(c) == kSwitchCase && value != 0 {
		v := w.expr(value, facts.Read)
		if subject != 0 && v != 0 {
			test := w.b.Expr(facts.Expr{
				Kind: facts.Binary, Ctx: facts.Echo, Op: facts.OpCompare, Name: w.b.InternString("==="), Scope: w.scope, Pos: w.node(c).Start,
			}, subject, v)
			w.narrow(test, true, facts.Span{Start: w.node(value).End, End: w.node(c).End})
		}
	}
	for s := c + 1; s < w.next(c); s = w.next(s) {
		if s != value && (w.named(s) || w.kind(s) == kError) {
			w.statement(s)
		}
	}
}

func (w *walker) tryStatement(n uint32) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch w.kind(c) {
		case kCatchClause:
			w.catchClause(c)
		case kStatementBlock, kFinallyClause, kError:
			w.statement(c)
		}
	}
}

func (w *walker) catchClause(n uint32) {
	outer := w.scope
	w.scope = w.openScope(facts.ScopeBlock, n, w.def)
	var typ facts.ExprID
	if t := w.child(n, w.fields.typ); t != 0 {
		typ = w.typeExpr(t)
	}
	if p := w.child(n, w.fields.param); p != 0 {
		w.pattern(p, source{typ: typ, part: facts.PartCaught})
	}
	if b := w.child(n, w.fields.body); b != 0 {
		w.statements(b)
	}
	w.scope = outer
}

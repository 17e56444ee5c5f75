package ecma

import (
	"strings"

	"codeidx/facts"
)

// variables reads "var", "let" and "const" declarations.
func (w *walker) variables(n uint32) {
	s := source{stmt: n, hoist: w.kind(n) == kVariableDeclaration}
	if k := w.child(n, w.fields.kind); k != 0 {
		s.konst = w.kind(k) == tConst
	}
	many := 0
	for c := n + 1; c < w.next(n); c = w.next(c) {
		if w.kind(c) == kVariableDeclarator {
			many++
		}
	}
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch w.kind(c) {
		case kVariableDeclarator:
			d := s
			if many > 1 {
				d.stmt = c
			}
			w.declarator(c, d)
		case kError:
			w.recover(c)
		}
	}
}

func (w *walker) declarator(n uint32, s source) {
	name, value := w.child(n, w.fields.name), w.child(n, w.fields.value)
	if name == 0 || w.broken(name) {
		return
	}
	if t := w.child(n, w.fields.typ); t != 0 {
		s.typ = w.typeExpr(t)
	} else if doc := w.docOf(s.stmt); w.js && doc.End > 0 {
		s.typ = w.docType(doc)
	}
	if w.kind(name) == kIdentifier {
		w.namedDeclarator(name, value, s)
		return
	}
	if value != 0 && w.requirePattern(name, value, s) {
		return
	}
	if value != 0 {
		s.value = w.valueExpr(value)
	}
	w.pattern(name, s)
}

// namedDeclarator reads the declarator of one plain name. Its definition comes before
// what its value defines.
func (w *walker) namedDeclarator(name, value uint32, s source) {
	scope := w.scope
	if s.hoist {
		scope = w.varScope()
	}
	fn := value != 0 && w.functionNode(value)
	if w.fn.scope == 0 || fn {
		s.def = w.newVariable(name, scope, s)
	}
	if value != 0 {
		s.value = w.valueOf(value, s.def)
	}
	if s.def != 0 && s.value != 0 {
		w.describe(s.def, s.value)
		if w.kind(value) == kAssignmentExpression {
			w.chained[s.def] = true
		}
	}
	w.variable(name, s)
}

// valueOf reads the value of definition def, whose members and inner
// definitions belong to it.
func (w *walker) valueOf(value uint32, def facts.DefID) facts.ExprID {
	outer, outerFlags := w.def, w.flags
	w.flags &^= facts.Exported
	if def != 0 && w.ownsInner(value) {
		w.def = def
	}
	e := w.valueExpr(value)
	w.def, w.flags = outer, outerFlags
	return e
}

func (w *walker) ownsInner(n uint32) bool {
	switch w.kind(n) {
	case kArrowFunction, kFunctionExpression, kGeneratorFunction, kObject, kClass:
		return true
	case kAsExpression, kSatisfiesExpression, kParenthesizedExpression:
		c := w.only(n)
		return c != 0 && w.ownsInner(c)
	}
	return false
}

func (w *walker) functionNode(n uint32) bool {
	switch w.kind(n) {
	case kArrowFunction, kFunctionExpression, kGeneratorFunction:
		return true
	case kParenthesizedExpression:
		c := w.only(n)
		return c != 0 && w.functionNode(c)
	}
	return false
}

// describe gives a definition what its value says: a function makes it one.
func (w *walker) describe(def facts.DefID, value facts.ExprID) {
	d, v := &w.f.Defs[def], &w.f.Exprs[value]
	if d.Value == 0 {
		d.Value = value
	}
	if v.Kind != facts.Func {
		return
	}
	switch d.Kind {
	case facts.DefVariable, facts.DefConstant:
		d.Kind = facts.DefFunction
	case facts.DefProperty:
		d.Kind = facts.DefMethod
	}
	d.Result, d.Scope = v.X, v.Scope
	d.Flags |= w.funcFlags(v)
	d.SigEnd = w.bodyStart(w.f.Scopes[v.Scope].Span, d.NamePos)
}

// funcFlags reads the flags that a function literal keeps in its name.
func (w *walker) funcFlags(v *facts.Expr) facts.DefFlags {
	var f facts.DefFlags
	name := w.f.Names[v.Name]
	if strings.HasPrefix(name, "async") {
		f |= facts.Async
	}
	if strings.HasSuffix(name, "*") {
		f |= facts.Generator
	}
	return f
}

// bodyStart is where the head of a function value ends: at its arrow or line.
func (w *walker) bodyStart(span facts.Span, from uint32) uint32 {
	for i := max(span.Start, from); i < span.End; i++ {
		switch {
		case w.src[i] == '\n' || w.src[i] == '\r':
			return i
		case w.src[i] == '=' && i+1 < span.End && w.src[i+1] == '>':
			return i + 2
		}
	}
	return span.End
}

// functionDecl reads a function declaration; outer is the export statement
// around, or the node itself.
func (w *walker) functionDecl(n, outer uint32) {
	nameNode := w.child(n, w.fields.name)
	if nameNode == 0 || w.broken(nameNode) {
		w.function(n, w.def, 0)
		return
	}
	flags := w.defFlags() | w.modifiers(n)
	if w.kind(n) == kFunctionSignature {
		flags |= facts.Declared
		if w.flags&facts.Declared == 0 {
			flags |= facts.Overload
		}
	}
	w.functionDef(n, outer, w.name(nameNode), w.node(nameNode).Start, flags)
}

func (w *walker) functionDef(n, outer uint32, name facts.NameID, pos uint32, flags facts.DefFlags) facts.DefID {
	id := w.b.Def(facts.Def{
		Kind: facts.DefFunction, Flags: flags, Name: name, Parent: w.def, Span: w.span(outer), NamePos: pos, Doc: w.docOf(outer),
	})
	if _, ok := w.vars[varKey{w.scope, name}]; !ok || flags&facts.Overload == 0 {
		w.vars[varKey{w.scope, name}] = id
	}
	w.bind(facts.Bind{Kind: facts.BindDef, Name: name, Pos: pos, Def: id})
	w.exported(name, pos, id)
	outerFlags := w.flags
	w.flags = 0
	w.function(n, id, id)
	w.flags = outerFlags
	return id
}

// exported binds the export of a declaration that stands in an export statement.
func (w *walker) exported(name facts.NameID, pos uint32, id facts.DefID) {
	if w.flags&facts.Exported != 0 {
		w.bind(facts.Bind{Kind: facts.BindExport, Name: name, Pos: pos, Def: id})
	}
}

// modifiers reads the keywords of a declaration or member as flags.
func (w *walker) modifiers(n uint32) facts.DefFlags {
	var f facts.DefFlags
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch w.kind(c) {
		case tAsync:
			f |= facts.Async
		case tStar:
			f |= facts.Generator
		case tStatic:
			f |= facts.Static
		case tAbstract:
			f |= facts.Abstract
		case tGet:
			f |= facts.Accessor
		case tSet:
			f |= facts.Accessor | facts.Setter
		case kAccessibilityModifier:
			switch w.text(c)[2] {
			case 'i':
				f |= facts.Private
			case 'o':
				f |= facts.Protected
			}
		}
	}
	return f
}

// function reads type parameters, parameters, result and body of a function
// node into a new scope. def is the definition around its body; own is the one
// that the function defines, 0 for literals.
func (w *walker) function(n uint32, def, own facts.DefID) (scope facts.ScopeID, result facts.ExprID) {
	outerScope, outerDef, outerFn := w.scope, w.def, w.fn
	if tp := w.child(n, w.fields.typeParams); tp != 0 {
		w.typeParams(tp, def)
	}
	scope = w.openScope(facts.ScopeFunction, n, def)
	w.scope, w.def, w.fn.scope = scope, def, scope
	if own != 0 {
		w.f.Defs[own].Scope = scope
	}
	if w.kind(n) != kArrowFunction && w.f.Scopes[outerScope].Kind != facts.ScopeClass {
		w.fn.owner, w.fn.members, w.fn.static = own, 0, false
	}
	sigEnd := w.node(n).Start
	doc := facts.Span{}
	if own != 0 {
		doc = w.f.Defs[own].Doc
	}
	if p := w.child(n, w.fields.params); p != 0 {
		w.parameters(p, doc)
		sigEnd = w.node(p).End
	} else if p := w.child(n, w.fields.param); p != 0 {
		w.pattern(p, source{param: true})
		sigEnd = w.node(p).End
	}
	if r := w.child(n, w.fields.result); r != 0 {
		result = w.typeExpr(r)
		sigEnd = w.node(r).End
	} else if w.js && doc.End > 0 {
		result = w.docResult(doc)
	}
	if own != 0 {
		w.f.Defs[own].Result, w.f.Defs[own].SigEnd = result, sigEnd
	}
	w.body(n)
	w.scope, w.def, w.fn = outerScope, outerDef, outerFn
	return scope, result
}

func (w *walker) body(n uint32) {
	b := w.child(n, w.fields.body)
	if b == 0 {
		return
	}
	outer := w.depth
	w.depth = 0
	if w.kind(b) == kStatementBlock {
		w.statements(b)
	} else {
		w.returned(w.valueExpr(b))
	}
	w.depth = outer
}

// parameters reads a parameter list; doc types those of JavaScript.
func (w *walker) parameters(n uint32, doc facts.Span) {
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch w.kind(c) {
		case kRequiredParameter, kOptionalParameter:
			w.typedParameter(c)
		case kError:
			w.recover(c)
		case kDecorator:
			w.decorator(c)
		default:
			if w.named(c) {
				s := source{param: true}
				if doc.End > 0 {
					s.typ = w.docParam(doc, w.paramName(c))
				}
				w.pattern(c, s)
			}
		}
	}
}

// paramName is the name of a plain parameter.
func (w *walker) paramName(n uint32) string {
	switch w.kind(n) {
	case kIdentifier:
		return string(w.text(n))
	case kAssignmentPattern:
		if l := w.child(n, w.fields.left); l != 0 {
			return w.paramName(l)
		}
	case kRestPattern:
		if c := w.only(n); c != 0 {
			return w.paramName(c)
		}
	}
	return ""
}

// typedParameter reads one parameter of TypeScript.
func (w *walker) typedParameter(n uint32) {
	s := source{param: true}
	if w.kind(n) == kOptionalParameter {
		s.flags |= facts.Optional
	}
	property := false
	for c := n + 1; c < w.next(n); c = w.next(c) {
		switch w.kind(c) {
		case kDecorator:
			w.decorator(c)
		case kAccessibilityModifier, tReadonly, kOverrideModifier:
			property = true
		}
	}
	if t := w.child(n, w.fields.typ); t != 0 {
		s.typ = w.typeExpr(t)
	}
	if v := w.child(n, w.fields.value); v != 0 {
		s.value, s.flags = w.valueExpr(v), s.flags|facts.Optional
	}
	p := w.child(n, w.fields.pattern)
	if p == 0 {
		p = w.child(n, w.fields.name)
	}
	if p == 0 {
		return
	}
	if property && w.kind(p) == kIdentifier && w.fn.members != 0 {
		w.parameterProperty(n, p, s)
		return
	}
	w.pattern(p, s)
}

// parameterProperty reads a constructor parameter that is a field as well.
func (w *walker) parameterProperty(n, p uint32, s source) {
	d := facts.Def{
		Kind: facts.DefField, Flags: w.modifiers(n), Name: w.name(p), Parent: w.fn.owner, Scope: w.fn.members,
		Span: w.span(n), NamePos: w.node(p).Start, SigEnd: w.node(n).End, Type: s.typ, Value: s.value,
	}
	if d.Flags&(facts.Private|facts.Protected) == 0 {
		d.Flags |= facts.Exported
	}
	id := w.b.Def(d)
	w.vars[varKey{w.fn.members, d.Name}] = id
	w.b.Bind(facts.Bind{Kind: facts.BindDef, Scope: w.fn.members, Name: d.Name, Pos: d.NamePos, Def: id})
	w.b.Bind(facts.Bind{
		Kind: facts.BindParam, Scope: w.scope, Name: d.Name, Pos: d.NamePos, Type: s.typ, Value: s.value, Flags: s.flags, Def: id,
	})
}

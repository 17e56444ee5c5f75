package php

import (
	"bytes"

	"codeidx/facts"
)

// docLine is one tag of a docblock with the text behind it, by position.
type docLine struct {
	tag        string
	start, end uint32
}

// docTags calls f for each tag of the docblock at node n. A tag's text goes on
// to the next tag, so that types may span lines.
func (w *walker) docTags(n uint32, f func(docLine)) {
	nd := w.node(n)
	src := w.src[:nd.End]
	if bytes.HasSuffix(src[nd.Start:], []byte("*/")) {
		src = src[:nd.End-2]
	}
	var cur docLine
	pos := nd.Start + 3
	for int(pos) < len(src) {
		end := uint32(len(src))
		if i := bytes.IndexByte(src[pos:], '\n'); i >= 0 {
			end = pos + uint32(i)
		}
		p := pos
		for p < end && (src[p] == ' ' || src[p] == '\t' || src[p] == '*' || src[p] == '\r') {
			p++
		}
		if p < end && src[p] == '@' {
			if cur.tag != "" {
				f(cur)
			}
			t := p + 1
			for t < end && (src[t] == '-' || src[t]|0x20 >= 'a' && src[t]|0x20 <= 'z') {
				t++
			}
			cur = docLine{tag: plainTag(src[p+1 : t]), start: t}
		}
		cur.end = end
		pos = end + 1
	}
	if cur.tag != "" {
		f(cur)
	}
}

// plainTag returns a tag without the prefix of one tool; the tags of types are
// the same for all.
func plainTag(t []byte) string {
	for _, prefix := range []string{"psalm-", "phpstan-", "phan-"} {
		if bytes.HasPrefix(t, []byte(prefix)) {
			return string(t[len(prefix):])
		}
	}
	return string(t)
}

func (w *walker) docBind(b facts.Bind, tag facts.DocTag, t docLine) {
	b.Kind, b.Index = facts.BindDoc, tag
	if b.Pos == 0 {
		b.Pos = t.start
	}
	w.b.Bind(b)
}

// docVariables states what "@var Type $name" says of variables here; without a
// name it speaks of name, if there is one.
func (w *walker) docVariables(n uint32, name facts.NameID) {
	w.docTags(n, func(t docLine) {
		if t.tag != "var" && t.tag != "param" {
			return
		}
		p := w.docType(t)
		typ := p.parse()
		if v := p.variable(); v != nil {
			w.docBind(facts.Bind{Scope: w.vars, Name: w.b.Intern(v), Type: typ}, facts.DocVar, t)
		} else if name != 0 {
			w.docBind(facts.Bind{Scope: w.vars, Name: name, Type: typ}, facts.DocVar, t)
		}
	})
}

// docVar states the @var of a property or constant.
func (w *walker) docVar(n uint32, def facts.DefID) {
	w.docTags(n, func(t docLine) {
		if t.tag == "var" {
			w.docBind(facts.Bind{Scope: w.scope, Def: def, Type: w.docType(t).parse()}, facts.DocVar, t)
		}
	})
}

// docFunction states the tags of a function whose scope is current.
func (w *walker) docFunction(n uint32, def facts.DefID) {
	w.docTags(n, func(t docLine) {
		b := facts.Bind{Scope: w.scope, Def: def}
		switch t.tag {
		case "param":
			p := w.docType(t)
			b.Type = p.parse()
			if v := p.variable(); v != nil {
				b.Name = w.b.Intern(v)
				w.docBind(b, facts.DocParam, t)
			}
		case "return":
			b.Type = w.docType(t).parse()
			w.docBind(b, facts.DocReturn, t)
		case "template", "template-covariant", "template-contravariant":
			w.docTemplate(t, b)
		}
	})
}

// docClass states the tags of a class whose scope is current.
func (w *walker) docClass(n uint32, def facts.DefID) {
	w.docTags(n, func(t docLine) {
		b := facts.Bind{Scope: w.scope, Def: def}
		switch t.tag {
		case "property", "property-read", "property-write":
			p := w.docType(t)
			b.Type = p.parse()
			if v := p.variable(); v != nil {
				b.Name, b.Pos = w.b.Intern(v[1:]), p.wordAt
				w.docBind(b, facts.DocProperty, t)
			}
		case "method":
			w.docMethod(t, b)
		case "mixin":
			b.Type = w.docType(t).parse()
			w.docBind(b, facts.DocMixin, t)
		case "extends", "template-extends", "implements", "template-implements", "use", "template-use":
			b.Type = w.docType(t).parse()
			w.docBind(b, facts.DocExtends, t)
		case "template", "template-covariant", "template-contravariant":
			w.docTemplate(t, b)
		}
	})
}

// docTemplate reads "@template T of Bound".
func (w *walker) docTemplate(t docLine, b facts.Bind) {
	p := w.docType(t)
	name := p.word()
	if len(name) == 0 {
		return
	}
	b.Name = w.b.Intern(name)
	if of := p.word(); string(of) == "of" || string(of) == "as" {
		b.Type = p.parse()
	}
	w.docBind(b, facts.DocTemplate, t)
}

// docMethod reads "@method static Type name(args)".
func (w *walker) docMethod(t docLine, b facts.Bind) {
	p := w.docType(t)
	at := p.pos
	if string(p.word()) != "static" || p.peek() == '(' {
		p.pos = at
	} else if p.peekType() {
		// "static" was the keyword, a type follows
	} else {
		p.pos = at
	}
	start := p.pos
	typ := p.parse()
	name := p.word()
	if len(name) == 0 { // no type: the first word is the name
		p.pos = start
		name, typ = p.word(), 0
	}
	if len(name) == 0 {
		return
	}
	b.Name, b.Type, b.Pos = w.b.Intern(name), typ, p.wordAt
	w.docBind(b, facts.DocMethod, t)
}

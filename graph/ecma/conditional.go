package ecma

// decide evaluates the conditional type "args[0] extends args[1] ? args[2] :
// args[3]": to one branch where the facts tell which, to both where they do
// not. It stays as it is while a type parameter is left in its test.
func (w *world) decide(c *typ) *typ {
	check, extends := c.arg(0), c.arg(1)
	if check.open(0) {
		return c
	}
	switch w.extends(check, extends) {
	case yes:
		return c.arg(2)
	case no:
		return c.arg(3)
	}
	return branches(c)
}

// branches joins the branches of a conditional type, "never" apart.
func branches(c *typ) *typ {
	var ts []*typ
	for _, t := range c.args[2:] {
		if t == nil || t.kind != tPrim || t.name != "never" {
			ts = append(ts, t)
		}
	}
	return union(ts...)
}

// answer is what is known about a test.
type answer uint8

const (
	unsure answer = iota
	yes
	no
)

// extends says whether a is assignable to b, for the plain types of which it
// can be told: literals and primitives.
func (w *world) extends(a, b *typ) answer {
	if a == nil || b == nil || a.part || b.part && b.kind == tUnion {
		return unsure
	}
	if a.kind == tUnion {
		all := yes
		for _, x := range a.args {
			switch w.extends(x, b) {
			case no:
				return no
			case unsure:
				all = unsure
			}
		}
		return all
	}
	if !plain(a) {
		return unsure
	}
	if b.kind == tUnion {
		for _, x := range b.args {
			if r := w.extends(a, x); r != no {
				return r
			}
		}
		return no
	}
	return plainExtends(a, b)
}

func plain(t *typ) bool {
	return t.kind == tLiteral || t.kind == tNull || t.kind == tPrim && t.name != "any" && t.name != "never"
}

func plainExtends(a, b *typ) answer {
	switch {
	case !plain(b) && !(b.kind == tPrim):
		return unsure
	case b.kind == tPrim && (b.name == "any" || b.name == "unknown"), same(a, b):
		return yes
	case a.kind == tLiteral && b.kind == tPrim && (b.name == "string" && !a.part || b.name == "number" && a.part):
		return yes
	case a.kind == tPrim && (a.name == "true" || a.name == "false") && b.kind == tPrim && b.name == "boolean":
		return yes
	}
	return no
}

package ecma

// globalType is a type of the language that the repository does not declare:
// its classes and utility types.
func (w *world) globalType(name string, args []*typ) *typ {
	arg := func(i int) *typ {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	switch name {
	case "Array", "ReadonlyArray", "ArrayLike":
		return builtin("Array", arg(0))
	case "Promise", "PromiseLike":
		return builtin("Promise", arg(0))
	case "Map", "ReadonlyMap", "WeakMap":
		return builtin("Map", arg(0), arg(1))
	case "Set", "ReadonlySet", "WeakSet":
		return builtin("Set", arg(0))
	case "Iterable", "Iterator", "IterableIterator", "AsyncIterable", "AsyncIterator", "AsyncIterableIterator", "Generator", "AsyncGenerator":
		return builtin("Iterable", arg(0))
	case "Record":
		return builtin("Record", arg(0), arg(1))
	case "Partial", "Required", "Readonly", "NoInfer":
		return arg(0)
	case "NonNullable":
		return arg(0).nonNull()
	case "ThisType":
		return arg(0)
	case "Pick":
		return &typ{kind: tPick, args: []*typ{arg(0), arg(1)}}
	case "Omit":
		return &typ{kind: tOmit, args: []*typ{arg(0), arg(1)}}
	case "Awaited":
		return w.awaited(arg(0))
	case "ReturnType":
		return w.called(arg(0), nil, 0)
	case "InstanceType":
		return w.constructed(arg(0), nil)
	case "Parameters":
		if fn := w.callable(arg(0)); fn != nil && fn.m != nil {
			t := &typ{kind: tTuple}
			for i := range fn.m.params.Of(uint32(fn.scope)) {
				t.args = append(t.args, w.paramAt(fn, i))
			}
			return t
		}
		return nil
	case "Exclude", "Extract":
		return w.excluded(arg(0), arg(1), name == "Extract")
	case "Uppercase", "Lowercase", "Capitalize", "Uncapitalize":
		return stringType
	}
	return &typ{kind: tOutside, name: name, args: args}
}

// excluded keeps the alternatives of t that are, or are not, among those of u.
func (w *world) excluded(t, u *typ, keep bool) *typ {
	if t == nil {
		return nil
	}
	if t.kind == tKeys || t.kind == tMinus || t.kind == tParam {
		if !keep {
			return &typ{kind: tMinus, args: []*typ{t, u}}
		}
		return t
	}
	return t.filter(func(a *typ) bool {
		in := false
		u.each(func(b *typ) { in = in || same(a, b) || w.compatible(b, a) && a.kind != tOutside && b.kind == tObject })
		if u != nil && a.kind == tNull {
			in = u.kind == tNull
		}
		return in == keep
	})
}

// builtinMember is the type of a member of a value of the language's classes.
func (w *world) builtinMember(t *typ, name string) *typ {
	class := t.name
	switch t.kind {
	case tTuple:
		class = "Array"
	case tLiteral:
		class = "string"
		if t.part {
			class = "number"
		}
	case tBuiltin, tPrim:
	default:
		return nil
	}
	switch {
	case class == "Record":
		if k := t.arg(0); k != nil && (k.kind == tLiteral || k.kind == tUnion) && !w.omits(k, name) {
			return nil
		}
		return t.arg(1)
	case class == "Promise" && name != "then" && name != "catch" && name != "finally":
		return nil
	case name == "length" || name == "size" || name == "lastIndex":
		return numberType
	}
	return &typ{kind: tMethod, name: name, recv: t}
}

// selfMethods return the array or collection that they are called on.
func selfMethod(class, name string) bool {
	switch name {
	case "filter", "slice", "concat", "reverse", "sort", "splice", "fill", "copyWithin", "toSorted", "toReversed", "toSpliced", "with":
		return class == "Array" || class == "Iterable"
	case "add":
		return class == "Set"
	case "set":
		return class == "Map"
	case "take", "drop":
		return class == "Iterable"
	case "union", "intersection", "difference", "symmetricDifference":
		return class == "Set"
	}
	return false
}

// builtinResult is what calling a method of the language's classes gives.
func (w *world) builtinResult(fn *typ, s *site) *typ {
	recv := fn.recv
	class := recv.name
	if recv.kind == tTuple {
		class = "Array"
	}
	switch fn.name {
	case "bind":
		if recv.kind == tFunc {
			return recv
		}
	case "call", "apply":
		if recv.kind == tFunc {
			return w.result(recv, nil)
		}
	case "toString", "join", "toLowerCase", "toUpperCase", "trim", "replace", "replaceAll", "padStart", "padEnd", "trimStart", "trimEnd",
		"repeat", "charAt", "substring", "substr", "toFixed", "normalize", "toLocaleString":
		return stringType
	case "includes", "has", "some", "every", "startsWith", "endsWith", "test", "delete":
		return boolType
	case "indexOf", "lastIndexOf", "findIndex", "push", "unshift", "charCodeAt", "codePointAt", "findLastIndex":
		return numberType
	}
	switch class {
	case "Promise":
		return w.promiseResult(fn, s)
	case "Array", "Set", "Map", "Iterable", "Generator":
		return w.collectionResult(fn, class, s)
	}
	if fn.name == "split" {
		return builtin("Array", stringType)
	}
	if fn.name == "slice" || fn.name == "concat" || fn.name == "at" {
		return stringType
	}
	return nil
}

func (w *world) promiseResult(fn *typ, s *site) *typ {
	switch fn.name {
	case "then":
		return builtin("Promise", w.awaited(w.called(s.argument(0), nil, 0)))
	case "catch":
		return builtin("Promise", union(fn.recv.arg(0), w.awaited(w.called(s.argument(0), nil, 0))))
	case "finally":
		return fn.recv
	}
	return nil
}

func (w *world) collectionResult(fn *typ, class string, s *site) *typ {
	recv := fn.recv
	if selfMethod(class, fn.name) {
		if recv.kind == tTuple {
			return builtin("Array", w.element(recv))
		}
		if fn.name == "filter" {
			return w.filtered(recv, s)
		}
		if fn.name == "concat" && recv.arg(0) == nil {
			return builtin("Array", union(w.element(s.argument(0)), s.argument(0)))
		}
		return recv
	}
	switch fn.name {
	case "map":
		return builtin(class, w.called(s.argument(0), nil, 0))
	case "flatMap":
		r := w.called(s.argument(0), nil, 0)
		if e := w.element(r); e != nil {
			r = e
		}
		return builtin("Array", r)
	case "flat":
		e := w.element(recv)
		if x := w.element(e); x != nil {
			return builtin("Array", x)
		}
		return builtin("Array", e)
	case "find", "findLast":
		return union(w.filtered(recv, s).arg(0), nullType)
	case "at", "pop", "shift":
		return union(w.element(recv), nullType)
	case "get":
		if class == "Map" {
			return union(recv.arg(1), nullType)
		}
	case "keys":
		return builtin("Iterable", w.keyOf(recv, class))
	case "values":
		return builtin("Iterable", w.valueOf(recv, class))
	case "entries":
		return builtin("Iterable", &typ{kind: tTuple, args: []*typ{w.keyOf(recv, class), w.valueOf(recv, class)}})
	case "toArray":
		return builtin("Array", w.element(recv))
	case "reduce", "reduceRight":
		if len(s.args()) > 1 {
			if t := s.argument(1); t != nil && !(t.kind == tBuiltin && t.arg(0) == nil) {
				return t
			}
			return w.called(s.argument(0), nil, 0)
		}
		return w.element(recv)
	case "next":
		return nil
	}
	return nil
}

// filtered is an array after filter or find with a type predicate or Boolean.
func (w *world) filtered(recv *typ, s *site) *typ {
	a := s.argument(0)
	if a != nil && a.kind == tFunc {
		if g := w.result(a, nil); g != nil && g.kind == tGuard {
			return builtin("Array", g.arg(0))
		}
	}
	if a != nil && a.kind == tExternal && a.name == "Boolean" {
		return builtin("Array", w.element(recv).nonNull())
	}
	return builtin("Array", w.element(recv))
}

func (w *world) keyOf(t *typ, class string) *typ {
	switch class {
	case "Array":
		return numberType
	}
	return t.arg(0)
}

func (w *world) valueOf(t *typ, class string) *typ {
	if class == "Map" {
		return t.arg(1)
	}
	return w.element(t)
}

// callback makes a function type with these parameters.
func callback(params ...*typ) *typ { return &typ{kind: tFunc, args: params} }

// builtinParam is what a method of the language's classes expects of argument i.
func (w *world) builtinParam(fn *typ, s *site, i int) *typ {
	recv := fn.recv
	class := recv.name
	if recv.kind == tTuple {
		class = "Array"
	}
	if recv.kind == tFunc {
		switch {
		case fn.name == "call" && i > 0:
			return w.paramAt(recv, i-1)
		}
		return nil
	}
	elem := w.element(recv)
	switch class {
	case "Promise":
		if fn.name == "then" && i == 0 {
			return callback(recv.arg(0))
		}
		return callback(anyType)
	case "Map":
		switch {
		case fn.name == "forEach":
			return callback(recv.arg(1), recv.arg(0), recv)
		case fn.name == "set" && i == 1:
			return recv.arg(1)
		}
	case "Set":
		if fn.name == "forEach" {
			return callback(elem, elem, recv)
		}
		return elem
	case "Array", "Iterable", "Generator":
		switch fn.name {
		case "reduce", "reduceRight":
			acc := elem
			if len(s.args()) > 1 {
				acc = s.argument(1)
			}
			return callback(acc, elem, numberType, recv)
		case "sort", "toSorted":
			return callback(elem, elem)
		case "push", "unshift", "includes", "indexOf", "fill":
			return elem
		case "splice":
			if i > 1 {
				return elem
			}
			return nil
		}
		return callback(elem, numberType, recv)
	}
	return nil
}

package ecma

import "strings"

// Knowledge about React, as data: what its types say about the props and state
// of components, and what its hooks give back.

// componentSignature is the call signature of a function component's type.
func componentSignature(t *typ) *typ {
	switch t.name {
	case "FC", "FunctionComponent", "VFC", "VoidFunctionComponent":
		return callback(t.arg(0))
	case "ForwardRefRenderFunction":
		return callback(t.arg(1))
	}
	return nil
}

// componentMember is a member that a class component has from its base.
func componentMember(t *typ, name string) *typ {
	if t.name != "Component" && t.name != "PureComponent" {
		return nil
	}
	switch name {
	case "props":
		return t.arg(0)
	case "state":
		return t.arg(1)
	}
	return nil
}

// hookResult is what a call of one of React's hooks gives.
func (w *world) hookResult(fn *typ, s *site) *typ {
	if !strings.HasPrefix(fn.name, ":") {
		return nil
	}
	switch lastName(fn.name) {
	case "useState":
		t := fn.arg(0)
		if t == nil {
			t = s.argument(0)
			if t != nil && t.kind == tFunc {
				t = w.called(t, nil, 0)
			}
		}
		return &typ{kind: tTuple, args: []*typ{t, nil}}
	case "useMemo":
		return w.called(s.argument(0), nil, 0)
	case "useCallback":
		return s.argument(0)
	}
	return nil
}

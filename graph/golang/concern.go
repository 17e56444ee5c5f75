package golang

import (
	"codeidx/facts"
	"codeidx/graph"
)

// concern finds the files whose edges can depend on changed files. What others
// see of a file are its declarations. Functions, variables and constants are
// reached by their names alone, so that a file which mentions none of the names
// that changed keeps its edges; a declaration that mentions one may have
// another type, and its name counts as changed, too. A change of types, methods
// or the head of a file may reach further and is not followed.
type concern struct {
	r     *resolution
	names map[string]bool
	some  map[int32]bool
	list  []int32
}

// maxConcern bounds the files that are resolved apart: more cost as much as
// all.
const maxConcern = 200

// concerned lists the changed files and those that they concern.
func (r *resolution) concerned(changed []graph.Changed) (some []int32, ok bool) {
	c := concern{r: r, names: map[string]bool{}, some: map[int32]bool{}}
	for _, x := range changed {
		if !c.compare(x.Old, r.prog.File(x.File)) {
			return nil, false
		}
		c.some[x.File] = true
		c.list = append(c.list, x.File)
	}
	seen := 0
	for n := 0; n < len(c.names); {
		n = len(c.names)
		if !c.onlyLoose() || !c.spread() || len(c.list) > maxConcern {
			return nil, false
		}
		for ; seen < len(c.list); seen++ {
			if !c.carry(c.list[seen]) {
				return nil, false
			}
		}
		if len(c.names) > n { // what was looked at may mention the new names
			seen = 0
		}
	}
	return c.list, true
}

// compare notes the names whose declarations differ.
func (c *concern) compare(old, now *facts.File) bool {
	a, b := outlineOf(old), outlineOf(now)
	imports, ok := c.imports(old, now)
	if !ok || a.head != b.head {
		return false
	}
	for _, o := range [...]*outline{a, b} {
		for i := range o.items {
			if it := &o.items[i]; it.mentions(imports) {
				if !it.loose {
					return false
				}
				c.names[it.name] = true
			}
		}
	}
	c.differing(a.items, b.items)
	return sameTypes(a.items, b.items)
}

// sameTypes compares what may be reached otherwise than by name, in order.
func sameTypes(a, b []item) bool {
	for {
		for len(a) > 0 && a[0].loose {
			a = a[1:]
		}
		for len(b) > 0 && b[0].loose {
			b = b[1:]
		}
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0].digest != b[0].digest {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// differing notes the names whose functions, variables or constants differ, in
// content or in order.
func (c *concern) differing(a, b []item) {
	old, now := digests(a), digests(b)
	for name, d := range old {
		if now[name] != d {
			c.names[name] = true
		}
	}
	for name, d := range now {
		if old[name] != d {
			c.names[name] = true
		}
	}
}

// digests joins the digests of each name.
func digests(items []item) map[string]string {
	all := map[string]string{}
	for i := range items {
		if it := &items[i]; it.loose {
			all[it.name] += string(it.digest[:])
		}
	}
	return all
}

// imports lists the names that imports bind in one of two states of a file and
// not in the other. It answers false where names come in without being written.
func (c *concern) imports(old, now *facts.File) (map[string]bool, bool) {
	type key struct {
		kind                facts.ImportKind
		module, name, alias string
	}
	count := map[key]int{}
	add := func(f *facts.File, n int) {
		for i := 1; i < len(f.Imports); i++ {
			im := &f.Imports[i]
			count[key{im.Kind, f.Name(im.Module), f.Name(im.Name), f.Name(im.Alias)}] += n
		}
	}
	add(old, -1)
	add(now, 1)
	names := map[string]bool{}
	for k, n := range count {
		switch {
		case n == 0 || k.kind == facts.ImportEffect:
		case k.kind == facts.ImportStar:
			return nil, false
		case k.alias != "":
			names[k.alias] = true
		default:
			names[c.r.packageName(folder(now.Path), k.module)] = true
		}
	}
	return names, true
}

// packageName is the name that an import without alias binds in a folder.
func (r *resolution) packageName(dir, module string) string {
	f := &file{r: r, mod: r.mods.of(dir)}
	if to, ok := f.importDir(module); ok {
		if id := r.imported(to); id >= 0 {
			return r.packages[id].name
		}
	}
	return guessName(module)
}

func (it *item) mentions(names map[string]bool) bool {
	for n := range names {
		if it.uses[n] {
			return true
		}
	}
	return false
}

// onlyLoose says whether no changed name is also that of a type: methods are
// given to a type by the name of their receiver, which leaves no edge.
func (c *concern) onlyLoose() bool {
	for n := range c.names {
		keys, err := c.r.past.Definitions(n)
		if err != nil {
			return false
		}
		for _, k := range keys {
			switch k.Kind {
			case facts.DefFunction, facts.DefVariable, facts.DefConstant, facts.DefMethod, facts.DefField:
				continue
			}
			if i, ok := c.r.prog.Find(k.Path); !ok || c.r.prog.Info(int(i)).Lang == facts.Go {
				return false
			}
		}
	}
	return true
}

// spread adds the files that mention a changed name.
func (c *concern) spread() bool {
	paths, err := c.r.past.Mentioning(c.names)
	if err != nil {
		return false
	}
	for _, p := range paths {
		i, ok := c.r.prog.Find(p)
		if !ok || c.r.prog.Info(int(i)).Lang != facts.Go || c.some[i] {
			continue
		}
		c.some[i] = true
		c.list = append(c.list, i)
	}
	return true
}

// carry adds the names of declarations of a file that mention a changed name.
func (c *concern) carry(i int32) bool {
	o := outlineOf(c.r.prog.File(i))
	for k := range o.items {
		it := &o.items[k]
		if c.names[it.name] && it.loose || !it.mentions(c.names) {
			continue
		}
		if !it.loose {
			return false
		}
		c.names[it.name] = true
	}
	return true
}

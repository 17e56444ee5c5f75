package ecma

import (
	"encoding/json"
	"strings"

	"codeidx/graph"
)

// configs holds the configuration files that steer module resolution.
type configs struct {
	ts       map[string]*tsconfig // by path, as written
	effect   map[string]*tsconfig // by path, with what it extends
	packages map[string]*pkg      // by folder
	byName   map[string][]*pkg
	pnpm     bool // packages reach only what they depend on
}

// tsconfig is what a tsconfig or jsconfig says about modules. Paths are
// relative to the top of the work tree.
type tsconfig struct {
	dir      string
	extends  []string
	baseURL  string
	hasBase  bool
	pathsDir string
	paths    map[string][]string
	order    []string // patterns, longest prefix first
	rootDirs []string
	outDir   string
	rootDir  string
}

// pkg is one package.json.
type pkg struct {
	dir     string
	Name    string          `json:"name"`
	Main    string          `json:"main"`
	Module  string          `json:"module"`
	Types   string          `json:"types"`
	Typings string          `json:"typings"`
	Exports json.RawMessage `json:"exports"`
	Imports json.RawMessage `json:"imports"`
	deps    map[string]string
	exports any
	imports any
}

func readConfigs(files []graph.ConfigFile) configs {
	c := configs{ts: map[string]*tsconfig{}, effect: map[string]*tsconfig{}, packages: map[string]*pkg{}, byName: map[string][]*pkg{}}
	for _, f := range files {
		base := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
		switch {
		case base == "package.json":
			if p := readPackage(f.Path, f.Data); p != nil {
				c.packages[p.dir] = p
				if p.Name != "" {
					c.byName[p.Name] = append(c.byName[p.Name], p)
				}
			}
		case base == "pnpm-workspace.yaml":
			c.pnpm = true
		case strings.HasSuffix(base, ".json"):
			if t := readTsconfig(f.Path, f.Data); t != nil {
				c.ts[f.Path] = t
			}
		}
	}
	return c
}

func readPackage(path string, data []byte) *pkg {
	p := &pkg{dir: parentDir(path)}
	if json.Unmarshal(data, p) != nil {
		return nil
	}
	var d struct {
		A map[string]any `json:"dependencies"`
		B map[string]any `json:"devDependencies"`
		C map[string]any `json:"optionalDependencies"`
		D map[string]any `json:"peerDependencies"`
	}
	p.deps = map[string]string{}
	if json.Unmarshal(data, &d) == nil {
		for _, m := range []map[string]any{d.D, d.C, d.B, d.A} {
			for k, v := range m {
				s, _ := v.(string)
				p.deps[k] = s
			}
		}
	}
	p.exports, p.imports = ordered(p.Exports), ordered(p.Imports)
	return p
}

// field is one entry of a JSON object, whose order matters in "exports".
type field struct {
	key   string
	value any // string, []any, []field or nil
}

// ordered decodes JSON with the order of its objects.
func ordered(data json.RawMessage) any {
	if len(data) == 0 {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	v, _ := orderedValue(d, 0)
	return v
}

func orderedValue(d *json.Decoder, depth int) (any, bool) {
	t, err := d.Token()
	if err != nil || depth > 16 {
		return nil, false
	}
	switch t := t.(type) {
	case string:
		return t, true
	case json.Delim:
		switch t {
		case '{':
			out := []field{}
			for d.More() {
				k, err := d.Token()
				name, ok := k.(string)
				if err != nil || !ok {
					return nil, false
				}
				v, ok := orderedValue(d, depth+1)
				if !ok {
					return nil, false
				}
				out = append(out, field{name, v})
			}
			_, err := d.Token()
			return out, err == nil
		case '[':
			out := []any{}
			for d.More() {
				v, ok := orderedValue(d, depth+1)
				if !ok {
					return nil, false
				}
				out = append(out, v)
			}
			_, err := d.Token()
			return out, err == nil
		}
	}
	return nil, true
}

func readTsconfig(path string, data []byte) *tsconfig {
	var raw struct {
		Extends json.RawMessage `json:"extends"`
		Options struct {
			BaseURL  *string             `json:"baseUrl"`
			Paths    map[string][]string `json:"paths"`
			RootDirs []string            `json:"rootDirs"`
			OutDir   string              `json:"outDir"`
			RootDir  string              `json:"rootDir"`
		} `json:"compilerOptions"`
	}
	if json.Unmarshal(plainJSON(data), &raw) != nil {
		return nil
	}
	t := &tsconfig{dir: parentDir(path)}
	var one string
	if json.Unmarshal(raw.Extends, &one) == nil && one != "" {
		t.extends = []string{one}
	} else {
		_ = json.Unmarshal(raw.Extends, &t.extends) // absent or of another shape: extends nothing
	}
	if raw.Options.BaseURL != nil {
		t.baseURL, t.hasBase = join(t.dir, *raw.Options.BaseURL)
	}
	if raw.Options.Paths != nil {
		t.paths, t.pathsDir = raw.Options.Paths, t.dir
		if t.hasBase {
			t.pathsDir = t.baseURL
		}
		t.order = sortedPatterns(t.paths)
	}
	for _, d := range raw.Options.RootDirs {
		if p, ok := join(t.dir, d); ok {
			t.rootDirs = append(t.rootDirs, p)
		}
	}
	t.outDir, t.rootDir = within(t.dir, raw.Options.OutDir), within(t.dir, raw.Options.RootDir)
	return t
}

func within(dir, rel string) string {
	if rel == "" {
		return ""
	}
	p, _ := join(dir, rel)
	return p
}

// plainJSON drops comments and trailing commas.
func plainJSON(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case c == '"':
			j := i + 1
			for j < len(data) && data[j] != '"' {
				if data[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j, len(data)-1)
			out = append(out, data[i:j+1]...)
			i = j
		case c == '/' && i+1 < len(data) && data[i+1] == '/':
			for i < len(data) && data[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(data) && data[i+1] == '*':
			i += 2
			for i+1 < len(data) && !(data[i] == '*' && data[i+1] == '/') {
				i++
			}
			i++
		case c == '}' || c == ']':
			k := len(out)
			for k > 0 && (out[k-1] == ' ' || out[k-1] == '\n' || out[k-1] == '\r' || out[k-1] == '\t') {
				k--
			}
			if k > 0 && out[k-1] == ',' {
				out = out[:k-1]
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// configOf returns the nearest configuration above a folder, with what it
// extends.
func (c *configs) configOf(dir string) *tsconfig {
	for d := dir; ; d = parentDir(d) {
		for _, name := range [...]string{"tsconfig.json", "jsconfig.json"} {
			if p := below(d, name); c.ts[p] != nil {
				return c.effective(p, 0)
			}
		}
		if d == "" {
			return nil
		}
	}
}

func below(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

const maxExtends = 16

// effective is a configuration with what it extends, later ones over earlier.
func (c *configs) effective(path string, depth int) *tsconfig {
	if t := c.effect[path]; t != nil {
		return t
	}
	own := c.ts[path]
	if own == nil || depth > maxExtends {
		return own
	}
	t := &tsconfig{dir: own.dir}
	for _, e := range own.extends {
		if p := c.extended(own.dir, e); p != "" && p != path {
			t.over(c.effective(p, depth+1))
		}
	}
	t.over(own)
	t.dir = own.dir
	if depth == 0 {
		c.effect[path] = t
	}
	return t
}

// over takes over what o says.
func (t *tsconfig) over(o *tsconfig) {
	if o == nil {
		return
	}
	if o.hasBase {
		t.baseURL, t.hasBase = o.baseURL, true
	}
	if o.paths != nil {
		t.paths, t.pathsDir, t.order = o.paths, o.pathsDir, o.order
	}
	if o.rootDirs != nil {
		t.rootDirs = o.rootDirs
	}
	if o.outDir != "" {
		t.outDir = o.outDir
	}
	if o.rootDir != "" {
		t.rootDir = o.rootDir
	}
}

// extended finds the configuration that "extends" names: a file, or a file of
// a package in the repository.
func (c *configs) extended(dir, name string) string {
	if strings.HasPrefix(name, ".") {
		p, ok := join(dir, name)
		if !ok {
			return ""
		}
		return c.configFile(p)
	}
	for n, rest := name, ""; n != ""; {
		for _, p := range c.byName[n] {
			if rest == "" {
				rest = "tsconfig.json"
			}
			if f := c.configFile(below(p.dir, rest)); f != "" {
				return f
			}
		}
		i := strings.LastIndexByte(n, '/')
		if i < 0 {
			break
		}
		rest = strings.TrimPrefix(n[i+1:]+"/"+rest, "/")
		rest = strings.TrimSuffix(rest, "/")
		n = n[:i]
	}
	return ""
}

func (c *configs) configFile(p string) string {
	for _, f := range [...]string{p, p + ".json", p + "/tsconfig.json"} {
		if c.ts[f] != nil {
			return f
		}
	}
	return ""
}

// packageOf returns the nearest package above a folder.
func (c *configs) packageOf(dir string) *pkg {
	for d := dir; ; d = parentDir(d) {
		if p := c.packages[d]; p != nil {
			return p
		}
		if d == "" {
			return nil
		}
	}
}

package golang

import "strings"

// externals describes the few types outside the repository whose members
// matter here: interfaces of the standard library that repositories embed, so
// that signatures can be compared. Members that are not listed stay unknown.
type externals struct {
	methods map[sym][]externalMethod
	alias   map[string]string
}

// externalMethod is a method of a type outside the repository.
type externalMethod struct {
	name sym
	typ  typeID
}

// externalTable lists method sets, one type a line: its name, then its methods
// as "Name parameters : results". An entry that starts with "+" takes over the
// methods of a type above it.
const externalTable = `
io.Reader | Read []byte : int error
io.Writer | Write []byte : int error
io.Closer | Close : error
io.Seeker | Seek int64 int : int64 error
io.ReaderAt | ReadAt []byte int64 : int error
io.WriterAt | WriteAt []byte int64 : int error
io.ReaderFrom | ReadFrom io.Reader : int64 error
io.WriterTo | WriteTo io.Writer : int64 error
io.ByteReader | ReadByte : byte error
io.ByteWriter | WriteByte byte : error
io.ByteScanner | +io.ByteReader | UnreadByte : error
io.RuneReader | ReadRune : rune int error
io.RuneScanner | +io.RuneReader | UnreadRune : error
io.StringWriter | WriteString string : int error
io.ReadWriter | +io.Reader | +io.Writer
io.ReadCloser | +io.Reader | +io.Closer
io.WriteCloser | +io.Writer | +io.Closer
io.ReadWriteCloser | +io.Reader | +io.Writer | +io.Closer
io.ReadSeeker | +io.Reader | +io.Seeker
io.WriteSeeker | +io.Writer | +io.Seeker
io.ReadWriteSeeker | +io.Reader | +io.Writer | +io.Seeker
io.ReadSeekCloser | +io.Reader | +io.Seeker | +io.Closer
fmt.Stringer | String : string
fmt.GoStringer | GoString : string
fmt.Formatter | Format fmt.State rune :
sort.Interface | Len : int | Less int int : bool | Swap int int :
container/heap.Interface | +sort.Interface | Push any : | Pop : any
flag.Value | +fmt.Stringer | Set string : error
encoding.TextMarshaler | MarshalText : []byte error
encoding.TextUnmarshaler | UnmarshalText []byte : error
encoding.BinaryMarshaler | MarshalBinary : []byte error
encoding.BinaryUnmarshaler | UnmarshalBinary []byte : error
encoding/json.Marshaler | MarshalJSON : []byte error
encoding/json.Unmarshaler | UnmarshalJSON []byte : error
database/sql.Scanner | Scan any : error
sync.Locker | Lock : | Unlock :
sync.Mutex | Lock : | Unlock : | TryLock : bool
sync.RWMutex | Lock : | Unlock : | RLock : | RUnlock : | TryLock : bool | TryRLock : bool
hash.Hash | +io.Writer | Sum []byte : []byte | Reset : | Size : int | BlockSize : int
hash.Hash32 | +hash.Hash | Sum32 : uint32
hash.Hash64 | +hash.Hash | Sum64 : uint64
io/fs.FileInfo | Name : string | Size : int64 | Mode : io/fs.FileMode | ModTime : time.Time | IsDir : bool | Sys : any
io/fs.DirEntry | Name : string | IsDir : bool | Type : io/fs.FileMode | Info : io/fs.FileInfo error
io/fs.File | Stat : io/fs.FileInfo error | +io.Reader | +io.Closer
io/fs.FS | Open string : io/fs.File error
context.Context | Deadline : time.Time bool | Done : <-chan_struct{} | Err : error | Value any : any
net.Addr | Network : string | String : string
net.Conn | +io.Reader | +io.Writer | +io.Closer | LocalAddr : net.Addr | RemoteAddr : net.Addr | SetDeadline time.Time : error | SetReadDeadline time.Time : error | SetWriteDeadline time.Time : error
net.Listener | Accept : net.Conn error | +io.Closer | Addr : net.Addr
net/http.Handler | ServeHTTP net/http.ResponseWriter *net/http.Request :
net/http.ResponseWriter | Header : net/http.Header | +io.Writer | WriteHeader int :
net/http.Flusher | Flush :
net/http.RoundTripper | RoundTrip *net/http.Request : *net/http.Response error
bytes.Buffer | +io.ReadWriter | +io.ByteScanner | +io.ByteWriter | +io.RuneScanner | +io.StringWriter | +io.ReaderFrom | +io.WriterTo | +fmt.Stringer | Bytes : []byte | Len : int | Cap : int | Reset : | Truncate int :
bytes.Reader | +io.ReadSeeker | +io.ReaderAt | +io.ByteScanner | +io.RuneScanner | +io.WriterTo | Len : int | Size : int64
strings.Reader | +io.ReadSeeker | +io.ReaderAt | +io.ByteScanner | +io.RuneScanner | +io.WriterTo | Len : int | Size : int64
strings.Builder | +io.Writer | +io.ByteWriter | +io.StringWriter | +fmt.Stringer | Len : int | Cap : int | Reset :
bufio.Reader | +io.Reader | +io.ByteScanner | +io.RuneScanner | +io.WriterTo | Peek int : []byte error | Discard int : int error | Buffered : int | Size : int
bufio.Writer | +io.Writer | +io.ByteWriter | +io.StringWriter | +io.ReaderFrom | Flush : error | Available : int | Buffered : int | Size : int
os.File | +io.ReadWriteSeeker | +io.Closer | +io.ReaderAt | +io.WriterAt | +io.StringWriter | +io.ReaderFrom | +io.WriterTo | Name : string | Stat : io/fs.FileInfo error | Sync : error | Truncate int64 : error | Chmod io/fs.FileMode : error | Fd : uintptr
`

// externalAliases lists names of the standard library that mean other ones.
const externalAliases = `os.FileInfo io/fs.FileInfo os.FileMode io/fs.FileMode os.DirEntry io/fs.DirEntry os.PathError io/fs.PathError`

// externalMethods returns the known methods of an external type.
func (r *resolution) externalMethods(name sym) []externalMethod {
	if r.externals.methods == nil {
		r.readExternals()
	}
	return r.externals.methods[name]
}

func (r *resolution) readExternals() {
	m := map[sym][]externalMethod{}
	for _, line := range strings.Split(strings.TrimSpace(externalTable), "\n") {
		entries := strings.Split(line, "|")
		name := r.sym(strings.TrimSpace(entries[0]))
		for _, entry := range entries[1:] {
			words := strings.Fields(entry)
			if other, ok := strings.CutPrefix(words[0], "+"); ok {
				m[name] = append(m[name], m[r.sym(other)]...)
				continue
			}
			m[name] = append(m[name], externalMethod{r.sym(words[0]), r.signature(words[1:])})
		}
	}
	r.externals.methods = m
}

// signature reads "parameters : results".
func (r *resolution) signature(words []string) typeID {
	var lists [2][]typeID
	k := 0
	for _, w := range words {
		if w == ":" {
			k = 1
		} else {
			lists[k] = append(lists[k], r.tableType(w))
		}
	}
	return r.types.intern(typ{kind: tFunc, list: r.types.list(lists[0]), list2: r.types.list(lists[1])})
}

func (r *resolution) tableType(w string) typeID {
	if rest, ok := strings.CutPrefix(w, "[]"); ok {
		return r.types.slice(r.tableType(rest))
	}
	if rest, ok := strings.CutPrefix(w, "*"); ok {
		return r.types.pointer(r.tableType(rest))
	}
	if w == "<-chan_struct{}" {
		return r.types.intern(typ{kind: tChan, a: r.emptyStruct(), flag: receiveOnly})
	}
	if x := r.predeclared(w); x.kind == eType {
		return r.types.basic(basic(x.id))
	}
	return r.externalType(w)
}

// externalType returns the type "path.Name" of a package outside, or the one
// of which nothing is known for "".
func (r *resolution) externalType(name string) typeID {
	if r.externals.alias == nil {
		r.externals.alias = map[string]string{}
		words := strings.Fields(externalAliases)
		for i := 0; i < len(words); i += 2 {
			r.externals.alias[words[i]] = words[i+1]
		}
	}
	if a := r.externals.alias[name]; a != "" {
		name = a
	}
	return r.types.intern(typ{kind: tExternal, n: int32(r.sym(name))})
}

// externalSelection looks a member up on an external type; typ stays 0 for
// members that are not listed.
func (r *resolution) externalSelection(t typeID, name sym) selection {
	s := selection{kind: sExternal}
	for _, m := range r.externalMethods(sym(r.types.types[t].n)) {
		if m.name == name {
			s.typ = m.typ
		}
	}
	return s
}

package python

import (
	"strings"
	"sync"
)

// canonical maps names of typing and collections to the builtin that they stand for.
func canonical(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return name
	}
	switch name[:i] {
	case "typing", "typing_extensions", "collections", "collections.abc", "builtins", "types", "contextlib", "abc",
		"functools", "dataclasses", "enum", "contextvars", "weakref", "asyncio", "unittest", "itertools", "copy":
	default:
		return name
	}
	base := name[i+1:]
	switch base {
	case "List":
		return "list"
	case "Dict", "DefaultDict", "OrderedDict", "defaultdict":
		return "dict"
	case "Set", "AbstractSet", "MutableSet":
		return "set"
	case "FrozenSet":
		return "frozenset"
	case "Tuple":
		return "tuple"
	case "Type":
		return "type"
	case "Deque":
		return "deque"
	case "Text":
		return "str"
	}
	return base
}

// elementArg says which type argument a container gives while iterating, -1
// for those that are no containers.
func elementArg(name string) int {
	switch name {
	case "list", "set", "frozenset", "deque", "Iterable", "Iterator", "Sequence", "MutableSequence", "Collection",
		"Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator", "dict", "Mapping", "MutableMapping", "Reversible",
		"KeysView", "ValuesView", "ItemsView", "Counter", "WeakSet", "WeakKeyDictionary", "WeakValueDictionary", "Container":
		return 0
	}
	return -1
}

// mapping says whether a container's second argument is its value type.
func mapping(name string) bool {
	switch name {
	case "dict", "Mapping", "MutableMapping", "WeakKeyDictionary", "WeakValueDictionary", "ChainMap":
		return true
	}
	return false
}

// externalInstance is the instance of an external class, nil for those whose
// instances can be anything.
func externalInstance(t *typ) *typ {
	switch canonical(t.name) {
	case "Any", "object", "Callable", "Self", "TypeAlias", "":
		return nil
	case "None", "NoneType", "NoReturn", "Never":
		return noneType
	}
	return &typ{kind: tObject, name: canonical(t.name), args: t.args}
}

// enumClass says whether an external class makes its subclasses enumerations.
func enumClass(name string) bool {
	switch name {
	case "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag":
		return true
	}
	return false
}

// plainBase says whether an external base has no members that a lookup of
// names of the repository could meet.
func plainBase(name string) bool {
	switch canonical(name) {
	case "object", "Generic", "Protocol", "ABC":
		return true
	}
	return false
}

func genericBase(name string) bool {
	c := canonical(name)
	return c == "Generic" || c == "Protocol"
}

// keepsFunction says whether a decorator from outside gives back a function
// that is called like the decorated one.
func contextDecorator(name string) bool {
	switch name {
	case "contextlib.contextmanager", "contextlib.asynccontextmanager":
		return true
	}
	return false
}

// standardModule says whether a top-level module name is the standard library's.
func standardModule(name string) bool { return standardModules()[name] }

var standardModules = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, n := range strings.Fields(`
__future__ _thread abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cgi cmath
cmd code codecs collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes
curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler
fcntl filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq
hmac html http imaplib imp importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox
marshal math mimetypes mmap multiprocessing netrc numbers operator optparse os pathlib pdb pickle pickletools pkgutil
platform plistlib poplib posixpath pprint profile pstats pty pwd py_compile pydoc queue quopri random re readline
reprlib resource runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver
sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tarfile telnetlib tempfile
termios test textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types
typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg wsgiref xml xmlrpc zipapp zipfile
zipimport zlib zoneinfo`) {
		names[n] = true
	}
	return names
})

// builtinNames are the names that every module can use without import.
func builtinNames() []string {
	return strings.Fields(`
ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup
False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError
MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError
OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError
ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError __build_class__
__debug__ __import__ abs aiter all anext any ascii basestring bin bool breakpoint buffer bytearray bytes callable chr
classmethod cmp compile complex copyright credits delattr dict dir divmod enumerate eval exec execfile exit file
filter float format frozenset getattr globals hasattr hash help hex id input int intern isinstance issubclass iter
len license list locals long map max memoryview min next object oct open ord pow print property quit range
raw_input reduce reload repr reversed round set setattr slice sorted staticmethod str sum super tuple type unichr
unicode vars xrange zip reveal_type reveal_locals
__doc__ __spec__ __loader__ __path__ __package__ __dict__ __annotations__ __builtins__ __class__`)
}

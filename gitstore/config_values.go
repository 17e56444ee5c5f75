package gitstore

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

// values holds the values of each key, the strongest last. Keys are lower-case
// and without "codeidx.".
type values map[string][]string

// noValue is the value of a key that stands alone in a configuration file:
// true as a bool, wrong as anything else. It is no text that git could give.
const noValue = "\x00"

// addGit adds the output of `git config -z --get-regexp`: "key\nvalue\0", or
// "key\0" for a key without a value.
func (v values) addGit(out []byte) {
	for _, rec := range splitNUL(out) {
		key, value, ok := strings.Cut(string(rec), "\n")
		if !ok {
			value = noValue
		}
		key = strings.ToLower(strings.TrimPrefix(key, "codeidx."))
		v[key] = append(v[key], value)
	}
}

const envPrefix = "GIT_CODEIDX_"

// addEnv lets the environment replace what git config said.
func (v values) addEnv(environ []string) {
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if name, ok := strings.CutPrefix(name, envPrefix); ok {
			v[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = []string{envMark + value}
		}
	}
}

// envMark begins a value from the environment, which a list splits and a
// message names by its variable.
const envMark = "\x00env\x00"

// EnvName returns the variable that overrides a key: GIT_CODEIDX_MAX_FILE_SIZE
// for maxFileSize.
func EnvName(key string) string {
	var b strings.Builder
	b.WriteString(envPrefix)
	for _, r := range key {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToUpper(b.String())
}

// ConfigError is a value that its key does not take.
type ConfigError struct {
	Key   string // "codeidx.maxFiles" or the variable's name
	Value string
	Want  string
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("bad value %q of %s: want %s", e.Value, e.Key, e.Want)
}

// fill sets every field whose key has a value.
func (v values) fill(fields []field) error {
	for _, f := range fields {
		list := v[strings.ToLower(f.key)]
		if len(list) == 0 {
			continue
		}
		if err := f.set(list); err != nil {
			value, env := strings.CutPrefix(list[len(list)-1], envMark)
			key := "codeidx." + f.key
			if env {
				key = EnvName(f.key)
			}
			return &ConfigError{Key: key, Value: strings.Trim(value, noValue), Want: err.Error()}
		}
	}
	return nil
}

// last returns the value that counts where only one can.
func last(list []string) string { return strings.TrimPrefix(list[len(list)-1], envMark) }

// wanted is the error of a setter: what would have been right.
type wanted string

func (w wanted) Error() string { return string(w) }

// setBool takes git's words for true and false.
func setBool(to *bool) func([]string) error {
	return func(list []string) error {
		value := last(list)
		switch strings.ToLower(value) {
		case noValue, "true", "yes", "on":
			*to = true
		case "", "false", "no", "off":
			*to = false
		default:
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return wanted("true or false")
			}
			*to = n != 0
		}
		return nil
	}
}

// setList takes every value; an empty one empties the list before it, as in git.
func setList(to *[]string) func([]string) error {
	return func(list []string) error {
		*to = nil
		for _, value := range list {
			if value == noValue {
				return wanted("a value")
			}
			parts := []string{value}
			if env, ok := strings.CutPrefix(value, envMark); ok {
				parts = strings.Split(env, string(os.PathListSeparator))
			}
			for _, p := range parts {
				if p == "" {
					*to = nil
				} else {
					*to = append(*to, p)
				}
			}
		}
		return nil
	}
}

// setSize takes a positive number, with k, m or g for powers of 1024.
func setSize(to *int64) func([]string) error {
	return func(list []string) error {
		n, ok := parseSize(last(list))
		if !ok || n <= 0 {
			return wanted("a positive number, with k, m or g for powers of 1024")
		}
		*to = n
		return nil
	}
}

func parseSize(s string) (int64, bool) {
	shift := 0
	if s != "" {
		switch s[len(s)-1] | 0x20 {
		case 'k':
			shift = 10
		case 'm':
			shift = 20
		case 'g':
			shift = 30
		}
	}
	if shift > 0 {
		s = s[:len(s)-1]
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > math.MaxInt64>>shift || n < math.MinInt64>>shift {
		return 0, false
	}
	return n << shift, true
}

func setCount(to *int, least int64) func([]string) error {
	return func(list []string) error {
		n, ok := parseSize(last(list))
		if !ok || n < least || n > math.MaxInt32 {
			return wanted(fmt.Sprintf("a number of at least %d", least))
		}
		*to = int(n)
		return nil
	}
}

// setDuration takes seconds or a time with its unit: 10, 1.5s, 2m.
func setDuration(to *time.Duration) func([]string) error {
	return func(list []string) error {
		value := last(list)
		if n, err := strconv.ParseUint(value, 10, 32); err == nil {
			value = strconv.FormatUint(n, 10) + "s"
		}
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return wanted("a time such as 10s or 2m")
		}
		*to = d
		return nil
	}
}

func setWord(to *string, words ...string) func([]string) error {
	return func(list []string) error {
		for _, w := range words {
			if last(list) == w {
				*to = w
				return nil
			}
		}
		return wanted("one of " + strings.Join(words, ", "))
	}
}

func setFreshness(to *Freshness) func([]string) error {
	return func(list []string) error {
		word := ""
		if err := setWord(&word, "strict", "stat")(list); err != nil {
			return err
		}
		*to = FreshnessStrict
		if word == "stat" {
			*to = FreshnessStat
		}
		return nil
	}
}

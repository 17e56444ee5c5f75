package gitstore

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// Config is the configuration codeidx.*, with defaults where nothing is said.
// GIT_CODEIDX_* in the environment wins over git config: the key in capitals,
// words separated by '_' (GIT_CODEIDX_MAX_FILE_SIZE); several values are
// separated as in PATH.
type Config struct {
	IncludeUntracked bool
	Exclude, Include []string
	SourceRoots      []string
	PHPIncludes      []string // files that PHP includes of unknown paths may mean
	Callbacks        []string // "function:2": its second argument is a callable

	MaxFileSize  int64 // bytes of one source file
	MaxFiles     int64 // included files
	MaxTotal     int64 // bytes of all included files
	MaxStore     int64 // bytes of the repository's private store
	WorkerMemory int64 // bytes of all parser workers together
	Workers      int   // parser workers

	BuildDeadline time.Duration
	QueryDeadline time.Duration // both freshness checks included
	ParseTimeout  time.Duration // one file
	LockWait      time.Duration
	HooksBudget   time.Duration
	DriftPaths    int // source files of one event whose definitions are compared

	Stale     string // mark, refuse or sync
	Freshness Freshness
	PrePush   string // off, warn or block
	Retain    int    // generations kept beyond current, previous and live
	AutoGC    bool   // reclaim space after publishing, see AutoGC

	values values
}

// DefaultConfig returns what holds where nothing is configured.
func DefaultConfig() Config {
	return Config{
		MaxFileSize: 4 << 20, MaxFiles: 200_000, MaxTotal: 2 << 30, MaxStore: 4 << 30, WorkerMemory: 1 << 30,
		Workers:       runtime.NumCPU(),
		BuildDeadline: 10 * time.Minute, QueryDeadline: 5 * time.Second, ParseTimeout: 5 * time.Second,
		LockWait: 10 * time.Second, HooksBudget: 5 * time.Second, DriftPaths: 500,
		Stale: "mark", PrePush: "warn", AutoGC: true,
	}
}

// ReadConfig reads the configuration that holds in a folder ("" is the current
// one) with one git command. It needs no Discover before it: both can run at
// once. Outside a repository it gives the user's configuration.
func ReadConfig(ctx context.Context, cwd string) (*Config, error) {
	out, err := gitCommand{dir: cwd, args: []string{"config", "-z", "--get-regexp", `^codeidx\.`}}.run(ctx)
	if git, ok := err.(*GitError); ok && git.Exit == 1 && git.Stderr == "" {
		err = nil // no key is set
	}
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return parseConfig(out, os.Environ())
}

func parseConfig(gitConfig []byte, environ []string) (*Config, error) {
	v := values{}
	v.addGit(gitConfig)
	v.addEnv(environ)
	c := DefaultConfig()
	c.values = v
	if err := v.fill(c.fields()); err != nil {
		return nil, err
	}
	return &c, nil
}

// Raw returns all values of a key that has no field here, in order; the name is
// without "codeidx.".
func (c *Config) Raw(key string) []string { return c.values[strings.ToLower(key)] }

// field is one key of the configuration and how its values are set.
type field struct {
	key string // as documented, without "codeidx."
	set func(values []string) error
}

// fields lists every key, in the order of the documentation.
func (c *Config) fields() []field {
	return []field{
		{"includeUntracked", setBool(&c.IncludeUntracked)},
		{"exclude", setList(&c.Exclude)},
		{"include", setList(&c.Include)},
		{"sourceRoots", setList(&c.SourceRoots)},
		{"phpIncludes", setList(&c.PHPIncludes)},
		{"callbacks", setList(&c.Callbacks)},
		{"maxFileSize", setSize(&c.MaxFileSize)},
		{"maxFiles", setSize(&c.MaxFiles)},
		{"maxTotal", setSize(&c.MaxTotal)},
		{"maxStore", setSize(&c.MaxStore)},
		{"workerMemory", setSize(&c.WorkerMemory)},
		{"workers", setCount(&c.Workers, 1)},
		{"buildDeadline", setDuration(&c.BuildDeadline)},
		{"queryDeadline", setDuration(&c.QueryDeadline)},
		{"parseTimeout", setDuration(&c.ParseTimeout)},
		{"lockWait", setDuration(&c.LockWait)},
		{"hooksBudget", setDuration(&c.HooksBudget)},
		{"driftPaths", setCount(&c.DriftPaths, 0)},
		{"stale", setWord(&c.Stale, "mark", "refuse", "sync")},
		{"freshness", setFreshness(&c.Freshness)},
		{"prePush", setWord(&c.PrePush, "off", "warn", "block")},
		{"retain", setCount(&c.Retain, 0)},
		{"autoGC", setBool(&c.AutoGC)},
	}
}

// Policy returns the part of the configuration that decides about inclusion.
// The caller adds how paths are classified.
func (c *Config) Policy() Policy {
	return Policy{
		IncludeUntracked: c.IncludeUntracked, Exclude: c.Exclude, Include: c.Include,
		MaxFileSize: c.MaxFileSize, MaxFiles: c.MaxFiles, MaxTotal: c.MaxTotal,
	}
}

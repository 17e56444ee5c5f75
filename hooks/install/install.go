// Package install puts the git hooks of codeidx into a repository and takes
// them out again, without a trace in what others put there.
//
// Git 2.54 and newer run hooks from configuration, which touches no file
// (config.go). Older git gets a marked block in the hook files (block.go). What
// cannot be changed safely is refused, with the lines to paste (place.go): a
// hooks folder in the work tree or outside the repository, symbolic links,
// scripts that are not for a shell.
package install

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"codeidx/gitstore"
	"codeidx/hooks"
)

// States of a hook.
const (
	Installed = "installed"
	Missing   = "missing"
	Outdated  = "outdated" // installed for another program path or by another version
)

// Hook is one hook and what was found or done.
type Hook struct {
	Event   string `json:"event"`
	Where   string `json:"where"` // the file, or the section of git's configuration
	State   string `json:"state"` // after the operation
	Changed bool   `json:"changed"`
	Problem string `json:"problem,omitempty"` // why it could not be changed, or does not run
}

// Refused says why hooks were not installed. Nothing was changed.
type Refused struct {
	Reason string
	Where  string            // the folder or file
	Paste  map[string]string // by event: the lines that do the same by hand
}

func (e *Refused) Error() string { return fmt.Sprintf("install hooks: %s: %s", e.Where, e.Reason) }

// installer is one run on one repository.
type installer struct {
	repo *gitstore.Repo
	exe  string
	// configured says that git runs hooks from its configuration.
	configured bool
}

// firstConfigured is the first version of git that runs hooks from its
// configuration.
var firstConfigured = [2]int{2, 54}

// Install makes git call "EXE hook EVENT" at each recorded event. exe is the
// absolute path of the program, links resolved. Doing it again changes nothing,
// with another exe it puts that in place. It is a *Refused where a person has to
// do it; then nothing was changed.
func Install(ctx context.Context, repo *gitstore.Repo, exe string) ([]Hook, error) {
	in, err := newInstaller(ctx, repo, exe)
	if err != nil {
		return nil, err
	}
	return in.install(ctx)
}

// Uninstall takes out what Install put in, by whichever way.
func Uninstall(ctx context.Context, repo *gitstore.Repo) ([]Hook, error) {
	in := &installer{repo: repo}
	return in.uninstall(ctx)
}

// Status says what is installed and whether it is what Install would put in.
func Status(ctx context.Context, repo *gitstore.Repo, exe string) ([]Hook, error) {
	in, err := newInstaller(ctx, repo, exe)
	if err != nil {
		return nil, err
	}
	return in.status(ctx)
}

func newInstaller(ctx context.Context, repo *gitstore.Repo, exe string) (*installer, error) {
	if !strings.HasPrefix(exe, "/") || strings.ContainsFunc(exe, unicode.IsControl) {
		return nil, fmt.Errorf("install hooks: %q is no path to write into a script", exe)
	}
	out, err := repo.Run(ctx, nil, "version")
	if err != nil {
		return nil, fmt.Errorf("install hooks: %w", err)
	}
	return &installer{repo: repo, exe: exe, configured: runsConfigured(string(out))}, nil
}

// runsConfigured reads "git version 2.54.0…".
func runsConfigured(version string) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "git version %d.%d", &major, &minor); n != 2 {
		return false
	}
	return major > firstConfigured[0] || major == firstConfigured[0] && minor >= firstConfigured[1]
}

// install leaves exactly one of the two ways in place: both would record each
// event twice.
func (in *installer) install(ctx context.Context) ([]Hook, error) {
	if in.configured {
		list, err := in.setConfig(ctx)
		if err != nil {
			return list, err
		}
		files, err := in.clearFiles(ctx)
		for i := range files {
			list[i].Problem = files[i].Problem
		}
		return list, err
	}
	list, err := in.setFiles(ctx)
	if err != nil {
		return list, err
	}
	_, err = in.clearConfig(ctx)
	return list, err
}

func (in *installer) uninstall(ctx context.Context) ([]Hook, error) {
	configured, err := in.clearConfig(ctx)
	if err != nil {
		return nil, err
	}
	files, err := in.clearFiles(ctx)
	for i := range files {
		if configured[i].Changed && !files[i].Changed && files[i].State == Missing {
			files[i] = configured[i]
		}
	}
	return files, err
}

func (in *installer) status(ctx context.Context) ([]Hook, error) {
	if in.configured {
		return in.configStatus(ctx)
	}
	return in.fileStatus(ctx)
}

// clearFiles removes the blocks from the hook files.
func (in *installer) clearFiles(ctx context.Context) ([]Hook, error) {
	dir, err := in.hooksDir(ctx)
	if err != nil {
		return nil, err
	}
	gitstore.SweepReplaced(dir.path)
	var list []Hook
	var errs []error
	for _, event := range hooks.Names() {
		h, err := dir.clear(event)
		list, errs = append(list, h), append(errs, err)
	}
	return list, errors.Join(errs...)
}

// setFiles writes the blocks, once all of the files are known to take one.
func (in *installer) setFiles(ctx context.Context) ([]Hook, error) {
	dir, err := in.hooksDir(ctx)
	if err != nil {
		return nil, err
	}
	var edits []*edit
	for _, event := range hooks.Names() {
		e, err := dir.set(event, in.exe)
		if err != nil {
			return nil, in.refuse(err)
		}
		edits = append(edits, e)
	}
	gitstore.SweepReplaced(dir.path)
	var list []Hook
	for _, e := range edits {
		if err := e.write(); err != nil {
			return list, fmt.Errorf("install hooks: %w", err)
		}
		list = append(list, Hook{Event: e.event, Where: e.path, State: Installed, Changed: e.changes()})
	}
	return list, nil
}

// refuse adds the lines to paste to a refusal.
func (in *installer) refuse(err error) error {
	var r *Refused
	if errors.As(err, &r) {
		r.Paste = map[string]string{}
		for _, event := range hooks.Names() {
			r.Paste[event] = block(beginPlain, event, in.exe)
		}
	}
	return err
}

func (in *installer) fileStatus(ctx context.Context) ([]Hook, error) {
	dir, err := in.hooksDir(ctx)
	if err != nil {
		return nil, err
	}
	var list []Hook
	for _, event := range hooks.Names() {
		h, err := dir.status(event, in.exe)
		if err != nil {
			return list, err
		}
		list = append(list, h)
	}
	return list, nil
}

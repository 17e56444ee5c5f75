package install

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"codeidx/gitstore"
	"codeidx/hooks"
)

// Git that runs hooks from its configuration does not tell the command which
// event it is, so that each event has its own section:
//
//	[hook "codeidx-post-commit"]
//		command = …
//		event = post-commit
//
// An event without a command makes git fail, so that the command comes first and
// the section goes at once.
func section(event string) string { return "hook.codeidx-" + event }

func (in *installer) setConfig(ctx context.Context) ([]Hook, error) {
	list, err := in.configStatus(ctx)
	if err != nil {
		return nil, err
	}
	for i := range list {
		h := &list[i]
		if h.State == Installed {
			continue
		}
		if h.State == Outdated {
			if err := in.dropSection(ctx, h.Event); err != nil {
				return list, err
			}
		}
		for _, kv := range [...][2]string{{"command", oneLiner(h.Event, in.exe)}, {"event", h.Event}} {
			if _, err := in.repo.Run(ctx, nil, "config", "--local", section(h.Event)+"."+kv[0], kv[1]); err != nil {
				return list, fmt.Errorf("configure hook: %w", err)
			}
		}
		h.State, h.Changed = Installed, true
	}
	return list, nil
}

func (in *installer) configStatus(ctx context.Context) ([]Hook, error) {
	set, err := in.readConfig(ctx)
	if err != nil {
		return nil, err
	}
	var list []Hook
	for _, event := range hooks.Names() {
		h := Hook{Event: event, Where: section(event), State: Missing}
		have := set[section(event)]
		switch {
		case have["command"] == oneLiner(event, in.exe) && have["event"] == event && len(have) == 2:
			h.State = Installed
		case len(have) > 0:
			h.State = Outdated
		}
		list = append(list, h)
	}
	return list, nil
}

// clearConfig removes our sections.
func (in *installer) clearConfig(ctx context.Context) ([]Hook, error) {
	set, err := in.readConfig(ctx)
	if err != nil {
		return nil, err
	}
	var list []Hook
	for _, event := range hooks.Names() {
		h := Hook{Event: event, Where: section(event), State: Missing}
		if len(set[section(event)]) > 0 {
			h.Changed = true
			if err := in.dropSection(ctx, event); err != nil {
				return list, err
			}
		}
		list = append(list, h)
	}
	return list, nil
}

func (in *installer) dropSection(ctx context.Context, event string) error {
	if _, err := in.repo.Run(ctx, nil, "config", "--local", "--remove-section", section(event)); err != nil {
		return fmt.Errorf("remove hook from configuration: %w", err)
	}
	return nil
}

// readConfig returns the keys of our sections in the repository's own
// configuration.
func (in *installer) readConfig(ctx context.Context) (map[string]map[string]string, error) {
	out, err := in.repo.Run(ctx, nil, "config", "--local", "-z", "--get-regexp", `^hook\.codeidx-`)
	var git *gitstore.GitError
	if errors.As(err, &git) && git.Exit == 1 && git.Stderr == "" {
		return nil, nil // there is no such key
	}
	if err != nil {
		return nil, fmt.Errorf("read hooks of configuration: %w", err)
	}
	set := map[string]map[string]string{}
	for item := range strings.SplitSeq(string(out), "\x00") {
		key, value, _ := strings.Cut(item, "\n")
		dot := strings.LastIndexByte(key, '.')
		if dot < 0 {
			continue
		}
		if set[key[:dot]] == nil {
			set[key[:dot]] = map[string]string{}
		}
		set[key[:dot]][key[dot+1:]] = value
	}
	return set, nil
}

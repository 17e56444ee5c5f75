package cli

import (
	"errors"
	"fmt"
	"strings"

	"codeidx/hooks"
)

// showReport prints the report of the build of a generation.
func (s *session) showReport(generation string) error {
	if s.store == nil || s.binding == "" {
		return noIndex()
	}
	r, err := hooks.ReadReport(s.repo, s.store, s.binding, generation)
	if errors.Is(err, hooks.ErrNoReport) {
		return badValue(err.Error(), "an explicit index or sync writes one when the code has changed")
	}
	if err != nil {
		return err
	}
	if s.json {
		b, err := encodeJSON(r)
		s.out.Write(b)
		return err
	}
	for line := range strings.Lines(r.Markdown) {
		fmt.Fprintln(s.out, printable(strings.TrimSuffix(line, "\n")))
	}
	return nil
}

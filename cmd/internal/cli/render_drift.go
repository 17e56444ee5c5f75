package cli

import (
	"fmt"
	"strings"
	"time"

	"codeidx/hooks"
)

// driftDocument is the JSON document of drift, codeidx.drift.v1. Events and
// entries go from the newest to the oldest; entries of one event by path.
type driftDocument struct {
	Schema   string          `json:"schema"`
	Binding  string          `json:"binding"`
	Since    string          `json:"since,omitempty"`
	Complete bool            `json:"complete"` // no event was left out by the limit
	Events   []driftEvent    `json:"events"`
	Entries  []driftEntry    `json:"entries"`
	Torn     []driftTorn     `json:"torn"`     // lines of the spool that cannot be read
	Failures []hooks.Failure `json:"failures"` // of the hooks
}

type driftEvent struct {
	*hooks.Event
	Schema     string `json:"schema,omitempty"` // hides the line's
	Subject    string `json:"subject,omitempty"`
	Generation string `json:"generation,omitempty"`
	Note       string `json:"note,omitempty"`
	Entries    int    `json:"entries"`
	Acked      bool   `json:"acked,omitempty"`
	// Symbols is what the event changed in definitions and edges, where that is
	// worked out.
	Symbols *hooks.Meaning `json:"symbols,omitempty"`
}

type driftEntry struct {
	hooks.Entry
	Event      string `json:"event"` // the event's id
	Time       string `json:"time"`
	DetectedBy string `json:"detected_by"`
	Commit     string `json:"commit,omitempty"`
	Generation string `json:"generation,omitempty"`
	Acked      bool   `json:"acked,omitempty"`
}

type driftTorn struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func (r *driftAnswer) document() *driftDocument {
	d := &driftDocument{
		Schema: "codeidx.drift.v1", Binding: r.binding, Complete: !r.More,
		Events: []driftEvent{}, Entries: []driftEntry{}, Torn: []driftTorn{}, Failures: append([]hooks.Failure{}, r.failures...),
	}
	if !r.since.IsZero() {
		d.Since = r.since.UTC().Format(time.RFC3339)
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		d.Events = append(d.Events, driftEvent{
			Event: s.Event, Subject: r.subjects[s.New], Generation: s.Generation, Note: s.Note, Entries: len(s.Entries),
			Acked: r.Acked[s.ID], Symbols: s.Meaning,
		})
		for _, e := range s.Entries {
			d.Entries = append(d.Entries, driftEntry{e, s.ID, s.Time, s.DetectedBy, s.New, s.Generation, r.Acked[s.ID] || r.Acked[e.ID]})
		}
	}
	for _, t := range r.Torn {
		d.Torn = append(d.Torn, driftTorn{t.Number, t.Reason})
	}
	return d
}

// pathsShown bounds the paths of one event in text output.
const pathsShown = 20

// renderDrift prints an event a paragraph: when, what and the commit, then what
// became of which path.
func (s *session) renderDrift(r *driftAnswer) {
	for i := range r.Steps {
		if i > 0 {
			fmt.Fprintln(s.out)
		}
		s.renderStep(r, &r.Steps[i])
	}
	if len(r.Steps) == 0 && r.since.IsZero() {
		fmt.Fprintln(s.out, s.paint(dim, "nothing is recorded; let git's hooks record: git codeidx install"))
	} else if len(r.Steps) == 0 {
		fmt.Fprintln(s.out, s.paint(dim, "nothing is recorded since "+r.since.Local().Format(time.DateTime)))
	}
	for _, t := range r.Torn {
		fmt.Fprintln(s.out, s.paint(yellow, fmt.Sprintf("line %d of the spool cannot be read: %s", t.Number, t.Reason)))
	}
	if s.quiet {
		return
	}
	if r.More {
		fmt.Fprintf(s.out, "\n%s\n", s.paint(dim, "the last "+plural(len(r.Steps), "event")+"; more: --limit N"))
	}
	s.printFailures(r.failures)
}

func (s *session) renderStep(r *driftAnswer, step *hooks.Step) {
	when := step.Time
	if t, err := time.Parse(time.RFC3339Nano, step.Time); err == nil {
		when = t.Local().Format(time.DateTime)
	}
	head := s.paint(dim, when) + "  " + s.paint(bold, strings.TrimPrefix(step.Event.Event, "post-")) + " " + s.paint(yellow, commits(step))
	if step.Rebase {
		head += s.paint(dim, " (rebase)")
	}
	if subject := r.subjects[step.New]; subject != "" {
		head += "  " + printable(clip(subject, max(s.width-60, 20)))
	}
	fmt.Fprintln(s.out, head)
	if step.Note != "" {
		fmt.Fprintf(s.out, "    %s\n", s.paint(dim, step.Note))
	}
	deltas := map[string]*hooks.Delta{}
	if m := step.Meaning; m != nil {
		if m.Note != "" {
			fmt.Fprintf(s.out, "    %s\n", s.paint(dim, m.Note))
		}
		for _, d := range m.Files {
			deltas[d.Path] = d
		}
	}
	look := map[hooks.Kind]style{hooks.Add: green, hooks.Delete: red}
	for i, e := range step.Entries {
		if i == pathsShown {
			fmt.Fprintf(s.out, "    %s\n", s.paint(dim, fmt.Sprintf("… and %d more", len(step.Entries)-i)))
			break
		}
		name := e.Path
		if e.OldPath != "" {
			name = e.OldPath + " -> " + e.Path
		}
		acked := ""
		if r.Acked[step.ID] || r.Acked[e.ID] {
			acked = s.paint(dim, "  (settled)")
		}
		fmt.Fprintf(s.out, "    %s  %s  %s%s\n", s.paint(dim, e.ID[:min(len(e.ID), 8)]), s.paint(look[e.Kind], pad(string(e.Kind), 6)), printable(name), acked)
		if d := deltas[e.Path]; d != nil && e.Kind != hooks.Add {
			s.renderDelta(d)
		}
	}
	if step.Meaning != nil {
		for _, b := range step.Meaning.Boundaries {
			fmt.Fprintf(s.out, "    %s\n", s.paint(magenta, boundaryText(&b)))
		}
	}
}

func boundaryText(b *hooks.Boundary) string {
	return fmt.Sprintf("%s moved from %s (%s) into %s (%s)", plural(b.Lines, "line"), b.From, b.FromPath, b.To, b.ToPath)
}

// definitionsShown bounds the definitions of one file in text output.
const definitionsShown = 12

// renderDelta prints the definitions of one file that changed.
func (s *session) renderDelta(d *hooks.Delta) {
	var list []string
	for _, x := range d.Changed {
		text := "~ " + x.Name + " (" + strings.Join(x.How, ", ") + ")"
		if x.FromPath+x.FromName != "" {
			text = "> " + x.Name + " (" + strings.Join(x.How, ", ") + " from " + strings.TrimSpace(x.FromPath+" "+x.FromName) + ")"
		}
		list = append(list, text)
	}
	for _, x := range d.Removed {
		list = append(list, "- "+x.Name)
	}
	for _, x := range d.Added {
		list = append(list, "+ "+x.Name)
	}
	if d.Note != "" {
		list = append(list, d.Note)
	}
	for i, text := range list {
		if i == definitionsShown {
			fmt.Fprintf(s.out, "%s%s\n", pad("", 22), s.paint(dim, fmt.Sprintf("… and %d more", len(list)-i+d.More)))
			break
		}
		fmt.Fprintf(s.out, "%s%s\n", pad("", 22), printable(text))
	}
	if n := len(d.Edges) + d.MoreEdges; n > 0 {
		fmt.Fprintf(s.out, "%s%s\n", pad("", 22), s.paint(dim, plural(n, "edge")+" of the index lean on it"))
	}
}

// commits names the commits of an event.
func commits(step *hooks.Step) string {
	short := func(id string) string { return id[:min(len(id), 12)] }
	switch {
	case step.Old == "" || step.Old == step.New:
		return short(step.New)
	case step.New == "":
		return short(step.Old)
	}
	return short(step.Old) + " -> " + short(step.New)
}

package hooks

// A story is what several events tell together. Git fires a post-checkout and a
// post-commit a commit while it rebases, and a post-commit before the
// post-rewrite of an amended commit: the last of them tells all of it.

const (
	noteRebase   = "a step of a rebase; told at its end"
	noteAmended  = "amended; told by the rewriting"
	noteUnderWay = "a rebase is under way"
)

// telling is how one event is told: by the difference of two commits, or by a
// note.
type telling struct {
	pair CommitPair
	note string
}

// step says whether an event is a part of a rebase and not its end.
func (e *Event) step() bool { return e.Rebase && e.Rewrite != rewriteRebase }

// tell says of each of some consecutive events, oldest first, how it is told.
// rebasing says that a rebase goes on behind the last one.
func tell(events []*Event, rebasing bool) []telling {
	list := make([]telling, len(events))
	for i := 0; i < len(events); {
		n := steps(events[i:])
		switch {
		case n == 0:
			list[i] = tellOne(events, i)
			n = 1
		case i+n < len(events) && events[i+n].Rewrite == rewriteRebase:
			tellRebase(events[i:i+n+1], list[i:])
			n++
		default:
			tellSteps(events[i:i+n], list[i:], rebasing && i+n == len(events))
		}
		i += n
	}
	return list
}

// tellRebase tells the last event, from where the work tree was before the first.
func tellRebase(events []*Event, list []telling) {
	n := len(events) - 1
	for i := range n {
		list[i].note = noteRebase
	}
	end := *events[n]
	if events[0].Event == PostCheckout && events[0].Old != "" {
		end.Old = events[0].Old
	}
	list[n] = telling{CommitPair{end.Old, end.New}, end.note()}
}

// steps counts the steps of a rebase that some events begin with. Of the kind that
// applies patches the only one, a checkout, comes before git's note that it rebases.
func steps(events []*Event) int {
	if len(events) > 1 && events[0].Branch && events[1].Rewrite == rewriteRebase && events[1].Old == events[0].New {
		return 1
	}
	n := 0
	for n < len(events) && events[n].step() {
		n++
	}
	return n
}

// tellSteps tells the steps of a rebase that no rewriting ends: git had nothing
// to replay, or it was given up, or it goes on. The last one tells.
func tellSteps(events []*Event, list []telling, rebasing bool) {
	last := len(events) - 1
	for i := range last {
		list[i].note = noteRebase
	}
	if rebasing {
		list[last].note = noteUnderWay
		return
	}
	e := *events[last]
	e.Old = events[0].Old
	list[last] = telling{CommitPair{e.Old, e.New}, e.note()}
}

func tellOne(events []*Event, i int) telling {
	e := events[i]
	if e.Event == PostCommit && i+1 < len(events) && events[i+1].Rewrite == rewriteAmend && events[i+1].New == e.New {
		return telling{note: noteAmended}
	}
	return telling{CommitPair{e.Old, e.New}, e.note()}
}

// settledEvents leaves out the steps at the end of events whose rebase goes on.
func settledEvents(events []*Event, rebasing bool) []*Event {
	for n := len(events); rebasing && n > 0 && events[n-1].step(); n-- {
		events = events[:n-1]
	}
	return events
}

package cli

import (
	"context"
	"fmt"

	"codeidx/gitstore"
)

type gcCmd struct {
	outputFlags
	Retain *int `help:"Keep N further generations (default: codeidx.retain)." placeholder:"N"`
}

func (c *gcCmd) Run(a *app) error {
	c.apply(a)
	return a.reclaim(func(s *session, st *gitstore.Store) (gitstore.GCStats, error) {
		retain := s.config.Retain
		if c.Retain != nil {
			retain = max(*c.Retain, 0)
		}
		return st.GC(a.ctx, gitstore.GCOptions{Retain: retain})
	})
}

// reclaimReport is the JSON document of gc and clear.
type reclaimReport struct {
	Schema  string   `json:"schema"`
	Kept    int      `json:"generations_kept"`
	Dropped int      `json:"generations_dropped"`
	Before  int64    `json:"bytes_before"`
	After   int64    `json:"bytes_after"`
	Damaged []string `json:"damaged"`
}

// reclaim opens the store alone, waits for readers and builders to end, and
// runs f.
func (a *app) reclaim(f func(*session, *gitstore.Store) (gitstore.GCStats, error)) error {
	s, err := a.open(false)
	if err != nil {
		return err
	}
	missing := s.store == nil
	s.close()
	if missing {
		return noIndex()
	}
	ctx, cancel := context.WithTimeout(a.ctx, s.config.LockWait)
	defer cancel()
	st, err := gitstore.Open(ctx, s.repo.StoreDir(), gitstore.Options{Exclusive: true, OnWait: s.waiting})
	if err != nil {
		return err
	}
	defer st.Close()
	stats, err := f(s, st)
	if err != nil {
		return err
	}
	return s.printReclaim(stats)
}

func (s *session) printReclaim(st gitstore.GCStats) error {
	if s.json {
		b, err := encodeJSON(reclaimReport{"codeidx.gc.v1", st.Kept, st.Dropped, st.BytesBefore, st.BytesAfter, append([]string{}, st.Damaged...)})
		s.out.Write(b)
		return err
	}
	for _, d := range st.Damaged {
		fmt.Fprintf(s.out, "dropped damaged %s\n", printable(d))
	}
	if !s.quiet {
		fmt.Fprintf(s.out, "%s kept, %d dropped; %s before, %s after\n", plural(st.Kept, "generation"), st.Dropped, byteCount(st.BytesBefore), byteCount(st.BytesAfter))
	}
	return nil
}

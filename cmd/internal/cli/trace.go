package cli

import (
	"fmt"
	"os"

	"codeidx/gitstore/build"
)

// traceReport is what --trace writes: times and counts, no names and no paths.
type traceReport struct {
	Schema   string       `json:"schema"`
	Stages   []traceStage `json:"stages"`
	Parsed   int          `json:"parsed"`
	Reused   int          `json:"reused"`
	Resolved int          `json:"resolved"`
	RawBytes int64        `json:"raw_bytes"`
	NewBytes int64        `json:"new_bytes"`
}

type traceStage struct {
	Name string  `json:"name"`
	Ms   float64 `json:"ms"`
}

func writeTrace(file string, res *build.Result) error {
	t := traceReport{Schema: "codeidx.trace.v1", Parsed: res.Parsed, Reused: res.Reused, Resolved: res.Resolved, RawBytes: res.Stats.RawBytes, NewBytes: res.Stats.NewBytes}
	for _, s := range res.Stages {
		t.Stages = append(t.Stages, traceStage{s.Name, float64(s.Took.Microseconds()) / 1000})
	}
	b, err := encodeJSON(t)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return fmt.Errorf("write trace: %w", err)
	}
	return nil
}

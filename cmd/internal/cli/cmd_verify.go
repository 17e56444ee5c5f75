package cli

import (
	"errors"
	"fmt"

	"codeidx/gitstore"
	"codeidx/query"
)

type verifyCmd struct{ outputFlags }

// verifyReport is the JSON document of verify.
type verifyReport struct {
	Schema   string   `json:"schema"`
	Equal    bool     `json:"equal"`
	Manifest string   `json:"manifest"`
	Files    int      `json:"files"`
	Blocks   int      `json:"blocks"`
	Differs  []string `json:"differs"`
}

func (c *verifyCmd) Run(a *app) error {
	c.apply(a)
	s, err := a.open(false)
	if err != nil {
		return err
	}
	defer s.close()
	if s.store == nil || s.binding == "" {
		return noIndex()
	}
	v, err := s.builder().Verify(a.ctx)
	if errors.Is(err, gitstore.ErrNoGeneration) {
		return noIndex()
	}
	if err != nil {
		return buildError(err)
	}
	if v.Stale {
		return &query.Error{Code: query.CodeChanged, Message: "the work tree differs from the index: there is nothing to compare", Hint: "run: git codeidx sync"}
	}
	if a.json {
		b, err := encodeJSON(verifyReport{"codeidx.verify.v1", len(v.Differs) == 0, v.Manifest.String(), v.Files, v.Blocks, append([]string{}, v.Differs...)})
		if err != nil {
			return err
		}
		a.out.Write(b)
	} else if len(v.Differs) == 0 {
		fmt.Fprintf(a.out, "the index equals a full rebuild: %s and %s compared\n", plural(v.Files, "file"), plural(v.Blocks, "block"))
	} else {
		for i, d := range v.Differs {
			if i == differencesShown {
				fmt.Fprintf(a.out, "… and %d more; all of them: --json\n", len(v.Differs)-i)
				break
			}
			fmt.Fprintln(a.out, a.paint(red, "differs: "+d))
		}
	}
	if len(v.Differs) > 0 {
		return exitStatus(exitNo)
	}
	return nil
}

// differencesShown bounds the differences that text output lists.
const differencesShown = 20

func noIndex() error {
	return &query.Error{Code: query.IndexMissing, Message: "this work tree has no index yet", Hint: "run: git codeidx index"}
}

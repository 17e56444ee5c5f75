package cli

import (
	"fmt"
	"io"
	"os"

	"codeidx/query"
)

type queryCmd struct {
	outputFlags
	RequestFile string `required:"" help:"The request: a JSON document in FILE, or - for stdin." placeholder:"FILE"`
}

// Run answers one request of the protocol. Failures are documents, too.
func (c *queryCmd) Run(a *app) error {
	c.apply(a)
	a.json = true
	data, err := c.request(a.in)
	if err != nil {
		return badValue(fmt.Sprintf("read request: %v", err), "")
	}
	r, err := query.DecodeRequest(data)
	if err != nil {
		return err
	}
	s, err := a.open(false)
	if err != nil {
		return err
	}
	defer s.close()
	if r.Op == nil {
		return s.statusRequest(r)
	}
	r.Params.Prefix = s.repo.Prefix
	answer, err := query.Run(a.ctx, s.env(), r.Op, r.Params, r.Options)
	if err != nil {
		return err
	}
	b, err := answer.Encode()
	if err != nil {
		return err
	}
	_, err = a.out.Write(b)
	return err
}

func (c *queryCmd) request(stdin io.Reader) ([]byte, error) {
	if c.RequestFile != "-" {
		f, err := os.Open(c.RequestFile)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		stdin = f
	}
	return io.ReadAll(io.LimitReader(stdin, query.MaxRequest+1))
}

func (s *session) statusRequest(r *query.Request) error {
	if r.Options.Cursor != "" {
		return badValue("status has no cursor", "")
	}
	st, err := s.status("")
	if err != nil {
		return err
	}
	if want := r.Options.Expect; want != "" && want != st.Fingerprint {
		return &query.Error{Code: query.CodeChanged, Message: "the index is not the one with fingerprint " + want, Hint: "ask again without the fingerprint"}
	}
	b, err := encodeJSON(st)
	if err != nil {
		return err
	}
	_, err = s.out.Write(b)
	return err
}

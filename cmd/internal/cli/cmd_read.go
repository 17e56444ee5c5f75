package cli

import (
	"strconv"
	"strings"

	"codeidx/query"
)

type readCmd struct {
	queryFlags
	Place string `arg:"" help:"PATH, PATH:LINE or PATH:FIRST-LAST." placeholder:"PATH[:A-B]"`
}

func (c *readCmd) Run(a *app) error {
	path, first, last, err := parsePlace(c.Place)
	if err != nil {
		return err
	}
	return a.ask("read", query.Params{Path: path, First: first, Last: last}, &c.queryFlags)
}

// parsePlace splits PATH[:A[-B]]. What follows the last colon belongs to the
// path where it is no number.
func parsePlace(s string) (path string, first, last int, err error) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || i+1 == len(s) || s[i+1] < '0' || s[i+1] > '9' {
		return s, 0, 0, nil
	}
	a, b, ranged := strings.Cut(s[i+1:], "-")
	if first, err = strconv.Atoi(a); err == nil {
		last = first
		if ranged {
			last, err = strconv.Atoi(b)
		}
	}
	if err != nil || first < 1 || last < first {
		return "", 0, 0, badValue("lines "+strconv.Quote(s[i+1:])+" are no range", "write PATH:FIRST-LAST")
	}
	return s[:i], first, last, nil
}

package fulltext

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// corpus has a line for each symbol: path, kind (8 function, 2 class), flag (T
// test, G generated), qualified name, signature, docstring. The number of the
// line is the symbol's.
const corpus = `
api/http_client.go | 8 |   | NewClient           | func NewClient(t Transport)  | makes an HTTP client
api/http_client.go | 2 |   | Client              | type Client struct           |
api/http_client.go | 8 |   | Client.Do           | func (c *Client) Do()        | sends a request
api/retry.go       | 8 |   | retryRequest        | func retryRequest(c *Client) | sends again
api/retry_test.go  | 8 | T | TestRetryRequest    | func TestRetryRequest()      |
api/retry_test.go  | 8 | T | Client              | func Client()                |
gen/client.pb.go   | 2 | G | ClientProto         | type ClientProto struct      |
scopes/build.py    | 8 |   | build_scopes_result | def build_scopes_result(x)   | builds the result
scopes/other.py    | 8 |   | makeResult          | def makeResult(build, scopes)|
web/httpserver.go  | 2 |   | HTTPServer          | type HTTPServer struct       | serves
web/httpserver.go  | 8 |   | HTTPServeMux        | func HTTPServeMux()          |
web/plain.go       | 8 |   | serveHTTP           | func serveHTTP()             | the HTTP server
`

func parseCorpus(t testing.TB) []Doc {
	t.Helper()
	var docs []Doc
	for i, line := range strings.Split(strings.TrimSpace(corpus), "\n") {
		f := strings.Split(line, "|")
		for j := range f {
			f[j] = strings.TrimSpace(f[j])
		}
		d := Doc{Path: f[0], Sym: uint32(i), Kind: f[1][0] - '0', Lang: 2, Flags: map[string]byte{"T": Test, "G": Generated}[f[2]]}
		if strings.HasSuffix(d.Path, ".py") {
			d.Lang = 1
		}
		d.Fields = [NumFields]string{
			Name: f[3][strings.LastIndex(f[3], ".")+1:], Qualified: f[3], Signature: f[4], Docstring: f[5],
		}
		switch d.Fields[Name] {
		case "Do":
			d.Fields[Comment], d.Fields[String] = "without backoff", "client"
		case "retryRequest":
			d.Fields[Code] = "backoff(); backoff(); client.Do()"
		}
		docs = append(docs, d)
	}
	return docs
}

// TestRanking lists, for each query, the hits in order as "tier symbol".
func TestRanking(t *testing.T) {
	docs := parseCorpus(t)
	ix := open(t, section(t, docs, func(string, int, int) bool { return true }))
	tests := []struct {
		q    Query
		want string
	}{
		// exact name or qualified name (1), then parts; test and generated code last within its tier
		{Query{Text: "Client"}, "1 Client, 1 Client@test, 3 NewClient, 3 Client.Do, 3 ClientProto, 5 retryRequest"},
		{Query{Text: "Do"}, "2 Client.Do"},
		{Query{Text: "Client.Do"}, "1 Client.Do, 5 Client, 5 NewClient, 5 retryRequest, 5 Client@test, 5 ClientProto"},
		{Query{Text: "client::do", Limit: 1}, "1 Client.Do"},
		{Query{Text: "api/retry.go", Limit: 1}, "1 retryRequest"},
		// whole and by its parts
		{Query{Text: "build_scopes_result"}, "1 build_scopes_result, 5 makeResult"},
		{Query{Text: "buildScopesResult"}, "3 build_scopes_result, 5 makeResult"},
		{Query{Text: "result build"}, "3 build_scopes_result, 5 makeResult"},
		// the path holds "retry"; a query for tests does not weigh tests down
		{Query{Text: "retry request"}, "3 retryRequest, 3 TestRetryRequest, 5 Client@test, 5 Client.Do"},
		{Query{Text: "test retry", Limit: 1}, "3 TestRetryRequest"},
		{Query{Text: "HTTPSer"}, "4 HTTPServer, 4 HTTPServeMux, 5 serveHTTP, 5 NewClient, 5 Client, 5 Client.Do"},
		// punctuation is no syntax
		{Query{Text: `"Do" *`}, "2 Client.Do"},
		{Query{Text: "(((["}, ""},
		{Query{Text: "name:nothing -else"}, ""},
		// filters
		{Query{Text: "client", Kinds: []byte{2}}, "1 Client, 3 ClientProto"},
		{Query{Text: "result", Langs: []byte{2}}, ""},
		{Query{Text: "result", PathPrefix: "scopes/other.py"}, "3 makeResult"},
		{Query{Text: "client", PathPrefix: "gen"}, "3 ClientProto"},
		{Query{Text: "client", PathPrefix: "ge"}, ""},
		// bodies answer only where they are asked for
		{Query{Text: "backoff"}, ""},
		{Query{Text: "backoff", Fields: AllFields}, "5 retryRequest, 5 Client.Do"},
		{Query{Text: "backoff", Fields: FieldsOf(Comment)}, "5 Client.Do"},
		{Query{Text: "client.go", Fields: FieldsOf(Code)}, "5 retryRequest"},
		{Query{Text: "Client", Fields: FieldsOf(Signature, String), PathPrefix: "api/http_client.go"}, "5 Client, 5 Client.Do, 5 NewClient"},
	}
	for _, tt := range tests {
		var got []string
		for _, h := range search(t, ix, tt.q).Hits {
			name := docs[h.Sym].Fields[Qualified]
			if name == "Client" && h.Flags == Test {
				name += "@test"
			}
			got = append(got, fmt.Sprintf("%d %s", h.Tier, name))
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.q, diff)
		}
	}
}

func TestWhy(t *testing.T) {
	ix := open(t, section(t, parseCorpus(t), oneRun))
	for text, want := range map[string]string{
		"Client.Do":   "exact path or qualified name; name: do; qualified: client, do; path: client; signature: client, do",
		"HTTPSer":     "prefix of name; name: http; qualified: http; signature: http",
		"again":       "words; doc: again",
		"scopes/buil": "words; name: scopes; qualified: scopes; path: scopes; signature: scopes",
	} {
		a := search(t, ix, Query{Text: text, Limit: 1})
		if diff := cmp.Diff(want, a.Hits[0].Why); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// failing is a section that breaks on its nth read.
type failing struct {
	Blocks
	n *int
}

var errRead = errors.New("read failed")

func (f failing) fail() error {
	if *f.n--; *f.n < 0 {
		return errRead
	}
	return nil
}

func (f failing) Floor(key []byte) (Block, error) {
	if err := f.fail(); err != nil {
		return Block{}, err
	}
	return f.Blocks.Floor(key)
}

func (f failing) Ceil(key []byte) (Block, error) {
	if err := f.fail(); err != nil {
		return Block{}, err
	}
	return f.Blocks.Ceil(key)
}

func TestReadErrorsAreReturned(t *testing.T) {
	blocks := section(t, synthetic(3000), boundary)
	q := Query{Text: "Da Cabe", Kinds: []byte{1}, Langs: []byte{2}}
	for n := 0; ; n++ {
		left := n
		ix, err := Open(context.Background(), failing{blocks, &left})
		if err == nil {
			_, _, err = Search(context.Background(), ix, q)
		}
		if err == nil && n > 10 {
			return // n reads are enough for the whole query
		}
		if !errors.Is(err, errRead) {
			t.Fatalf("after %d reads: %v", n, err)
		}
	}
}

func TestSearchStopsWithItsContext(t *testing.T) {
	blocks := section(t, parseCorpus(t), oneRun)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, blocks); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v", err)
	}
	if _, _, err := Search(ctx, open(t, blocks), Query{Text: "client"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search: %v", err)
	}
}

func TestEmptyIndex(t *testing.T) {
	if a := search(t, open(t, blockList(nil)), Query{Text: "client"}); a.Total != 0 {
		t.Errorf("%d hits", a.Total)
	}
}

func TestConcurrentSearches(t *testing.T) {
	ix := open(t, section(t, synthetic(3000), boundary))
	q := Query{Text: "Ca func", Limit: 10}
	want := search(t, ix, q)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { check(t, "concurrent search", want, search(t, ix, q)) })
	}
	wg.Wait()
}

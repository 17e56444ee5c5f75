package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds one message in bytes; a longer one is skipped and refused.
const maxLine = 16 << 20

// drainTime is how long answers may still come after the end of input: a
// script that writes its requests and closes the pipe gets its answers, and
// a client that went away is not outlived.
const drainTime = 3 * time.Second

// stdio is the transport. The SDK's own ends the server at the first
// malformed line and drops the answers that are due when input ends.
type stdio struct {
	in   io.Reader
	out  io.Writer
	stop context.CancelFunc // ends the handlers
}

// Connect starts reading.
func (t *stdio) Connect(context.Context) (sdk.Connection, error) {
	c := &conn{
		out: t.out, stop: t.stop, lines: make(chan line), closed: make(chan struct{}),
		open: map[jsonrpc.ID]*batch{}, cancelled: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1),
	}
	go c.readLines(bufio.NewReaderSize(t.in, 64<<10))
	return c, nil
}

// conn is the one connection of a server.
type conn struct {
	stop   context.CancelFunc
	lines  chan line
	closed chan struct{}
	once   sync.Once
	queue  []jsonrpc.Message // rest of a batch

	mu        sync.Mutex // guards out and what follows
	out       io.Writer
	open      map[jsonrpc.ID]*batch // requests without answer; nil outside a batch
	cancelled map[jsonrpc.ID]bool   // of them, those whose answer nobody wants
	answered  chan struct{}         // signals that open got smaller
}

// line is one line of input, or why there is none.
type line struct {
	text []byte
	long bool // longer than maxLine: text is empty
	err  error
}

// batch collects the answers to one JSON array of requests, which revision
// 2025-03-26 has.
type batch struct {
	waiting int
	answers []json.RawMessage
}

func (c *conn) readLines(r *bufio.Reader) {
	for {
		l := readLine(r)
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// readLine reads up to the next newline, or to the end of input.
func readLine(r *bufio.Reader) line {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		if l.long = l.long || len(l.text)+len(part) > maxLine; l.long {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (len(l.text) > 0 || l.long):
			return l // the end comes with the next call
		}
		l.err = err
		return l
	}
}

// Read returns the next message. What is no message is answered here.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.queue) > 0 {
			m := c.queue[0]
			c.queue = c.queue[1:]
			return m, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			if l.err != nil {
				c.drain(ctx)
				return nil, l.err
			}
			if err := c.take(l); err != nil {
				return nil, err
			}
		}
	}
}

// take turns a line into queued messages or refuses it.
func (c *conn) take(l line) error {
	text := bytes.TrimSpace(l.text)
	switch {
	case l.long:
		return c.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d bytes", maxLine))
	case len(text) == 0:
		return nil
	case !json.Valid(text):
		return c.refuse(nil, jsonrpc.CodeParseError, "the line is not valid JSON")
	case text[0] == '[':
		return c.takeBatch(text)
	}
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return c.refuse(idOf(text), jsonrpc.CodeInvalidRequest, "not a JSON-RPC message: "+err.Error())
	}
	c.note(m, nil)
	c.queue = append(c.queue, m)
	return nil
}

func (c *conn) takeBatch(text []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) == 0 {
		return c.refuse(nil, jsonrpc.CodeInvalidRequest, "an empty batch")
	}
	b := &batch{}
	var msgs []jsonrpc.Message
	for _, part := range parts {
		m, err := jsonrpc.DecodeMessage(part)
		if err != nil {
			return c.refuse(idOf(part), jsonrpc.CodeInvalidRequest, "not a JSON-RPC message: "+err.Error())
		}
		msgs = append(msgs, m)
	}
	for _, m := range msgs {
		c.note(m, b)
	}
	c.queue = append(c.queue, msgs...)
	return nil
}

// note keeps which requests wait for an answer and which no longer do.
func (c *conn) note(m jsonrpc.Message, b *batch) {
	req, ok := m.(*jsonrpc.Request)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if req.IsCall() {
		c.open[req.ID] = b
		if b != nil {
			b.waiting++
		}
	}
	if req.Method == "notifications/cancelled" {
		var p sdk.CancelledParams
		if json.Unmarshal(req.Params, &p) != nil {
			return
		}
		if id, err := jsonrpc.MakeID(p.RequestID); err == nil {
			if _, waits := c.open[id]; waits {
				c.cancelled[id] = true
			}
		}
	}
}

// drain waits for the answers that are due, at most drainTime, and then ends
// the handlers.
func (c *conn) drain(ctx context.Context) {
	defer c.stop()
	end := time.NewTimer(drainTime)
	defer end.Stop()
	for {
		c.mu.Lock()
		due := len(c.open) - len(c.cancelled)
		c.mu.Unlock()
		if due == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-end.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// Write sends one message. The answer to a cancelled request is dropped.
func (c *conn) Write(_ context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	resp, ok := m.(*jsonrpc.Response)
	if !ok {
		return c.send(data)
	}
	b, dropped := c.open[resp.ID], c.cancelled[resp.ID]
	delete(c.open, resp.ID)
	delete(c.cancelled, resp.ID)
	defer c.signal()
	if b == nil {
		if dropped {
			return nil
		}
		return c.send(data)
	}
	if !dropped {
		b.answers = append(b.answers, data)
	}
	if b.waiting--; b.waiting > 0 || len(b.answers) == 0 {
		return nil
	}
	if data, err = json.Marshal(b.answers); err != nil {
		return err
	}
	return c.send(data)
}

func (c *conn) signal() {
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

// send writes one line; the caller holds the lock.
func (c *conn) send(data []byte) error {
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// refuse answers a line that is no request.
func (c *conn) refuse(id json.RawMessage, code int, message string) error {
	if id == nil {
		id = json.RawMessage("null")
	}
	text, _ := json.Marshal(message)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, text))
}

// idOf finds the id of something that looks like a request.
func idOf(text []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(text, &m) != nil || len(m.ID) == 0 || m.ID[0] == '{' || m.ID[0] == '[' {
		return nil
	}
	return m.ID
}

// Close ends reading.
func (c *conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID is empty: one process serves one client.
func (c *conn) SessionID() string { return "" }

package send

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http/httptrace"
	"sync/atomic"
)

// Start decides whether an attempt may be sent, and is told when it is. Its methods are
// called one after the other, by different goroutines, and again where a connection turned
// out to be over before anything was written to it.
type Start interface {
	// Connected is called when there is a connection to the receiver. It may take a while.
	Connected(ctx context.Context)
	// Begin is called right before the first byte is written; where it is false, none is.
	Begin() bool
	// Begun is called once the first bytes are handed to the network, or could not be.
	Begun(written bool)
}

// alwaysStart starts attempts that nobody decides about.
type alwaysStart struct{}

func (alwaysStart) Connected(context.Context) {}
func (alwaysStart) Begin() bool               { return true }
func (alwaysStart) Begun(bool)                {}

// errNotStarted is the end of an attempt that was not allowed to begin, or was over by then.
var errNotStarted = errors.New("the attempt was not started")

// conn is a connection that asks its attempt right before it writes the attempt's first
// bytes. TLS lies above it, so that what it sees first of a request is the first record.
// HTTP/2 shares a connection among attempts, which ask for themselves.
type conn struct {
	net.Conn
	next atomic.Pointer[attempt] // whose first bytes come next; nil where they have come
}

// Write writes, or ends the attempt whose first bytes these are.
func (c *conn) Write(b []byte) (int, error) {
	t := c.next.Swap(nil)
	if t == nil {
		return c.Conn.Write(b)
	}
	if !t.begin() {
		return 0, errNotStarted
	}
	n, err := c.Conn.Write(b)
	t.begun(n > 0)
	return n, err
}

// dial connects for a transport.
func (s *Sender) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := s.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

// How far an attempt has come.
const (
	connecting int32 = iota
	writing
	waiting
)

// attempt is what is known of a request on its way. Its hooks may be called while Send
// goes on, or after it has returned.
type attempt struct {
	ctx    context.Context //nolint:containedctx // hooks are given none
	end    context.CancelCauseFunc
	start  Start
	reused atomic.Bool // the connection had carried another request
	shared atomic.Bool // the connection may carry others meanwhile
	left   atomic.Bool // something of the request may have reached the network
	stage  atomic.Int32
}

func (t *attempt) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{GotConn: t.connected, WroteHeaders: t.wroteHeaders, WroteRequest: t.wrote}
}

// connected has the connection ask when the first bytes are written. Over HTTP/2 this is
// the last moment to ask: net/http looks at the context once more before it writes.
func (t *attempt) connected(c httptrace.GotConnInfo) {
	t.reused.Store(c.Reused)
	t.stage.Store(writing)
	t.start.Connected(t.ctx)
	own := beneath(c.Conn)
	t.shared.Store(own == nil)
	switch {
	case own != nil:
		own.next.Store(t)
		if t.ctx.Err() != nil {
			_ = c.Conn.Close() // or net/http goes on to write a request that nobody wants
		}
	case t.begin():
		t.left.Store(true)
	default:
		t.end(errNotStarted)
	}
}

// begin reports whether the first byte may be written.
func (t *attempt) begin() bool { return t.ctx.Err() == nil && t.start.Begin() && t.ctx.Err() == nil }

func (t *attempt) begun(written bool) {
	if written {
		t.left.Store(true)
	}
	t.start.Begun(written)
}

// wroteHeaders is when the first bytes of a request over HTTP/2 are written.
func (t *attempt) wroteHeaders() {
	if t.shared.Load() {
		t.begun(true)
	}
}

func (t *attempt) wrote(w httptrace.WroteRequestInfo) {
	if w.Err == nil {
		t.stage.Store(waiting)
	}
}

// beneath is the connection that carries one attempt at a time, nil where it carries
// several, over HTTP/2.
func beneath(c net.Conn) *conn {
	if over, is := c.(*tls.Conn); is {
		if over.ConnectionState().NegotiatedProtocol == "h2" {
			return nil
		}
		c = over.NetConn()
	}
	one, _ := c.(*conn)
	return one
}

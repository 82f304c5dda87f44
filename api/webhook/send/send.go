// Package send makes one request at a receiver: it dials public addresses only, bounds what
// the receiver can make us hold, and tells in words what went wrong.
//
// It knows nothing of endpoints, deliveries or when an attempt is due.
package send

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// An attempt ends after total, and after a 2xx the rest of the answer is waited for
// no longer than grace.
const (
	Total = 10 * time.Second
	grace = time.Second
)

// Sender makes attempts at deliveries, over connections that it keeps for the next
// ones. Redirects are not followed, no proxy is asked for in the environment, and
// addresses that are not public are not dialled.
type Sender struct {
	dialer       *net.Dialer
	connect      func(ctx context.Context, network, address string) (net.Conn, error)
	transport    *http.Transport
	fresh        *http.Transport // opens a connection for each attempt
	agent        []string
	total, grace time.Duration
}

// NewSender makes a sender that calls itself agent. Receivers on this very machine are
// for development: loopback admits them.
func NewSender(loopback bool, agent string) *Sender {
	s := &Sender{
		dialer: newDialer(newGuard(loopback), Total),
		agent:  []string{agent},
		total:  Total,
		grace:  grace,
	}
	s.connect = s.dialer.DialContext
	s.transport, s.fresh = newTransport(s.dial), newTransport(s.dial)
	s.fresh.DisableKeepAlives = true
	return s
}

// newTransport bounds what a receiver can make us hold: 32 KiB of headers, interim
// answers included, and over HTTP/2 one window of data per stream. What it does not
// read or answer ends with the attempt; HTTP/2 connections, which outlive attempts,
// have limits of their own.
func newTransport(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    Total,
		DisableCompression:     true,
		MaxIdleConns:           mostIdle,
		MaxIdleConnsPerHost:    mostIdle, // a host may have many endpoints, each with some attempts in flight
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 32 << 10,
		ForceAttemptHTTP2:      true,
		HTTP2: &http.HTTP2Config{
			MaxReceiveBufferPerStream:     16 << 10,
			MaxReceiveBufferPerConnection: 256 << 10,
			SendPingTimeout:               Total,
			PingTimeout:                   Total / 2,
			WriteByteTimeout:              Total,
		},
	}
}

// mostIdle is how many connections are kept for the next attempts at most, to all hosts.
const mostIdle = 1000

// KeepIdle bounds how many connections are kept for the next attempts. It is called before the
// first attempt.
func (s *Sender) KeepIdle(most int) { s.transport.MaxIdleConns = max(1, min(most, mostIdle)) }

// Wrap has each new connection replaced by what a function makes of it, for instance one that
// counts what is written. It is called before the first attempt.
func (s *Sender) Wrap(wrap func(net.Conn) net.Conn) {
	connect := s.connect
	s.connect = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := connect(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return wrap(c), nil
	}
}

// Close ends the connections that no attempt is using.
func (s *Sender) Close() {
	s.transport.CloseIdleConnections()
	s.fresh.CloseIdleConnections()
}

// Post is what one attempt sends. It belongs to Send from then on, which adds to the
// headers; a receiver that answers early may be sent the rest of the body after Send
// has returned.
type Post struct {
	URL    string
	Header http.Header
	Body   []byte
	Fresh  bool // over a connection of its own
}

// Send makes one attempt, which is at most one request that leaves; start, where that is
// not nil, decides about it. However slow the receiver is, Send returns within ten
// seconds; it does so at once when ctx ends.
func (s *Sender) Send(ctx context.Context, p Post, start Start) Answer {
	began := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	clock := time.AfterFunc(s.total, func() { end(errLate) })
	defer clock.Stop()

	if start == nil {
		start = alwaysStart{}
	}
	t := &attempt{ctx: ctx, end: end, start: start}
	resp, err := s.post(httptrace.WithClientTrace(ctx, t.trace()), p, t)
	if err != nil {
		f := failure{err, context.Cause(ctx), p.URL, t.stage.Load(), s.total}
		return Answer{
			Duration: time.Since(began),
			Error:    f.words(),
			Repeat:   t.left.Load() && t.reused.Load() && ctx.Err() == nil,
		}
	}
	if success(resp.StatusCode) {
		clock.Reset(min(s.grace, s.total-time.Since(began)))
	}
	a := read(resp)
	a.Duration = time.Since(began)
	return a
}

// errLate ends what takes longer than an attempt may.
var errLate = errors.New("the time of the attempt is over")

// post makes the request. Where the connection was one used before and turns out to be over
// before anything was written to it, the request goes over a fresh one. net/http repeats
// nothing by itself, as it cannot read the body again.
func (s *Sender) post(ctx context.Context, p Post, t *attempt) (*http.Response, error) {
	for fresh := p.Fresh; ; fresh = true {
		req, err := s.request(ctx, p)
		if err != nil {
			return nil, errURL
		}
		transport := s.transport
		if fresh {
			transport = s.fresh
		}
		resp, err := transport.RoundTrip(req)
		if err == nil || fresh || t.left.Load() || !t.reused.Load() || ctx.Err() != nil {
			return resp, err
		}
	}
}

// errURL tells an address that cannot be read. No endpoint has one.
var errURL = errors.New("the URL cannot be read")

func (s *Sender) request(ctx context.Context, p Post) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL, bytes.NewReader(p.Body))
	if err != nil {
		return nil, err
	}
	req.GetBody = nil // with which net/http would repeat a request that has left, unseen
	p.Header["User-Agent"] = s.agent
	req.Header = p.Header
	return req, nil
}

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

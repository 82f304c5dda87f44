package webhook

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
	total = 10 * time.Second
	grace = time.Second
)

// Sender makes attempts at deliveries, over connections that it keeps for the next
// ones. Redirects are not followed, no proxy is asked for in the environment, and
// addresses that are not public are not dialled.
type Sender struct {
	dialer       *net.Dialer
	transport    *http.Transport
	agent        []string
	total, grace time.Duration
}

// NewSender makes a sender that calls itself agent. Receivers on this very machine are
// for development: loopback admits them.
func NewSender(loopback bool, agent string) *Sender {
	d := newDialer(newGuard(loopback), total)
	return &Sender{d, newTransport(d), []string{agent}, total, grace}
}

// newTransport bounds what a receiver can make us hold: 32 KiB of headers, interim
// answers included, and over HTTP/2 one window of data per stream. What it does not
// read or answer ends with the attempt; HTTP/2 connections, which outlive attempts,
// have limits of their own.
func newTransport(d *net.Dialer) *http.Transport {
	return &http.Transport{
		DialContext:            d.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    total,
		DisableCompression:     true,
		MaxIdleConns:           1000,
		MaxIdleConnsPerHost:    10, // as many as one endpoint has in flight
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 32 << 10,
		ForceAttemptHTTP2:      true,
		HTTP2: &http.HTTP2Config{
			MaxReceiveBufferPerStream:     16 << 10,
			MaxReceiveBufferPerConnection: 256 << 10,
			SendPingTimeout:               total,
			PingTimeout:                   total / 2,
			WriteByteTimeout:              total,
		},
	}
}

// Close ends the connections that no attempt is using.
func (s *Sender) Close() { s.transport.CloseIdleConnections() }

// Post is what one attempt sends. It belongs to Send from then on, which adds to the
// headers; a receiver that answers early may be sent the rest of the body after Send
// has returned.
type Post struct {
	URL    string
	Header http.Header
	Body   []byte
}

// Send makes one attempt. It calls started, where that is not nil, once: when there is
// a connection and before anything is written to it, which then nothing is where started
// ends ctx. However slow the receiver is, Send
// returns within ten seconds; it does so at once when ctx ends.
func (s *Sender) Send(ctx context.Context, p Post, started func()) Answer {
	began := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	clock := time.AfterFunc(s.total, func() { end(errLate) })
	defer clock.Stop()

	t := &attempt{ctx: ctx, started: started}
	resp, err := s.post(httptrace.WithClientTrace(ctx, t.trace()), p, t)
	if err != nil {
		f := failure{err, context.Cause(ctx), p.URL, t.stage.Load(), s.total}
		return Answer{Duration: time.Since(began), Error: f.words()}
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

// post makes the request, and makes it again where the connection was one used before:
// its end at the receiver may show only now. The repeat has the same id, as all have
// that the receiver may get twice.
func (s *Sender) post(ctx context.Context, p Post, t *attempt) (*http.Response, error) {
	req, err := s.request(ctx, p)
	if err != nil {
		return nil, errURL
	}
	resp, err := s.transport.RoundTrip(req)
	if err == nil || !t.reused.Load() || ctx.Err() != nil {
		return resp, err
	}
	if req, err = s.request(ctx, p); err != nil {
		return nil, errURL
	}
	return s.transport.RoundTrip(req)
}

// errURL tells an address that cannot be read. No endpoint has one.
var errURL = errors.New("the URL cannot be read")

func (s *Sender) request(ctx context.Context, p Post) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL, bytes.NewReader(p.Body))
	if err != nil {
		return nil, err
	}
	p.Header["User-Agent"] = s.agent
	p.Header["Idempotency-Key"] = nil // lets net/http repeat it too, and is not sent
	req.Header = p.Header
	return req, nil
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
	ctx     context.Context //nolint:containedctx // hooks are given none
	started func()
	reused  atomic.Bool
	stage   atomic.Int32
}

func (t *attempt) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{GotConn: t.connected, WroteRequest: t.wrote}
}

func (t *attempt) connected(c httptrace.GotConnInfo) {
	t.reused.Store(c.Reused)
	if t.stage.Swap(writing) == connecting && t.started != nil {
		t.started()
	}
	if t.ctx.Err() != nil && !shared(c.Conn) {
		_ = c.Conn.Close() // or net/http writes the request, wanted or not
	}
}

// shared tells a connection of HTTP/2, which carries others' requests and where net/http
// asks whether a request is wanted before it writes it.
func shared(c net.Conn) bool {
	over, is := c.(*tls.Conn)
	return is && over.ConnectionState().NegotiatedProtocol == "h2"
}

func (t *attempt) wrote(w httptrace.WroteRequestInfo) {
	if w.Err == nil {
		t.stage.Store(waiting)
	}
}

// Package middleware is what every request of the API passes through, whatever surface it is
// for: its identifier, the key or the address that it is counted against, the error envelope,
// and the line of the request log.
//
// It knows no operation, no route and no protocol.
package middleware

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/ratelimit"
	"portal/api/texts"
)

// Config is what the middleware is made of.
type Config struct {
	BaseURL   string // public address of the service, without a slash at its end
	Developer *developer.Service
	Limiter   ratelimit.Limiter
	Recorder  *developer.RequestRecorder
	Now       clock.Clock
	Log       *slog.Logger
	// Observe is told of every answer: the operation ("" where none has the path), the
	// status and the time taken.
	Observe func(operation string, status int, took time.Duration)
}

// Middleware runs requests. The surfaces share one, so that they count and record alike.
type Middleware struct {
	Config
	errors string // the error dictionary's address, up to the code
	bodies *bodies
}

// New makes the middleware.
func New(c Config) *Middleware { return &Middleware{c, c.BaseURL + "/docs/errors#", newBodies()} }

// Begin makes the state of a request, which ends when its Run does.
func (m *Middleware) Begin(w http.ResponseWriter, r *http.Request, address string) *Request {
	now := m.Now()
	return &Request{
		Middleware: m,
		Writer:     w,
		HTTP:       r,
		Address:    address,
		ID:         id.New(id.Request, now),
		Began:      now,
	}
}

// clientClosedRequest is the status under which the request log keeps a request whose
// client went away before its answer. No client ever sees it; the number is nginx's.
const clientClosedRequest = 499

// panicked is the error that a panic becomes, with its stack.
type panicked struct {
	value any
	stack []byte
}

// Error is what the log shows.
func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

// Contain turns a panic into an error that has its stack. http.ErrAbortHandler goes on to net/http, which
// cuts the connection: the answer has begun and cannot be completed.
func Contain(answer func() error) (err error) {
	defer func() {
		switch caught := recover(); caught {
		case nil:
		case http.ErrAbortHandler:
			panic(caught)
		default:
			err = &panicked{caught, debug.Stack()}
		}
	}()
	return answer()
}

// Abandoned reports whether a request failed only because its client went away, by the
// context of the request: nobody's fault, and nothing that a log has to complain of. A
// panic is never that.
func Abandoned(ctx context.Context, err error) bool {
	var p *panicked
	return errors.Is(ctx.Err(), context.Canceled) && !errors.As(err, &p)
}

// Unwritten reports whether an answer that had begun could not be written to its end.
func Unwritten(err error) bool {
	var o *net.OpError
	return errors.As(err, &o) && o.Op == "write"
}

// PerAddress is the limit of those who come without a valid key, an address.
var PerAddress = ratelimit.Limit{Sustained: 600, Burst: 1200}

// Admit finds the caller and counts the request: against the key if it is valid,
// against the client's address if not, so that trying keys is throttled and a
// valid key never is by others at its address.
func (x *Request) Admit() error {
	if err := x.Identify(); err != nil {
		return err
	}
	return x.Charge(1)
}

// Identify finds the caller. One without a valid key is counted, and refused.
func (x *Request) Identify() error {
	r := x.HTTP
	caller, err := x.Developer.Authenticate(r.Context(), r.Header.Get("Authorization"))
	if err != nil {
		address := "ip:" + access.ParseClient(x.Address)
		if fault.From(err).Code.Entry().Type != fault.Authentication { // perhaps a valid key: not counted
			x.count(x.Limiter.Peek(r.Context(), address, PerAddress))
		} else if throttled := x.take(address, PerAddress, 1); throttled != nil {
			return throttled
		}
		return err
	}
	x.Caller = caller
	return nil
}

// Charge counts so many requests of the caller's key, all or none of them.
func (x *Request) Charge(cost int) error {
	err := x.take(x.Caller.Key.ID, x.limit(), cost)
	if err == nil {
		x.Cost += cost
	}
	return err
}

// Uncharged sets the rate-limit headers of a request that costs nothing. A caller who is
// throttled is refused all the same.
func (x *Request) Uncharged() error {
	return x.judge(x.Limiter.Peek(x.HTTP.Context(), x.Caller.Key.ID, x.limit()), x.limit())
}

func (x *Request) limit() ratelimit.Limit {
	limits := x.Caller.Plan.Limits()
	return ratelimit.Limit{Sustained: limits.Sustained, Burst: limits.Burst}
}

func (x *Request) take(subject string, l ratelimit.Limit, cost int) error {
	return x.judge(x.Limiter.Take(x.HTTP.Context(), subject, l, cost), l)
}

func (x *Request) judge(d ratelimit.Decision, l ratelimit.Limit) error {
	x.count(d)
	if d.Admitted {
		return nil
	}
	f := fault.New(fault.RateLimited,
		"More than %d requests within 60 seconds, or more than %d a minute in the long run. Try again in %d s.",
		l.Burst, l.Sustained, d.RetryAfter)
	f.Retry = d.RetryAfter
	return f
}

// Body reads the body of the request whole, at most so many bytes of it; nil where none
// was sent.
func (x *Request) Body(most int64) ([]byte, error) {
	r := x.HTTP
	if r.ContentLength > most {
		return nil, tooLarge(r)
	}
	text, err := x.read(r, most)
	switch {
	case fault.Is(err, fault.Unavailable):
		return nil, err
	case err != nil:
		return nil, fault.New(
			fault.MalformedRequest,
			"The body could not be read to its end: it is shorter than announced, came too slowly, or its chunks "+
				"are malformed. Send it again.",
		).Because(err)
	case int64(len(text)) > most:
		return nil, tooLarge(r)
	case len(text) > 0:
		x.body = text
		return text, declared(r.Header)
	}
	return nil, nil
}

// patience is how much of a body that is too large is read nevertheless.
const patience = 4 << 20

// tooLarge refuses a body after its end: many clients send the whole of it before they
// read the answer, and would find the connection reset instead. One that asks first
// (Expect: 100-continue), or that has far more to send, is told at once.
func tooLarge(r *http.Request) error {
	if r.ContentLength <= patience && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, patience) // it is refused in any case
	}
	return fault.Of(fault.BodyTooLarge)
}

// declared refuses a body that is not declared as plain JSON in UTF-8.
func declared(h http.Header) error {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, has := params["charset"]
	encoding := h.Get("Content-Encoding")
	switch {
	case err != nil || kind != "application/json" || has && !strings.EqualFold(charset, "utf-8"):
		return fault.Of(fault.UnsupportedMediaType)
	case encoding != "" && !strings.EqualFold(encoding, "identity"):
		return fault.New(fault.UnsupportedMediaType,
			"The body is encoded as %s. Send it plain, without Content-Encoding.", texts.ClipBytes(encoding, 40))
	}
	return nil
}

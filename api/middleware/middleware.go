// Package middleware is what every request of the API passes through, whatever surface it is
// for: its identifier, the key or the address that it is counted against, the error envelope,
// and the line of the request log.
//
// It knows no operation, no route and no protocol.
package middleware

import (
	"log/slog"
	"net/http"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/ratelimit"
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
}

// New makes the middleware.
func New(c Config) *Middleware { return &Middleware{Config: c, errors: c.BaseURL + "/docs/errors#"} }

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

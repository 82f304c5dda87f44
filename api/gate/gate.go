// Package gate is what every request of the API passes, whatever surface it is for: its
// identifier, the key or the address that it is counted against, the error envelope,
// and the line of the request log.
//
// It knows no operation, no route and no protocol.
package gate

import (
	"log/slog"
	"net/http"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/ratelimit"
)

// Config is what the gate is made of.
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

// Gate lets requests in. The surfaces share one, so that they count and record alike.
type Gate struct {
	Config
	errors string // the error dictionary's address, up to the code
}

// New makes the gate.
func New(c Config) *Gate { return &Gate{Config: c, errors: c.BaseURL + "/docs/errors#"} }

// Open begins the exchange of a request and its answer.
func (g *Gate) Open(w http.ResponseWriter, r *http.Request, address string) *Exchange {
	now := g.Now()
	return &Exchange{Gate: g, Writer: w, Request: r, Address: address, ID: id.New(id.Request, now), Began: now}
}

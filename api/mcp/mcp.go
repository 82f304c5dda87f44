// Package mcp serves /mcp: the Model Context Protocol over stateless Streamable HTTP
// (docs/assistants.md). It reads JSON-RPC messages, calls operations as
// tools and writes their answers as JSON.
//
// It knows nothing of SQL or pages, and decides nothing that another surface would have
// to decide too.
package mcp

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/change"
	"portal/api/developer"
	"portal/api/idempotency"
	"portal/api/middleware"
	"portal/api/operation"
	"portal/api/portfolio/imports"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/records"
)

// Path is where the endpoint is.
const Path = "/mcp"

// Store is where tools write.
type Store interface {
	change.Transactor
	// Exclusively is Atomically for a change that no other change of the portfolio comes
	// between.
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
}

// Config is what the endpoint is made of.
type Config struct {
	*middleware.Middleware
	Store     Store
	Portfolio *records.Service
	Reports   *report.Reports
	Imports   *imports.Service
	// Idempotency keeps the answers that are told again.
	Idempotency *idempotency.Keeper
	Activity    *developer.Activity // keeps what assistants did
	Version     string              // of the service, as it tells its clients
}

// Endpoint is the assistant endpoint.
type Endpoint struct {
	Config
	tools  []*operation.Tool
	byName map[string]*operation.Tool
	words  atomic.Pointer[catalog] // of the present year
	origin string                  // the only one that a browser may come from
	stamp  string                  // what tells clients of the newer era who answers
}

// New makes the endpoint. It panics where the contract cannot be kept. Without rules it gives
// the list of its tools alone.
func New(c Config) *Endpoint {
	if c.Portfolio == nil {
		c.Portfolio = &records.Service{}
	}
	e := &Endpoint{
		Config: c,
		byName: map[string]*operation.Tool{},
		origin: originOf(c.BaseURL),
		stamp:  stampOf(c.Version),
	}
	e.tools = e.describe()
	for _, t := range e.tools {
		e.byName[t.Name] = t
	}
	e.catalog() // a contract that cannot be kept ends the program here
	return e
}

// Tools are the tools in the order in which they are listed.
func (e *Endpoint) Tools() []*operation.Tool { return e.tools }

// Mount adds the routes of the endpoint. What clients look for that would sign in with
// OAuth is not there, and says so without a page around it.
func (e *Endpoint) Mount(to *echo.Echo) {
	serve := func(c echo.Context) error {
		e.Serve(c.Response(), c.Request(), c.RealIP())
		return nil
	}
	to.Any(Path, serve)
	to.RouteNotFound(Path, serve)
	absent := func(c echo.Context) error { return c.String(http.StatusNotFound, "Not Found\n") }
	for _, path := range []string{
		"/.well-known/oauth-*", "/.well-known/openid-configuration*", Path + "/.well-known/*",
	} {
		to.Any(path, absent)
		to.RouteNotFound(path, absent)
	}
}

// originOf is what a browser calls the origin of an address.
func originOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

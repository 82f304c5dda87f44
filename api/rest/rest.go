// Package rest serves /api/v1/external: it decodes a request, calls an operation and
// encodes its answer.
//
// It knows nothing of SQL or pages, and decides nothing that another surface would
// have to decide too.
package rest

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/compress"
	"portal/api/idempotency"
	"portal/api/intake"
	"portal/api/middleware"
	"portal/api/operation"
	"portal/api/portfolio/imports"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/records"
	"portal/api/webhook"
)

// Base is the path of the surface.
const Base = "/api/v1/external"

// Store runs previews.
type Store interface {
	change.Transactor
	// Admit refuses a change of a portfolio that would wait for others for too long, before anything is read for
	// it.
	Admit(ctx context.Context, in access.Portfolio) error
}

// Config is what the surface is made of.
type Config struct {
	*middleware.Middleware
	Store       Store
	Portfolio   *records.Service
	Invitations *application.Invitations
	Agreements  *agreement.Service
	Webhook     *webhook.Service
	Imports     *imports.Service
	Spool       *intake.Spool // for files that are sent; nil is the system's folder
	FileWait    time.Duration // for how long a file waits for its turn to be read; 0 is filesWait
	Demo        Demo          // lets things happen in demo portfolios
	// Idempotency keeps the answers that are told again.
	Idempotency *idempotency.Keeper
}

// API is the surface.
type API struct {
	Config
	operations []*operation.Operation
	document   yearly
	streams    streams
	export     *operation.Operation
	files      files
}

// New makes the surface. It panics where the contract cannot be kept. Without rules it gives its
// document alone.
func New(c Config) *API {
	if c.Portfolio == nil {
		c.Portfolio = &records.Service{}
	}
	if c.Webhook == nil {
		c.Webhook = &webhook.Service{}
	}
	if c.Imports == nil {
		c.Imports = &imports.Service{}
	}
	a := &API{Config: c, streams: newStreams(), export: newExport(), files: newFiles(cmp.Or(c.FileWait, filesWait))}
	a.operations = slices.Concat(
		a.properties(),
		a.tenants(),
		a.leases(),
		a.attachments(),
		a.leaseTemplates(),
		a.leaseDetails(),
		a.leaseRules(),
		a.tickets(),
		a.payments(),
		a.imports(),
		a.webhooks(),
		a.deliveries(),
		a.events(),
		a.testHelpers(),
		a.account(),
	)
	return a
}

// Operations are the entries of the contract, in the order of the reference.
func (a *API) Operations() []*operation.Operation { return a.operations }

// Document is the OpenAPI 3.1 description of the surface, as JSON. It changes with the
// year (UTC), which bounds years of construction.
func (a *API) Document() []byte { return a.documentNow().In("") }

func (a *API) documentNow() *compress.Document {
	return a.document.of(a.Now().UTC().Year(), a.describe)
}

// Mount adds the routes of the surface.
func (a *API) Mount(e *echo.Echo) {
	for _, op := range a.operations {
		path := Base + strings.NewReplacer("{", ":", "}", "").Replace(op.Path)
		e.Add(op.Method, path, a.serve(op))
		if op.Method == http.MethodGet {
			e.Add(http.MethodHead, path, a.serve(op))
		}
		e.RouteNotFound(path, a.NoRoute) // other methods; echo would answer OPTIONS by itself
		for _, method := range a.shadowed(op.Path) {
			e.Add(method, path, a.NoRoute)
		}
	}
	for path, serve := range map[string]echo.HandlerFunc{
		documentPath: a.serveDocument, streamPath: a.serveStream, exportPath: a.serveExport,
	} {
		e.Match([]string{http.MethodGet, http.MethodHead}, Base+path, serve)
		e.RouteNotFound(Base+path, a.NoRoute)
	}
}

// The paths of what is read but answers with no record.
const (
	documentPath = "/openapi.json"
	streamPath   = "/events/stream"
	exportPath   = "/export"
)

// Owns reports whether a path belongs to the surface, so that its refusals are this
// package's.
func Owns(path string) bool { return below(path, Base) }

func below(path, base string) bool { return path == base || strings.HasPrefix(path, base+"/") }

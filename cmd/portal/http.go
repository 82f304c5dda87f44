package main

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/httpserver"
	"portal/api/idempotency"
	"portal/api/mcp"
	"portal/api/middleware"
	"portal/api/payment"
	"portal/api/payment/stripe"
	"portal/api/portfolio/imports"
	"portal/api/portfolio/ledger/report"
	"portal/api/rest"
	"portal/db/reportstore"
	"portal/db/servicestore"
	"portal/web"
	"portal/web/live"
)

// The HTTP server gives nobody more time or room than a decent client needs.
const (
	headerTime = 5 * time.Second
	readTime   = 30 * time.Second
	writeTime  = 60 * time.Second
	waitTime   = 45 * time.Second // of a write; who waits longer is told so, before the server hangs up
	idleTime   = 2 * time.Minute
	quietTime  = time.Second     // without a request, before a stop takes no new connections
	acceptTime = 3 * time.Second // for which a stop takes new connections, while requests come
	stopIdle   = 5 * time.Second // on an idle connection, before a stop closes it
)

// mount ties the surfaces to one HTTP server.
func (s *server) mount() {
	observed := newObserved(s)
	entrance := middleware.New(middleware.Config{
		BaseURL:   s.product.config.baseURL,
		Developer: s.product.Developer,
		Limiter:   s.limits,
		Recorder:  s.recorder,
		Now:       time.Now,
		Log:       s.log,
		Observe:   observed.request,
	})
	keeper := idempotency.New(servicestore.NewAnswers(s.product.DB), s.product.Box, time.Now)
	programs := &imports.Service{Uploads: s.product.uploads}
	api := rest.New(rest.Config{
		Middleware:  entrance,
		Portfolio:   s.product.Portfolio,
		Invitations: s.product.applications.Invitations,
		Agreements:  s.product.Agreements,
		Webhook:     s.product.Webhook,
		Store:       s.product.DB,
		Idempotency: keeper,
		Imports:     programs,
		Spool:       s.spool(),
		Demo:        s.product.Simulator(),
	})
	v, _ := release()
	reports := report.New(s.product.Portfolio, reportstore.New(s.product.DB))
	assistant := mcp.New(mcp.Config{
		Middleware:  entrance,
		Portfolio:   s.product.Portfolio,
		Reports:     reports,
		Imports:     programs,
		Store:       s.product.DB,
		Idempotency: keeper,
		Activity:    s.activity,
		Version:     v,
	})
	e := echo.New()
	streams := live.New()
	pages := s.pages(api, e, reports, streams)
	e.IPExtractor = clientAddress(s.product.config.proxies)
	e.HTTPErrorHandler = func(err error, c echo.Context) { s.failed(err, c, api, pages) }
	api.Mount(e)
	assistant.Mount(e)
	pages.Mount(e)
	s.mountStripe(e, entrance)
	e.GET("/healthz", func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]string{"status": "ok"}) })
	e.GET("/readyz", s.ready)
	s.http = s.listens(patient(waitTime, e), entrance)
	s.http.OnStop(api.Stop)
	s.http.OnStop(streams.Stop)
	if addr := s.product.config.metricsAddr; addr != "" {
		s.metrics = &http.Server{Addr: addr, Handler: observed.handler(), ReadHeaderTimeout: headerTime}
	}
}

// mountStripe takes events of Stripe, where live portfolios are paid through it. An event is kept before it is
// answered.
func (s *server) mountStripe(e *echo.Echo, entrance *middleware.Middleware) {
	keys := s.product.config.stripe
	if keys == nil {
		return
	}
	receiver := &stripe.Receiver{
		Middleware: entrance,
		Secrets:    keys.webhooks,
		Keep: func(ctx context.Context, n payment.News) error {
			return s.product.DB.Atomically(ctx, func(ctx context.Context) error {
				return s.product.queue.PaymentNews(ctx, n)
			})
		},
	}
	e.Any(stripe.WebhookPath, func(c echo.Context) error {
		receiver.Receive(c.Response(), c.Request(), c.RealIP())
		return nil
	})
}

// listens is the HTTP server around the surfaces.
func (s *server) listens(handler http.Handler, entrance *middleware.Middleware) *httpserver.Server {
	address := clientAddress(s.product.config.proxies)
	return httpserver.New(httpserver.Config{
		Handler: handler,
		Refusal: entrance.Malformed,
		Overloaded: func(w http.ResponseWriter, r *http.Request, ofAddress bool) {
			entrance.Overloaded(w, r, address(r), ofAddress)
		},
		Vital:   func(r *http.Request) bool { return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" },
		Network: s.product.config.network,
		Limits:  connectionLimits(descriptors()),
		Times: httpserver.Times{
			Header:   headerTime,
			Read:     readTime,
			Write:    writeTime,
			Idle:     idleTime,
			Quiet:    quietTime,
			Accept:   acceptTime,
			StopIdle: stopIdle,
		},
		Now: time.Now,
	})
}

// network is what an address counts as among the connections; a proxy's count as nobody's.
func (c *config) network(address string) string {
	ip := net.ParseIP(address)
	for _, p := range c.proxies {
		if p.Contains(ip) {
			return ""
		}
	}
	return access.ParseClient(address)
}

// patient ends what a write waits for after a time, the answer to its failure included. A
// read waits for nobody.
func patient(most time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), most)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// failed answers what no handler answered: in the envelope for the API, with a
// page for people otherwise.
func (s *server) failed(err error, c echo.Context, api *rest.API, pages *web.Pages) {
	path := c.Request().URL.Path
	if rest.Owns(path) && !c.Response().Committed {
		err = api.NoRoute(c)
	} else {
		err = pages.Fail(c, err)
	}
	if err != nil && !middleware.Abandoned(c.Request().Context(), err) && !middleware.Unwritten(err) {
		shown := c.Path() // of a page it is the route's: what stands in its place may be a token
		if rest.Owns(path) {
			shown = path
		}
		s.log.Error("answer failed", "path", shown, "error", err)
	}
}

// clientAddress finds whose request it is; X-Forwarded-For counts only from the
// configured proxies.
func clientAddress(proxies []*net.IPNet) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		options = append(options, echo.TrustIPRange(p))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

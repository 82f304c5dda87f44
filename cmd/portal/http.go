package main

import (
	"context"
	"net"
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"portal/api/audit"
	"portal/api/gate"
	"portal/api/idempotency"
	"portal/api/mcp"
	"portal/api/rest"
	"portal/api/webhook"
	"portal/jobs"
	"portal/web"
)

// The HTTP server gives nobody more time or room than a decent client needs.
const (
	headerTime = 5 * time.Second
	readTime   = 30 * time.Second
	writeTime  = 60 * time.Second
	waitTime   = 45 * time.Second // of a write; who waits longer is told so, before the server hangs up
	idleTime   = 2 * time.Minute
	headerSize = 64 << 10
)

// mount ties the surfaces to one HTTP server.
func (s *server) mount() {
	observed := newObserved(s)
	entrance := gate.New(gate.Config{BaseURL: s.product.config.baseURL, Developer: s.product.developer, Limiter: s.limits,
		Recorder: s.recorder, Now: time.Now, Log: s.log, Observe: observed.request})
	keeper := idempotency.New(s.product.db, s.product.vault, time.Now)
	api := rest.New(rest.Config{Gate: entrance, Portfolio: s.product.portfolio, Webhook: s.product.webhook, Store: s.product.db, Idempotency: keeper})
	v, _ := release()
	assistant := mcp.New(mcp.Config{Gate: entrance, Portfolio: s.product.portfolio, Store: s.product.db, Idempotency: keeper, Activity: s.activity, Version: v})
	e := echo.New()
	pages := web.New(web.Config{BaseURL: s.product.config.baseURL, OpenAPI: api.Document(), API: e, Vault: s.product.vault, Specimens: s.product.portfolio, Guests: s.product.portfolio,
		Sessions: s.product.db.Sessions(time.Now), Account: s.product.account, People: s.product.account, Now: time.Now, Log: s.log, Design: s.product.config.demo,
		Requests: s.product.developer, Keys: s.product.developer, Journey: s.product.developer, Summaries: s.product.portfolio, Reviews: s.product.developer, Holdings: s.product.developer,
		Endpoints: s.product.webhook, Deliveries: s.product.webhook, Activity: s.product.developer, RequestLog: s.product.developer, Usage: s.product.developer, Mails: s.product.mail,
		Properties: s.product.portfolio, Units: s.product.portfolio, Tenants: s.product.portfolio, Verifying: s.product.portfolio, Searching: s.product.portfolio,
		Leases: s.product.portfolio, Tickets: s.product.portfolio, Ledger: s.product.portfolio,
		Demo: s.product.stage(), Applicants: s.product.portfolio, Homes: s.product.portfolio, Imports: s.product.intake,
		Jobs: jobs.Board{Queue: s.product.queue, Audit: audit.Log{Store: s.product.db, Now: time.Now}}})
	e.IPExtractor = clientAddress(s.product.config.proxies)
	e.HTTPErrorHandler = func(err error, c echo.Context) { s.failed(err, c, api, pages) }
	e.Use(patient(waitTime))
	api.Mount(e)
	assistant.Mount(e)
	pages.Mount(e)
	e.GET("/healthz", func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]string{"status": "ok"}) })
	e.GET("/readyz", s.ready)
	s.http = &http.Server{Handler: e, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: headerSize}
	s.http.RegisterOnShutdown(api.Stop)
	if addr := s.product.config.metricsAddr; addr != "" {
		s.metrics = &http.Server{Addr: addr, Handler: observed.handler(), ReadHeaderTimeout: headerTime}
	}
}

// patient ends what a write waits for after a time. A read waits for nobody.
func patient(most time.Duration) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				return next(c)
			}
			ctx, cancel := context.WithTimeout(r.Context(), most)
			defer cancel()
			c.SetRequest(r.WithContext(ctx))
			return next(c)
		}
	}
}

// failed answers what no handler answered: in the envelope for the API, with a
// page for people otherwise.
func (s *server) failed(err error, c echo.Context, api *rest.API, pages *web.Pages) {
	if rest.Owns(c.Request().URL.Path) && !c.Response().Committed {
		err = api.NoRoute(c)
	} else {
		err = pages.Fail(c, err)
	}
	if err != nil {
		s.log.Error("answer failed", "path", pathOf(c), "error", err)
	}
}

// pathOf is the path of a request for the log. Of a page it is the route's: what
// stands in its place may be a token.
func pathOf(c echo.Context) string {
	if path := c.Request().URL.Path; rest.Owns(path) {
		return path
	}
	return c.Path()
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

// ready tells whether requests can be served: the database answers, its schema is
// what this binary needs, and jobs are worked on.
func (s *server) ready(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), 2*time.Second)
	defer cancel()
	checks := map[string]string{"database": "ok", "migrations": "ok", "jobs": "ok"}
	status := http.StatusOK
	fail := func(check, what string) { checks[check], status = what, http.StatusServiceUnavailable }
	if err := s.product.db.Ping(ctx); err != nil {
		s.log.Error("not ready", "error", err)
		fail("database", "does not answer")
	}
	if migrated, err := s.product.db.Migrated(ctx); err != nil || !migrated {
		fail("migrations", "not up to date")
	}
	if !s.jobs.Running() {
		fail("jobs", "not running")
	}
	return c.JSON(status, checks)
}

// observed are the metrics of the process.
type observed struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration prometheus.Histogram
}

func newObserved(s *server) *observed {
	o := &observed{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "portal_requests_total", Help: "Answers of the API by operation and class of status."}, []string{"operation", "status"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "portal_request_duration_seconds", Help: "Time from a request's arrival to its answer.", Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}}),
	}
	dropped := prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "portal_request_log_dropped_total", Help: "Lines of the request log that found no room."},
		func() float64 { return float64(s.recorder.Dropped()) })
	forgotten := prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "portal_activity_dropped_total", Help: "Calls of assistants that found no room to be recorded."},
		func() float64 { return float64(s.activity.Dropped()) })
	degraded := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "portal_rate_limit_degraded", Help: "1 while Redis is away and each node limits by itself."}, func() float64 {
		if s.limits.redis != nil && s.limits.redis.Degraded() {
			return 1
		}
		return 0
	})
	o.webhooks(&s.sending.Counts)
	o.registry.MustRegister(o.requests, o.duration, dropped, forgotten, degraded,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return o
}

// webhooks registers what the dispatcher of this process counts.
func (o *observed) webhooks(c *webhook.Counts) {
	const name, help = "portal_webhook_attempts_total", "Attempts at webhook deliveries by outcome."
	counter := func(outcome string, n *atomic.Int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: prometheus.Labels{"outcome": outcome}},
			func() float64 { return float64(n.Load()) })
	}
	o.registry.MustRegister(counter("acknowledged", &c.Acknowledged), counter("failed", &c.Failed),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "portal_webhook_attempts_running", Help: "Attempts at webhook deliveries that run."},
			func() float64 { return float64(c.Running.Load()) }))
}

var classes = [...]string{"other", "1xx", "2xx", "3xx", "4xx", "5xx"}

func (o *observed) request(operation string, status int, took time.Duration) {
	class := 0
	if status >= 100 && status < 600 {
		class = status / 100
	}
	o.requests.WithLabelValues(operation, classes[class]).Inc()
	o.duration.Observe(took.Seconds())
}

// handler serves the metrics and the profiles, on an address of their own.
func (o *observed) handler() http.Handler {
	m := http.NewServeMux()
	m.Handle("/metrics", promhttp.HandlerFor(o.registry, promhttp.HandlerOpts{}))
	m.HandleFunc("/debug/pprof/", pprof.Index)
	m.HandleFunc("/debug/pprof/profile", pprof.Profile)
	m.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	m.HandleFunc("/debug/pprof/trace", pprof.Trace)
	m.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	return m
}

package main

import (
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"portal/api/httpserver"
)

// observed are the metrics of the process.
type observed struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration prometheus.Histogram
}

func newObserved(s *server) *observed {
	o := &observed{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portal_requests_total",
			Help: "API responses by operation and status class.",
		}, []string{"operation", "status"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "portal_request_duration_seconds",
			Help:    "Time from receiving a request to its response.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5},
		}),
	}
	o.registry.MustRegister(o.requests, o.duration,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	o.counter("portal_request_log_dropped_total",
		"Request log entries dropped because the queue was full.", nil, s.recorder.Dropped)
	o.counter("portal_request_exchanges_dropped_total",
		"Request headers and bodies dropped because the queue of the request log was full.", nil,
		s.recorder.DroppedExchanges)
	o.counter("portal_activity_dropped_total",
		"Assistant tool calls dropped because the queue was full.", nil, s.activity.Dropped)
	o.gauge("portal_rate_limit_degraded", "1 while Redis is unavailable and each node limits on its own.",
		func() int64 {
			if s.limits.redis != nil && s.limits.redis.Degraded() {
				return 1
			}
			return 0
		})
	o.gauge("portal_writes_waiting", "Changes that wait for others before they begin.", s.product.DB.WritesWaiting)
	o.counter("portal_writes_refused_total",
		"Changes refused with 503 because they would have waited for more than 2 s.", nil, s.product.DB.WritesRefused)

	const attempts, attemptsHelp = "portal_webhook_attempts_total", "Webhook delivery attempts by outcome."
	sent := &s.sending.Counts
	o.counter(attempts, attemptsHelp, prometheus.Labels{"outcome": "acknowledged"}, sent.Acknowledged.Load)
	o.counter(attempts, attemptsHelp, prometheus.Labels{"outcome": "failed"}, sent.Failed.Load)
	o.gauge("portal_webhook_attempts_running", "Webhook delivery attempts in progress.", sent.Running.Load)

	o.connections(s)
	o.gauge("portal_seal_certificate_expiry_timestamp_seconds",
		"When the certificate that seals executed leases expires, in Unix time.",
		func() int64 { return s.product.seal.Expires().Unix() })
	return o
}

// connections registers what the HTTP server counts. It is made after the metrics.
func (o *observed) connections(s *server) {
	count := func() httpserver.Counts {
		if s.http == nil {
			return httpserver.Counts{}
		}
		return s.http.Counts()
	}
	o.gauge("portal_connections", "Open client connections.", func() int64 { return int64(count().Open) })
	o.gauge("portal_connections_idle", "Client connections that are idle.", func() int64 {
		if s.http == nil {
			return 0
		}
		return int64(s.http.Idle())
	})
	o.gauge("portal_connections_limit", "Limit of open client connections.",
		func() int64 { return int64(connectionLimits(descriptors()).Connections) })
	const closed, help = "portal_connections_closed_total",
		"Idle connections closed to make room, by the limit reached."
	o.counter(closed, help, prometheus.Labels{"limit": "all"}, func() int64 { return count().ClosedForAll })
	o.counter(closed, help, prometheus.Labels{"limit": "address"}, func() int64 { return count().ClosedForAddress })
}

func (o *observed) counter(name, help string, labels prometheus.Labels, n func() int64) {
	o.registry.MustRegister(prometheus.NewCounterFunc(
		prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels},
		func() float64 { return float64(n()) }))
}

func (o *observed) gauge(name, help string, n func() int64) {
	o.registry.MustRegister(prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Name: name, Help: help},
		func() float64 { return float64(n()) }))
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

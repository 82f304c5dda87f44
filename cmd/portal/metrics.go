package main

import (
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"portal/api/agreement/sealing"
	"portal/api/httpserver"
	"portal/api/webhook/dispatch"
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
		}, []string{
			"operation", "status",
		}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "portal_request_duration_seconds",
			Help:    "Time from receiving a request to its response.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5},
		}),
	}
	dropped := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "portal_request_log_dropped_total",
		Help: "Request log entries dropped because the queue was full.",
	},
		func() float64 { return float64(s.recorder.Dropped()) })
	unkept := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "portal_request_exchanges_dropped_total",
		Help: "Request headers and bodies dropped because the queue of the request log was full.",
	},
		func() float64 { return float64(s.recorder.DroppedExchanges()) })
	forgotten := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "portal_activity_dropped_total",
		Help: "Assistant tool calls dropped because the queue was full.",
	},
		func() float64 { return float64(s.activity.Dropped()) })
	degraded := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "portal_rate_limit_degraded",
		Help: "1 while Redis is unavailable and each node limits on its own.",
	}, func() float64 {
		if s.limits.redis != nil && s.limits.redis.Degraded() {
			return 1
		}
		return 0
	})
	o.webhooks(&s.sending.Counts)
	o.connections(s)
	o.seal(s.product.seal)
	o.registry.MustRegister(o.requests, o.duration, dropped, unkept, forgotten, degraded,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return o
}

// webhooks registers what the dispatcher of this process counts.
func (o *observed) webhooks(c *dispatch.Counts) {
	const name, help = "portal_webhook_attempts_total", "Webhook delivery attempts by outcome."
	counter := func(outcome string, n *atomic.Int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name:        name,
			Help:        help,
			ConstLabels: prometheus.Labels{"outcome": outcome},
		},
			func() float64 { return float64(n.Load()) })
	}
	o.registry.MustRegister(counter("acknowledged", &c.Acknowledged), counter("failed", &c.Failed),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "portal_webhook_attempts_running",
			Help: "Webhook delivery attempts in progress.",
		},
			func() float64 { return float64(c.Running.Load()) }))
}

// connections registers what the HTTP server counts. It is made after the metrics.
func (o *observed) connections(s *server) {
	count := func() httpserver.Counts {
		if s.http == nil {
			return httpserver.Counts{}
		}
		return s.http.Counts()
	}
	closed := func(reason string, n func() int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name:        "portal_connections_closed_total",
			Help:        "Idle connections closed to make room, by the limit reached.",
			ConstLabels: prometheus.Labels{"limit": reason},
		},
			func() float64 { return float64(n()) })
	}
	o.registry.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "portal_connections",
			Help: "Open client connections.",
		},
			func() float64 { return float64(count().Open) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "portal_connections_idle",
			Help: "Client connections that are idle.",
		},
			func() float64 {
				if s.http == nil {
					return 0
				}
				return float64(s.http.Idle())
			}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "portal_connections_limit",
			Help: "Limit of open client connections.",
		},
			func() float64 { return float64(connectionLimits(descriptors()).Connections) }),
		closed("all", func() int64 { return count().ClosedForAll }),
		closed("address", func() int64 { return count().ClosedForAddress }))
}

// seal registers when the certificate ends that executed leases are sealed with.
func (o *observed) seal(k *sealing.Key) {
	o.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "portal_seal_certificate_expiry_timestamp_seconds",
		Help: "When the certificate that seals executed leases expires, in Unix time.",
	},
		func() float64 { return float64(k.Expires().Unix()) }))
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

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// result is what a run has shown.
type result struct {
	span     time.Duration
	latency  []time.Duration // of each answer, ascending
	statuses map[int]int
	bytes    int64 // of the bodies, as they came
	errors   int
}

// asked is what a server is asked for.
type asked struct {
	host  string
	head  string // of a request, up to its last header
	body  string // of a POST; a GET has none
	run   string // what Idempotency-Keys of this run begin with
	count atomic.Int64
}

// newAsked is a GET of a URL, or a POST where there is a body.
func newAsked(target, key, body string) (*asked, error) {
	u, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	a := &asked{host: u.Host, body: body, run: rand.Text()}
	method, more := http.MethodGet, ""
	if body != "" {
		method = http.MethodPost
		more = fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	a.head = fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: portal-load\r\n%s", method, u.RequestURI(),
		u.Host, more)
	if key != "" {
		a.head += fmt.Sprintf("Authorization: Bearer %s\r\n", key)
	}
	return a, nil
}

// in has the answers come in a content encoding.
func (a *asked) in(encoding string) *asked {
	a.head += "Accept-Encoding: " + encoding + "\r\n"
	return a
}

// request is the next one, written into a buffer.
func (a *asked) request(b []byte) []byte {
	b = append(b, a.head...)
	if a.body != "" {
		b = fmt.Appendf(b, "Idempotency-Key: %s-%d\r\n", a.run, a.count.Add(1))
	}
	return append(append(b, "\r\n"...), a.body...)
}

// drive sends requests over some connections for a time.
func drive(ctx context.Context, a *asked, clients int, span time.Duration) *result {
	ctx, cancel := context.WithTimeout(ctx, span)
	defer cancel()
	all := &result{statuses: map[int]int{}}
	began := time.Now()
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range clients {
		wait.Go(func() {
			one := ask(ctx, a)
			mu.Lock()
			defer mu.Unlock()
			all.add(one)
		})
	}
	wait.Wait()
	all.span = time.Since(began)
	slices.Sort(all.latency)
	return all
}

func (r *result) add(one *result) {
	r.latency = append(r.latency, one.latency...)
	r.errors += one.errors
	r.bytes += one.bytes
	for status, n := range one.statuses {
		r.statuses[status] += n
	}
}

// rate is answers a second.
func (r *result) rate() float64 { return float64(len(r.latency)) / r.span.Seconds() }

// quantile is the latency that a share of the answers stayed within.
func (r *result) quantile(share float64) time.Duration {
	if len(r.latency) == 0 {
		return 0
	}
	return r.latency[min(int(share*float64(len(r.latency))), len(r.latency)-1)]
}

// String is one line a figure.
func (r *result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "requests/s    %.0f\n", r.rate())
	fmt.Fprintf(&b, "p50           %v\n", r.quantile(0.5))
	fmt.Fprintf(&b, "p99           %v\n", r.quantile(0.99))
	fmt.Fprintf(&b, "bytes/answer  %d\n", r.bytes/int64(max(len(r.latency), 1)))
	fmt.Fprintf(&b, "errors        %d\n", r.errors)
	fmt.Fprintf(&b, "statuses      %v", r.statuses)
	return b.String()
}

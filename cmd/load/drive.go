package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// result is what a run has shown.
type result struct {
	span     time.Duration
	latency  []time.Duration // of each answer, ascending
	statuses map[int]int
	errors   int
}

// drive asks for a URL over some connections for a time.
func drive(ctx context.Context, target, key string, clients int, span time.Duration) (*result, error) {
	u, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nUser-Agent: portal-load\r\n\r\n", u.RequestURI(), u.Host, key)
	ctx, cancel := context.WithTimeout(ctx, span)
	defer cancel()
	all := &result{statuses: map[int]int{}}
	began := time.Now()
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range clients {
		wait.Go(func() {
			one := ask(ctx, u.Host, request)
			mu.Lock()
			defer mu.Unlock()
			all.add(one)
		})
	}
	wait.Wait()
	all.span = time.Since(began)
	slices.Sort(all.latency)
	return all, nil
}

func (r *result) add(one *result) {
	r.latency = append(r.latency, one.latency...)
	r.errors += one.errors
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
	fmt.Fprintf(&b, "errors        %d\n", r.errors)
	fmt.Fprintf(&b, "statuses      %v", r.statuses)
	return b.String()
}

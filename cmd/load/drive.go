package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
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

// ask sends requests, one after the other, over one connection, and over a new one
// where that breaks, until the context ends.
func ask(ctx context.Context, a *asked) *result {
	r := &result{statuses: map[int]int{}}
	for ctx.Err() == nil {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", a.host)
		if err != nil {
			r.errors++
			continue
		}
		r.converse(ctx, conn, a)
		_ = conn.Close() // all that was asked is answered
	}
	return r
}

func (r *result) converse(ctx context.Context, conn net.Conn, a *asked) {
	in, out := bufio.NewReaderSize(conn, 64<<10), []byte(nil)
	for ctx.Err() == nil {
		began := time.Now()
		out = a.request(out[:0])
		if _, err := conn.Write(out); err != nil {
			r.errors++
			return
		}
		status, size, err := answer(in)
		if err != nil {
			r.errors++
			return
		}
		r.latency = append(r.latency, time.Since(began))
		r.statuses[status]++
		r.bytes += size
	}
}

var errAnswer = errors.New("not an answer with a Content-Length")

// answer reads one answer and tells its status and the size of its body.
func answer(in *bufio.Reader) (status int, size int64, err error) {
	length := -1
	for line := 0; ; line++ {
		text, err := in.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		text = bytes.TrimRight(text, "\r\n")
		switch {
		case line == 0 && len(text) >= 12:
			status, err = strconv.Atoi(string(text[9:12]))
		case len(text) > 15 && bytes.EqualFold(text[:15], []byte("Content-Length:")):
			length, err = strconv.Atoi(string(bytes.TrimSpace(text[15:])))
		case len(text) == 0 && length < 0:
			err = errAnswer
		}
		if err != nil {
			return 0, 0, err
		}
		if len(text) == 0 {
			size, err = io.CopyN(io.Discard, in, int64(length))
			return status, size, err
		}
	}
}

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// limitedTo is the same home whose processes may have so many descriptors open.
func (h home) limitedTo(descriptors int, t *testing.T) home {
	t.Helper()
	build := h.build
	h.build = sync.OnceValues(func() (string, error) {
		path, err := build()
		if err != nil {
			return "", err
		}
		script := filepath.Join(t.TempDir(), "limited")
		text := fmt.Sprintf("#!/bin/sh\nulimit -n %d\nexec %q \"$@\"\n", descriptors, path)
		return script, os.WriteFile(script, []byte(text), 0o700)
	})
	return h
}

func TestAttemptLimitFollowsDescriptorLimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[uint64]int{16: 4, 64: 5, 256: 37, 1024: 165, 1 << 20: 174757} {
		if got := attemptLimit(limit); got != want {
			t.Errorf("%d descriptors make %d attempts, want %d", limit, got, want)
		}
		all := connectionLimits(limit).Connections + 2*attemptLimit(limit) + ownDescriptors
		if limit >= 64 && all > int(limit) {
			t.Errorf("%d descriptors: up to %d are used", limit, all)
		}
	}
}

// TestHangingReceiversDoNotExhaustDescriptors has twenty endpoints hang, each
// of which could have ten attempts at a time, in a process that may have 96 descriptors open.
func TestHangingReceiversDoNotExhaustDescriptors(t *testing.T) {
	t.Parallel()
	const descriptors, endpoints, events = 96, 20, 10
	var running, most atomic.Int64
	over := make(chan struct{})
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		n := running.Add(1)
		defer running.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(receiver.Close)
	release := sync.OnceFunc(func() { close(over) })
	t.Cleanup(release)
	h := newHome(t, "PORTAL_ALLOW_INSECURE_WEBHOOKS=true")
	s := h.limitedTo(descriptors, t).serve(t)
	p := h.product(t)
	paths := make([]string, endpoints)
	for i := range paths {
		paths[i] = fmt.Sprint("/", i)
	}
	in, _ := endpointsAt(t, s, p, receiver.URL, paths)
	raise(t, p, in, events)
	eventually(t, "attempts hang", func() bool { return running.Load() > 4 })
	for range 10 {
		if r := s.me(t, s.vars["PORTAL_LIVE_KEY"]); r.StatusCode != http.StatusOK {
			t.Error(r.Status)
		}
	}
	release()
	eventually(t, "all is sent", func() bool { return p.due(t) == 0 })
	if n := most.Load(); n > int64(attemptLimit(descriptors)) {
		t.Errorf("%d attempts ran at a time", n)
	}
	const failed = "SELECT CAST(count(*) AS TEXT) FROM delivery_attempts WHERE portfolio_id = $1 AND error IS NOT NULL"
	if n := h.value(t, failed, in.ID); n != "0" {
		t.Errorf("%s attempts failed", n)
	}
	s.signalAndEnd(t)
}

package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/event"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/db/dbtest"
)

// receivers are of five kinds, at one address by their path, and remember what they were
// sent.
type receivers struct {
	*httptest.Server
	mu    sync.Mutex
	seen  map[string]int // attempts by path and event
	acked map[string]int // those that were acknowledged
	last  time.Time      // when the last attempt came
}

func newReceivers(t *testing.T) *receivers {
	t.Helper()
	w := &receivers{seen: map[string]int{}, acked: map[string]int{}}
	w.Server = httptest.NewServer(http.HandlerFunc(w.receive))
	t.Cleanup(w.Close)
	return w
}

func (w *receivers) receive(rw http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	key := r.URL.Path + " " + r.Header.Get("Webhook-Id")
	w.mu.Lock()
	w.seen[key]++
	first := w.seen[key] == 1
	w.last = time.Now()
	w.mu.Unlock()
	unlucky := first && share(key) < 30
	switch r.URL.Path {
	case "/flaky":
		if unlucky {
			rw.WriteHeader(http.StatusBadGateway)
			return
		}
	case "/slow":
		select {
		case <-time.After(60 * time.Millisecond):
		case <-r.Context().Done():
			return // its sender is gone, and nothing was acknowledged
		}
	case "/resetting":
		if unlucky {
			reset(rw)
			return
		}
	case "/dead":
		rw.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.mu.Lock()
	w.acked[key]++
	w.mu.Unlock()
}

// share is a number below 100 that belongs to a text.
func share(key string) uint32 {
	h := fnv.New32a()
	_, _ = io.WriteString(h, key)
	return h.Sum32() % 100
}

// reset ends a connection without an answer.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

func (w *receivers) attempts() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.seen {
		n += c
	}
	return n
}

// product is the product over a home, in this process.
func (h home) product(t *testing.T) *product {
	t.Helper()
	c, err := configure(h.getenv)
	if err != nil {
		t.Fatal(err)
	}
	p, err := openProduct(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// claimed adds the deliveries that somebody has claimed, by path and event.
func (p *product) claimed(t *testing.T, into map[string]bool, path map[string]string) {
	t.Helper()
	for _, row := range dbtest.Texts(
		t,
		p.DB,
		"SELECT endpoint_id || ' ' || event_id FROM deliveries WHERE claimed_by IS NOT NULL",
	) {
		endpoint, event, _ := strings.Cut(row, " ")
		into[path[endpoint]+" "+event] = true
	}
}

// TestKillsLoseNoDeliveryAndRepeatOnlyRunningAttempts kills the service again and again while it
// sends deliveries to receivers of all kinds: 5,000 for `make prove`, otherwise a quarter of them.
func TestKillsLoseNoDeliveryAndRepeatOnlyRunningAttempts(t *testing.T) {
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			env := []string{"PORTAL_ALLOW_INSECURE_WEBHOOKS=true"}
			if database == "postgres" {
				env = append(env, "DATABASE_URL="+dbtest.NewPostgres(t).Migrated(t),
					"PORTAL_SECRET_KEY="+base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef")))
			}
			if proving {
				killed(t, newHome(t, env...), killsAmid, eventsSent)
			} else {
				killed(t, newHome(t, env...), killsAmid/4, eventsSent/4)
			}
		})
	}
}

const (
	killsAmid  = 20
	eventsSent = 1000 // to each of five receivers
)

func killed(t *testing.T, h home, kills, events int) {
	w := newReceivers(t)
	s := h.serve(t)
	p := h.product(t)
	kinds := []string{"/good", "/flaky", "/slow", "/resetting", "/dead"}
	in, path := endpointsAt(t, s, p, w.URL, kinds)
	raised := make(chan struct{})
	go func() {
		defer close(raised)
		raise(t, p, in, events)
	}()
	ran, longest := map[string]bool{}, time.Duration(0)
	for range kills {
		before := w.attempts()
		<-time.After(time.Duration(50+rand.IntN(500)) * time.Millisecond) // the moment of a kill is any
		s.kill()
		p.claimed(t, ran, path)
		began := time.Now()
		s = h.serve(t)
		if p.due(t) > 0 {
			eventually(t, "an attempt after the restart", func() bool { return w.attempts() > before })
			longest = max(longest, time.Since(began))
		}
	}
	<-raised
	t.Logf("the first attempt after a kill came after %s at most", longest)
	w.complete(t, kinds[:4], events)
	for key, n := range w.counts() {
		if n > 1 && !ran[key] {
			t.Errorf("%s was acknowledged %d times, and no attempt at it ran at a kill", key, n)
		}
	}
	s.signalAndEnd(t)
}

// complete waits until all events are acknowledged at the receivers that can.
func (w *receivers) complete(t *testing.T, paths []string, events int) {
	t.Helper()
	late := time.Now().Add(3 * time.Minute)
	for {
		missing := ""
		counts := w.counts()
		for _, path := range paths {
			n := 0
			for key := range counts {
				if strings.HasPrefix(key, path+" ") {
					n++
				}
			}
			if n != events {
				missing += fmt.Sprintf(" %s %d of %d", path, n, events)
			}
		}
		if missing == "" {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("lost:%s", missing)
		}
		<-time.After(50 * time.Millisecond)
	}
}

// counts are the acknowledgements by path and event.
func (w *receivers) counts() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.acked)
}

// due are the deliveries that an attempt could start on now.
func (p *product) due(t *testing.T) (n int) {
	t.Helper()
	dbtest.Row(t, p.DB, "SELECT count(*) FROM deliveries WHERE ready OR claimed_by IS NOT NULL", nil, &n)
	return n
}

// raise commits events, a few at a time.
func raise(t *testing.T, p *product, in access.Portfolio, n int) {
	ticket := &portfolio.Ticket{
		Record: portfolio.Record{
			ID:      "tkt_01KA5R2M7Q8D4E6F9G1H3J5K7M",
			Object:  "maintenance_ticket",
			Mode:    in.Mode,
			Version: 1,
		},
		Title:       "Tap",
		Description: "It drips.",
	}
	for range n / 10 {
		err := p.DB.Atomically(context.Background(), func(ctx context.Context) error {
			for range 10 {
				if err := p.Webhook.Raise(ctx, in, event.MaintenanceCreated, ticket); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("raise: %v", err)
			return
		}
	}
}

// endpointsAt registers an endpoint for each path in the live portfolio of the demo's
// landlord, and tells which is whose.
func endpointsAt(
	t *testing.T, s *service, p *product, url string, paths []string,
) (in access.Portfolio, path map[string]string) {
	t.Helper()
	caller, err := p.Developer.Authenticate(t.Context(), "Bearer "+s.vars["PORTAL_LIVE_KEY"])
	if err != nil {
		t.Fatal(err)
	}
	by := *caller.Actor()
	path = map[string]string{}
	for _, one := range paths {
		made, err := p.Webhook.CreateEndpoint(t.Context(), by, webhook.EndpointCreate{URL: url + one})
		if err != nil {
			t.Fatal(err)
		}
		path[made.After.ID] = one
	}
	return by.Portfolio, path
}

package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/api/webhook/dispatch"
	"portal/api/webhook/signature"
	"portal/db/dbtest"
	"portal/db/webhookstore"
)

// another is one more process over the same database.
func (p *post) another() *post {
	p.T.Helper()
	o := &post{queue: p.queue, store: webhookstore.New(p.DB)}
	o.fixture = &fixture{&dbtest.Webhooks{
		Service: webhook.New(webhookstore.New(p.DB), p.Box, o.clock, true),
		T:       p.T,
		DB:      p.DB,
		Box:     p.Box,
		Live:    p.Live,
		Demo:    p.Demo,
	}}
	o.start()
	return o
}

// many commits events, some in each transaction.
func (p *post) many(by access.Actor, n int) {
	p.T.Helper()
	for n > 0 {
		some := min(n, 100)
		n -= some
		must(p.T, p.DB.Atomically(p.T.Context(), func(ctx context.Context) error {
			for range some {
				if err := p.Raise(ctx, by.Portfolio, "maintenance.created", sample(by.Portfolio.Mode)); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// heldReceiver is a receiver whose answers wait until it is opened, and which counts how many
// requests it has at once.
type heldReceiver struct {
	*receiver
	open          chan struct{}
	running, most atomic.Int64
}

func newGate(t testing.TB) *heldReceiver {
	g := &heldReceiver{open: make(chan struct{}), receiver: &receiver{came: make(chan struct{}, 100_000)}}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := g.running.Add(1)
		defer g.running.Add(-1)
		for m := g.most.Load(); n > m && !g.most.CompareAndSwap(m, n); m = g.most.Load() {
		}
		nth := g.receive(r)
		select {
		case <-g.open:
		case <-r.Context().Done():
		}
		if g.answer != nil {
			g.answer(nth, w)
		}
		g.came <- struct{}{}
	}))
	t.Cleanup(g.Close)
	t.Cleanup(g.release)
	return g
}

func (g *heldReceiver) release() {
	select {
	case <-g.open:
	default:
		close(g.open)
	}
}

func TestAtMostTenConcurrentAttemptsPerEndpoint(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		g := newGate(t)
		p.Create(p.Live, g.URL)
		if p.DB.Postgres() != nil {
			p.another()
		}
		p.many(p.Live, 100)
		until(t, "ten attempts run", func() bool { return g.running.Load() == 10 })
		p.many(p.Live, 1)
		until(
			t,
			"the last one is queued",
			func() bool { return p.Count("deliveries WHERE claimed_by IS NOT NULL") == 10 },
		)
		g.release()
		g.wait(t, 101)
		until(t, "all are noted", func() bool { return p.pending() == 0 })
		if g.most.Load() != 10 || p.Count("delivery_attempts") != 101 {
			t.Errorf("%d ran at once, %d attempts", g.most.Load(), p.Count("delivery_attempts"))
		}
	})
}

func TestMultipleProcessesSendEachDeliveryOnce(t *testing.T) {
	t.Parallel()
	p := sending(t, dbtest.OnPostgres(t))
	s := newReceiver(t, nil)
	for i := range 5 {
		p.Create(p.Live, fmt.Sprintf("%s/%d", s.URL, i))
	}
	for range 3 {
		p.another()
	}
	p.many(p.Live, 400)
	all := s.wait(t, 2000)
	until(t, "all are noted", func() bool { return p.pending() == 0 })
	seen := map[string]int{}
	for _, g := range all {
		seen[g.Get("X-Service-Delivery")]++
	}
	if len(seen) != 2000 || len(all) != 2000 || p.Count("delivery_attempts") != 2000 {
		t.Errorf("%d deliveries were sent %d times, with %d attempts", len(seen), len(all),
			p.Count("delivery_attempts"))
	}
	if n := len(p.Texts("DISTINCT status FROM deliveries")); n != 1 {
		t.Errorf("%d statuses", n)
	}
}

// manyEndpoints registers endpoints in portfolios of their own, twenty in each, and queues
// deliveries to them.
func (p *post) manyEndpoints(urls []string, deliveries int) (all []access.Actor) {
	p.T.Helper()
	var by access.Actor
	for i, url := range urls {
		if i%20 == 0 {
			by, _ = p.Landlord(fmt.Sprintf("crowd%d", i))
			all = append(all, by)
		}
		now := p.clock()
		e := webhook.Endpoint{
			Record: portfolio.Record{
				ID:        id.New(id.Endpoint, now),
				Object:    "webhook_endpoint",
				Mode:      access.Live,
				Version:   1,
				CreatedAt: clock.At(now),
				UpdatedAt: clock.At(now),
			},
			URL:          url,
			Events:       []webhook.Kind{webhook.EveryKind},
			Status:       webhook.Enabled,
			SecretPrefix: "whsec_AAAA",
		}
		secret, _ := signature.NewSecret()
		must(
			p.T,
			webhookstore.New(p.DB).AddEndpoint(
				p.T.Context(),
				by.Portfolio,
				e,
				p.Box.Seal(webhook.SecretPurpose, secret),
			),
		)
		if i%20 == 19 || i == len(urls)-1 {
			p.many(by, deliveries/len(urls))
		}
	}
	return all
}

// deadAddress is one where nobody listens.
func deadAddress(t testing.TB) string {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return "http://" + l.Addr().String()
}

// TestBacklogToDeadAndSlowEndpointsBlocksNoOther: while receivers that
// never answer hold all that they can, another gets its own.
func TestBacklogToDeadAndSlowEndpointsBlocksNoOther(t *testing.T) {
	t.Parallel()
	p := idle(t, dbtest.SQLite(t))
	g, s := newGate(t), newReceiver(t, nil)
	dead := deadAddress(t)
	var urls []string
	for i := range 40 {
		urls = append(urls, fmt.Sprintf("%s/%d", []string{g.URL, dead}[i%2], i))
	}
	p.manyEndpoints(urls, 20_000)
	p.Create(p.Live, s.URL)
	p.start()
	until(t, "the slow ones hold what they can", func() bool { return g.running.Load() >= 20 })
	for range 100 {
		p.raise(p.Live)
	}
	s.wait(t, 100)
	if n := p.pending(); n < 15_000 {
		t.Errorf("%d are pending: they were to be there all the time", n)
	}
	g.release()
}

func TestNoAttemptStartsAfterDeletionResponse(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		for range 20 {
			var deleted atomic.Bool
			var late atomic.Int64
			s := newReceiver(t, func(_ int, _ http.ResponseWriter) {
				if deleted.Load() {
					late.Add(1)
				}
			})
			e := p.Create(p.Live, s.URL)
			p.many(p.Live, 200)
			s.wait(t, 5)
			_, err := p.DisableEndpoint(t.Context(), p.Live, e.ID)
			must(t, err)
			begun := p.Count("deliveries WHERE endpoint_id = $1 AND claimed_by IS NOT NULL", e.ID)
			deleted.Store(true)
			must(t, p.Raise(t.Context(), p.Live.Portfolio, "lease.signed", &portfolio.Lease{}))
			until(t, "what ran is noted", func() bool {
				return p.Count("deliveries WHERE endpoint_id = $1 AND claimed_by IS NOT NULL", e.ID) == 0
			})
			// What had been sent before may still be on its way into the receiver.
			if int(late.Load()) > begun {
				t.Errorf("%d requests came after the deletion, when %d had begun", late.Load(), begun)
			}
			if n := p.Count("deliveries WHERE endpoint_id = $1 AND status = 'pending'", e.ID); n != 0 {
				t.Errorf("%d deliveries are pending", n)
			}
			sent, noted := len(s.all), p.Count("deliveries WHERE endpoint_id = $1 AND status = 'succeeded'", e.ID)
			if sent != noted {
				t.Errorf("%d were sent, %d are noted", sent, noted)
			}
		}
	})
}

func TestConnectingAttemptIsNotSentAfterEndpointDeletion(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := sending(t, r.DB)
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		must(t, err)
		defer l.Close()
		hello := make(chan []byte, 10)
		go func() { // takes connections and never shakes hands
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				t.Cleanup(func() { c.Close() })
				b := make([]byte, 5)
				_, _ = c.Read(b)
				hello <- b
			}
		}()
		e := p.Create(p.Live, "https://"+l.Addr().String())
		p.raise(p.Live)
		if first := <-hello; first[0] != 22 { // a TLS handshake
			t.Errorf("the first bytes are %v", first)
		}
		_, err = p.DisableEndpoint(t.Context(), p.Live, e.ID)
		must(t, err)
		until(
			t,
			"the attempt is let go",
			func() bool { return p.Count("deliveries WHERE claimed_by IS NOT NULL") == 0 },
		)
		if d := p.only(p.Live, e.ID); d.Status != webhook.Cancelled || d.AttemptCount != 0 || len(d.Attempts) != 0 {
			t.Errorf("%+v", d)
		}
	})
}

func TestShutdownWaitsForRunningAttemptsAndRecordsThem(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		g := newGate(t)
		e := p.Create(p.Live, g.URL)
		p.many(p.Live, 15)
		until(t, "ten attempts run", func() bool { return g.running.Load() == 10 })
		p.end()
		g.release()
		p.stop()
		if n := p.Count("deliveries WHERE status = 'succeeded' AND claimed_by IS NULL"); n != 10 {
			t.Errorf("%d are noted", n)
		}
		p.start()
		g.wait(t, 15)
		until(
			t,
			"the rest is sent",
			func() bool { return p.Count("deliveries WHERE endpoint_id = $1 AND status = 'succeeded'", e.ID) == 15 },
		)
	})
}

func TestShutdownInterruptsSlowAttemptsAndResendsOnStart(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := sending(t, r.DB)
		g := newGate(t)
		e := p.Create(p.Live, g.URL)
		p.raise(p.Live)
		until(t, "it runs", func() bool { return g.running.Load() == 1 })
		p.stop()
		d := p.only(p.Live, e.ID)
		if d.Status != webhook.Retrying || len(d.Attempts) != 1 ||
			!strings.HasPrefix(*d.Attempts[0].Error, "interrupted: ") || p.Count("deliveries WHERE ready") != 1 {
			t.Errorf("%+v", d)
		}
		g.release()
		p.start()
		if d = p.attempted(p.Live, e.ID, 2); d.Status != webhook.Succeeded {
			t.Errorf("%+v", d)
		}
	})
}

// failingStore is a store that fails as it is told.
type failingStore struct {
	dispatch.Store
	mu   sync.Mutex
	fail func(all []webhook.Conclusion) error

	unclaimable string // an endpoint
}

func (f *failingStore) ConcludeEach(
	ctx context.Context, by string, ended []webhook.Ended,
) ([]webhook.Concluded, error) {
	for _, e := range ended {
		f.mu.Lock()
		err := f.fail(e.All)
		f.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
	return f.Store.ConcludeEach(ctx, by, ended)
}

// ClaimEach fails for one endpoint, as a row would that cannot be read.
func (f *failingStore) ClaimEach(
	ctx context.Context, c webhook.Claim, endpoints []webhook.Wanted,
) ([]*webhook.Claimed, error) {
	for _, p := range endpoints {
		if p.Endpoint == f.unclaimable {
			return nil, errors.New("no")
		}
	}
	return f.Store.ClaimEach(ctx, c, endpoints)
}

func TestUnclaimableEndpointBlocksNoOther(t *testing.T) {
	t.Parallel()
	p := idle(t, dbtest.SQLite(t))
	s := newReceiver(t, nil)
	bad := p.Create(p.Live, s.URL+"/bad")
	p.Create(p.Live, s.URL+"/good")
	store := &failingStore{
		Store:       webhookstore.New(p.DB),
		fail:        func([]webhook.Conclusion) error { return nil },
		unclaimable: bad.ID,
	}
	p.Service, p.store = webhook.New(webhookstore.New(p.DB), p.Box, p.clock, true), store
	p.many(p.Live, 30)
	p.start()
	s.wait(t, 30)
	until(t, "the others are noted", func() bool { return p.Count("deliveries WHERE status = 'succeeded'") == 30 })
}

func TestFailedResultWriteIsRetriedAndBlocksNoOther(t *testing.T) {
	t.Parallel()
	for name, cause := range map[string]error{"away": fault.Of(fault.Unavailable), "bad": errors.New("no")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := idle(t, dbtest.SQLite(t))
			var bad string
			left := 3
			store := &failingStore{Store: webhookstore.New(p.DB), fail: func(all []webhook.Conclusion) error {
				for i := range all {
					switch {
					case name == "away" && left > 0:
						left--
						return cause
					case name == "bad" && (bad == "" || bad == all[i].Work.ID):
						bad = all[i].Work.ID
						return cause
					}
				}
				return nil
			}}
			p.Service, p.store = webhook.New(webhookstore.New(p.DB), p.Box, p.clock, true), store
			s := newReceiver(t, nil)
			p.Create(p.Live, s.URL)
			p.many(p.Live, 50)
			p.start()
			s.wait(t, 50)
			want := map[string]int{"away": 50, "bad": 49}[name]
			until(
				t,
				"the notes are written",
				func() bool { return p.Count("deliveries WHERE status = 'succeeded'") == want },
			)
			if name == "away" && len(s.all) != 50 {
				t.Errorf("%d were sent", len(s.all))
			}
		})
	}
}

// TestStoreOutageDuringBatchedWritesLosesNoResults: the first word of a server
// that dies need not be that it is away.
func TestStoreOutageDuringBatchedWritesLosesNoResults(t *testing.T) {
	t.Parallel()
	p := idle(t, dbtest.SQLite(t))
	calls := 0
	store := &failingStore{Store: webhookstore.New(p.DB), fail: func([]webhook.Conclusion) error {
		switch calls++; {
		case calls == 1:
			return errors.New("unexpected EOF")
		case calls < 8:
			return fault.Of(fault.Unavailable)
		}
		return nil
	}}
	p.Service, p.store = webhook.New(webhookstore.New(p.DB), p.Box, p.clock, true), store
	s := newReceiver(t, nil)
	p.Create(p.Live, s.URL)
	p.many(p.Live, 10)
	p.start()
	s.wait(t, 10)
	until(t, "the notes are written", func() bool { return p.Count("deliveries WHERE status = 'succeeded'") == 10 })
	if n := len(s.all); n != 10 {
		t.Errorf("%d were sent", n)
	}
}

// TestSimultaneouslyFreedSlotsAreReusedImmediately: attempts that end at the same moment
// leave nothing behind whose end could bring the next cycle.
func TestSimultaneouslyFreedSlotsAreReusedImmediately(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		const rounds = 20
		var mu sync.Mutex
		here, open := 0, make(chan struct{})
		s := newReceiver(t, func(int, http.ResponseWriter) {
			mu.Lock()
			opens := open
			if here++; here == 10 {
				close(open)
				here, open = 0, make(chan struct{})
			}
			mu.Unlock()
			<-opens
		})
		p.Create(p.Live, s.URL)
		p.many(p.Live, 10*rounds)
		began := time.Now()
		s.wait(t, 10*rounds)
		if took := time.Since(began); took > rounds*250*time.Millisecond {
			t.Errorf("%d rounds took %s: each waited until the store was looked at", rounds, took)
		}
	})
}

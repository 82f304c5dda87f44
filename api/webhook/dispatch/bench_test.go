package dispatch_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/webhookstore"
)

// stores are the databases that a benchmark runs over. SQLite is as in production, with
// synchronous=FULL; of PostgreSQL it depends on the server.
func stores(b *testing.B, run func(b *testing.B, open func() *db.DB)) {
	b.Run("sqlite", func(b *testing.B) { run(b, func() *db.DB { return dbtest.SQLite(b) }) })
	b.Run("postgres", func(b *testing.B) {
		run(b, func() *db.DB { return dbtest.OnPostgres(b) })
	})
}

// BenchmarkDeliveries is how many deliveries a second go from the queue to a receiver on
// the same machine, noted with their attempts: by the dispatcher, and for comparison by
// one River job for each, which reads the event, makes the same attempt and writes the
// same rows.
func BenchmarkDeliveries(b *testing.B) {
	const endpoints = 20
	measure := func(b *testing.B, open func() *db.DB, deliveries int, work func(p *post)) {
		for range b.N {
			b.StopTimer()
			p, s := loaded(b, open(), deliveries, endpoints)
			b.StartTimer()
			work(p)
			s.wait(b, deliveries)
			until(b, "all are noted", func() bool { return p.pending() == 0 })
			b.StopTimer()
			p.stop()
			s.Close()
			b.StartTimer()
		}
		b.ReportMetric(float64(deliveries*b.N)/b.Elapsed().Seconds(), "deliveries/s")
	}
	stores(b, func(b *testing.B, open func() *db.DB) {
		b.Run("dispatcher", func(b *testing.B) { measure(b, open, 10_000, (*post).start) })
		b.Run("river", func(b *testing.B) { measure(b, open, 2000, (*post).river) })
	})
}

// loaded is a system whose queue holds deliveries, with their receiver; it has not begun.
func loaded(b *testing.B, d *db.DB, deliveries, endpoints int) (*post, *receiver) {
	p := idle(b, d)
	s := newReceiver(b, nil)
	for i := range endpoints {
		p.Create(p.Live, fmt.Sprintf("%s/%d", s.URL, i))
	}
	record := sample(p.Live.Portfolio.Mode)
	for range deliveries / endpoints / 50 {
		must(b, d.Atomically(b.Context(), func(ctx context.Context) error {
			for range 50 {
				if err := p.Raise(ctx, p.Live.Portfolio, "maintenance.created", record); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return p, s
}

// BenchmarkCommitToArrival is the median time from an event's commit to its arrival at a
// receiver on the same machine, while nothing else happens, and for comparison that of a bare
// request with a body as long.
func BenchmarkCommitToArrival(b *testing.B) {
	stores(b, func(b *testing.B, open func() *db.DB) {
		p := idle(b, open())
		s := newReceiver(b, nil)
		p.Create(p.Live, s.URL)
		p.start()
		events := max(b.N, 10)
		median := p.median(s, events)
		p.stop()
		bare := bareRequest(b, s, events)
		b.ReportMetric(median.Seconds()*1000, "ms-median")
		b.ReportMetric(bare.Seconds()*1000, "ms-bare")
		b.ReportMetric(median.Seconds()/bare.Seconds(), "ratio")
	})
}

// bareRequest is the median time of requests until they arrive, at the pace of latencies.
func bareRequest(b *testing.B, s *receiver, requests int) time.Duration {
	took := make([]time.Duration, requests)
	for i := range took {
		began := time.Now()
		response, err := http.Post(s.URL, "application/json", bytes.NewReader(s.all[0].body))
		must(b, err)
		_, _ = io.Copy(io.Discard, response.Body)
		must(b, response.Body.Close())
		<-s.came
		s.mu.Lock()
		took[i] = s.all[len(s.all)-1].at.Sub(began)
		s.mu.Unlock()
		<-time.After(10 * time.Millisecond)
	}
	slices.Sort(took)
	return took[requests/2]
}

// BenchmarkQuietBesideNoise is the time from an event's commit to its arrival at a quiet
// endpoint, alone and while 20,000 deliveries are queued to 20 dead endpoints and 20 that
// never answer: the medians, and how many times the first the second is.
func BenchmarkQuietBesideNoise(b *testing.B) {
	const events = 200
	stores(b, func(b *testing.B, open func() *db.DB) {
		for range b.N {
			p := idle(b, open())
			s := newReceiver(b, nil)
			p.Create(p.Live, s.URL)
			p.start()
			quiet := p.latencies(s, events)
			g, dead := newGate(b), deadAddress(b)
			var urls []string
			for i := range 40 {
				urls = append(urls, fmt.Sprintf("%s/%d", []string{g.URL, dead}[i%2], i))
			}
			p.manyEndpoints(urls, 20_000)
			until(b, "the noise is there", func() bool { return g.running.Load() >= 20 })
			compare(b, quiet, p.latencies(s, events))
			g.release()
			p.stop()
		}
	})
}

// compare reports what is beside something else, and how many times what is alone it is.
func compare(b *testing.B, alone, beside []time.Duration) {
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
	of := func(all []time.Duration, part float64) time.Duration { return all[int(part*float64(len(all)-1))] }
	b.ReportMetric(ms(of(alone, 0.5)), "ms-alone")
	b.ReportMetric(ms(of(alone, 0.99)), "ms-alone-p99")
	b.ReportMetric(ms(of(beside, 0.5)), "ms-beside")
	b.ReportMetric(ms(of(beside, 0.99)), "ms-beside-p99")
	b.ReportMetric(of(beside, 0.5).Seconds()/of(alone, 0.5).Seconds(), "ratio")
}

// bad is a receiver that does not answer as it should, each of its endpoints by itself.
func bad(b *testing.B, kind string) *httptest.Server {
	over := make(chan struct{})
	var mu sync.Mutex
	seen := map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		mu.Lock()
		n := seen[r.URL.Path]
		seen[r.URL.Path]++
		mu.Unlock()
		var after <-chan time.Time // never
		switch {
		case kind == "slow" || kind == "alternating" && n%2 == 1:
			after = time.After(1800 * time.Millisecond)
		case kind == "alternating":
			return
		}
		select {
		case <-after:
		case <-r.Context().Done():
		case <-over:
		}
	}))
	b.Cleanup(s.Close)
	b.Cleanup(func() { close(over) })
	return s
}

// BenchmarkQuietBesideBadEndpoints is the time from an event's commit to its arrival at a
// quiet endpoint, alone and beside endpoints that hang, that answer after 1.8 s, and that
// do so every other time, each of which gets an event a second: at rest, when that has gone
// on for a while, and from a start on with twenty events queued for each of them.
func BenchmarkQuietBesideBadEndpoints(b *testing.B) {
	stores(b, func(b *testing.B, open func() *db.DB) {
		for _, kind := range []string{"hanging", "slow", "alternating"} {
			for _, n := range []int{40, 120, 500} {
				for _, queued := range []int{0, 20} {
					name := fmt.Sprintf("%s/%d/%s", kind, n, map[int]string{0: "rest", 20: "start"}[queued])
					b.Run(name, func(b *testing.B) {
						for range b.N {
							quietBesideBad(b, open(), bad(b, kind).URL, n, queued)
						}
					})
				}
			}
		}
	})
}

func quietBesideBad(b *testing.B, d *db.DB, url string, n, queued int) {
	const events, settles = 400, 12 * time.Second
	p, s := idle(b, d), newReceiver(b, nil)
	p.Create(p.Live, s.URL)
	p.start()
	alone := p.latencies(s, events/2)
	var urls []string
	for i := range n {
		urls = append(urls, fmt.Sprintf("%s/%d", url, i))
	}
	if queued > 0 {
		p.stop()
	}
	crowd := p.manyEndpoints(urls, queued*n)
	if queued > 0 {
		p.start()
	}
	ctx, cancel := context.WithCancel(b.Context())
	var all sync.WaitGroup
	for _, by := range crowd {
		all.Go(func() { p.everySecond(ctx, by) })
	}
	if queued == 0 {
		<-time.After(settles)
	}
	compare(b, alone, p.latencies(s, events))
	cancel()
	all.Wait()
	p.stop()
}

// everySecond raises an event in a portfolio each second.
func (p *post) everySecond(ctx context.Context, by access.Actor) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if err := p.Raise(ctx, by.Portfolio, "maintenance.created", sample(by.Portfolio.Mode)); err != nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// BenchmarkRaiseToNoted has 16 writers raise 4,000 events in one portfolio with 5 endpoints,
// each in a transaction of its own, and tells how many events a second that makes, and how
// many deliveries a second from the first event to the note of the last attempt. Beside it
// the same writers insert a row a transaction, without a lock and without deliveries.
func BenchmarkRaiseToNoted(b *testing.B) {
	const events, endpoints = 4000, 5
	stores(b, func(b *testing.B, open func() *db.DB) {
		var raising, all, bare time.Duration
		for range b.N {
			p, s := idle(b, open()), newReceiver(b, nil)
			bare += writers(b, events, func(ctx context.Context) error {
				e := webhook.Event{ID: id.New(id.Event, p.clock()), Type: "lease.signed", Body: make([]byte, 1500)}
				return p.DB.Atomically(ctx, func(ctx context.Context) error {
					return webhookstore.New(p.DB).AddEvent(ctx, p.Live.Portfolio, &e)
				})
			})
			for i := range endpoints {
				p.Create(p.Live, fmt.Sprintf("%s/%d", s.URL, i))
			}
			p.start()
			record := sample(p.Live.Portfolio.Mode)
			began := time.Now()
			raising += writers(b, events, func(ctx context.Context) error {
				return p.Raise(ctx, p.Live.Portfolio, "maintenance.created", record)
			})
			s.wait(b, events*endpoints)
			until(b, "all are noted", func() bool { return p.pending() == 0 })
			all += time.Since(began)
			p.stop()
		}
		b.ReportMetric(float64(events*b.N)/raising.Seconds(), "events/s")
		b.ReportMetric(float64(events*endpoints*b.N)/all.Seconds(), "deliveries/s")
		b.ReportMetric(float64(events*b.N)/bare.Seconds(), "bare-inserts/s")
	})
}

// writers does something so often, from 16 goroutines, and tells how long that takes.
func writers(b *testing.B, times int, do func(ctx context.Context) error) time.Duration {
	const writers = 16
	began := time.Now()
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range times / writers {
				if err := do(b.Context()); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

// median is how long events take from their commit to a receiver, half of them at most.
func (p *post) median(s *receiver, events int) time.Duration { return p.latencies(s, events)[events/2] }

// latencies are how long events take from their commit to a receiver, in ascending order.
func (p *post) latencies(s *receiver, events int) []time.Duration {
	took := make([]time.Duration, events)
	for i := range took {
		p.raise(p.Live)
		committed := time.Now()
		<-s.came
		s.mu.Lock()
		took[i] = s.all[len(s.all)-1].at.Sub(committed)
		s.mu.Unlock()
		<-time.After(10 * time.Millisecond) // this is about a quiet endpoint
	}
	slices.Sort(took)
	return took
}

// sample is a record as a tenant's ticket is.
func sample(mode access.Mode) *portfolio.Ticket {
	return &portfolio.Ticket{
		Record: portfolio.Record{
			ID:      id.New(id.Ticket, noon),
			Object:  "maintenance_ticket",
			Mode:    mode,
			Version: 1,
		},
		Title:       "Kitchen tap drips",
		Description: "The kitchen tap drips all night, and the cupboard below it is damp.",
		Status:      portfolio.TicketOpen,
	}
}

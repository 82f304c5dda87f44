package webhook_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
)

// stores are the databases that a benchmark runs over. SQLite is as in production, with
// synchronous=FULL; of PostgreSQL it depends on the server.
func stores(b *testing.B, run func(b *testing.B, open func() *db.DB)) {
	b.Run("sqlite", func(b *testing.B) { run(b, func() *db.DB { return dbtest.SQLite(b) }) })
	b.Run("postgres", func(b *testing.B) {
		run(b, func() *db.DB { return dbtest.OnPostgres(b, os.Getenv("PORTAL_TEST_DATABASE_URL")) })
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
func loaded(b *testing.B, d *db.DB, deliveries, endpoints int) (*post, *sink) {
	p := idle(b, d)
	s := newSink(b, nil)
	for i := range endpoints {
		p.create(p.live, fmt.Sprintf("%s/%d", s.URL, i))
	}
	record := sample(p.live.Portfolio.Mode)
	for range deliveries / endpoints / 50 {
		must(b, d.Atomically(b.Context(), func(ctx context.Context) error {
			for range 50 {
				if err := p.Raise(ctx, p.live.Portfolio, "maintenance.created", record); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return p, s
}

// BenchmarkCommitToArrival is the median time from an event's commit to its arrival at a
// receiver on the same machine, while nothing else happens.
func BenchmarkCommitToArrival(b *testing.B) {
	stores(b, func(b *testing.B, open func() *db.DB) {
		p := idle(b, open())
		s := newSink(b, nil)
		p.create(p.live, s.URL)
		p.start()
		b.ReportMetric(p.median(s, max(b.N, 10)).Seconds()*1000, "ms-median")
		p.stop()
	})
}

// BenchmarkQuietBesideNoise is the time from an event's commit to its arrival at a quiet
// endpoint, alone and while 20,000 deliveries are queued to 20 dead endpoints and 20 that
// never answer: the medians, and how many times the first the second is.
func BenchmarkQuietBesideNoise(b *testing.B) {
	const events = 200
	stores(b, func(b *testing.B, open func() *db.DB) {
		for range b.N {
			p := idle(b, open())
			s := newSink(b, nil)
			p.create(p.live, s.URL)
			p.start()
			quiet := p.median(s, events)
			g, dead := newGate(b), deadAddress(b)
			var urls []string
			for i := range 40 {
				urls = append(urls, fmt.Sprintf("%s/%d", []string{g.URL, dead}[i%2], i))
			}
			p.crowd(urls, 20_000)
			until(b, "the noise is there", func() bool { return g.running.Load() == 200 })
			noisy := p.median(s, events)
			b.ReportMetric(quiet.Seconds()*1000, "ms-alone")
			b.ReportMetric(noisy.Seconds()*1000, "ms-beside")
			b.ReportMetric(noisy.Seconds()/quiet.Seconds(), "ratio")
			g.release()
			p.stop()
		}
	})
}

// median is how long events take from their commit to a receiver.
func (p *post) median(s *sink, events int) time.Duration {
	took := make([]time.Duration, events)
	for i := range took {
		p.raise(p.live)
		committed := time.Now()
		<-s.came
		s.mu.Lock()
		took[i] = s.all[len(s.all)-1].at.Sub(committed)
		s.mu.Unlock()
		<-time.After(5 * time.Millisecond) // this is about a quiet endpoint
	}
	slices.Sort(took)
	return took[events/2]
}

// sample is a record as a tenant's ticket is.
func sample(mode access.Mode) *portfolio.Ticket {
	return &portfolio.Ticket{
		Record: portfolio.Record{ID: id.New(id.Ticket, noon), Object: "maintenance_ticket", Mode: mode, Version: 1},
		Title:  "Kitchen tap drips", Description: "The kitchen tap drips all night, and the cupboard below it is damp.", Status: portfolio.TicketOpen,
	}
}

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
// one River job for each, which makes the attempt and writes the same row.
func BenchmarkDeliveries(b *testing.B) {
	const deliveries, endpoints = 10_000, 20
	stores(b, func(b *testing.B, open func() *db.DB) {
		b.Run("dispatcher", func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				p, s := loaded(b, open(), deliveries, endpoints)
				b.StartTimer()
				began := time.Now()
				p.start()
				s.wait(b, deliveries)
				until(b, "all are noted", func() bool { return p.pending() == 0 })
				b.ReportMetric(deliveries/time.Since(began).Seconds(), "deliveries/s")
				b.StopTimer()
				p.stop()
				s.Close()
				b.StartTimer()
			}
		})
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

// BenchmarkCommitToArrival is the time from an event's commit to its arrival at a receiver
// on the same machine, while nothing else happens: the median and the 99th percentile.
func BenchmarkCommitToArrival(b *testing.B) {
	stores(b, func(b *testing.B, open func() *db.DB) {
		p := idle(b, open())
		s := newSink(b, nil)
		p.create(p.live, s.URL)
		p.start()
		record := sample(p.live.Portfolio.Mode)
		var took []time.Duration
		for range b.N {
			must(b, p.Raise(b.Context(), p.live.Portfolio, "maintenance.created", record))
			committed := time.Now()
			<-s.came
			s.mu.Lock()
			took = append(took, s.all[len(s.all)-1].at.Sub(committed))
			s.mu.Unlock()
			<-time.After(2 * time.Millisecond) // let the note be written: this is about an idle system
		}
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2].Seconds()*1000, "ms-median")
		b.ReportMetric(took[len(took)*99/100].Seconds()*1000, "ms-p99")
		p.stop()
	})
}

// sample is a record as a tenant's ticket is.
func sample(mode access.Mode) *portfolio.Ticket {
	return &portfolio.Ticket{
		Record: portfolio.Record{ID: id.New(id.Ticket, noon), Object: "maintenance_ticket", Mode: mode, Version: 1},
		Title:  "Kitchen tap drips", Description: "The kitchen tap drips all night, and the cupboard below it is damp.", Status: portfolio.TicketOpen,
	}
}

package db_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// BenchmarkGroupCommit writes one after the other and by 64 at once, each write
// durable when it returns, and tells how many times as many that makes.
func BenchmarkGroupCommit(b *testing.B) {
	const writes, writers = 1024, 64
	d := dbtest.SQLite(b)
	commits, err := d.Commits(b.Context())
	must(b, err)
	var alone, together time.Duration
	var groups int64
	for round := 0; b.Loop(); round++ {
		alone += spent(func() { addUsers(b, d, fmt.Sprint("alone", round), writes) })
		before := commits.Load()
		together += spent(func() {
			var all sync.WaitGroup
			for w := range writers {
				all.Go(func() { addUsers(b, d, fmt.Sprint("together", round, w), writes/writers) })
			}
			all.Wait()
		})
		groups += commits.Load() - before
	}
	n := float64(b.N * writes)
	b.ReportMetric(n/alone.Seconds(), "alone/s")
	b.ReportMetric(n/together.Seconds(), "together/s")
	b.ReportMetric(alone.Seconds()/together.Seconds(), "ratio")
	b.ReportMetric(n/float64(groups), "writes/commit")
}

func spent(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

func addUsers(b *testing.B, d *db.DB, name string, n int) {
	for i := range n {
		if err := addUser(b.Context(), d, fmt.Sprint(name, "-", i)); err != nil {
			b.Error(err)
		}
	}
}

// BenchmarkListProperties reads pages of 20 of a portfolio of 10,000, and of a
// million where -bench names that number: to make them takes a minute.
func BenchmarkListProperties(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 10_000 && !strings.Contains(flag.Lookup("test.bench").Value.String(), fmt.Sprint(n)) {
				b.Skip("ask for it with -bench ListProperties/1000000")
			}
			d := dbtest.SQLite(b)
			in := portfolioOf(b, d, "acct")
			ids := properties(b, d, in, n)
			for _, cursor := range []struct{ name, after string }{
				{"first", ""},
				{"middle", ids[n/2]},
				{"last", ids[n-10]},
			} {
				filters := map[string]portfolio.PropertyFilter{
					"none":               {},
					"state":              {State: "TX"},
					"city":               {City: "austin"},
					"type":               {PropertyType: "condo"},
					"status":             {Status: "archived"},
					"state+city":         {State: "TX", City: "austin"},
					"city absent":        {City: "nowhere"},
					"updated_after none": {Query: list.Query{UpdatedAfter: new(clock.Time(1 << 50))}},
				}
				for _, name := range slices.Sorted(maps.Keys(filters)) {
					f := filters[name]
					f.Limit, f.StartingAfter = 20, cursor.after
					b.Run(cursor.name+"/"+name, func(b *testing.B) {
						for b.Loop() {
							_, err := portfoliostore.New(d).Properties(b.Context(), in, f)
							must(b, err)
						}
					})
				}
			}
		})
	}
}

// properties fills a portfolio: eight states with three cities each, two of a
// hundred archived. Values are spread, so that every page meets all of them.
func properties(b *testing.B, d *db.DB, in access.Portfolio, n int) (ids []string) {
	b.Helper()
	cities := [][2]string{
		{"TX", "Austin"},
		{"TX", "Dallas"},
		{"TX", "Waco"},
		{"CO", "Denver"},
		{"MA", "Boston"},
		{"OR", "Portland"},
		{"ME", "Portland"},
		{"CA", "Fresno"},
	}
	types := portfolio.PropertyType("").Values()
	for from := 0; from < n; from += 10_000 {
		var book portfolio.Book
		for i := from; i < min(from+10_000, n); i++ {
			at := time.UnixMilli(1_700_000_000_000 + int64(i))
			p := portfolio.Property{
				StreetAddress:      fmt.Sprint(i, " Maple Avenue"),
				City:               cities[i*7%8][1],
				State:              contact.State(cities[i*7%8][0]),
				PropertyType:       portfolio.PropertyType(types[i*5%9]),
				Status:             portfolio.PropertyActive,
				VerificationStatus: portfolio.Verified,
			}
			p.ID, p.Version, p.CreatedAt, p.UpdatedAt = id.New(id.Property, at), 1, clock.At(at), clock.At(at)
			if i%50 == 0 {
				p.Status = portfolio.PropertyArchived
			}
			ids = append(ids, p.ID)
			book.Properties = append(book.Properties, p)
		}
		must(b, portfoliostore.New(d).AddProperties(b.Context(), in, &book))
	}
	return ids
}

// BenchmarkRanges asks for what an index cannot skip to, among 100,000 rows, and
// for the overdue, who have one.
func BenchmarkRanges(b *testing.B) {
	const n = 100_000
	d := dbtest.SQLite(b)
	in := portfolioOf(b, d, "acct")
	ledger(b, d, in, n)
	ctx, page := b.Context(), list.Query{Limit: 20}
	reads := map[string]func() (int, error){
		"leases": func() (int, error) {
			rows, err := portfoliostore.New(d).Leases(ctx, in, portfolio.LeaseFilter{Query: page})
			return len(rows), err
		},
		"payments": func() (int, error) {
			rows, err := portfoliostore.New(d).Payments(ctx, in, portfolio.PaymentFilter{Query: page}, n)
			return len(rows), err
		},
		"ending_before half": func() (int, error) {
			rows, err := portfoliostore.New(d).Leases(ctx, in, portfolio.LeaseFilter{
				Query:        page,
				EndingBefore: new(clock.Date(n / 2)),
			})
			return len(rows), err
		},
		"ending_before none": func() (int, error) {
			rows, err := portfoliostore.New(d).Leases(ctx, in, portfolio.LeaseFilter{
				Query:        page,
				EndingBefore: new(clock.Date(0)),
			})
			return len(rows), err
		},
		"ending_after the last": func() (int, error) {
			rows, err := portfoliostore.New(d).Leases(ctx, in, portfolio.LeaseFilter{
				Query:       page,
				EndingAfter: new(clock.Date(n - 11)),
			})
			return len(rows), err
		},
		"due_before none": func() (int, error) {
			rows, err := portfoliostore.New(d).Payments(ctx, in, portfolio.PaymentFilter{
				Query:     page,
				DueBefore: new(clock.Date(0)),
			}, n)
			return len(rows), err
		},
		"due_after the last": func() (int, error) {
			rows, err := portfoliostore.New(d).Payments(ctx, in, portfolio.PaymentFilter{
				Query:    page,
				DueAfter: new(clock.Date(n - 11)),
			}, n)
			return len(rows), err
		},
		"updated_after none": func() (int, error) {
			q := list.Query{Limit: 20, UpdatedAfter: new(clock.Time(1 << 50))}
			rows, err := portfoliostore.New(d).Payments(ctx, in, portfolio.PaymentFilter{Query: q}, n)
			return len(rows), err
		},
		"overdue": func() (int, error) {
			rows, err := portfoliostore.New(d).Payments(ctx, in, portfolio.PaymentFilter{
				Query:   page,
				Overdue: new(true),
			}, n)
			return len(rows), err
		},
		"not overdue": func() (int, error) {
			rows, err := portfoliostore.New(d).Payments(ctx, in, portfolio.PaymentFilter{
				Query:   page,
				Overdue: new(false),
			}, n)
			return len(rows), err
		},
	}
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		b.Run(name, func(b *testing.B) {
			rows := 0
			for b.Loop() {
				var err error
				rows, err = reads[name]()
				must(b, err)
			}
			b.ReportMetric(float64(rows), "rows")
		})
	}
}

// ledger fills a portfolio with leases that end day after day, and as many ledger
// rows, of which one in a hundred is unpaid.
func ledger(b *testing.B, d *db.DB, in access.Portfolio, n int) {
	b.Helper()
	head := func(prefix string, i int) portfolio.Record {
		at := time.UnixMilli(1_700_000_000_000 + int64(i))
		return portfolio.Record{
			ID:        id.New(prefix, at),
			Version:   1,
			CreatedAt: clock.At(at),
			UpdatedAt: clock.At(at),
		}
	}
	p, u, t := portfolio.Property{
		Record: head(id.Property, 0),
	}, portfolio.Unit{
		Record:     head(id.Unit, 0),
		UnitNumber: "1",
	}, portfolio.Tenant{
		Record: head(id.Tenant, 0),
	}
	u.PropertyID = p.ID
	must(b, portfoliostore.New(d).Add(b.Context(), in, &portfolio.Book{
		Properties: []portfolio.Property{p},
		Units:      []portfolio.Unit{u},
		Tenants:    []portfolio.Tenant{t},
	}))
	must(b, d.Atomically(b.Context(), func(ctx context.Context) error {
		for from := 0; from < n; from += 10_000 {
			var book portfolio.Book
			for i := from; i < from+10_000; i++ {
				l := portfolio.Lease{
					Record:     head(id.Lease, i),
					PropertyID: p.ID,
					UnitID:     u.ID,
					Status:     portfolio.LeaseActive,
					EndDate:    new(clock.Date(i)),
					Tenants:    []portfolio.Party{{ID: t.ID, Role: portfolio.PartyPrimary}},
				}
				y := portfolio.Payment{
					Record:     head(id.Payment, i),
					PropertyID: p.ID,
					UnitID:     u.ID,
					TenantID:   t.ID,
					LeaseID:    l.ID,
					Status:     portfolio.PaymentSucceeded,
					DueDate:    clock.Date(i),
				}
				if i%100 == 0 {
					y.Status = portfolio.PaymentDue
				}
				book.Leases, book.Payments = append(book.Leases, l), append(book.Payments, y)
			}
			if err := portfoliostore.New(d).Add(ctx, in, &book); err != nil {
				return err
			}
		}
		return nil
	}))
}

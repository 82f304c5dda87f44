package db_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
)

// BenchmarkInsight asks what is asked of a whole portfolio, of 10,000 properties with
// 200,000 ledger rows, on both databases. Late is a day on which every lease owes.
func BenchmarkInsight(b *testing.B) {
	for name, open := range map[string]func() *db.DB{
		"sqlite":   func() *db.DB { return dbtest.SQLite(b) },
		"postgres": func() *db.DB { return dbtest.OnPostgres(b) },
	} {
		b.Run(name, func(b *testing.B) {
			d := open()
			const today, late = 20_700, 20_800
			var in access.Portfolio
			for i, properties := range []int{500, 10_000, 500} {
				one := portfolioOf(b, d, fmt.Sprint("acct", i))
				fillTown(b, d, one, properties, today)
				if i == 1 {
					in = one
				}
			}
			if pool := d.Postgres(); pool != nil { // what it does by itself a minute later
				_, err := pool.Exec(b.Context(), "VACUUM ANALYZE")
				must(b, err)
			}
			part, err := portfoliostore.New(d).Payments(b.Context(), in, portfolio.PaymentFilter{
				Status: portfolio.PaymentPartiallyPaid,
			}, today)
			must(b, err)
			p := &part[0]
			ends := func(property string) func(context.Context) error {
				e := report.Ends{
					PropertyID: property,
					After:      report.End{Day: today},
					Through:    today + 60,
					Limit:      100,
				}
				return func(ctx context.Context) error {
					_, err := portfoliostore.New(d).ExpiringLeases(ctx, in, e)
					return err
				}
			}
			owed := func(f report.BalanceFilter, on clock.Date) func(context.Context) error {
				f.Limit = 20
				return func(ctx context.Context) error {
					_, _, err := reportstore.NewInsight(d).RentBalances(ctx, in, f, on)
					return err
				}
			}
			sum := func(on clock.Date) func(context.Context) error {
				return func(ctx context.Context) error {
					_, err := reportstore.NewInsight(d).Summary(ctx, in, on)
					return err
				}
			}
			leases, err := portfoliostore.New(
				d,
			).Leases(
				b.Context(),
				in,
				portfolio.LeaseFilter{Query: list.Query{Limit: 19}},
			)
			must(b, err)
			var ids []string
			for i := range leases {
				ids = append(ids, leases[i].ID)
			}
			asked := map[string]func(context.Context) error{
				"list of 20 leases": func(ctx context.Context) error {
					_, err := portfoliostore.New(d).Leases(ctx, in, portfolio.LeaseFilter{Query: list.Query{Limit: 19}})
					return err
				},
				"balances of 20 leases": func(ctx context.Context) error {
					_, err := portfoliostore.New(d).Balances(ctx, in, today, ids)
					return err
				},
				"overview": func(ctx context.Context) error {
					_, err := reportstore.NewInsight(d).Overview(ctx, in, report.OverviewWindow{
						From:  today - 180,
						Until: today + 30,
						Today: late,
						Soon:  1 << 50,
					})
					return err
				},
				"ends":                   ends(""),
				"ends of a property":     ends(p.PropertyID),
				"balances":               owed(report.BalanceFilter{}, today),
				"balances late":          owed(report.BalanceFilter{}, late),
				"balances over 30 days":  owed(report.BalanceFilter{MinDaysOverdue: 30}, today),
				"balance of a lease":     owed(report.BalanceFilter{LeaseID: p.LeaseID}, today),
				"balances of a tenant":   owed(report.BalanceFilter{TenantID: p.TenantID}, today),
				"balances of a property": owed(report.BalanceFilter{PropertyID: p.PropertyID}, today),
				"summary":                sum(today),
				"summary late":           sum(late),
			}
			for _, name := range slices.Sorted(maps.Keys(asked)) {
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						must(b, asked[name](b.Context()))
					}
				})
			}
		})
	}
}

// fillTown fills a portfolio: a lease a property and 20 rows of rent a lease, of which the
// last one lies ahead; one lease in ten owes a part of the two before it.
func fillTown(b *testing.B, d *db.DB, in access.Portfolio, properties int, today clock.Date) {
	b.Helper()
	t := &builder{Rand: rand.New(rand.NewPCG(1, 1)), at: time.UnixMilli(1_700_000_000_000), today: today}
	must(b, d.Atomically(b.Context(), func(ctx context.Context) error {
		for from := 0; from < properties; from += 500 {
			t.Book = portfolio.Book{}
			for i := from; i < from+500; i++ {
				t.fillHouse(i)
			}
			if err := portfoliostore.New(d).Add(ctx, in, &t.Book); err != nil {
				return err
			}
		}
		return nil
	}))
}

type builder struct {
	*rand.Rand
	portfolio.Book
	at    time.Time
	today clock.Date
	built int // tickets
}

func (t *builder) record(prefix string) portfolio.Record {
	t.at = t.at.Add(time.Millisecond)
	return portfolio.Record{
		ID:        id.New(prefix, t.at),
		Version:   1,
		CreatedAt: clock.At(t.at),
		UpdatedAt: clock.At(t.at),
	}
}

// fillHouse is a property with a unit that is let, and for one in five with a vacant one.
func (t *builder) fillHouse(i int) {
	p := portfolio.Property{
		Record:        t.record(id.Property),
		StreetAddress: fmt.Sprint(i, " Maple Avenue"),
		City:          "Austin",
		State:         "TX",
		Status:        portfolio.PropertyActive,
	}
	u := portfolio.Unit{
		Record:     t.record(id.Unit),
		PropertyID: p.ID,
		UnitNumber: "1",
		Status:     portfolio.UnitOccupied,
	}
	t.Properties, t.Units = append(t.Properties, p), append(t.Units, u)
	if i%5 == 0 {
		t.Units = append(t.Units, portfolio.Unit{
			Record:     t.record(id.Unit),
			PropertyID: p.ID,
			UnitNumber: "2",
			Status:     portfolio.UnitVacant,
		})
	}
	dana := portfolio.Tenant{
		Record:    t.record(id.Tenant),
		FirstName: "Dana",
		LastName:  fmt.Sprint("Whitfield ", i),
		Email:     new(fmt.Sprintf("dana%d@example.com", i)),
	}
	t.Tenants = append(t.Tenants, dana)
	l := portfolio.Lease{
		Record:        t.record(id.Lease),
		PropertyID:    p.ID,
		UnitID:        u.ID,
		Status:        portfolio.LeaseActive,
		RentalAddress: p.StreetAddress + ", Unit 1, Austin, TX 78701",
		StartDate:     t.today - 500,
		EndDate:       new(t.today + clock.Date(t.IntN(365))),
		MonthlyRent:   money.Dollars(1450),
		Tenants:       []portfolio.Party{{ID: dana.ID, Role: portfolio.PartyPrimary}},
	}
	l.TenantIDs = []string{dana.ID}
	t.Leases = append(t.Leases, l)
	t.ledger(&l, i%10 == 0)
	for n := range 2 {
		t.built++
		t.Tickets = append(t.Tickets, portfolio.Ticket{
			Record:     t.record(id.Ticket),
			Number:     fmt.Sprint("T-", 1000+t.built),
			PropertyID: p.ID,
			UnitID:     &u.ID,
			Status:     []portfolio.TicketStatus{portfolio.TicketCompleted, portfolio.TicketOpen}[(i*2+n)%20/19],
		})
	}
}

func (t *builder) ledger(l *portfolio.Lease, owes bool) {
	for n := range 20 {
		p := portfolio.Payment{
			Record:     t.record(id.Payment),
			PropertyID: l.PropertyID,
			UnitID:     l.UnitID,
			TenantID:   l.TenantIDs[0],
			LeaseID:    l.ID,
			Type:       portfolio.PaymentRent,
			Amount:     money.Dollars(1450),
			AmountPaid: money.Dollars(1450),
			Status:     portfolio.PaymentSucceeded,
			DueDate:    t.today - 20 - clock.Date(30*(18-n)),
		}
		switch {
		case n == 19:
			p.Status, p.AmountPaid = portfolio.PaymentScheduled, 0
		case n >= 17 && owes:
			p.Status, p.AmountPaid = portfolio.PaymentPartiallyPaid, money.Dollars(400)
		}
		t.Payments = append(t.Payments, p)
	}
}

package records_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/ledger/report"
	"portal/db/portfoliostore"
)

// charges writes a ledger row of a lease over $1,000 of rent, changed before that.
func (h *leaseFixture) charges(lease string, due clock.Date, change func(*portfolio.Payment)) string {
	h.Helper()
	u := h.home.Unit[access.Live]
	p := portfolio.Payment{
		Record:     h.record(id.Payment, "payment"),
		LeaseID:    lease,
		TenantID:   h.tenants[0],
		UnitID:     u.ID,
		PropertyID: u.PropertyID,
		Type:       portfolio.PaymentRent,
		Amount:     money.Dollars(1000),
		Status:     portfolio.PaymentDue,
		DueDate:    due,
		Currency:   portfolio.Currency,
	}
	if change != nil {
		change(&p)
	}
	h.ok(h.db.Atomically(h.Context(), func(ctx context.Context) error {
		if err := h.db.Lock(ctx, h.by.Portfolio); err != nil {
			return err
		}
		return portfoliostore.New(h.db).AddPayment(ctx, h.by.Portfolio, &p)
	}))
	return p.ID
}

// owing is what is owed in one line: the total, and of each lease the balance, the day
// since when and the days, and how many charges.
func (h *leaseFixture) owing(f report.BalanceFilter) string {
	h.Helper()
	f.Limit = max(f.Limit, 1)
	b, err := h.Reports.RentBalances(h.Context(), h.by, f)
	h.ok(err)
	said := b.TotalDue.String()
	for _, l := range b.Data {
		said += fmt.Sprintf("; %s since %s, %d days, %d charges", l.BalanceDue, l.OldestDueDate, l.DaysOverdue,
			len(l.Charges))
	}
	return said
}

func (h *leaseFixture) owed(want string) {
	h.Helper()
	if got := h.owing(report.BalanceFilter{Limit: 100}); got != want {
		h.Errorf("owed: %s, want %s", got, want)
	}
}

func TestRentIsOwedFromDueDateUntilPaymentStarts(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.owed("0.00")
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue) // $1,000 due on November 1; today is November 12
		h.owed("1000.00; 1000.00 since 2026-11-01, 11 days, 1 charges")
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, dollars(400, "check"))))
		h.owed("600.00; 600.00 since 2026-11-01, 11 days, 1 charges")
		h.starts(row, portfolio.PayByACH)
		h.owed("0.00")
		h.fails(row)
		h.owed("600.00; 600.00 since 2026-11-01, 11 days, 1 charges")
		h.starts(row, portfolio.PayByCard)
		h.owed("0.00")
		h.clears(row, ledger.Clearing{Amount: 59_999, Method: portfolio.PayByCard})
		h.owed("0.01; 0.01 since 2026-11-01, 11 days, 1 charges")
		h.ok(second(h.Ledger.RecordPayment(
			h.Context(),
			h.by,
			change.Target{ID: row},
			ledger.Clearing{Amount: 1, Method: "cash"},
		)))
		h.owed("0.00")
	})
}

func TestOnlyUnpaidDueRentIsOwed(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		today := clock.DateOf(h.now, h.by.Zone)
		open := map[portfolio.PaymentStatus]bool{
			portfolio.PaymentScheduled:     true,
			portfolio.PaymentDue:           true,
			portfolio.PaymentPartiallyPaid: true,
			portfolio.PaymentFailed:        true,
		}
		want, n := money.Cents(0), 0
		for _, text := range portfolio.PaymentDue.Values() {
			for _, kind := range portfolio.PaymentRent.Values() {
				for _, offset := range []clock.Date{-40, 0, 1} {
					amount := money.Cents(1 << n) // tells which ones are in a sum
					status := portfolio.PaymentStatus(text)
					h.charges(h.let, today+offset, func(p *portfolio.Payment) {
						p.Status = status
						p.Type = portfolio.PaymentType(kind)
						p.Amount = money.Dollars(7) + amount
						p.AmountPaid = money.Dollars(7)
					})
					n = (n + 1) % 40
					if open[status] && kind == "rent" && offset <= 0 {
						want += amount
					}
				}
			}
		}
		h.charges(h.let, today, func(p *portfolio.Payment) { p.AmountPaid = p.Amount })
		h.charges(h.let, today, func(p *portfolio.Payment) { p.AmountPaid = p.Amount + 1 })
		h.owed(fmt.Sprintf("%s; %s since %s, 40 days, 8 charges", want, want, today-40))
	})
}

func TestDaysOverdueSpanMonthsAndLeapDays(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, c := range []struct {
			due, today clock.Date
			days       int
		}{
			{clock.Day(2027, 1, 31), clock.Day(2027, 1, 31), 0},
			{clock.Day(2027, 1, 31), clock.Day(2027, 2, 28), 28},
			{clock.Day(2027, 12, 31), clock.Day(2028, 1, 1), 1},
			{clock.Day(2028, 2, 28), clock.Day(2028, 2, 29), 1},
			{clock.Day(2028, 2, 28), clock.Day(2028, 3, 1), 2},
			{clock.Day(2028, 2, 29), clock.Day(2028, 2, 29), 0},
			{clock.Day(2028, 2, 29), clock.Day(2029, 2, 28), 365},
			{clock.Day(2028, 1, 31), clock.Day(2028, 3, 31), 60},
		} {
			row := h.charges(h.let, c.due, nil)
			for before, want := range []string{
				fmt.Sprintf("1000.00; 1000.00 since %s, %d days, 1 charges", c.due, c.days),
				"0.00",
			} {
				if h.on(c.today); before == 1 {
					h.on(c.due - 1)
				}
				h.owed(want)
			}
			for least, want := range map[int]bool{0: true, c.days: true, c.days + 1: false, 1 << 62: false} {
				h.on(c.today)
				if got := h.owing(report.BalanceFilter{MinDaysOverdue: least}); (got != "0.00") != want {
					h.Errorf("due %s, on %s at least %d days: %s", c.due, c.today, least, got)
				}
			}
			p, err := portfoliostore.New(h.db).Payment(h.Context(), h.by.Portfolio, row)
			h.ok(err)
			p.Status = portfolio.PaymentVoid
			h.ok(portfoliostore.New(h.db).SavePayment(h.Context(), h.by.Portfolio, &p))
		}
	})
}

func TestLandlordsZoneDecidesWhatIsDueToday(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.charges(h.let, clock.Day(2026, 12, 1), func(p *portfolio.Payment) { p.Status = portfolio.PaymentScheduled })
		for _, c := range []struct {
			now  time.Time
			owed map[string]int // days overdue by zone; absent where nothing is owed
		}{
			{time.Date(2026, 12, 1, 4, 30, 0, 0, time.UTC), map[string]int{"UTC": 0}}, // 23:30 in New York
			{time.Date(2026, 12, 1, 5, 0, 0, 0, time.UTC), map[string]int{"UTC": 0, "America/New_York": 0}},
			{
				time.Date(2026, 12, 2, 4, 30, 0, 0, time.UTC),
				map[string]int{"UTC": 1, "America/New_York": 0, "Pacific/Honolulu": 0},
			},
			// 23:30 in Honolulu.
			{
				time.Date(2026, 12, 2, 9, 30, 0, 0, time.UTC),
				map[string]int{"UTC": 1, "America/New_York": 1, "Pacific/Honolulu": 0},
			},
		} {
			h.now = c.now
			for _, zone := range []string{"America/New_York", "Pacific/Honolulu", "UTC"} {
				h.in(zone)
				want := "0.00"
				if days, owed := c.owed[zone]; owed {
					want = fmt.Sprintf("1000.00; 1000.00 since 2026-12-01, %d days, 1 charges", days)
				}
				h.owed(want)
			}
		}
	})
}

func TestBalanceShowsAmountTenantAndContact(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		const address = "1420 Maple Avenue, Unit 2B, Austin, TX 78701"
		dana, err := portfoliostore.New(h.db).Tenant(h.Context(), h.by.Portfolio, h.tenants[0])
		h.ok(err)
		dana.Email, dana.PreferredContactMethod = new("dana@example.com"), new(portfolio.ContactMethod("sms"))
		h.ok(portfoliostore.New(h.db).SaveTenant(h.Context(), h.by.Portfolio, &dana))
		lease := h.adds(
			h.lease(portfolio.LeaseTerminated, clock.Day(2026, 1, 1), h.tenants[0]),
			func(l *portfolio.Lease) { l.RentalAddress = address },
		)
		later := h.charges(lease, clock.Day(2026, 11, 1), func(p *portfolio.Payment) {
			p.AmountPaid = 250_00
			p.Status = portfolio.PaymentPartiallyPaid
		})
		first := h.charges(lease, clock.Day(2026, 10, 1), nil)
		same := h.charges(lease, clock.Day(2026, 11, 1), nil)
		got, err := h.Reports.RentBalances(h.Context(), h.by, report.BalanceFilter{Limit: 20})
		h.ok(err)
		want := report.RentBalance{
			LeaseID:       lease,
			TenantID:      dana.ID,
			TenantName:    "Dana Rivera",
			RentalAddress: address,
			Contact: report.Reach{
				Email:                  new("dana@example.com"),
				PreferredContactMethod: dana.PreferredContactMethod,
			},
			BalanceDue:    money.Dollars(2750),
			Currency:      "USD",
			OldestDueDate: clock.Day(2026, 10, 1),
			DaysOverdue:   42,
			Charges: []report.RentCharge{
				{
					PaymentID:  first,
					DueDate:    clock.Day(2026, 10, 1),
					Amount:     money.Dollars(1000),
					BalanceDue: money.Dollars(1000),
				},
				{
					PaymentID:  later,
					DueDate:    clock.Day(2026, 11, 1),
					Amount:     money.Dollars(1000),
					BalanceDue: money.Dollars(750),
				},
				{
					PaymentID:  same,
					DueDate:    clock.Day(2026, 11, 1),
					Amount:     money.Dollars(1000),
					BalanceDue: money.Dollars(1000),
				},
			},
		}
		if fmt.Sprint(h.shown(got, nil)["data"]) != fmt.Sprint(h.shown(map[string]any{
			"data": []any{want},
		}, nil)["data"]) || got.Currency != "USD" || got.TotalDue != want.BalanceDue || got.Object != "list" {
			h.Errorf("%+v", h.shown(got, nil))
		}
	})
}

// The rules charge the primary tenant alone; a ledger that was written otherwise gets one
// balance a lease, which has a place behind one cursor.
func TestLeaseWithChargesToSeveralTenantsHasOneBalance(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		charged := func(due clock.Date, tenant int) {
			h.charges(h.let, due, func(p *portfolio.Payment) { p.TenantID = h.tenants[tenant] })
		}
		charged(clock.Day(2026, 11, 1), 0)
		charged(clock.Day(2026, 10, 1), 2)
		charged(clock.Day(2026, 10, 2), 1)
		for _, c := range []struct {
			tenant, shown string
			owed          string
		}{
			{"", h.tenants[2], "3000.00; 3000.00 since 2026-10-01, 42 days, 3 charges"},
			{h.tenants[0], h.tenants[0], "1000.00; 1000.00 since 2026-11-01, 11 days, 1 charges"},
			{h.tenants[1], h.tenants[1], "1000.00; 1000.00 since 2026-10-02, 41 days, 1 charges"},
		} {
			f := report.BalanceFilter{TenantID: c.tenant, Limit: 1}
			if got := h.owing(f); got != c.owed {
				h.Errorf("of %q: %s, want %s", c.tenant, got, c.owed)
			}
			b, err := h.Reports.RentBalances(h.Context(), h.by, f)
			h.ok(err)
			if b.Data[0].TenantID != c.shown || b.HasMore {
				h.Errorf("of %q: %+v", c.tenant, b)
			}
		}
		if got := h.owing(report.BalanceFilter{TenantID: h.tenants[0], MinDaysOverdue: 12}); got != "0.00" {
			h.Errorf("of a tenant who owes for 11 days, at least 12: %s", got)
		}
	})
}

// walkBalances visits all pages, each of which tells the same total.
func (h *leaseFixture) walkBalances(f report.BalanceFilter, total money.Cents) (leases []string) {
	h.Helper()
	for {
		b, err := h.Reports.RentBalances(h.Context(), h.by, f)
		h.ok(err)
		next, more := b.Next()
		if len(b.Data) > f.Limit || more != b.HasMore || more && len(b.Data) < f.Limit || b.TotalDue != total {
			h.Fatalf("%d of %d, more %v, next %q, total %s", len(b.Data), f.Limit, b.HasMore, next, b.TotalDue)
		}
		for _, l := range b.Data {
			leases = append(leases, l.LeaseID)
		}
		if !more {
			return leases
		}
		f.StartingAfter = next
	}
}

func TestEveryBalancePageShowsGrandTotal(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		var leases []string
		var total money.Cents
		for i := range 101 {
			lease := h.adds(h.lease(portfolio.LeaseActive, clock.Day(2026, 1, 1), h.tenants[0]), nil)
			leases = append(leases, lease)
			for n := range 1 + i%3 {
				h.charges(
					lease,
					clock.Day(2026, 9, 1).AddMonths(n),
					func(p *portfolio.Payment) { p.Amount += money.Cents(i) },
				)
				total += money.Dollars(1000) + money.Cents(i)
			}
		}
		slices.Sort(leases)
		for _, limit := range []int{1, 20, 50, 99, 100} {
			if got := h.walkBalances(report.BalanceFilter{Limit: limit}, total); !slices.Equal(got, leases) {
				h.Errorf("by %d: %d of %d", limit, len(got), len(leases))
			}
		}
		p, err := portfoliostore.New(h.db).Payments(h.Context(), h.by.Portfolio, portfolio.PaymentFilter{
			Query:   everything,
			LeaseID: leases[100],
		}, 0)
		h.ok(err)
		for i := range p {
			p[i].Status = portfolio.PaymentVoid
			h.ok(portfoliostore.New(h.db).SavePayment(h.Context(), h.by.Portfolio, &p[i]))
			total -= p[i].Amount
		}
		if got := h.walkBalances(report.BalanceFilter{Limit: 100}, total); len(got) != 100 {
			h.Errorf("%d of 100", len(got))
		}
		b, err := h.Reports.RentBalances(h.Context(), h.by, report.BalanceFilter{
			Limit:         100,
			StartingAfter: leases[100],
		})
		if err != nil || len(b.Data) != 0 || b.TotalDue != total {
			h.Errorf("behind the last one: %+v, %v", b, err)
		}
	})
}

func TestRentOfOtherPortfolioIsNotOwed(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		u := h.home.Unit[access.Live]
		const owed = "1000.00; 1000.00 since 2026-11-01, 11 days, 1 charges"
		for _, f := range []report.BalanceFilter{
			{},
			{PropertyID: u.PropertyID},
			{LeaseID: h.let},
			{TenantID: h.tenants[0]},
			{
				PropertyID:     u.PropertyID,
				LeaseID:        h.let,
				TenantID:       h.tenants[0],
				MinDaysOverdue: 11,
			},
		} {
			if got := h.owing(f); got != owed {
				h.Errorf("%+v: %s", f, got)
			}
		}
		for _, f := range []report.BalanceFilter{
			{PropertyID: h.home.Unit[access.Test].PropertyID},
			{PropertyID: "x"},
			{LeaseID: h.open},
			{LeaseID: "x"},
			{TenantID: h.tenants[1]},
			{TenantID: "x"},
			{LeaseID: h.let, TenantID: h.tenants[1]},
		} {
			if got := h.owing(f); got != "0.00" {
				h.Errorf("%+v: %s", f, got)
			}
		}
		for _, in := range h.others() {
			h.by.Portfolio = in
			for _, f := range []report.BalanceFilter{
				{},
				{PropertyID: u.PropertyID},
				{LeaseID: h.let},
				{TenantID: h.tenants[0]},
			} {
				if got := h.owing(f); got != "0.00" {
					h.Errorf("in another portfolio %+v: %s", f, got)
				}
			}
		}
	})
}

package records_test

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
)

// shown is what the lists show of a portfolio, from which a plain loop can tell each
// answer.
type shown struct {
	*leaseFixture
	today      clock.Date
	properties []portfolio.Property
	units      []portfolio.Unit
	tenants    []portfolio.Tenant
	leases     []portfolio.Lease
	tickets    []portfolio.Ticket
	payments   []portfolio.Payment
}

// rows are those of a page that holds all.
func rows[T any](page *list.Page[T], err error) []T {
	if err != nil || page.HasMore {
		panic(err)
	}
	return page.Data
}

func (h *leaseFixture) lists() *shown {
	h.Helper()
	ctx := h.Context()
	s := &shown{
		leaseFixture: h,
		today:        clock.DateOf(h.now, h.by.Zone),
		properties:   rows(h.Properties.Properties(ctx, h.by, portfolio.PropertyFilter{Query: everything})),
		tenants:      rows(h.Tenants.Tenants(ctx, h.by, portfolio.TenantFilter{Query: everything})),
		leases:       rows(h.Leases.Leases(ctx, h.by, portfolio.LeaseFilter{Query: everything})),
		tickets:      rows(h.Tickets.Tickets(ctx, h.by, portfolio.TicketFilter{Query: everything})),
		payments:     rows(h.Ledger.Payments(ctx, h.by, portfolio.PaymentFilter{Query: everything})),
	}
	for _, p := range s.properties {
		with, err := h.Properties.Property(ctx, h.by, p.ID)
		h.ok(err)
		s.units = append(s.units, with.Units...)
	}
	return s
}

// TestReportsMatchNaiveComputation draws portfolios, each beside others
// of the same account and of another one.
func TestReportsMatchNaiveComputation(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		others := h.others()
		for seed := range uint64(12) {
			h.in([]string{"America/New_York", "Pacific/Honolulu", "UTC"}[seed%3])
			today := clock.DateOf(h.now, h.by.Zone)
			in := []access.Portfolio{h.home.Live, others[0], others[1], others[2]}[seed%4]
			h.insertBook(seed, in, today)
			h.by.Portfolio = in
			s := h.lists()
			r := rand.New(rand.NewPCG(seed, 1))
			for range 12 {
				s.checkEnds(r)
				s.checkBalances(r)
			}
			s.checkSummary()
			if t := h.T; t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	})
}

func (s *shown) same(what any, got, want any) {
	s.Helper()
	if !reflect.DeepEqual(got, want) {
		s.Errorf("%+v:\n got %+v\nwant %+v", what, s.leaseFixture.shown(map[string]any{
			"": got,
		}, nil), s.leaseFixture.shown(map[string]any{
			"": want,
		}, nil))
	}
}

func (s *shown) checkEnds(r *rand.Rand) {
	s.Helper()
	f := report.ExpiringFilter{WithinDays: 1 + r.IntN(8), Limit: 1 + r.IntN(10)}
	if r.IntN(3) == 0 {
		f.PropertyID = one(r, s.properties).ID
	}
	want := []report.ExpiringLease{}
	for _, l := range s.leases {
		if l.Status != portfolio.LeaseActive || l.DaysUntilEnd == nil || *l.DaysUntilEnd < 0 ||
			*l.DaysUntilEnd > f.WithinDays || f.PropertyID != "" && l.PropertyID != f.PropertyID {
			continue
		}
		e := report.ExpiringLease{
			LeaseID:       l.ID,
			RentalAddress: l.RentalAddress,
			PropertyID:    l.PropertyID,
			UnitID:        l.UnitID,
			StartDate:     l.StartDate,
			EndDate:       *l.EndDate,
			DaysUntilEnd:  *l.DaysUntilEnd,
			MonthlyRent:   l.MonthlyRent,
			Currency:      l.Currency,
		}
		for _, p := range l.Tenants {
			e.Tenants = append(e.Tenants, report.TenantName{ID: p.ID, Name: p.Name})
		}
		want = append(want, e)
	}
	slices.SortStableFunc(want, func(a, b report.ExpiringLease) int { return cmp.Compare(a.EndDate, b.EndDate) })
	for from := 0; ; from += f.Limit {
		page, err := s.Reports.ExpiringLeases(s.Context(), s.by, f)
		s.ok(err)
		to := min(from+f.Limit, len(want))
		s.same(f, page.Data, want[from:to])
		if s.same(f, page.HasMore, to < len(want)); !page.HasMore {
			return
		}
		f.StartingAfter = *page.NextCursor
	}
}

func (s *shown) checkBalances(r *rand.Rand) {
	s.Helper()
	f := report.BalanceFilter{Limit: 1 + r.IntN(10), MinDaysOverdue: max(r.IntN(10)-4, 0)}
	if r.IntN(4) == 0 {
		f.PropertyID = one(r, s.properties).ID
	}
	if r.IntN(4) == 0 {
		f.TenantID = one(r, s.tenants).ID
	}
	if r.IntN(6) == 0 && len(s.leases) > 0 {
		f.LeaseID = one(r, s.leases).ID
	}
	want := s.balances(f)
	total := report.RentBalances{}.TotalDue
	for _, b := range want {
		total += b.BalanceDue
	}
	for from := 0; ; from += f.Limit {
		page, err := s.Reports.RentBalances(s.Context(), s.by, f)
		s.ok(err)
		to := min(from+f.Limit, len(want))
		s.same(f, page.Data, want[from:to])
		s.same(f, page.TotalDue, total)
		if s.same(f, page.HasMore, to < len(want)); !page.HasMore {
			return
		}
		f.StartingAfter = *page.NextCursor
	}
}

// balances are those that pass a filter, in ascending id of their leases.
func (s *shown) balances(f report.BalanceFilter) []report.RentBalance {
	all := []report.RentBalance{}
	for _, l := range s.leases {
		if f.PropertyID != "" && l.PropertyID != f.PropertyID || f.LeaseID != "" && l.ID != f.LeaseID {
			continue
		}
		b := report.RentBalance{LeaseID: l.ID, RentalAddress: l.RentalAddress, Currency: portfolio.Currency}
		for _, p := range s.payments {
			moving := p.Status == portfolio.PaymentProcessing || p.Status == portfolio.PaymentSucceeded
			if p.LeaseID == l.ID && p.Type == portfolio.PaymentRent && p.DueDate <= s.today &&
				p.BalanceDue != 0 && !moving && (f.TenantID == "" || p.TenantID == f.TenantID) {
				b.TenantID, b.BalanceDue = p.TenantID, b.BalanceDue+p.BalanceDue
				b.Charges = append(b.Charges, report.RentCharge{
					PaymentID:  p.ID,
					DueDate:    p.DueDate,
					Amount:     p.Amount,
					BalanceDue: p.BalanceDue,
				})
			}
		}
		if b.BalanceDue <= 0 {
			continue
		}
		slices.SortStableFunc(b.Charges, func(a, b report.RentCharge) int { return cmp.Compare(a.DueDate, b.DueDate) })
		b.OldestDueDate = b.Charges[slices.IndexFunc(b.Charges, func(c report.RentCharge) bool {
			return c.BalanceDue > 0
		})].DueDate
		if b.DaysOverdue = int(s.today - b.OldestDueDate); b.DaysOverdue >= f.MinDaysOverdue {
			t := s.tenants[slices.IndexFunc(s.tenants, func(t portfolio.Tenant) bool { return t.ID == b.TenantID })]
			b.TenantName, b.Contact = t.Name, report.Reach{
				Email:                  t.Email,
				Phone:                  t.Phone,
				PreferredContactMethod: t.PreferredContactMethod,
			}
			all = append(all, b)
		}
	}
	return all
}

func (s *shown) checkSummary() {
	s.Helper()
	want := &report.Summary{
		Object:     "portfolio_summary",
		Properties: len(s.properties),
		Units:      len(s.units),
		Tenants:    len(s.tenants),
		Currency:   "USD",
		AsOf:       s.today,
	}
	for _, u := range s.units {
		switch u.Status {
		case portfolio.UnitOccupied, portfolio.UnitNotice:
			want.OccupiedUnits++
		case portfolio.UnitVacant:
			want.VacantUnits++
		}
	}
	for _, l := range s.leases {
		*want.Leases.Of(l.Status)++
	}
	for _, t := range s.tickets {
		if t.Status != portfolio.TicketCompleted && t.Status != portfolio.TicketCancelled {
			want.OpenTickets++
		}
	}
	for _, b := range s.balances(report.BalanceFilter{}) {
		want.RentDueTotal += b.BalanceDue
	}
	leases := map[string]portfolio.Balance{}
	for i := range s.payments {
		b := leases[s.payments[i].LeaseID]
		b.Add(&s.payments[i], s.today)
		leases[s.payments[i].LeaseID] = b
	}
	for _, b := range leases {
		want.ChargesDueTotal += b.Owed()
	}
	for i := range s.leases {
		l := &s.leases[i]
		s.same(l.ID, []any{l.BalanceDue, l.DepositHeld}, []any{leases[l.ID].Due, leases[l.ID].DepositHeld})
	}
	got, err := s.Reports.Summary(s.Context(), s.by)
	s.ok(err)
	s.same("summary", got, want)
}

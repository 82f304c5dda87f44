package reportstore_test

import (
	"cmp"
	"context"
	"slices"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db/dbtest"
)

// owedRentIsReadLeaseByLease asks for each filter, on days before and after what the
// calendar has turned, within and outside of a transaction.
func owedRentIsReadLeaseByLease(s *demoStore) {
	s.Want(len(s.balances(report.BalanceFilter{}, today)) > 3, "hardly anything is owed")
	for _, day := range []clock.Date{today - 200, today, today + 40} {
		for _, f := range s.balanceFilters() {
			f.Limit = dbtest.Everything
			read := func(ctx context.Context) error {
				want := s.balances(f, day)
				got, total, err := s.Insight.RentBalances(ctx, s.in, f, day)
				s.Same(got, want)
				s.Same(total, sumOf(want))
				return err
			}
			s.OK(read(s.Context()))
			s.OK(s.DB.Atomically(s.Context(), read))
		}
	}
}

func (s *demoStore) balanceFilters() (all []report.BalanceFilter) {
	for i, lease := range s.some("leases") {
		all = append(
			all,
			report.BalanceFilter{LeaseID: lease},
			report.BalanceFilter{PropertyID: s.some("properties")[i]},
			report.BalanceFilter{TenantID: s.some("tenants")[i]},
			report.BalanceFilter{MinDaysOverdue: 20 * i},
		)
	}
	for _, b := range s.balances(report.BalanceFilter{}, today) {
		l := s.lease(b.LeaseID)
		f := report.BalanceFilter{LeaseID: b.LeaseID, TenantID: b.TenantID, PropertyID: l.PropertyID}
		all = append(
			all,
			f,
			report.BalanceFilter{TenantID: b.TenantID, MinDaysOverdue: 10},
			report.BalanceFilter{PropertyID: l.PropertyID, MinDaysOverdue: 10},
		)
	}
	return all
}

func onePageOfManyTellsWhatAllOwe(s *demoStore) {
	want := s.balances(report.BalanceFilter{}, today)
	for limit := 1; limit <= len(want)+1; limit++ {
		for from := range len(want) + 1 {
			f := report.BalanceFilter{Limit: limit}
			if from > 0 {
				f.StartingAfter = want[from-1].LeaseID
			}
			got, total, err := s.Insight.RentBalances(s.Context(), s.in, f, today)
			s.OK(err)
			s.Same(append([]report.RentBalance{}, got...), want[from:min(from+limit+1, len(want))])
			s.Same(total, sumOf(want))
		}
	}
	_, total, err := s.Insight.RentBalances(s.Context(), s.in, report.BalanceFilter{
		Limit:         1,
		StartingAfter: "lea_z",
		LeaseID:       want[0].LeaseID,
	}, today)
	s.OK(err)
	s.Same(total, sumOf(want[:1]))
}

// balances are what a loop over the ledger finds; what the rules fill stays empty.
func (s *demoStore) balances(f report.BalanceFilter, day clock.Date) []report.RentBalance {
	owed := map[string][]*portfolio.Payment{}
	for _, row := range s.rows["payments"] {
		p := row.(*portfolio.Payment)
		open := p.Status == portfolio.PaymentScheduled || p.Status == portfolio.PaymentDue ||
			p.Status == portfolio.PaymentPartiallyPaid || p.Status == portfolio.PaymentFailed
		left := p.Amount > p.AmountPaid || p.Amount < 0 && p.AmountPaid > p.Amount
		mine := (f.LeaseID == "" || p.LeaseID == f.LeaseID) &&
			(f.TenantID == "" || p.TenantID == f.TenantID) && (f.PropertyID == "" || p.PropertyID == f.PropertyID)
		if p.Type == portfolio.PaymentRent && open && p.DueDate <= day && left && mine {
			owed[p.LeaseID] = append(owed[p.LeaseID], p)
		}
	}
	var all []report.RentBalance
	for lease, rows := range owed {
		slices.SortFunc(rows, func(a, b *portfolio.Payment) int {
			return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.ID, b.ID))
		})
		b := s.balance(s.lease(lease), rows)
		oldest := slices.IndexFunc(rows, func(p *portfolio.Payment) bool { return p.Amount > p.AmountPaid })
		if sumOf([]report.RentBalance{b}) > 0 && int(day-rows[oldest].DueDate) >= f.MinDaysOverdue {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b report.RentBalance) int { return cmp.Compare(a.LeaseID, b.LeaseID) })
	return all
}

func (s *demoStore) balance(l *portfolio.Lease, rows []*portfolio.Payment) report.RentBalance {
	t := s.named("tenants", rows[0].TenantID).(*portfolio.Tenant)
	b := report.RentBalance{
		LeaseID:       l.ID,
		TenantID:      t.ID,
		TenantName:    t.Name,
		RentalAddress: l.RentalAddress,
		Contact:       report.Reach{Email: t.Email, Phone: t.Phone, PreferredContactMethod: t.PreferredContactMethod},
	}
	for _, p := range rows {
		b.Charges = append(b.Charges, report.RentCharge{
			PaymentID:  p.ID,
			DueDate:    p.DueDate,
			Amount:     p.Amount,
			BalanceDue: p.Amount - p.AmountPaid,
		})
	}
	return b
}

func sumOf(all []report.RentBalance) (sum money.Cents) {
	for _, b := range all {
		for _, c := range b.Charges {
			sum += c.BalanceDue
		}
	}
	return sum
}

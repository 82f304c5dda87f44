package simulate

import (
	"cmp"
	"context"
	"slices"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// payRent lets a tenant pay the oldest open rent by card. Where all is paid, the next
// month is charged and paid ahead.
func (s *Session) payRent(ctx context.Context) (string, error) {
	row, err := s.openRent(ctx)
	if err != nil {
		return "", err
	}
	m, err := s.Portfolio.Ledger.StartPayment(ctx, s.by, row.ID, portfolio.PayByCard)
	if err != nil {
		return "", err
	}
	_, err = s.Portfolio.Ledger.ClearPayment(ctx, s.by, row.ID, ledger.Clearing{
		Amount: m.After.BalanceDue, Method: portfolio.PayByCard, Reference: new("demo_card_" + row.ID[len(row.ID)-8:]),
	})
	return row.ID, err
}

// openRent is the rent that has been owed longest, else the one that falls due next,
// else one that is charged for it.
func (s *Session) openRent(ctx context.Context) (*portfolio.Payment, error) {
	owed, err := s.rents(ctx, portfolio.PaymentDue, portfolio.PaymentPartiallyPaid, portfolio.PaymentFailed)
	if err == nil && len(owed) == 0 {
		owed, err = s.rents(ctx, portfolio.PaymentScheduled)
	}
	if err != nil {
		return nil, err
	}
	if len(owed) == 0 {
		return s.chargeNext(ctx)
	}
	first := slices.MinFunc(owed, func(a, b portfolio.Payment) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.ID, b.ID))
	})
	return &first, nil
}

// rents are the ledger rows of rent of some statuses of which something is owed.
func (s *Session) rents(
	ctx context.Context, statuses ...portfolio.PaymentStatus,
) (owed []portfolio.Payment, err error) {
	for _, status := range statuses {
		page, err := s.Portfolio.Ledger.Payments(ctx, s.by, portfolio.PaymentFilter{
			Query:  all,
			Type:   portfolio.PaymentRent,
			Status: status,
		})
		if err != nil {
			return nil, err
		}
		owed = append(owed, page.Data...)
	}
	return slices.DeleteFunc(owed, func(p portfolio.Payment) bool { return p.BalanceDue == 0 }), nil
}

// chargeNext charges the next month of the lease that is charged for the shortest time
// ahead. A lease that ends with what is charged is passed over.
func (s *Session) chargeNext(ctx context.Context) (*portfolio.Payment, error) {
	leases, err := s.rented(ctx)
	if err != nil {
		return nil, err
	}
	until, err := s.charged(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(leases, func(a, b portfolio.Lease) int { return cmp.Compare(until[a.ID], until[b.ID]) })
	for i := range leases {
		if leases[i].MonthlyRent == 0 {
			continue
		}
		m, err := s.Portfolio.Ledger.ChargeRent(ctx, s.by, leases[i].ID)
		if err == nil {
			return m.After, nil
		}
		if !fault.Is(err, fault.InvalidTransition) {
			return nil, err
		}
	}
	return nil, nothing(
		"no rent of the demo portfolio is owed, and none can be charged: every lease is charged until it ends",
	)
}

// charged is the last day that each lease is charged for.
func (s *Session) charged(ctx context.Context) (map[string]clock.Date, error) {
	page, err := s.Portfolio.Ledger.Payments(ctx, s.by, portfolio.PaymentFilter{
		Query: all,
		Type:  portfolio.PaymentRent,
	})
	if err != nil {
		return nil, err
	}
	until := map[string]clock.Date{}
	for i := range page.Data {
		if p := &page.Data[i]; p.PeriodEnd != nil && p.Status != portfolio.PaymentVoid {
			until[p.LeaseID] = max(until[p.LeaseID], *p.PeriodEnd)
		}
	}
	return until, nil
}

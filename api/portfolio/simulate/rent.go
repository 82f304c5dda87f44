package simulate

import (
	"cmp"
	"context"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// payByCard lets a tenant pay all that is owed of a ledger row by card.
func (s *Session) payByCard(ctx context.Context, row *portfolio.Payment) error {
	m, err := s.Portfolio.Ledger.StartPayment(ctx, s.by, row.ID, portfolio.PayByCard)
	if err != nil {
		return err
	}
	_, err = s.Portfolio.Ledger.ClearPayment(ctx, s.by, row.ID, ledger.Clearing{
		Amount: m.After.BalanceDue, Method: portfolio.PayByCard, Reference: new("demo_card_" + row.ID[len(row.ID)-8:]),
	})
	return err
}

// rentOf is the rent that is chosen. Where the choice is free and all is paid, the next month is charged, to be
// paid ahead.
func (s *Session) rentOf(ctx context.Context, c event.Choice) (*portfolio.Payment, error) {
	switch {
	case c.PaymentID != nil:
		return s.thisRent(ctx, *c.PaymentID)
	case c.LeaseID != nil:
		l, err := s.lease(ctx, *c.LeaseID)
		if err != nil {
			return nil, err
		}
		row, err := s.openRent(ctx, portfolio.PaymentFilter{LeaseID: l.ID})
		if err == nil && row == nil {
			row, err = s.firstRent(ctx, l.ID)
		}
		return row, err
	case c.TenantID != nil:
		t, err := portfolio.Find(ctx, s.by.Portfolio, id.Tenant, *c.TenantID, "tenant", s.Store.Tenant)
		if err != nil {
			return nil, err
		}
		row, err := s.openRent(ctx, portfolio.PaymentFilter{TenantID: t.ID})
		if err == nil && row == nil {
			err = nothing("No rent of this tenant is unpaid.")
		}
		return row, err
	}
	row, err := s.openRent(ctx, portfolio.PaymentFilter{})
	if err == nil && row == nil {
		row, err = s.chargeNext(ctx)
	}
	return row, err
}

// thisRent is a ledger row by its id. Only a payment of rent raises payment.succeeded.
func (s *Session) thisRent(ctx context.Context, paymentID string) (*portfolio.Payment, error) {
	row, err := portfolio.Find(ctx, s.by.Portfolio, id.Payment, paymentID, "payment",
		func(ctx context.Context, _ access.Portfolio, id string) (*portfolio.Payment, error) {
			return s.Portfolio.Ledger.Payment(ctx, s.by, id)
		})
	switch {
	case err != nil:
		return nil, err
	case row.Type != portfolio.PaymentRent:
		return nil, nothing("This payment is a " + string(row.Type) + ". The event is about payments of rent alone.")
	case row.Payable() && row.BalanceDue == 0:
		return nil, nothing("Nothing of this payment is owed.")
	}
	return row, nil
}

// firstRent charges the first rent of a lease that was just signed, which waits to be charged otherwise.
func (s *Session) firstRent(ctx context.Context, leaseID string) (*portfolio.Payment, error) {
	charged, err := s.Portfolio.Ledger.Payments(ctx, s.by, portfolio.PaymentFilter{
		Query:   list.Query{Limit: 1},
		Type:    portfolio.PaymentRent,
		LeaseID: leaseID,
	})
	if err != nil {
		return nil, err
	}
	if len(charged.Data) > 0 {
		return nil, nothing("No rent of this lease is unpaid.")
	}
	m, err := s.Portfolio.Ledger.ChargeRent(ctx, s.by, leaseID)
	if err != nil {
		return nil, err
	}
	return m.After, nil
}

// openRent is the rent within a filter that has been owed longest, else the one that falls due next, else nil.
func (s *Session) openRent(ctx context.Context, within portfolio.PaymentFilter) (*portfolio.Payment, error) {
	owed, err := s.rents(
		ctx,
		within,
		portfolio.PaymentDue,
		portfolio.PaymentPartiallyPaid,
		portfolio.PaymentFailed,
	)
	if err == nil && len(owed) == 0 {
		owed, err = s.rents(ctx, within, portfolio.PaymentScheduled)
	}
	if err != nil || len(owed) == 0 {
		return nil, err
	}
	first := slices.MinFunc(owed, func(a, b portfolio.Payment) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.ID, b.ID))
	})
	return &first, nil
}

// rents are the ledger rows of rent within a filter, of some statuses, of which something is owed.
func (s *Session) rents(
	ctx context.Context, within portfolio.PaymentFilter, statuses ...portfolio.PaymentStatus,
) (owed []portfolio.Payment, err error) {
	within.Query, within.Type = all, portfolio.PaymentRent
	for _, within.Status = range statuses {
		page, err := s.Portfolio.Ledger.Payments(ctx, s.by, within)
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

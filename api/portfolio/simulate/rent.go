package simulate

import (
	"context"

	"portal/api/access"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// payByCard lets a tenant pay all that is owed of a ledger row by card, through the simulated processor.
func (s *Session) payByCard(ctx context.Context, row *portfolio.Payment) error {
	_, err := s.Payments.PayAs(ctx, s.by, payment.Order{
		TenantID: row.TenantID,
		LeaseID:  row.LeaseID,
		Shares:   []ledger.Share{{PaymentID: row.ID, Amount: row.Left()}},
	}, portfolio.PayByCard, simulated.Clears)
	return err
}

// mostChoices is how many rents, or leases, are looked for before a transaction: so many callers may choose at
// the same time before one of them finds that others were faster with all of them.
const mostChoices = 32

// Ahead is an active lease of which rent can be charged ahead.
type Ahead struct {
	LeaseID string
	Newest  string // the rent that was charged last, "" for none
}

// rentChoice is what was found before the transaction, what is to be taken first in front.
type rentChoice struct {
	owed  []string // ledger rows of rent
	ahead []Ahead  // where nothing is owed
}

// findRent looks for the rent that is chosen.
func (s *Session) findRent(ctx context.Context, c event.Choice) (found rentChoice, err error) {
	var within portfolio.PaymentFilter
	switch {
	case c.PaymentID != nil:
		return found, nil
	case c.LeaseID != nil:
		l, err := s.lease(ctx, *c.LeaseID)
		if err != nil {
			return found, err
		}
		within.LeaseID = l.ID
	case c.TenantID != nil:
		t, err := portfolio.Find(ctx, s.by.Portfolio, id.Tenant, *c.TenantID, "tenant", s.Store.Tenant)
		if err != nil {
			return found, err
		}
		within.TenantID = t.ID
	}
	found.owed, err = s.Store.RentOwed(ctx, s.by.Portfolio, within, mostChoices)
	if err == nil && len(found.owed) == 0 && c.LeaseID == nil && c.TenantID == nil {
		found.ahead, err = s.Store.RentAhead(ctx, s.by.Portfolio, mostChoices)
	}
	return found, err
}

// rentOf is the rent that is chosen, or errTaken. Where the choice is free and all is paid, the next month is
// charged, to be paid ahead.
func (s *Session) rentOf(ctx context.Context, c event.Choice, found rentChoice) (*portfolio.Payment, error) {
	if c.PaymentID != nil {
		return s.thisRent(ctx, *c.PaymentID)
	}
	for _, paymentID := range found.owed {
		row, err := s.Portfolio.Ledger.Payment(ctx, s.by, paymentID)
		if err != nil || row.Left() > 0 {
			return row, err
		}
	}
	switch {
	case len(found.owed) > 0:
		return nil, errTaken
	case c.LeaseID != nil:
		return s.firstRent(ctx, *c.LeaseID)
	case c.TenantID != nil:
		return nil, nothing("No rent of this tenant is unpaid.")
	}
	return s.chargeNext(ctx, found.ahead)
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
	case row.Left() == 0:
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

// chargeNext charges the next month of the lease that is charged for the shortest time ahead. A lease that was
// charged meanwhile, or ends with what is charged, is passed over.
func (s *Session) chargeNext(ctx context.Context, leases []Ahead) (*portfolio.Payment, error) {
	for _, l := range leases {
		newest, err := s.Store.NewestRent(ctx, s.by.Portfolio, l.LeaseID)
		if err != nil {
			return nil, err
		}
		if newest != l.Newest {
			continue
		}
		m, err := s.Portfolio.Ledger.ChargeRent(ctx, s.by, l.LeaseID)
		if err == nil {
			return m.After, nil
		}
		if !fault.Is(err, fault.InvalidTransition) {
			return nil, err
		}
	}
	if len(leases) > 0 {
		return nil, errTaken
	}
	return nil, nothing(
		"no rent of the demo portfolio is owed, and none can be charged: every lease is charged until it ends",
	)
}

package lease

import (
	"context"
	"reflect"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// Agreed is what all parties of an active lease have agreed that it is from a day on. Beside the rent, it is part of
// what they had signed, which no update changes.
type Agreed struct {
	From        clock.Date // the first day of the rent, which is the first of a month where it changes
	MonthlyRent money.Cents
	Occupants   []string
	Pets        []terms.Pet
}

func (a *Agreed) onto(l *portfolio.Lease) error {
	if l.Status != portfolio.LeaseActive {
		return fault.New(fault.InvalidTransition, "The lease is %s, so it stays as it is.", l.Status)
	}
	l.MonthlyRent, l.Terms.Occupants, l.Terms.Pets = a.MonthlyRent, a.Occupants, a.Pets
	l.Terms.Tidy()
	return nil
}

// CheckAgreed holds a lease as it would be by an agreement against the law and what its document can show.
func (s *Leases) CheckAgreed(ctx context.Context, by access.Actor, l *portfolio.Lease, a Agreed) error {
	before, after := *l, *l
	if err := a.onto(&after); err != nil || s.Documents == nil {
		return err
	}
	return s.Documents.Check(ctx, by, &change.Result[portfolio.Lease]{Before: &before, After: &after})
}

// ChangeAsAgreed makes a lease what all parties have agreed on, once its day has come. Rent for the time from that day
// on is charged by the new rent, whether it is due already or not; rent for the time before stays.
func (s *Leases) ChangeAsAgreed(ctx context.Context, by access.Actor, leaseID string, a Agreed) error {
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		before, err := s.store.Lease(ctx, by.Portfolio, leaseID)
		if err != nil {
			return err
		}
		l, now := before, clock.At(s.Now(by.Portfolio))
		if err := a.onto(&l); err != nil || reflect.DeepEqual(before, l) {
			return err
		}
		l.Revise(now)
		if err := s.saveWithTerms(ctx, by.Portfolio, &l); err != nil {
			return err
		}
		var touched affected
		touched.add(&l)
		if err := s.occupancy.derive(
			ctx,
			by.Portfolio,
			touched,
			now,
		); err != nil ||
			l.MonthlyRent == before.MonthlyRent {
			return err
		}
		_, err = s.ledger.FollowRent(ctx, by, &l, a.From)
		return err
	})
}

package report

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// OwnerStatement is what a portfolio, or one of its properties, was due in a range of days, unit by unit.
type OwnerStatement struct {
	Landlord    string
	From, Until clock.Date
	Today       clock.Date
	Property    *portfolio.Property // nil for all
	Units       []UnitStatement     // that have any of it, property by property
	Total       OwnerSums
}

// UnitStatement is what one unit has of it.
type UnitStatement struct {
	PropertyID, Property string // the id, and the address
	UnitID, Unit         string // the id, and the number
	OwnerSums
}

// OwnerSums are amounts of a unit, or of several. What is void or was refunded is in none of them. Those of rent are
// the due and the collected rent of the overview, and Overdue is its overdue sum.
type OwnerSums struct {
	RentDue, RentCollected money.Cents // rent that is due on these days, and what is paid of it so far
	FeesDue, FeesCollected money.Cents // the same of fees
	DepositsHeld           money.Cents // today, of all leases
	Overdue                money.Cents // today: what is unpaid after its due date, deposits too, credits taken off
}

// Add adds other amounts.
func (s *OwnerSums) Add(o OwnerSums) {
	s.RentDue += o.RentDue
	s.RentCollected += o.RentCollected
	s.FeesDue += o.FeesDue
	s.FeesCollected += o.FeesCollected
	s.DepositsHeld += o.DepositsHeld
	s.Overdue += o.Overdue
}

// OwnerStatement makes the statement of a portfolio, or of one property, for a range of days.
func (s *Reports) OwnerStatement(
	ctx context.Context, by access.Actor, property *portfolio.Property, from, until clock.Date,
) (*OwnerStatement, error) {
	o := &OwnerStatement{From: from, Until: until, Today: s.Today(by), Property: property}
	landlord, err := s.store.Landlord(ctx, by.Portfolio)
	if err != nil {
		return nil, err
	}
	o.Landlord = landlord.Name
	of := ""
	if property != nil {
		of = property.ID
	}
	if o.Units, err = s.store.OwnerStatement(ctx, by.Portfolio, of, from, until, o.Today); err != nil {
		return nil, err
	}
	for i := range o.Units {
		o.Total.Add(o.Units[i].OwnerSums)
	}
	return o, nil
}

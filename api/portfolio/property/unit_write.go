package property

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
)

// UnitAdd is a further unit of a property.
type UnitAdd struct {
	// Number or name, unique in the property.
	UnitNumber string `json:"unit_number" minlen:"1" maxlen:"30" example:"2B"`
	// Number of bedrooms; 0 is a studio.
	Bedrooms *int `json:"bedrooms" min:"0" max:"100" example:"2"`
	// Number of bathrooms in steps of 0.5.
	Bathrooms *portfolio.Half `json:"bathrooms"`
	// Floor area in square feet.
	SquareFeet *int `json:"square_feet" min:"1" max:"10000000" example:"860"`
	// Asking rent a month, in dollars.
	MarketRent *money.Cents `json:"market_rent"`
}

// AddUnit adds a unit to a property that is in use, within the ceiling of units of the
// actor's plan. The property's version grows.
func (s *Units) AddUnit(
	ctx context.Context, by access.Actor, propertyID string, a UnitAdd,
) (*change.Result[portfolio.Unit], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[portfolio.Unit], error) {
		p, err := s.store.Property(ctx, by.Portfolio, propertyID)
		if err != nil {
			return nil, err
		}
		if p.Status == portfolio.PropertyArchived {
			return nil, fault.New(
				fault.InvalidTransition,
				"The property is archived. Restore it before you add a unit.",
			)
		}
		if err := s.capacity(ctx, by, 1); err != nil {
			return nil, err
		}
		if err := s.freeNumber(ctx, by, p.ID, "", a.UnitNumber); err != nil {
			return nil, err
		}
		u := portfolio.Unit{
			Record:     s.NewRecord(by, id.Unit, "unit"),
			PropertyID: p.ID,
			UnitNumber: a.UnitNumber,
			Bedrooms:   a.Bedrooms,
			Bathrooms:  a.Bathrooms,
			SquareFeet: a.SquareFeet,
			MarketRent: a.MarketRent,
			Currency:   portfolio.Currency,
			Status:     portfolio.UnitVacant,
		}
		if err := s.store.AddProperties(ctx, by.Portfolio, &portfolio.Book{Units: []portfolio.Unit{u}}); err != nil {
			return nil, err
		}
		return &change.Result[portfolio.Unit]{After: &u}, s.store.RecountProperty(ctx, by.Portfolio, p.ID, u.CreatedAt)
	})
}

// freeNumber refuses the number of another unit of a property. Upper and lower case are
// alike, of ASCII letters, as in the index that holds them apart.
func (s *Units) freeNumber(ctx context.Context, by access.Actor, propertyID, unitID, number string) error {
	units, err := s.store.UnitsOf(ctx, by.Portfolio, propertyID)
	if err != nil {
		return err
	}
	for i := range units {
		if units[i].ID != unitID && strings.Map(small, units[i].UnitNumber) == strings.Map(small, number) {
			return fault.Invalid([]fault.Detail{portfolio.FieldFault("unit_number", fault.InvalidField, fmt.Sprintf(
				"must be unique in the property; there is a unit %s already.", units[i].UnitNumber))})
		}
	}
	return nil
}

func small(c rune) rune {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// UnitUpdate changes what a unit is; what is absent stays.
type UnitUpdate struct {
	// Number or name, unique in the property.
	UnitNumber change.Field[string] `json:"unit_number" minlen:"1" maxlen:"30"`
	// Number of bedrooms; 0 is a studio.
	Bedrooms change.Field[*int] `json:"bedrooms" min:"0" max:"100"`
	// Number of bathrooms in steps of 0.5.
	Bathrooms change.Field[*portfolio.Half] `json:"bathrooms"`
	// Floor area in square feet.
	SquareFeet change.Field[*int] `json:"square_feet" min:"1" max:"10000000"`
	// Asking rent a month, in dollars.
	MarketRent change.Field[*money.Cents] `json:"market_rent"`
}

// UpdateUnit changes a unit. Leases keep the address they were made with.
func (s *Units) UpdateUnit(
	ctx context.Context, by access.Actor, t change.Target, u UnitUpdate,
) (*change.Result[portfolio.Unit], error) {
	return s.amendUnit(
		ctx,
		by,
		t,
		func(ctx context.Context, after *portfolio.Unit, m *change.Result[portfolio.Unit]) error {
			u.UnitNumber.Into(&after.UnitNumber)
			u.Bedrooms.Into(&after.Bedrooms)
			u.Bathrooms.Into(&after.Bathrooms)
			u.SquareFeet.Into(&after.SquareFeet)
			u.MarketRent.Into(&after.MarketRent)
			if field := described(after, m.Before); field != "" {
				_, err := s.DraftsThatSay(ctx, by, s.store.Leases, portfolio.LeaseFilter{UnitID: after.ID}, field)
				if err != nil {
					return err
				}
			}
			if after.UnitNumber == m.Before.UnitNumber {
				return nil
			}
			return s.freeNumber(ctx, by, after.PropertyID, after.ID, after.UnitNumber)
		},
	)
}

// described names the first field that differs of those that a lease says, "" where none does.
func described(u *portfolio.Unit, b *portfolio.Unit) string {
	switch {
	case u.UnitNumber != b.UnitNumber:
		return "unit_number"
	case !change.Same(u.Bedrooms, b.Bedrooms):
		return "bedrooms"
	case !change.Same(u.Bathrooms, b.Bathrooms):
		return "bathrooms"
	case !change.Same(u.SquareFeet, b.SquareFeet):
		return "square_feet"
	}
	return ""
}

// amendUnit changes a unit, and with it the version of its property.
func (s *Units) amendUnit(
	ctx context.Context,
	by access.Actor,
	t change.Target,
	apply func(context.Context, *portfolio.Unit, *change.Result[portfolio.Unit]) error,
) (*change.Result[portfolio.Unit], error) {
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Unit]{
		Noun:  "unit",
		Load:  s.store.Unit,
		Save:  s.store.SaveUnit,
		Apply: apply,
		Follow: func(ctx context.Context, m *change.Result[portfolio.Unit]) error {
			if err := s.remakeDrafts(ctx, by, portfolio.LeaseFilter{UnitID: m.After.ID}); err != nil {
				return err
			}
			return s.store.RecountProperty(ctx, by.Portfolio, m.After.PropertyID, m.After.UpdatedAt)
		},
		Compute: func(*portfolio.Unit) {},
	})
}

// TakeOffMarket keeps a unit from being counted as vacant: it is renovated, say, or lived
// in by the landlord. A unit that is let, or will be, stays.
func (s *Units) TakeOffMarket(
	ctx context.Context, by access.Actor, t change.Target,
) (*change.Result[portfolio.Unit], error) {
	takeOff := func(ctx context.Context, after *portfolio.Unit, _ *change.Result[portfolio.Unit]) error {
		_, held, err := s.heldBy(ctx, by, portfolio.LeaseFilter{UnitID: after.ID}, portfolio.AgreedLeases()...)
		if err != nil {
			return err
		}
		if held {
			return fault.New(
				fault.InvalidTransition,
				"The unit is let, so it is not on the market. End the lease first, or wait until it has ended.",
			)
		}
		after.Status = portfolio.UnitOffMarket
		return nil
	}
	return s.amendUnit(ctx, by, t, takeOff)
}

// PutOnMarket undoes TakeOffMarket.
func (s *Units) PutOnMarket(
	ctx context.Context, by access.Actor, t change.Target,
) (*change.Result[portfolio.Unit], error) {
	putOn := func(_ context.Context, after *portfolio.Unit, _ *change.Result[portfolio.Unit]) error {
		if after.Status == portfolio.UnitOffMarket {
			after.Status = portfolio.UnitVacant
		}
		return nil
	}
	return s.amendUnit(ctx, by, t, putOn)
}

// heldBy finds a lease of one of some statuses that still counts today.
func (s *Units) heldBy(
	ctx context.Context, by access.Actor, f portfolio.LeaseFilter, statuses ...portfolio.LeaseStatus,
) (l portfolio.Lease, held bool, err error) {
	today, now := s.Today(by), s.BusinessNow(by.Portfolio)
	for _, status := range statuses {
		f.Query, f.Status = portfolio.AllLeases, status
		leases, err := s.store.Leases(ctx, by.Portfolio, f)
		if err != nil {
			return l, false, err
		}
		for _, l = range leases {
			renewed, err := s.occupancy.Renewed(ctx, by.Portfolio, &l, today)
			if err != nil {
				return l, false, err
			}
			lease.RollOver(&l, today, now, renewed)
			if l.Open() || l.Status == portfolio.LeaseSigned || l.Status == portfolio.LeaseActive {
				return l, true, nil
			}
		}
	}
	return l, false, nil
}

package rentroll

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/quota"
)

// part is how many units are written at a time.
const part = 2000

// Store is where an import writes.
type Store interface {
	portfolio.Store
	UnitCount(ctx context.Context, in access.Portfolio) (int, error)
	// Addresses calls back with each property of a portfolio and then with each unit.
	Addresses(
		ctx context.Context,
		in access.Portfolio,
		property func(*portfolio.Property),
		unit func(propertyID, number string),
	) error
	AddProperties(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	GrowProperty(
		ctx context.Context, in access.Portfolio, id string, postalCode *string, yearBuilt *int, at clock.Time,
	) error
}

// Import writes a roll into a portfolio in one transaction: all of it or, where
// there are problems or the ceiling of units would be passed, nothing.
func (r *Roll) Import(
	ctx context.Context, store Store, in access.Portfolio, ceiling int, now time.Time, zone *time.Location,
) (plan *Plan, problems []Problem, err error) {
	err = store.Atomically(ctx, func(ctx context.Context) error {
		if err := store.Lock(ctx, in); err != nil {
			return err
		}
		var existing Existing
		if err := store.Addresses(ctx, in, existing.Add, existing.AddUnit); err != nil {
			return err
		}
		if plan, problems = r.Plan(&existing, now, zone); plan == nil {
			return nil
		}
		used, err := store.UnitCount(ctx, in)
		if err != nil {
			return err
		}
		if used+plan.Units > ceiling {
			return fault.New(fault.UnitLimitReached,
				"The portfolio has %d units and the file brings %d, but the plan's limit is %d.",
				used, plan.Units, ceiling)
		}
		if err := plan.write(ctx, store, in); err != nil {
			return err
		}
		return quota.Check(ctx, store, in)
	})
	if err != nil {
		plan = nil
	}
	return plan, problems, err
}

// write writes all places before all people, since a tenant may name a unit of a
// later part.
func (p *Plan) write(ctx context.Context, store Store, in access.Portfolio) error {
	for book := range p.Books(part) {
		if err := store.AddProperties(ctx, in, book); err != nil {
			return err
		}
	}
	for book := range p.Books(part) {
		if err := store.AddPeople(ctx, in, book); err != nil {
			return err
		}
	}
	for _, j := range p.Joined {
		if err := store.GrowProperty(ctx, in, j.PropertyID, j.PostalCode, j.YearBuilt, clock.At(p.now)); err != nil {
			return err
		}
	}
	return nil
}

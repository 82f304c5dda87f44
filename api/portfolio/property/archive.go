package property

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio"
)

// ArchiveProperty archives a property that is not managed any more. Archived properties stay
// readable and don't count against the plan. A property with an open lease can't be archived.
func (s *Properties) ArchiveProperty(
	ctx context.Context, by access.Actor, t change.Target,
) (*change.Result[portfolio.Property], error) {
	return s.setArchived(
		ctx,
		by,
		t,
		portfolio.PropertyArchived,
		"property.archived",
		func(ctx context.Context, p *portfolio.Property) error {
			l, held, err := s.units.heldBy(ctx, by, portfolio.LeaseFilter{
				PropertyID: p.ID,
			}, portfolio.LeaseActive, portfolio.LeaseSigned, portfolio.LeasePendingSignature, portfolio.LeaseDraft)
			if err != nil || !held {
				return err
			}
			return fault.New(
				fault.InvalidTransition,
				"The property cannot be archived while a unit has a lease that runs or may still be signed: the lease %s of %s is %s. End or void it first.",
				l.ID,
				l.RentalAddress,
				leaseStatusLabel(l.Status),
			)
		},
	)
}

// RestoreProperty takes an archived property back, within the ceiling of units of the
// actor's plan.
func (s *Properties) RestoreProperty(
	ctx context.Context, by access.Actor, t change.Target,
) (*change.Result[portfolio.Property], error) {
	return s.setArchived(
		ctx,
		by,
		t,
		portfolio.PropertyActive,
		"property.restored",
		func(ctx context.Context, p *portfolio.Property) error {
			return s.units.capacity(ctx, by, p.UnitCount)
		},
	)
}

// setArchived gives a property another status, unless may refuses.
func (s *Properties) setArchived(
	ctx context.Context,
	by access.Actor,
	t change.Target,
	to portfolio.PropertyStatus,
	action string,
	may func(context.Context, *portfolio.Property) error,
) (*change.Result[portfolio.Property], error) {
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Property]{
		Noun: "property",
		Load: s.store.Property,
		Save: s.store.SaveProperty,
		Apply: func(ctx context.Context, p *portfolio.Property, _ *change.Result[portfolio.Property]) error {
			if p.Status == to {
				return nil
			}
			p.Status = to
			return may(ctx, p)
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Property]) error {
			return s.RecordDone(ctx, by, action, m.After.ID, nil)
		},
		Compute: func(*portfolio.Property) {},
	})
}

// leaseStatusLabel is a status as a sentence says it.
func leaseStatusLabel(l portfolio.LeaseStatus) string {
	switch l {
	case portfolio.LeasePendingSignature:
		return "out for signature"
	case portfolio.LeaseDraft:
		return "a draft"
	}
	return string(l)
}

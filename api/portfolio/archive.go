package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/fault"
)

// Trail is told what people did.
type Trail interface {
	Record(ctx context.Context, e audit.Event) error
}

// RecordDone takes down what a person did. What a key does is in the log of requests.
func (s *Common) RecordDone(
	ctx context.Context, by access.Actor, action, target string, details map[string]string,
) error {
	if s.Trail == nil || audit.From(ctx).UserID == "" {
		return nil
	}
	if details == nil {
		details = map[string]string{}
	}
	details["mode"] = string(by.Portfolio.Mode)
	return s.Trail.Record(ctx, audit.Event{
		AccountID: by.AccountID,
		Action:    action,
		Target:    target,
		Details:   details,
	})
}

// ArchiveProperty archives a property that is not managed any more. Archived properties stay
// readable and don't count against the plan. A property with an open lease can't be archived.
func (s *Properties) ArchiveProperty(
	ctx context.Context, by access.Actor, t change.Target,
) (*change.Result[Property], error) {
	return s.setArchived(
		ctx,
		by,
		t,
		PropertyArchived,
		"property.archived",
		func(ctx context.Context, p *Property) error {
			l, held, err := s.units.heldBy(ctx, by, LeaseFilter{
				PropertyID: p.ID,
			}, LeaseActive, LeaseSigned, LeasePendingSignature, LeaseDraft)
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
) (*change.Result[Property], error) {
	return s.setArchived(ctx, by, t, PropertyActive, "property.restored", func(ctx context.Context, p *Property) error {
		return s.units.capacity(ctx, by, p.UnitCount)
	})
}

// setArchived gives a property another status, unless may refuses.
func (s *Properties) setArchived(
	ctx context.Context,
	by access.Actor,
	t change.Target,
	to PropertyStatus,
	action string,
	may func(context.Context, *Property) error,
) (*change.Result[Property], error) {
	return Amend(ctx, s.Common, by, t, Amendment[Property]{
		Noun: "property",
		Load: s.store.Property,
		Save: s.store.SaveProperty,
		Apply: func(ctx context.Context, p *Property, _ *change.Result[Property]) error {
			if p.Status == to {
				return nil
			}
			p.Status = to
			return may(ctx, p)
		},
		Follow: func(ctx context.Context, m *change.Result[Property]) error {
			return s.RecordDone(ctx, by, action, m.After.ID, nil)
		},
		Compute: func(*Property) {},
	})
}

// leaseStatusLabel is a status as a sentence says it.
func leaseStatusLabel(l LeaseStatus) string {
	switch l {
	case LeasePendingSignature:
		return "out for signature"
	case LeaseDraft:
		return "a draft"
	}
	return string(l)
}

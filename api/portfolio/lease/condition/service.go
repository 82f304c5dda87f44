package condition

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/quota"
)

// Store keeps condition reports and their photos.
type Store interface {
	portfolio.Store
	// ConditionReport finds the report of a kind that a lease has, with its photos, or fault.NotFound.
	ConditionReport(ctx context.Context, in access.Portfolio, leaseID string, kind Kind) (Report, error)
	// ConditionReports are reports of the portfolio with their photos by ascending id, one more than the limit.
	ConditionReports(ctx context.Context, in access.Portfolio, q list.Query) ([]Report, error)
	// AddConditionReport and SaveConditionReport write a report without its photos.
	AddConditionReport(ctx context.Context, in access.Portfolio, r *Report) error
	SaveConditionReport(ctx context.Context, in access.Portfolio, r *Report) error
	// DeleteConditionReport removes a report with its photos.
	DeleteConditionReport(ctx context.Context, in access.Portfolio, reportID string) error
	// AddConditionPhoto writes a photo with its content and its thumbnail, both JPEG.
	AddConditionPhoto(ctx context.Context, in access.Portfolio, p *Photo, content, thumbnail []byte) error
	// ConditionPhoto is a photo of a report as JPEG, or its thumbnail, or fault.NotFound.
	ConditionPhoto(ctx context.Context, in access.Portfolio, reportID, photoID string, thumbnail bool) ([]byte, error)
	// RemoveConditionPhotos removes photos of a report.
	RemoveConditionPhotos(ctx context.Context, in access.Portfolio, reportID string, photoIDs ...string) error
}

// Service keeps the reports of the condition of homes. A method for members of the account refuses tenants, and one for
// tenants, whose name says so, everybody else: both are told that there is no report.
type Service struct {
	*portfolio.Common
	Notices Notices // may be nil: tenants are not emailed about reports
	store   Store
}

// New makes the service over its store.
func New(c *portfolio.Common, store Store) *Service { return &Service{Common: c, store: store} }

// Notices emails tenants about reports.
type Notices interface {
	// ConditionChanged tells the tenants who rent under a lease what has become of a report, in the transaction of
	// the context.
	ConditionChanged(ctx context.Context, by access.Actor, l *portfolio.Lease, r *Report, news News) error
}

// News is what tenants are told of a report.
type News string

// What has become of a report.
const (
	NowShared   News = "shared"   // they see it
	NowSigned   News = "signed"   // the landlord has signed it, and they are to
	NowComplete News = "complete" // all have signed it
)

// tell has the tenants be told what has become of a report.
func (s *Service) tell(ctx context.Context, by access.Actor, r *Report, news News) error {
	if s.Notices == nil {
		return nil
	}
	l, err := s.store.Lease(ctx, by.Portfolio, r.LeaseID)
	if err != nil {
		return err
	}
	return s.Notices.ConditionChanged(ctx, by, &l, r, news)
}

// mostRenewals is how many renewals a tenancy is followed back through.
const mostRenewals = 50

// Report is the report of a kind that a lease has, or fault.NotFound.
func (s *Service) Report(ctx context.Context, by access.Actor, leaseID string, kind Kind) (*Report, error) {
	l, err := s.leaseFor(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	return s.find(ctx, by, l, kind)
}

// Reports are those that a lease has, that of moving in first.
func (s *Service) Reports(ctx context.Context, by access.Actor, leaseID string) ([]Report, error) {
	l, err := s.leaseFor(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	return s.both(ctx, by, l, func(*Report) bool { return true })
}

// All is a page of the reports of the portfolio.
func (s *Service) All(ctx context.Context, by access.Actor, q list.Query) (*list.Page[Report], error) {
	if by.TenantID != "" {
		return nil, fault.NotFound(noun)
	}
	all, err := s.store.ConditionReports(ctx, by.Portfolio, q)
	if err != nil {
		return nil, err
	}
	return list.Of(all, q.Limit, func(r *Report) string { return r.ID }), nil
}

// MoveIn is the move-in report of the tenancy that a lease belongs to: its own, or that of the latest lease before it
// which was renewed and has one; else fault.NotFound.
func (s *Service) MoveIn(ctx context.Context, by access.Actor, leaseID string) (*Report, error) {
	l, err := s.leaseFor(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	return s.moveIn(ctx, by, l)
}

func (s *Service) moveIn(ctx context.Context, by access.Actor, l *portfolio.Lease) (*Report, error) {
	for range mostRenewals {
		r, err := s.find(ctx, by, l, MoveIn)
		if !fault.Is(err, fault.NoRecord) || l.RenewedFromLeaseID == nil {
			return r, err
		}
		before, err := s.store.Lease(ctx, by.Portfolio, *l.RenewedFromLeaseID)
		if err != nil {
			return nil, err
		}
		l = &before
	}
	return nil, fault.NotFound(noun)
}

// Begin makes a report for a lease that binds somebody, or did. One of moving out has the areas and items of the
// tenancy's move-in report, where there is one, and any other those that the unit has by its rooms.
func (s *Service) Begin(ctx context.Context, by access.Actor, leaseID string, kind Kind) (*Report, error) {
	if !slices.Contains(kind.Values(), string(kind)) {
		return nil, fault.New(fault.InvalidField, "A condition report is of moving in or of moving out.").At("kind")
	}
	var made *Report
	err := s.write(ctx, by, func(ctx context.Context) error {
		l, err := s.leaseFor(ctx, by, leaseID)
		if err != nil {
			return err
		}
		if !slices.Contains(portfolio.BoundLeases(), l.Status) {
			return fault.New(fault.InvalidTransition, "A condition report can be begun once the lease is signed.")
		}
		if err := s.firstOf(ctx, by, l, kind); err != nil {
			return err
		}
		made, err = s.newReport(ctx, by, l, kind)
		if err != nil {
			return err
		}
		if err := s.store.AddConditionReport(ctx, by.Portfolio, made); err != nil {
			return err
		}
		return s.record(ctx, by, "begun", made)
	})
	return made, err
}

// firstOf refuses a second report of a kind, and a move-in report of a tenancy that has one under an earlier lease.
func (s *Service) firstOf(ctx context.Context, by access.Actor, l *portfolio.Lease, kind Kind) error {
	find := func() (*Report, error) { return s.find(ctx, by, l, kind) }
	if kind == MoveIn {
		find = func() (*Report, error) { return s.moveIn(ctx, by, l) }
	}
	found, err := find()
	switch {
	case fault.Is(err, fault.NoRecord):
		return nil
	case err != nil:
		return err
	case found.LeaseID != l.ID:
		return fault.New(fault.InvalidTransition, "The tenancy has a move-in report, under the lease that was renewed.")
	}
	return fault.New(fault.InvalidTransition, "The lease has this condition report already.")
}

// newReport is a report as it begins.
func (s *Service) newReport(ctx context.Context, by access.Actor, l *portfolio.Lease, kind Kind) (*Report, error) {
	r := &Report{
		Record:     s.NewRecord(by, id.ConditionReport, "condition_report"),
		LeaseID:    l.ID,
		Kind:       kind,
		Signatures: []Signature{},
	}
	r.await(l)
	if kind == MoveOut {
		before, err := s.moveIn(ctx, by, l)
		if err == nil {
			r.Areas, r.BeganWith = copied(before.Areas), &before.ID
			return r, nil
		}
		if !fault.Is(err, fault.NoRecord) {
			return nil, err
		}
	}
	u, err := s.store.Unit(ctx, by.Portfolio, l.UnitID)
	if err != nil {
		return nil, err
	}
	r.Areas = areasOf(&u, s.Now(by.Portfolio))
	return r, nil
}

// Share lets the tenants see a report and say what they have to say of it, for good.
func (s *Service) Share(ctx context.Context, by access.Actor, leaseID string, kind Kind) (*Report, error) {
	return s.change(ctx, by, leaseID, kind, func(ctx context.Context, r *Report) error {
		if r.Shared() {
			return nil
		}
		r.SharedAt = new(clock.At(s.Now(by.Portfolio)))
		if err := s.tell(ctx, by, r, NowShared); err != nil {
			return err
		}
		return s.record(ctx, by, "shared", r)
	})
}

// Delete removes a report that nobody has signed with its photos, for good, as far as the caller has seen it: another
// version of it is fault.StaleWrite.
func (s *Service) Delete(ctx context.Context, by access.Actor, leaseID string, kind Kind, version int64) error {
	return s.write(ctx, by, func(ctx context.Context) error {
		r, err := s.Report(ctx, by, leaseID, kind)
		switch {
		case err != nil:
			return err
		case len(r.Signatures) > 0:
			return fault.New(fault.InvalidTransition, "A report that somebody has signed can't be deleted.")
		case r.Version != version:
			return stale()
		}
		if err := s.store.DeleteConditionReport(ctx, by.Portfolio, r.ID); err != nil {
			return err
		}
		return s.record(ctx, by, "deleted", r)
	})
}

// ForTenant is the report of a kind that a lease of the tenant who asks has, once it was shared, or fault.NotFound.
func (s *Service) ForTenant(ctx context.Context, by access.Actor, leaseID string, kind Kind) (*Report, error) {
	l, err := s.leaseOf(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	r, err := s.find(ctx, by, l, kind)
	if err == nil && !r.Shared() {
		err = fault.NotFound(noun)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// ReportsForTenant are those that a lease of the tenant who asks has and that were shared, that of moving in first.
func (s *Service) ReportsForTenant(ctx context.Context, by access.Actor, leaseID string) ([]Report, error) {
	l, err := s.leaseOf(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	return s.both(ctx, by, l, (*Report).Shared)
}

// both are the reports of a lease that may be seen.
func (s *Service) both(
	ctx context.Context, by access.Actor, l *portfolio.Lease, seen func(*Report) bool,
) (all []Report, err error) {
	for _, kind := range []Kind{MoveIn, MoveOut} {
		switch r, err := s.find(ctx, by, l, kind); {
		case fault.Is(err, fault.NoRecord):
		case err != nil:
			return nil, err
		case seen(r):
			all = append(all, *r)
		}
	}
	return all, nil
}

// find is a report of a lease, with who has still to sign it.
func (s *Service) find(ctx context.Context, by access.Actor, l *portfolio.Lease, kind Kind) (*Report, error) {
	r, err := s.store.ConditionReport(ctx, by.Portfolio, l.ID, kind)
	if err != nil {
		return nil, err
	}
	r.await(l)
	return &r, nil
}

// leaseFor is a lease for a member of the account.
func (s *Service) leaseFor(ctx context.Context, by access.Actor, leaseID string) (*portfolio.Lease, error) {
	if by.TenantID != "" || !id.Valid(id.Lease, leaseID) {
		return nil, fault.NotFound("lease")
	}
	l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
	if err != nil {
		return nil, err
	}
	return &l, nil
}

// leaseOf is a lease that the tenant who asks rents under, or did: guarantors do not.
func (s *Service) leaseOf(ctx context.Context, by access.Actor, leaseID string) (*portfolio.Lease, error) {
	if by.TenantID == "" || !id.Valid(id.Lease, leaseID) {
		return nil, fault.NotFound("lease")
	}
	l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
	if err == nil && (!l.Binding() || !slices.Contains(l.Renters(), by.TenantID)) {
		err = fault.NotFound("lease")
	}
	if err != nil {
		return nil, err
	}
	return &l, nil
}

// write runs what changes reports, in which nobody else changes the portfolio.
func (s *Service) write(ctx context.Context, by access.Actor, do func(context.Context) error) error {
	if err := by.Need(access.Write); err != nil {
		return err
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		if err := do(ctx); err != nil {
			return err
		}
		return quota.Check(ctx, s.Tx, by.Portfolio)
	})
}

// change changes a report for a member of the account.
func (s *Service) change(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, apply func(context.Context, *Report) error,
) (*Report, error) {
	return s.amend(ctx, by, func(ctx context.Context) (*Report, error) {
		return s.Report(ctx, by, leaseID, kind)
	}, apply)
}

// changeAsTenant changes a report for a tenant who sees it.
func (s *Service) changeAsTenant(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, apply func(context.Context, *Report) error,
) (*Report, error) {
	return s.amend(ctx, by, func(ctx context.Context) (*Report, error) {
		return s.ForTenant(ctx, by, leaseID, kind)
	}, apply)
}

// amend reads a report, changes it and writes it as its next version. What changes nothing leaves its version.
func (s *Service) amend(
	ctx context.Context, by access.Actor, find func(context.Context) (*Report, error),
	apply func(context.Context, *Report) error,
) (r *Report, err error) {
	err = s.write(ctx, by, func(ctx context.Context) error {
		if r, err = find(ctx); err != nil {
			return err
		}
		before, shared, signed := r.SHA256(), r.Shared(), len(r.Signatures)
		if err := apply(ctx, r); err != nil {
			return err
		}
		if r.SHA256() == before && r.Shared() == shared && len(r.Signatures) == signed {
			return nil
		}
		r.Revise(clock.At(s.Now(by.Portfolio)))
		return s.store.SaveConditionReport(ctx, by.Portfolio, r)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// record takes down what a member did with a report.
func (s *Service) record(ctx context.Context, by access.Actor, what string, r *Report) error {
	return s.RecordDone(ctx, by, "condition_report."+what, r.ID, map[string]string{
		"kind": string(r.Kind), "lease_id": r.LeaseID,
	})
}

// stale is that a report has changed since the caller has seen it.
func stale() error {
	return fault.New(fault.StaleWrite, "The condition report has changed since you saw it. Load it again.")
}

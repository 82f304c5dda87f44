package amendment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/quota"
)

// Store keeps amendments.
type Store interface {
	// Amendments are those of a lease, the newest first.
	Amendments(ctx context.Context, in access.Portfolio, leaseID string) ([]Amendment, error)
	// AllAmendments are those of the portfolio by ascending id, one more than the limit.
	AllAmendments(ctx context.Context, in access.Portfolio, q list.Query) ([]Amendment, error)
	// Amendment finds an amendment of a lease, or fault.NotFound.
	Amendment(ctx context.Context, in access.Portfolio, leaseID, amendmentID string) (Amendment, error)
	AddAmendment(ctx context.Context, in access.Portfolio, a *Amendment) error
	SaveAmendment(ctx context.Context, in access.Portfolio, a *Amendment) error
	DeleteAmendment(ctx context.Context, in access.Portfolio, amendmentID string) error
	// SaveAmendmentDocument writes what all have signed as PDF, and AmendmentDocument reads it, or is fault.NotFound.
	SaveAmendmentDocument(ctx context.Context, in access.Portfolio, amendmentID string, content []byte) error
	AmendmentDocument(ctx context.Context, in access.Portfolio, leaseID, amendmentID string) ([]byte, error)
	// DueAmendments are open amendments behind one by ascending id, at most so many, that are signed and whose day has
	// come, or whose lease is not active.
	DueAmendments(
		ctx context.Context, in access.Portfolio, today clock.Date, behind string, most int,
	) ([]Amendment, error)
}

// Service keeps the amendments of leases. A method for members of the account refuses tenants, and one for tenants,
// whose name says so, everybody else: both are told that there is no amendment.
type Service struct {
	*portfolio.Common
	rules      *records.Service
	agreements *agreement.Service
	store      Store
}

// New makes the service beside the rules of a portfolio, whose parts it shares.
func New(p *records.Service, agreements *agreement.Service, store Store) *Service {
	return &Service{Common: p.Common, rules: p, agreements: agreements, store: store}
}

// MostAmendments is how many amendments a lease has at most.
const MostAmendments = 100

var amendLease = operation.DefineInput[Input]("amend_lease")

// Amendments are those of a lease, the newest first.
func (s *Service) Amendments(ctx context.Context, by access.Actor, leaseID string) ([]Amendment, error) {
	if _, err := s.leaseFor(ctx, by, leaseID); err != nil {
		return nil, err
	}
	return s.store.Amendments(ctx, by.Portfolio, leaseID)
}

// All is a page of the amendments of the portfolio.
func (s *Service) All(ctx context.Context, by access.Actor, q list.Query) (*list.Page[Amendment], error) {
	if by.TenantID != "" {
		return nil, fault.NotFound(noun)
	}
	all, err := s.store.AllAmendments(ctx, by.Portfolio, q)
	if err != nil {
		return nil, err
	}
	return list.Of(all, q.Limit, func(a *Amendment) string { return a.ID }), nil
}

// Amendment is one of a lease, or fault.NotFound. A draft has the content with which it would be sent now.
func (s *Service) Amendment(ctx context.Context, by access.Actor, leaseID, amendmentID string) (*Amendment, error) {
	l, err := s.leaseFor(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	return s.find(ctx, by, l, amendmentID)
}

func (s *Service) find(
	ctx context.Context, by access.Actor, l *portfolio.Lease, amendmentID string,
) (*Amendment, error) {
	if !id.Valid(id.Amendment, amendmentID) {
		return nil, fault.NotFound(noun)
	}
	a, err := s.store.Amendment(ctx, by.Portfolio, l.ID, amendmentID)
	if err != nil {
		return nil, err
	}
	if a.Status == Draft && a.refused(l, s.Today(by)) == nil {
		if a.Content, err = s.content(ctx, by, l, &a); err != nil {
			return nil, err
		}
	}
	return &a, nil
}

// content is what the parties would sign now.
func (s *Service) content(
	ctx context.Context, by access.Actor, l *portfolio.Lease, a *Amendment,
) (*Content, error) {
	landlord, err := s.agreements.Landlord(ctx, by.Portfolio)
	if err != nil {
		return nil, err
	}
	before := values(l)
	c := &Content{
		Landlord:    landlord.Name,
		Address:     landlord.Address,
		Signer:      landlord.Signer,
		Title:       landlord.Title,
		Home:        l.RentalAddress,
		StartDate:   l.StartDate,
		EndDate:     l.EndDate,
		EffectiveOn: a.EffectiveOn,
		Before:      before,
		After:       a.Changes.onto(before),
	}
	if a.Changes.Clause != nil {
		c.Clause = *a.Changes.Clause
	}
	for i := range l.Tenants {
		t := &l.Tenants[i]
		c.Parties = append(c.Parties, Party{TenantID: t.ID, Role: t.Role, Name: t.Name})
	}
	return c, nil
}

// Create makes a draft. A new rent needs the scope payments.
func (s *Service) Create(ctx context.Context, by access.Actor, leaseID string, in Input) (*Amendment, error) {
	if err := s.allowed(by, &in); err != nil {
		return nil, err
	}
	var made *Amendment
	err := s.write(ctx, by, func(ctx context.Context) error {
		l, err := s.leaseFor(ctx, by, leaseID)
		if err != nil {
			return err
		}
		made = &Amendment{
			Record:      s.NewRecord(by, id.Amendment, "lease_amendment"),
			LeaseID:     l.ID,
			Status:      Draft,
			EffectiveOn: in.EffectiveOn,
			Changes:     in.changes(),
			Signatures:  []Signature{},
		}
		if user := audit.From(ctx).UserID; user != "" {
			made.CreatedBy = &user
		}
		if err := made.refused(l, s.Today(by)); err != nil {
			return err
		}
		if err := s.another(ctx, by, l.ID); err != nil {
			return err
		}
		if err := s.store.AddAmendment(ctx, by.Portfolio, made); err != nil {
			return err
		}
		return s.record(ctx, by, "created", made)
	})
	if err != nil {
		return nil, err
	}
	return s.Amendment(ctx, by, leaseID, made.ID)
}

// allowed refuses an input for itself.
func (s *Service) allowed(by access.Actor, in *Input) error {
	if err := amendLease.Check(in, s.Today(by)); err != nil {
		return err
	}
	if in.MonthlyRent == nil {
		return nil
	}
	if err := by.Need(access.Payments); err != nil {
		return fault.From(err).At("monthly_rent")
	}
	return nil
}

// another refuses a further amendment of a lease that has an open one, or as many as a lease has at most.
func (s *Service) another(ctx context.Context, by access.Actor, leaseID string) error {
	all, err := s.store.Amendments(ctx, by.Portfolio, leaseID)
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(all, func(a Amendment) bool { return a.Status.Open() }):
		return fault.New(fault.InvalidTransition,
			"The lease has an amendment that is not done yet. Delete or withdraw it, or wait until it is in effect.")
	case len(all) >= MostAmendments:
		return fault.New(fault.InvalidTransition, "The lease has %d amendments, and %d is the most.", len(all),
			MostAmendments)
	}
	return nil
}

// Change changes a draft to what an input says, as far as the caller has seen it: another version of it is
// fault.StaleWrite.
func (s *Service) Change(
	ctx context.Context, by access.Actor, leaseID, amendmentID string, version int64, in Input,
) (*Amendment, error) {
	if err := s.allowed(by, &in); err != nil {
		return nil, err
	}
	return s.amend(ctx, by, leaseID, amendmentID, func(ctx context.Context, l *portfolio.Lease, a *Amendment) error {
		if err := a.stillDraft(version); err != nil {
			return err
		}
		a.EffectiveOn, a.Changes = in.EffectiveOn, in.changes()
		if err := a.refused(l, s.Today(by)); err != nil {
			return err
		}
		return s.record(ctx, by, "changed", a)
	})
}

func (a *Amendment) stillDraft(version int64) error {
	if a.Status != Draft {
		return fault.New(
			fault.InvalidTransition,
			"The amendment can't be changed any more: it is %s.",
			a.Status.words(),
		)
	}
	if a.Version != version {
		return stale()
	}
	return nil
}

// Delete removes a draft, as far as the caller has seen it.
func (s *Service) Delete(ctx context.Context, by access.Actor, leaseID, amendmentID string, version int64) error {
	return s.write(ctx, by, func(ctx context.Context) error {
		a, err := s.Amendment(ctx, by, leaseID, amendmentID)
		if err != nil {
			return err
		}
		if err := a.stillDraft(version); err != nil {
			return err
		}
		if err := s.store.DeleteAmendment(ctx, by.Portfolio, a.ID); err != nil {
			return err
		}
		return s.record(ctx, by, "deleted", a)
	})
}

// Document is what all have signed as sealed PDF, or fault.NotFound.
func (s *Service) Document(ctx context.Context, by access.Actor, leaseID, amendmentID string) ([]byte, error) {
	if _, err := s.leaseFor(ctx, by, leaseID); err != nil {
		return nil, err
	}
	return s.store.AmendmentDocument(ctx, by.Portfolio, leaseID, amendmentID)
}

// dueBatch is how many due amendments are looked up at once.
const dueBatch = 50

// ApplyDue implements portfolio.Amendments: amendments of a portfolio whose day has come change their leases, and those
// whose lease is not active any more become void. Each is a transaction of its own, so that one that fails keeps no
// other back; in a demo portfolio all that happens on a day is one transaction, which it ends. Doing it twice changes
// nothing. What a demo portfolio may hold is not asked: its days go on when it is full.
func (s *Service) ApplyDue(ctx context.Context, by access.Actor) error {
	by.Scopes = access.Scopes{access.Read, access.Write, access.Payments}
	var failed []error
	for behind := ""; ; {
		due, err := s.store.DueAmendments(ctx, by.Portfolio, s.Today(by), behind, dueBatch)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		for i := range due {
			behind = due[i].ID
			err := s.applyOne(ctx, by, due[i].LeaseID, behind)
			if err == nil || fault.Is(err, fault.NoRecord) { // another process may have deleted it
				continue
			}
			err = fmt.Errorf("apply the amendment %s: %w", behind, err)
			if by.Portfolio.Mode == access.Test || ctx.Err() != nil {
				return err
			}
			failed = append(failed, err)
		}
		if len(due) < dueBatch {
			return errors.Join(failed...)
		}
	}
}

// applyOne settles an amendment as it is now.
func (s *Service) applyOne(ctx context.Context, by access.Actor, leaseID, amendmentID string) error {
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		l, err := s.leaseFor(ctx, by, leaseID)
		if err != nil {
			return err
		}
		a, err := s.store.Amendment(ctx, by.Portfolio, leaseID, amendmentID)
		if err != nil {
			return err
		}
		before := a.Status
		if err := s.settle(ctx, by, l, &a); err != nil || a.Status == before {
			return err
		}
		a.Revise(clock.At(s.Now(by.Portfolio)))
		return s.store.SaveAmendment(ctx, by.Portfolio, &a)
	})
}

// settle does with an open amendment what its day, or the end of its lease, brings.
func (s *Service) settle(ctx context.Context, by access.Actor, l *portfolio.Lease, a *Amendment) error {
	switch {
	case !a.Status.Open():
		return nil // another process was faster
	case a.Content != nil && a.Content.contradiction(l) != "":
		s.close(by, a, Void, a.Content.contradiction(l))
		return nil
	case l.Status != portfolio.LeaseActive:
		s.close(by, a, Void, "The lease is "+strings.ReplaceAll(string(l.Status), "_", " ")+".")
		return nil
	case a.Status != Signed || a.EffectiveOn > s.Today(by):
		return nil
	}
	if err := s.rules.Leases.ChangeAsAgreed(ctx, by, l.ID, a.agreed(a.Content.After)); err != nil {
		return err
	}
	s.close(by, a, InEffect, "")
	return s.trail(ctx, by, "lease.amended", l.ID, map[string]string{
		"amendment": a.ID, "effective_on": a.EffectiveOn.String(),
	})
}

// close ends an amendment.
func (s *Service) close(by access.Actor, a *Amendment, as Status, reason string) {
	a.Status, a.ClosedAt = as, new(s.BusinessNow(by.Portfolio))
	if reason != "" {
		a.Reason = &reason
	}
}

// words are a status within a sentence.
func (s Status) words() string { return strings.ReplaceAll(string(s), "_", " ") }

// leaseFor is a lease for a member of the account.
func (s *Service) leaseFor(ctx context.Context, by access.Actor, leaseID string) (*portfolio.Lease, error) {
	if by.TenantID != "" || !id.Valid(id.Lease, leaseID) {
		return nil, fault.NotFound("lease")
	}
	l, err := s.Tx.Lease(ctx, by.Portfolio, leaseID)
	if err != nil {
		return nil, err
	}
	return &l, nil
}

// write runs what changes amendments, in which nobody else changes the portfolio.
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

// amend reads an amendment with its lease, changes it and writes it as its next version. What leaves its status, and is
// neither signed nor edited, leaves its version.
func (s *Service) amend(
	ctx context.Context, by access.Actor, leaseID, amendmentID string,
	apply func(context.Context, *portfolio.Lease, *Amendment) error,
) (a *Amendment, err error) {
	return s.amendOf(ctx, by, func(ctx context.Context) (*portfolio.Lease, error) {
		return s.leaseFor(ctx, by, leaseID)
	}, amendmentID, apply)
}

func (s *Service) amendOf(
	ctx context.Context, by access.Actor, leaseOf func(context.Context) (*portfolio.Lease, error), amendmentID string,
	apply func(context.Context, *portfolio.Lease, *Amendment) error,
) (a *Amendment, err error) {
	err = s.write(ctx, by, func(ctx context.Context) error {
		l, err := leaseOf(ctx)
		if err != nil {
			return err
		}
		if a, err = s.find(ctx, by, l, amendmentID); err != nil {
			return err
		}
		before := *a
		if err := apply(ctx, l, a); err != nil {
			return err
		}
		if a.Status == before.Status && len(a.Signatures) == len(before.Signatures) &&
			a.EffectiveOn == before.EffectiveOn && a.Changes == before.Changes {
			return nil
		}
		a.Revise(clock.At(s.Now(by.Portfolio)))
		if a.Status == Draft {
			a.Content = nil // as long as it may change
		}
		if err := s.store.SaveAmendment(ctx, by.Portfolio, a); err != nil || a.Status != Draft {
			return err
		}
		a, err = s.find(ctx, by, l, a.ID) // with the content that it has now
		return err
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// record takes down what a member did with an amendment.
func (s *Service) record(ctx context.Context, by access.Actor, what string, a *Amendment) error {
	return s.RecordDone(ctx, by, "lease_amendment."+what, a.ID, map[string]string{
		"lease_id": a.LeaseID, "effective_on": a.EffectiveOn.String(),
	})
}

// trail takes down what happened to a lease, though it was no member who did it: the last party, or the day.
func (s *Service) trail(
	ctx context.Context, by access.Actor, action, target string, details map[string]string,
) error {
	if s.Trail.Store == nil || change.IsDryRun(ctx) {
		return nil
	}
	of, err := s.Tx.Landlord(ctx, by.Portfolio)
	if err != nil {
		return err
	}
	details["mode"] = string(by.Portfolio.Mode)
	return s.Trail.Record(ctx, audit.Event{AccountID: of.AccountID, Action: action, Target: target, Details: details})
}

// stale is that an amendment has changed since the caller has seen it.
func stale() error {
	return fault.New(fault.StaleWrite, "The amendment has changed since you saw it. Load it again.")
}

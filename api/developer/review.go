package developer

import (
	"context"
	"strings"
	"unicode/utf8"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/texts"
)

// Reviews is how staff decide about requests for access.
type Reviews struct{ service *Service }

// Verdict is what a reviewer decides about a request.
type Verdict struct {
	Status RequestStatus // Approved, Denied or Revoked
	Reason string        // of a denial or a revocation; the applicant reads it
	Notes  *string       // for the staff alone; nil leaves those there are
}

// mostNotes is how many characters a reason or notes may have.
const mostNotes = 2000

// verdicts are what can be decided, and about a request in which status.
var verdicts = map[RequestStatus]struct {
	about RequestStatus
	words string
}{
	Approved: {Pending, "a pending one"},
	Denied:   {Pending, "a pending one"},
	Revoked:  {Approved, "an approved one"},
}

func (v Verdict) check() error {
	if _, known := verdicts[v.Status]; !known {
		return fault.New(fault.InvalidField, "A review approves, denies or revokes.").At("status")
	}
	if v.Status == Denied && strings.TrimSpace(v.Reason) == "" {
		return fault.New(fault.InvalidField, "A denial needs a reason: the applicant reads it.").At("denial_reason")
	}
	if err := fits(v.Reason, "denial_reason"); err != nil {
		return err
	}
	return fits(value(v.Notes), "review_notes")
}

func fits(s, param string) error {
	switch n := utf8.RuneCountInString(s); {
	case n > mostNotes:
		return fault.New(fault.InvalidField, "%s", param+" "+fault.Characters(n, nil, new(mostNotes))).At(param)
	case texts.Unreadable(s, true):
		return fault.New(fault.InvalidField, "%s", param+" "+fault.Invisible+".").At(param)
	}
	return nil
}

// Approve grants a landlord's pending request. An account without a request gets
// one, which says that an operator approved it.
func (s *Reviews) Approve(ctx context.Context, email string, notes *string) (AccessRequest, error) {
	return s.ReviewOf(ctx, email, "", Verdict{Status: Approved, Notes: notes})
}

// Deny turns down a landlord's pending request, with a reason that the applicant
// reads.
func (s *Reviews) Deny(ctx context.Context, email, reason string) (AccessRequest, error) {
	return s.ReviewOf(ctx, email, "", Verdict{Status: Denied, Reason: reason})
}

// RevokeAccess takes back an approval and revokes every key of the account, for
// good: a later approval does not revive them.
func (s *Reviews) RevokeAccess(ctx context.Context, email string, notes *string) (AccessRequest, error) {
	return s.ReviewOf(ctx, email, "", Verdict{Status: Revoked, Notes: notes})
}

// ReviewOf decides, as an operator, about the open request of a landlord's account, which
// who owns several names (AccountNamed).
func (s *Reviews) ReviewOf(ctx context.Context, email, name string, v Verdict) (r AccessRequest, err error) {
	if err := v.check(); err != nil {
		return r, err
	}
	err = s.service.store.Atomically(ctx, func(ctx context.Context) error {
		u, a, err := s.service.lock(ctx, email, name)
		if err != nil {
			return err
		}
		var found bool
		if r, found, err = s.service.store.OpenAccessRequest(ctx, a.ID); err != nil {
			return err
		}
		switch {
		case found:
			return s.decide(ctx, &r, v, nil)
		case v.Status != Approved:
			return fault.New(fault.NoRecord, "%s has no open access request.", email)
		}
		r = AccessRequest{
			ID:           id.New(id.AccessRequest, s.service.now()),
			Status:       Pending,
			ContactEmail: u.Email,
			AccountID:    a.ID,
			SubmittedBy:  u.ID,
			UseCase:      "Approved by an operator without an application.",
			SubmittedAt:  clock.At(s.service.now()),
		}
		if err := s.service.store.AddAccessRequest(ctx, r); err != nil {
			return err
		}
		return s.decide(ctx, &r, v, nil)
	})
	return r, err
}

// Review decides about a request in the name of a staff user. Nobody reviews a request
// of an account that they take part in. To revoke stops every key of the account, for
// good.
func (s *Reviews) Review(ctx context.Context, reviewerID, requestID string, v Verdict) (r AccessRequest, err error) {
	if err := v.check(); err != nil {
		return r, err
	}
	err = s.reviewing(ctx, reviewerID, requestID, func(ctx context.Context, found *AccessRequest) error {
		err := s.decide(ctx, found, v, &reviewerID)
		r = *found
		return err
	})
	return r, err
}

// Note keeps notes of the staff with a request.
func (s *Reviews) Note(ctx context.Context, reviewerID, requestID, notes string) error {
	if err := fits(notes, "review_notes"); err != nil {
		return err
	}
	return s.reviewing(ctx, reviewerID, requestID, func(ctx context.Context, r *AccessRequest) error {
		r.ReviewNotes = &notes
		if notes == "" {
			r.ReviewNotes = nil
		}
		if err := s.service.store.ReviewAccessRequest(ctx, *r); err != nil {
			return err
		}
		return s.service.audit.Record(ctx, audit.Event{AccountID: r.AccountID, Action: "access.noted", Target: r.ID})
	})
}

// reviewing does something with a request that the reviewer has no part in.
func (s *Reviews) reviewing(
	ctx context.Context, reviewerID, requestID string, do func(context.Context, *AccessRequest) error,
) error {
	r, err := s.request(ctx, requestID)
	if err != nil {
		return err
	}
	return s.service.lockedAccount(ctx, r.AccountID, func(ctx context.Context) error {
		own, err := s.service.store.IsMember(ctx, r.AccountID, reviewerID)
		if err != nil {
			return err
		}
		if own || r.SubmittedBy == reviewerID {
			return fault.New(
				fault.InvalidTransition, "Nobody reviews the request of their own account. Ask a colleague.",
			)
		}
		r, err := s.request(ctx, requestID) // as it is now that nobody else reviews it
		if err != nil {
			return err
		}
		return do(ctx, &r)
	})
}

func (s *Reviews) request(ctx context.Context, requestID string) (AccessRequest, error) {
	r, found, err := s.service.store.AccessRequest(ctx, requestID)
	if err == nil && !found {
		err = fault.New(fault.NoRecord, "No access request has the id %s.", requestID)
	}
	return r, err
}

// decide moves a request on, within the transaction of the context, and writes to the
// applicant what the staff decided. by is nil for an operator.
func (s *Reviews) decide(ctx context.Context, r *AccessRequest, v Verdict, by *string) error {
	if d := verdicts[v.Status]; r.Status != d.about {
		return fault.New(fault.InvalidTransition, "The request is %s; only %s can be %s.", r.Status, d.words, v.Status)
	}
	r.Status, r.ReviewedBy, r.ReviewedAt = v.Status, by, new(clock.At(s.service.now()))
	if v.Reason != "" {
		r.DenialReason = &v.Reason
	}
	if v.Notes != nil {
		r.ReviewNotes = v.Notes
	}
	if err := s.service.store.ReviewAccessRequest(ctx, *r); err != nil {
		return err
	}
	if v.Status == Revoked {
		if err := s.service.store.RevokeKeys(ctx, r.AccountID, clock.At(s.service.now())); err != nil {
			return err
		}
	}
	if by != nil { // an operator at the console tells the applicant in person
		if err := s.service.tell(ctx, r); err != nil {
			return err
		}
	}
	return s.service.audit.Record(ctx, audit.Event{
		AccountID: r.AccountID,
		Action:    "access." + string(r.Status),
		Target:    r.ID,
	})
}

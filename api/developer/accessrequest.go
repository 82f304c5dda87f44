package developer

import (
	"context"
	"strings"
	"unicode/utf8"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
)

// AccessRequest is a landlord's application for API access (service.md,
// AccessRequestOut).
type AccessRequest struct {
	ID                   string        `json:"id"`
	Status               RequestStatus `json:"status"`
	CompanyName          *string       `json:"company_name"`
	ContactEmail         string        `json:"contact_email"`
	UseCase              string        `json:"use_case"`
	ExpectedMonthlyCalls *int          `json:"expected_monthly_calls"`
	IntegrationType      *string       `json:"integration_type"`
	WebsiteURL           *string       `json:"website_url"`
	SubmittedAt          clock.Time    `json:"submitted_at"`
	ReviewedAt           *clock.Time   `json:"reviewed_at"`
	ReviewNotes          *string       `json:"review_notes"`
	DenialReason         *string       `json:"denial_reason"`
}

// RequestStatus is where an access request stands.
type RequestStatus string

// The states: pending → approved | denied | withdrawn, approved → revoked.
const (
	Pending   RequestStatus = "pending"
	Approved  RequestStatus = "approved"
	Denied    RequestStatus = "denied"
	Withdrawn RequestStatus = "withdrawn"
	Revoked   RequestStatus = "revoked"
)

// AccessRequestCreate is what an applicant says (service.md).
type AccessRequestCreate struct {
	CompanyName          *string
	ContactEmail         string
	UseCase              string
	ExpectedMonthlyCalls *int
	IntegrationType      *string
	WebsiteURL           *string
	AgreedToTerms        bool
}

func (c AccessRequestCreate) check() error {
	var wrong []fault.Detail
	say := func(bad bool, param, message string) {
		if bad {
			wrong = append(wrong, fault.Detail{Param: param, Code: fault.InvalidField, Message: message})
		}
	}
	plain := func(param, s string) { say(unfit(s), param, param+" must be text without control characters.") }
	_, err := Email(c.ContactEmail)
	say(longer(c.CompanyName, 255), "company_name", "company_name has at most 255 characters.")
	plain("company_name", value(c.CompanyName))
	say(err != nil, "contact_email", "contact_email must be an e-mail address.")
	n := utf8.RuneCountInString(c.UseCase)
	say(n < 20 || n > 2000, "use_case", "use_case must have 20 to 2,000 characters: say what you want to build.")
	plain("use_case", c.UseCase)
	say(c.ExpectedMonthlyCalls != nil && (*c.ExpectedMonthlyCalls < 0 || *c.ExpectedMonthlyCalls > 100_000_000),
		"expected_monthly_calls", "expected_monthly_calls must be between 0 and 100,000,000.")
	say(longer(c.IntegrationType, 80), "integration_type", "integration_type has at most 80 characters.")
	plain("integration_type", value(c.IntegrationType))
	say(longer(c.WebsiteURL, 500), "website_url", "website_url has at most 500 characters.")
	plain("website_url", value(c.WebsiteURL))
	say(!c.AgreedToTerms, "agreed_to_terms", "The terms must be agreed to.")
	return fault.Invalid(wrong)
}

// value is a text that may be absent.
func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func longer(s *string, limit int) bool { return s != nil && utf8.RuneCountInString(*s) > limit }

// RequestAccess files a request for a landlord's account. Only one can be open.
func (s *Service) RequestAccess(ctx context.Context, email string, c AccessRequestCreate) (AccessRequest, error) {
	if c.ContactEmail == "" {
		c.ContactEmail = email
	}
	if err := c.check(); err != nil {
		return AccessRequest{}, err
	}
	var r AccessRequest
	err := s.store.Atomically(ctx, func(ctx context.Context) error {
		u, a, err := s.lock(ctx, email)
		if err != nil {
			return err
		}
		open, found, err := s.store.OpenAccessRequest(ctx, a.ID)
		if err != nil {
			return err
		}
		if found {
			return fault.New(fault.InvalidTransition, "The account has a request already, which is %s.", open.Status)
		}
		r = AccessRequest{ID: id.New(id.AccessRequest, s.now()), Status: Pending, CompanyName: c.CompanyName, ContactEmail: c.ContactEmail,
			UseCase: c.UseCase, ExpectedMonthlyCalls: c.ExpectedMonthlyCalls, IntegrationType: c.IntegrationType,
			WebsiteURL: c.WebsiteURL, SubmittedAt: clock.At(s.now())}
		if err := s.store.AddAccessRequest(ctx, a.ID, u.ID, r); err != nil {
			return err
		}
		return s.audit.Record(ctx, audit.Event{AccountID: a.ID, Action: "access.requested", Target: r.ID})
	})
	return r, err
}

// AccessRequests are all requests in the order of their submission.
func (s *Service) AccessRequests(ctx context.Context) ([]AccessRequest, error) {
	return s.store.AccessRequests(ctx)
}

// Approve grants a landlord's pending request. An account without a request gets
// one, which says that an operator approved it.
func (s *Service) Approve(ctx context.Context, email string, notes *string) (AccessRequest, error) {
	return s.review(ctx, email, true, func(_ context.Context, r *AccessRequest, _ string) error {
		if r.Status != Pending {
			return fault.New(fault.InvalidTransition, "The request is %s; only a pending one can be approved.", r.Status)
		}
		r.Status, r.ReviewNotes = Approved, notes
		return nil
	})
}

// Deny turns down a landlord's pending request, with a reason that the applicant
// reads.
func (s *Service) Deny(ctx context.Context, email, reason string) (AccessRequest, error) {
	if strings.TrimSpace(reason) == "" || unfit(reason) {
		return AccessRequest{}, fault.New(fault.InvalidField, "A denial needs a reason: the applicant reads it.").At("denial_reason")
	}
	return s.review(ctx, email, false, func(_ context.Context, r *AccessRequest, _ string) error {
		if r.Status != Pending {
			return fault.New(fault.InvalidTransition, "The request is %s; only a pending one can be denied.", r.Status)
		}
		r.Status, r.DenialReason = Denied, &reason
		return nil
	})
}

// RevokeAccess takes back an approval and revokes every key of the account, for
// good: a later approval does not revive them.
func (s *Service) RevokeAccess(ctx context.Context, email string, notes *string) (AccessRequest, error) {
	return s.review(ctx, email, false, func(ctx context.Context, r *AccessRequest, accountID string) error {
		if r.Status != Approved {
			return fault.New(fault.InvalidTransition, "The request is %s; only an approved one can be revoked.", r.Status)
		}
		r.Status, r.ReviewNotes = Revoked, notes
		return s.store.RevokeKeys(ctx, accountID, clock.At(s.now()))
	})
}

func (s *Service) review(ctx context.Context, email string, create bool, decide func(context.Context, *AccessRequest, string) error) (r AccessRequest, err error) {
	err = s.store.Atomically(ctx, func(ctx context.Context) error {
		u, a, err := s.lock(ctx, email)
		if err != nil {
			return err
		}
		var found bool
		if r, found, err = s.store.OpenAccessRequest(ctx, a.ID); err != nil {
			return err
		}
		if !found && !create {
			return fault.New(fault.NoRecord, "%s has no open access request.", email)
		}
		now := clock.At(s.now())
		if !found {
			r = AccessRequest{ID: id.New(id.AccessRequest, s.now()), Status: Pending, ContactEmail: u.Email,
				UseCase: "Approved by an operator without an application.", SubmittedAt: now}
			if err := s.store.AddAccessRequest(ctx, a.ID, u.ID, r); err != nil {
				return err
			}
		}
		if err := decide(ctx, &r, a.ID); err != nil {
			return err
		}
		r.ReviewedAt = &now
		if err := s.store.ReviewAccessRequest(ctx, r); err != nil {
			return err
		}
		return s.audit.Record(ctx, audit.Event{AccountID: a.ID, Action: "access." + string(r.Status), Target: r.ID})
	})
	return r, err
}

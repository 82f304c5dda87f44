package developer

import (
	"context"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/operation"
)

// AccessRequest is a landlord's application for API access.
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
	DenialReason         *string       `json:"denial_reason"` // why it was denied or taken back: the applicant reads it

	AccountID   string  `json:"-"`
	SubmittedBy string  `json:"-"` // id of the user who applied
	ReviewedBy  *string `json:"-"` // id of the staff user, nil for an operator
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

// OpenRequests are the statuses that keep an account from applying again.
func OpenRequests() []RequestStatus { return []RequestStatus{Pending, Approved} }

// AccessRequestCreate is what an applicant says.
type AccessRequestCreate struct {
	// Name of the company.
	CompanyName *string `json:"company_name" maxlen:"255"`
	// Where the decision is sent.
	ContactEmail string `json:"contact_email" format:"email"`
	// What shall be built, and which records it reads or changes.
	UseCase string `json:"use_case" format:"text" minlen:"20" maxlen:"2000"`
	// How many requests a month are expected.
	ExpectedMonthlyCalls *int `json:"expected_monthly_calls" min:"0" max:"100000000"`
	// Kind of integration.
	IntegrationType *string `json:"integration_type" maxlen:"80"`
	// Website of the company.
	WebsiteURL *string `json:"website_url" maxlen:"500"`
	// Whether the applicant agrees to the terms.
	AgreedToTerms bool `json:"agreed_to_terms"`
}

// Check refuses who does not agree to the terms.
func (c AccessRequestCreate) Check(clock.Date) []fault.Detail {
	if c.AgreedToTerms {
		return nil
	}
	return []fault.Detail{{Param: "agreed_to_terms", Code: fault.InvalidField, Message: "Agree to this to apply."}}
}

var accessRequestCreate = operation.DefineInput[AccessRequestCreate]("apply_for_access")

// value is a text that may be absent.
func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// RequestAccess files a request for a landlord's account. Only one can be open.
func (s *Service) RequestAccess(ctx context.Context, email string, c AccessRequestCreate) (r AccessRequest, err error) {
	if c.ContactEmail == "" {
		c.ContactEmail = email
	}
	if err := accessRequestCreate.Check(&c, s.today()); err != nil {
		return AccessRequest{}, err
	}
	err = s.store.Atomically(ctx, func(ctx context.Context) error {
		u, a, err := s.lock(ctx, email, "")
		if err == nil {
			r, err = s.file(ctx, Member{UserID: u.ID, AccountID: a.ID}, c)
		}
		return err
	})
	return r, err
}

// Apply files a request for the account of an owner. Only one can be open; a new one may
// follow one that was denied, withdrawn or revoked.
func (s *Service) Apply(ctx context.Context, by Member, c AccessRequestCreate) (r AccessRequest, err error) {
	if err := accessRequestCreate.Check(&c, s.today()); err != nil {
		return AccessRequest{}, err
	}
	err = s.locked(ctx, by, func(ctx context.Context) error {
		r, err = s.file(ctx, by, c)
		return err
	})
	return r, err
}

// file adds a request, within the transaction of the context.
func (s *Service) file(ctx context.Context, by Member, c AccessRequestCreate) (AccessRequest, error) {
	open, found, err := s.store.OpenAccessRequest(ctx, by.AccountID)
	if err != nil {
		return AccessRequest{}, err
	}
	if found {
		return AccessRequest{}, fault.New(fault.InvalidTransition,
			"The account has a request already, which is %s.", open.Status)
	}
	r := AccessRequest{
		ID:                   id.New(id.AccessRequest, s.now()),
		Status:               Pending,
		CompanyName:          c.CompanyName,
		ContactEmail:         c.ContactEmail,
		UseCase:              c.UseCase,
		ExpectedMonthlyCalls: c.ExpectedMonthlyCalls,
		IntegrationType:      c.IntegrationType,
		WebsiteURL:           c.WebsiteURL,
		SubmittedAt:          clock.At(s.now()),
		AccountID:            by.AccountID,
		SubmittedBy:          by.UserID,
	}
	if err := s.store.AddAccessRequest(ctx, r); err != nil {
		return r, err
	}
	return r, s.audit.Record(ctx, audit.Event{AccountID: r.AccountID, Action: "access.requested", Target: r.ID})
}

// Withdraw takes a pending request of an owner's account back.
func (s *Service) Withdraw(ctx context.Context, by Member, requestID string) error {
	return s.locked(ctx, by, func(ctx context.Context) error {
		r, found, err := s.store.AccessRequest(ctx, requestID)
		switch {
		case err != nil:
			return err
		case !found || r.AccountID != by.AccountID:
			return fault.New(fault.NoRecord, "The account has no request with the id %s.", requestID)
		case r.Status != Pending:
			return fault.New(fault.InvalidTransition, "The request is %s; only a pending one can be withdrawn.",
				r.Status)
		}
		r.Status = Withdrawn
		if err := s.store.ReviewAccessRequest(ctx, r); err != nil {
			return err
		}
		return s.audit.Record(ctx, audit.Event{AccountID: r.AccountID, Action: "access.withdrawn", Target: r.ID})
	})
}

// AccessRequestsOf are the requests of a member's account, the newest first.
func (s *Service) AccessRequestsOf(ctx context.Context, by Member) ([]AccessRequest, error) {
	return s.store.AccessRequestsOf(ctx, by.AccountID)
}

// AccessRequests are all requests in the order of their submission.
func (s *Service) AccessRequests(ctx context.Context) ([]AccessRequest, error) {
	return s.store.AccessRequests(ctx)
}

// EndAccess is for closing an account: in the transaction of the context it stops all of its
// keys, and ends its request for access where one is open.
func (s *Service) EndAccess(ctx context.Context, accountID string) error {
	if err := s.store.RevokeKeys(ctx, accountID, clock.At(s.now())); err != nil {
		return err
	}
	r, found, err := s.store.OpenAccessRequest(ctx, accountID)
	if err != nil || !found {
		return err
	}
	if r.Status == Approved {
		r.Status = Revoked
	} else {
		r.Status = Withdrawn
	}
	return s.store.ReviewAccessRequest(ctx, r)
}

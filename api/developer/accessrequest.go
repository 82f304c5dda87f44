package developer

import (
	"context"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/operation"
	"portal/api/texts"
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
// keys, and ends its requests for access and for more units where one is open.
func (s *Service) EndAccess(ctx context.Context, accountID string) error {
	if err := s.store.RevokeKeys(ctx, accountID, clock.At(s.now())); err != nil {
		return err
	}
	if err := s.endUnitRequest(ctx, accountID); err != nil {
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

// Progress is how far an account has come on the way from applying to a webhook that its receiver has
// acknowledged, or an event that was streamed to it. A step that was taken stays so, whatever comes later: each
// is read from rows that last as long as the account. Requests for access keep their status, keys stay when they
// are revoked, an endpoint, which is never deleted, keeps when something was last acknowledged, and a portfolio
// when something was first streamed.
type Progress struct {
	Request   *AccessRequest // the latest, nil before the first
	Approved  bool           // a request for access was approved, even if access was taken back
	Keys      bool           // a key was created
	Seen      bool           // a request came with one of the keys
	Delivered bool           // a webhook was acknowledged or an event streamed, in either mode
}

// Done reports whether every step to a receiver that works was taken.
func (p *Progress) Done() bool { return p.Delivered && p.Seen && p.Keys }

// Progress tells how far a member's account has come.
func (s *Service) Progress(ctx context.Context, by Member, portfolios ...access.Portfolio) (p Progress, err error) {
	requests, err := s.store.AccessRequestsOf(ctx, by.AccountID)
	if err != nil {
		return p, err
	}
	if len(requests) > 0 {
		p.Request = &requests[0]
	}
	for i := range requests {
		p.Approved = p.Approved || requests[i].Status == Approved || requests[i].Status == Revoked
	}
	keys, err := s.store.Keys(ctx, by.AccountID)
	if err != nil {
		return p, err
	}
	p.Keys = len(keys) > 0
	for i := range keys {
		p.Seen = p.Seen || keys[i].LastUsedAt != nil
	}
	for _, in := range portfolios {
		if p.Delivered || err != nil {
			break
		}
		p.Delivered, err = s.store.Delivered(ctx, in)
	}
	return p, err
}

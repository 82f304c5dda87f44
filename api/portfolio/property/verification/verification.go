// Package verification is how it is checked that a property is the account's own: a member
// asks, staff decide.
//
// It stands on the rules of a portfolio, which know nothing of it.
package verification

import (
	"context"
	"embed"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/texts"
)

// Verifications is how it is checked that a property is the account's own.
type Verifications struct {
	*portfolio.Common
	store Store
}

// Store has the verifications of a portfolio, and for the staff those of all portfolios.
type Store interface {
	portfolio.Store
	AddVerification(ctx context.Context, in access.Portfolio, v *Verification) error
	DecideVerification(ctx context.Context, in access.Portfolio, v *Verification) error
	// IsMember reports whether a user takes part in an account.
	IsMember(ctx context.Context, accountID, userID string) (bool, error)
	// LastVerification is the latest of a property; false where there is none.
	LastVerification(ctx context.Context, in access.Portfolio, propertyID string) (Verification, bool, error)
	SaveProperty(ctx context.Context, in access.Portfolio, p *portfolio.Property) error
	VerificationCase(ctx context.Context, id string) (Case, error)
	// VerificationCases are one more than the limit where there are more.
	VerificationCases(ctx context.Context, f Filter) ([]Case, error)
	// VerificationCounts are how many have each status, at most one more than list.Most of each.
	VerificationCounts(ctx context.Context) (list.Counts[Outcome], error)
}

// Verification is a landlord's word that a property is theirs to let, and what the staff
// made of it.
type Verification struct {
	ID         string
	PropertyID string
	AskedAt    clock.Time
	AskedBy    string // a user
	Note       string // what shows it
	Status     Outcome
	DecidedAt  *clock.Time
	DecidedBy  *string
	Words      *string // of the staff, for the landlord
}

// Outcome is what came of asking.
type Outcome string

// What came of asking.
const (
	AskedVerification    Outcome = "pending"
	AcceptedVerification Outcome = "verified"
	DeclinedVerification Outcome = "declined"
)

// Values are all outcomes.
func (Outcome) Values() []string { return []string{"pending", "verified", "declined"} }

// Case is a verification with what the staff need to know of it.
type Case struct {
	Verification
	In        access.Portfolio
	AccountID string
	Account   string // name
	Asker     string // email address
	Reviewer  string // email address, "" while nobody has decided
	Property  portfolio.Property
}

// Identity is the id of the verification, which is its place in the list.
func (c *Case) Identity() string { return c.ID }

// Revision is the same for all: a verification keeps its place.
func (*Case) Revision() int64 { return 1 }

// Filter narrows down what the staff see, which comes the newest first.
type Filter struct {
	OldestFirst bool    // instead
	Status      Outcome // "" for all
	After       string  // a cursor
	Limit       int
}

// Verdict is what the staff decide.
type Verdict struct {
	Verified bool
	Words    string // for the landlord; needed where it is declined
	Seen     *int64 // version of the property that was looked at: another one is a stale write; nil for any
}

// Lengths of what is written about a verification.
const (
	ShortestNote = 20
	LongestNote  = 2000
)

// Verification is the latest of a property; false where nobody has asked for one.
func (s *Verifications) Verification(
	ctx context.Context, by access.Actor, propertyID string,
) (Verification, bool, error) {
	return s.store.LastVerification(ctx, by.Portfolio, propertyID)
}

// AskVerification asks the staff to verify that a property is the actor's to let, with what
// shows it. In test mode there is nothing to look at: the property is verified at once.
func (s *Verifications) AskVerification(
	ctx context.Context, by access.Actor, t change.Target, note string,
) (*change.Result[portfolio.Property], error) {
	live := by.Portfolio.Mode == access.Live
	note = strings.TrimSpace(note)
	if err := fits("note", note, ShortestNote); live && err != nil {
		return nil, err
	}
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Property]{
		Noun: "property",
		Load: s.store.Property,
		Save: s.store.SaveProperty,
		Apply: func(ctx context.Context, p *portfolio.Property, _ *change.Result[portfolio.Property]) error {
			if err := s.mayAsk(ctx, by, p); err != nil {
				return err
			}
			p.VerificationStatus = portfolio.Verified
			if !live {
				return nil
			}
			p.VerificationStatus = portfolio.VerificationPending
			return s.store.AddVerification(ctx, by.Portfolio, &Verification{
				ID:         id.New(id.Verification, s.Now(by.Portfolio)),
				PropertyID: p.ID,
				AskedAt:    clock.At(s.Now(by.Portfolio)),
				AskedBy:    audit.From(ctx).UserID,
				Note:       note,
				Status:     AskedVerification,
			})
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Property]) error {
			return s.RecordDone(ctx, by, "property.verification_asked", m.After.ID, nil)
		},
		Compute: func(*portfolio.Property) {},
	})
}

// mayAsk refuses to ask for what is done or under way, or nobody needs.
func (s *Verifications) mayAsk(ctx context.Context, by access.Actor, p *portfolio.Property) error {
	switch {
	case p.VerificationStatus == portfolio.Verified:
		return fault.New(fault.InvalidTransition, "The property is already verified.")
	case p.Status == portfolio.PropertyArchived:
		return fault.New(fault.InvalidTransition, "The property is archived. Restore it first.")
	}
	last, found, err := s.store.LastVerification(ctx, by.Portfolio, p.ID)
	if err == nil && found && last.Status == AskedVerification {
		err = fault.New(
			fault.InvalidTransition,
			"Verification was asked for already. We look at it and write what came of it on the property's page.",
		)
	}
	return err
}

// fits refuses a text that is too short or too long.
func fits(field, s string, least int) error {
	n := utf8.RuneCountInString(s)
	what := fault.Characters(n, &least, new(LongestNote))
	switch {
	case texts.Unreadable(s, true) || texts.Reordered(s):
		what = fault.Invisible + "."
	case n >= least && n <= LongestNote:
		return nil
	}
	return fault.Invalid([]fault.Detail{portfolio.FieldFault(field, fault.InvalidField, what)})
}

// Verifications lists what landlords of all accounts have asked for, for the staff.
func (s *Verifications) Verifications(ctx context.Context, f Filter) (*list.Page[Case], error) {
	rows, err := s.store.VerificationCases(ctx, f)
	return list.Of(rows, f.Limit, (*Case).Identity), err
}

// VerificationCounts are how many have each status, at most one more than list.Most of each.
func (s *Verifications) VerificationCounts(ctx context.Context) (list.Counts[Outcome], error) {
	return s.store.VerificationCounts(ctx)
}

// VerificationCase is one of them, or fault.NoRecord.
func (s *Verifications) VerificationCase(ctx context.Context, id string) (Case, error) {
	return s.store.VerificationCase(ctx, id)
}

// DecideVerification verifies a property, or declines to, in words for the landlord. Nobody
// decides about a property of their own account.
func (s *Verifications) DecideVerification(ctx context.Context, reviewerID, verificationID string, d Verdict) error {
	d.Words = strings.TrimSpace(d.Words)
	least := ShortestNote
	if d.Verified {
		least = 0
	}
	if err := fits("words", d.Words, least); err != nil {
		return err
	}
	c, err := s.store.VerificationCase(ctx, verificationID)
	if err != nil {
		return err
	}
	if own, err := s.store.IsMember(ctx, c.AccountID, reviewerID); err != nil || own || c.AskedBy == reviewerID {
		if err == nil {
			err = fault.New(
				fault.InvalidTransition,
				"Nobody decides about a property of their own account. Ask a colleague.",
			)
		}
		return err
	}
	staff := access.Actor{
		Portfolio: c.In,
		AccountID: c.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
	}
	_, err = portfolio.Amend(ctx, s.Common, staff, change.Target{
		ID:      c.PropertyID,
		Version: d.Seen,
	}, portfolio.Amendment[portfolio.Property]{
		Noun: "property",
		Load: s.store.Property,
		Save: s.store.SaveProperty,
		Apply: func(ctx context.Context, p *portfolio.Property, _ *change.Result[portfolio.Property]) error {
			return s.verdict(ctx, staff, reviewerID, verificationID, p, d)
		},
		Follow: func(ctx context.Context, _ *change.Result[portfolio.Property]) error {
			return s.tellVerdict(ctx, &c, d)
		},
		Compute: func(*portfolio.Property) {},
	})
	return err
}

// tellVerdict writes to somebody who has asked, if they still take part in the account.
func (s *Verifications) tellVerdict(ctx context.Context, c *Case, d Verdict) error {
	member, err := s.store.IsMember(ctx, c.AccountID, c.AskedBy)
	if err != nil || !member || s.Post == nil {
		return err
	}
	m, err := verificationEmail(c, d, strings.TrimRight(s.BaseURL, "/")+"/live/properties/"+c.PropertyID)
	if err != nil {
		return err
	}
	return s.Post.Send(ctx, m)
}

// verdict notes a decision, and what follows from it for the property.
func (s *Verifications) verdict(
	ctx context.Context, staff access.Actor, reviewerID, verificationID string, p *portfolio.Property, d Verdict,
) error {
	last, found, err := s.store.LastVerification(ctx, staff.Portfolio, p.ID) // as it is now that nobody else decides
	switch {
	case err != nil:
		return err
	case !found || last.ID != verificationID || last.Status != AskedVerification:
		return fault.New(fault.InvalidTransition, "This was already decided.")
	}
	action := "property.verified"
	last.Status, p.VerificationStatus = AcceptedVerification, portfolio.Verified
	if !d.Verified {
		action = "property.verification_declined"
		last.Status, p.VerificationStatus = DeclinedVerification, portfolio.Unverified
	}
	last.DecidedAt, last.DecidedBy = new(clock.At(s.Now(staff.Portfolio))), &reviewerID
	if d.Words != "" {
		last.Words = &d.Words
	}
	if err := s.store.DecideVerification(ctx, staff.Portfolio, &last); err != nil {
		return err
	}
	return s.RecordDone(ctx, staff, action, p.ID, map[string]string{"verification": last.ID})
}

// New makes the rules of verification beside those of a portfolio, whose parts
// they share.
func New(p *records.Service, store Store) *Verifications { return &Verifications{p.Common, store} }

//go:embed emails
var verificationFiles embed.FS

var verificationEmails = mail.ReadTemplates(verificationFiles, map[string]any{
	"date":    clock.Date.Words,
	"dollars": money.Cents.Words,
})

// verificationEmail tells the owner who asked for the verification of a property what came of it.
func verificationEmail(c *Case, d Verdict, link string) (*mail.Message, error) {
	subject := "Property verified: "
	if !d.Verified {
		subject = "Property not verified: "
	}
	return verificationEmails.Fill("verification", &mail.Message{
		AccountID: c.AccountID,
		Portfolio: c.In,
		To:        c.Asker,
		Subject:   subject + c.Property.StreetAddress,
	}, struct {
		Verdict
		Address, Link string
	}{
		d, c.Property.StreetAddress + ", " + c.Property.City + ", " + string(c.Property.State),
		link,
	})
}

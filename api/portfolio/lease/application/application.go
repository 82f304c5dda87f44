// Package application is the way from an invitation to a tenant: who is invited to apply for a
// unit, what they apply with, and what the landlord decides.
//
// It stands on the rules of a portfolio, which know nothing of it.
package application

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/secret"
)

// Applications is what people with the link of an invitation can do.
type Applications struct {
	*portfolio.Common
	store Store
}

// Application is what an applicant tells the landlord about themselves. There is no
// date of birth and no tax id in it, ever.
type Application struct {
	CreatedAt     clock.Time
	FirstName     string
	LastName      string
	Email         string
	Phone         string
	MoveInDate    clock.Date
	Adults        int
	Children      int
	Pets          *string
	MonthlyIncome money.Cents
	Notes         *string

	Decision  Decision    // what the landlord decided
	DecidedAt *clock.Time // when, nil until then
	TenantID  *string     // who came of it, nil unless it was accepted
}

// Apply sends the application of a lead: once, however often and at whatever moment
// it is sent, and as long as the link is good. The landlord's owners are told. All
// fields at fault are named at once; a lead that takes no application any more is
// fault.InvalidTransition.
func (s *Applications) Apply(ctx context.Context, opener string, c Create) error {
	l, err := s.Lead(ctx, opener) // before the transaction, of which there is one at a time
	if err != nil {
		return err
	}
	if !l.Invitation.open() {
		return closed(l.Invitation.Status)
	}
	if err := create.Check(&c, l.Today); err != nil {
		return err
	}
	a, now := c.application(), clock.At(s.Now(l.in))
	a.CreatedAt = now
	return s.Tx.Atomically(ctx, func(ctx context.Context) error {
		moved, err := s.store.MoveInvitation(ctx, l.in, l.Invitation.ID, InvitationApplied, now)
		if err != nil {
			return err
		}
		if !moved {
			return closed(InvitationApplied)
		}
		if err := s.store.AddApplication(ctx, l.in, l.Invitation.ID, &a); err != nil {
			return err
		}
		return s.tell(ctx, l, &a)
	})
}

func closed(status InvitationStatus) error {
	return fault.New(fault.InvalidTransition, "You can no longer apply with this invitation. Its status is %s.", status)
}

// tell sends the application to those of the landlord's account who want to know.
func (s *Applications) tell(ctx context.Context, l *Lead, a *Application) error {
	m, err := applicationEmail(l, a)
	if err != nil {
		return err
	}
	for _, to := range l.Landlord.Recipients(portfolio.ApplicationNotice) {
		own := *m
		own.To = to
		if err := s.Send(ctx, &own); err != nil {
			return err
		}
	}
	return nil
}

// Store is what the rules of applications need of the database.
type Store interface {
	portfolio.Store
	mail.Counter
	AddApplication(ctx context.Context, in access.Portfolio, invitationID string, a *Application) error
	AddInvitation(ctx context.Context, in access.Portfolio, i *Invitation, l Links) error
	AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	// Applicant reads the applicant of an invitation, or fault.NotFound.
	Applicant(ctx context.Context, in access.Portfolio, invitationID string) (Applicant, error)
	// ApplicantCounts counts applicants by how far they are.
	ApplicantCounts(ctx context.Context, in access.Portfolio, now clock.Time) (list.Counts[Standing], error)
	// Applicants reads applicants, the newest first unless they are to ascend.
	Applicants(ctx context.Context, in access.Portfolio, f ApplicantFilter, now clock.Time) ([]Applicant, error)
	// Applying finds the invitation of a link by the hash of its token, and the
	// portfolio it belongs to, or fault.NotFound.
	Applying(ctx context.Context, hash []byte) (access.Portfolio, Invitation, error)
	// DecideApplication notes a decision, and reports whether there was none before.
	DecideApplication(
		ctx context.Context, in access.Portfolio, invitationID string, d Decision, tenantID *string, at clock.Time,
	) (bool, error)
	Invitation(ctx context.Context, in access.Portfolio, id string) (Invitation, error)
	// Invited reports whether an invitation of a unit to an address is open; upper and
	// lower case are alike.
	Invited(ctx context.Context, in access.Portfolio, unitID, email string, now clock.Time) (bool, error)
	// MoveInvitation moves an open invitation that has not expired, and reports whether
	// it was one and was not there yet.
	MoveInvitation(
		ctx context.Context, in access.Portfolio, id string, to InvitationStatus, now clock.Time,
	) (bool, error)
	SetEmailStatus(ctx context.Context, in access.Portfolio, id string, to EmailStatus, at clock.Time) error
	// Unsubscribe keeps invitations from an address, as often as it is asked to.
	Unsubscribe(ctx context.Context, in access.Portfolio, email string, at clock.Time) error
	// Unsubscribed reports whether an address wants no invitations; upper and lower case
	// are alike.
	Unsubscribed(ctx context.Context, in access.Portfolio, email string) (bool, error)
	// Unsubscribing finds whose invitations a link stops and where they went, or
	// fault.NotFound.
	Unsubscribing(ctx context.Context, hash []byte) (in access.Portfolio, email string, err error)
}

// Services are the steps from an invitation to a tenant.
type Services struct {
	Invitations  *Invitations
	Applications *Applications
	Applicants   *Applicants
	Emails       *Emails
}

// New makes the services beside the rules of a portfolio, whose parts it shares.
func New(p *records.Service, store Store) *Services {
	return &Services{
		Invitations:  &Invitations{p.Common, store},
		Applications: &Applications{p.Common, store},
		Applicants:   &Applicants{p.Common, store},
		Emails:       &Emails{p.Common, store},
	}
}

// OpenInvitations are the statuses of invitations that can still be answered.
func OpenInvitations() []InvitationStatus {
	return []InvitationStatus{InvitationSent, InvitationOpened}
}

// token is the secret part of a link that opens one record to anybody who holds it. Only its
// hash is stored.
type token string

func newToken() token { return token(secret.New()) }

func (t token) hash() []byte { return secret.Hash(string(t)) }

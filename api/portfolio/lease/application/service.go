package application

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
)

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

package application

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
)

// Emails is what becomes of the mail to those who were invited, and how they end it.
type Emails struct {
	*portfolio.Common
	store EmailStore
}

// EmailStore is what they need of the store.
type EmailStore interface {
	Invitation(ctx context.Context, in access.Portfolio, id string) (Invitation, error)
	// Landlord reads whose portfolio it is.
	Landlord(ctx context.Context, in access.Portfolio) (portfolio.Landlord, error)
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

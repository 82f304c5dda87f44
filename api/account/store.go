package account

import (
	"context"

	"portal/api/audit"
)

// Store keeps people, their sessions and their teams. What it finds or does not find it
// tells with a bool; hashes are those of package secret.
type Store interface {
	Atomically(ctx context.Context, do func(context.Context) error) error
	audit.Store
	commonStore
	signInStore
	secondFactorStore
	passkeyStore
	sessionStore
	passwordStore
	emailStore
	signUpStore
	invitationStore
	memberStore
	closingStore
}

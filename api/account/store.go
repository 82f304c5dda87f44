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
	signInStores
	emailStore
	signUpStore
	teamStores
	closingStore
}

// signInStores keep what somebody proves who they are with, and what then begins.
type signInStores interface {
	signInStore
	passwordStore
	secondFactorStore
	passkeyStore
	sessionStore
}

// teamStores keep who belongs to an account.
type teamStores interface {
	invitationStore
	memberStore
}

package account

import (
	"context"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/portfolio/lease/application"
)

// Store keeps people, their sessions and their teams. What it finds or does not find it tells
// with a bool; hashes are those of package secret.
type Store interface {
	change.Transactor
	audit.Store

	AddLink(ctx context.Context, l *Link) error
	Link(ctx context.Context, tokenHash []byte, p Purpose, now clock.Time) (Link, bool, error)
	// TakeLink reads one and deletes it; of several at once one gets it.
	TakeLink(ctx context.Context, tokenHash []byte, p Purpose, now clock.Time) (Link, bool, error)
	// EndLinks deletes the links of a user for a purpose.
	EndLinks(ctx context.Context, userID string, p Purpose) error

	// Throttle extends the deadline of a subject by a span, counted from now if the deadline
	// has passed, and returns the new one. A negative span takes an extension back.
	Throttle(ctx context.Context, subject string, now, span clock.Time) (until clock.Time, err error)
	// CountMail counts an email in the transaction of the context, unless so many were
	// counted within a span before now: then it tells for how long the next one has to wait.
	CountMail(ctx context.Context, subject string, now, span clock.Time, most int) (wait clock.Time, err error)

	// AddUser tells false where the email address is taken.
	AddUser(ctx context.Context, u developer.User) (bool, error)
	Person(ctx context.Context, id string) (Person, bool, error)
	// LockPerson reads a person and lets other transactions that lock the same one wait
	// until this one ends.
	LockPerson(ctx context.Context, id string) (Person, bool, error)
	PersonByEmail(ctx context.Context, email string) (Person, bool, error)
	// SetEmail tells false where the address is taken.
	SetEmail(ctx context.Context, userID, email string) (bool, error)
	SetPassword(ctx context.Context, userID, hash string) error
	// Rehash takes the place of a hash that is still there.
	Rehash(ctx context.Context, userID, from, to string) error

	// PasskeysOf are the passkeys of a user in the order they were added.
	PasskeysOf(ctx context.Context, userID string) ([]Passkey, error)
	RecoveryCodes(ctx context.Context, userID string) (int, error)
	// SetRecoveryCodes takes the place of all earlier ones.
	SetRecoveryCodes(ctx context.Context, userID string, hashes [][]byte) error
	// SetTOTP sets the sealed secret and the step of the code that it was shown with; nil
	// takes it away.
	SetTOTP(ctx context.Context, userID string, sealed []byte, since *clock.Time, step int64) error
	// UseRecoveryCode reports whether the code was there; it is gone then.
	UseRecoveryCode(ctx context.Context, userID string, hash []byte) (bool, error)
	// UseStep reports whether no code of this step or a later one was used before.
	UseStep(ctx context.Context, userID string, step int64) (bool, error)

	AddCeremony(ctx context.Context, c *Ceremony) error
	// AddPasskey tells false where the credential is known already.
	AddPasskey(ctx context.Context, k *Passkey) (bool, error)
	PasskeyOf(ctx context.Context, credentialID []byte) (Passkey, bool, error)
	RemovePasskey(ctx context.Context, userID, id string) (bool, error)
	// RemovePasskeysSince removes those that were added at or after a moment.
	RemovePasskeysSince(ctx context.Context, userID string, since clock.Time) error
	SavePasskey(ctx context.Context, k *Passkey) error
	// TakeCeremony reads one and deletes it; of several at once one gets it.
	TakeCeremony(ctx context.Context, idHash []byte, now clock.Time) (Ceremony, bool, error)

	// AddSession tells false where the token is in use.
	AddSession(ctx context.Context, n *NewSession) (bool, error)
	// ContinueSession puts what is known of a session beside another token, and tells
	// whether the session was there and neither revoked nor its token taken.
	ContinueSession(ctx context.Context, sessionID, tokenHash string) (bool, error)
	// RevokeSession reports whether the user has such a session that was not revoked before.
	RevokeSession(ctx context.Context, userID, sessionID string, now clock.Time) (bool, error)
	// RevokeSessions ends all of a user but one, "" for none.
	RevokeSessions(ctx context.Context, userID, except string) error
	// SessionsOf are the sessions of a user that have not ended, the newest first.
	SessionsOf(ctx context.Context, userID string, now clock.Time) ([]Session, error)

	// FormerVisitor is the visitor of a session that is over and was whole.
	FormerVisitor(ctx context.Context, tokenHash string, now clock.Time) (Visitor, bool, error)
	// Seen notes when and from where a session was last used.
	Seen(ctx context.Context, sessionID string, now clock.Time, address, agent string) error
	Visitor(ctx context.Context, tokenHash string, now clock.Time) (Visitor, bool, error)

	// PutSignUp takes the place of an earlier one with the same address.
	PutSignUp(ctx context.Context, u *SigningUp) error
	SignUp(ctx context.Context, tokenHash []byte, now clock.Time) (SigningUp, bool, error)
	// TakeSignUp reads one and deletes it; of several at once one gets it.
	TakeSignUp(ctx context.Context, tokenHash []byte, now clock.Time) (SigningUp, bool, error)

	LockAccount(ctx context.Context, accountID string) error
	// Members are those of an account, the longest there first.
	Members(ctx context.Context, accountID string) ([]Member, error)
	// Memberships are the open accounts that a user takes part in, the oldest membership
	// first.
	Memberships(ctx context.Context, userID string) ([]Membership, error)
	SetMember(ctx context.Context, accountID, userID string, role access.Role, at clock.Time) error
	RemoveMember(ctx context.Context, accountID, userID string) error
	RenameAccount(ctx context.Context, accountID, name, timeZone string) error
	SwitchAccount(ctx context.Context, sessionID, accountID string) error

	// PutInvitation takes the place of an earlier one of the address to the account.
	PutInvitation(ctx context.Context, i *Invitation, tokenHash []byte) error
	// TakeInvitation deletes one of an account and reports whether it was there.
	TakeInvitation(ctx context.Context, accountID, id string) (bool, error)
	// TeamInvitation finds an open one by its token.
	TeamInvitation(ctx context.Context, tokenHash []byte, now clock.Time) (Invitation, bool, error)
	// TeamInvitations are those of an account that are open, the oldest first.
	TeamInvitations(ctx context.Context, accountID string, now clock.Time) ([]Invitation, error)

	// Notices are those that a member has chosen, nil before they did.
	Notices(ctx context.Context, accountID, userID string) (*string, error)
	SetNotices(ctx context.Context, accountID, userID, chosen string) error
	// LeaseRecordMail reports whether a member wants the day's lease records.
	LeaseRecordMail(ctx context.Context, accountID, userID string) (bool, error)
	SetLeaseRecordMail(ctx context.Context, accountID, userID string, wanted bool) error

	// CloseAccount notes that an account is closed, and ends the invitations to its team and
	// those to tenants that have one of some statuses; false says that it was closed before.
	CloseAccount(
		ctx context.Context, accountID string, open []application.InvitationStatus, now clock.Time,
	) (bool, error)
}

package account

import (
	"portal/api/audit"
	"portal/api/change"
)

// Stores keep people, their sessions and their teams, each as one part of the rules needs them.
// What they find or do not find they tell with a bool; hashes are those of package secret.
type Stores struct {
	Transactions    change.Transactor
	Audit           audit.Store
	Common          CommonStore
	SignIns         SignInStore
	SecondFactors   SecondFactorStore
	Passkeys        PasskeyStore
	Sessions        SessionStore
	Visitors        VisitorStore
	Passwords       PasswordStore
	Emails          EmailStore
	SignUps         SignUpStore
	Invitations     InvitationStore
	OpenInvitations OpenInvitationStore
	Members         MemberStore
	Notices         NoticeStore
	Memberships     MembershipStore
	Closing         ClosingStore
}

package account

import "portal/api/account"

// These are the rules by names that do not hide their methods where they are combined.
type (
	signInRules     = account.SignIns
	factorRules     = account.SecondFactors
	passkeyRules    = account.Passkeys
	sessionRules    = account.Sessions
	passwordRules   = account.Passwords
	emailRules      = account.Emails
	signUpRules     = account.SignUps
	invitationRules = account.Invitations
	memberRules     = account.Members
	closingRules    = account.Closing
)

// Rules are what the pages of the section need of the rules about people.
func Rules(s *account.Service) Accounts {
	return struct {
		*signInRules
		*factorRules
		*passkeyRules
		*sessionRules
		*passwordRules
		*emailRules
		*signUpRules
		*invitationRules
		*memberRules
		*closingRules
	}{
		s.SignIns, s.SecondFactors, s.Passkeys, s.Sessions, s.Passwords,
		s.Emails, s.SignUps, s.Invitations, s.Members, s.Closing,
	}
}

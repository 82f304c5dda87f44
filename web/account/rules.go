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

// Rules are what people do about themselves and their team, each part as the pages in whose file
// it stands need it.
type Rules struct {
	Sessions    sessions
	SignUps     signUps
	SignIns     signIns
	Passkeys    passkeys
	Passwords   passwordReset
	Factors     twoFactor
	Settings    changes
	Notices     notices
	Team        teams
	Invitations invitations
	Closing     accountCloser
}

// NewRules are those of a service.
func NewRules(s *account.Service) *Rules {
	all := struct {
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
	return &Rules{
		Sessions:    all,
		SignUps:     all,
		SignIns:     all,
		Passkeys:    all,
		Passwords:   all,
		Factors:     all,
		Settings:    all,
		Notices:     all,
		Team:        all,
		Invitations: all,
		Closing:     all,
	}
}

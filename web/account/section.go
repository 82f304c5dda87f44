// Package account is the pages on which people sign up and in, and look after themselves and
// their team.
//
// It knows no other section and no SQL.
package account

import (
	"slices"

	"portal/api/account"
	"portal/api/agreement"
	"portal/api/developer"
	"portal/api/mail"
	"portal/api/payment"
	"portal/api/portfolio/ledger"
	"portal/web/csvexport"
	"portal/web/page"
)

// Config is what the pages of people and their accounts need.
type Config struct {
	Account      *account.Service
	Keys         *developer.Service // nil: nobody has keys
	Mails        *mail.Service
	LeaseDetails *agreement.Service
	Ledger       *ledger.Ledger
	Payments     *payment.Service // nil: nothing is paid online
	Trail        csvexport.Trail
	// SigningOut is told before a session ends; nil: nobody is.
	SigningOut func(v *page.Request) error
}

// Section is the pages on which people sign up and in, and look after themselves and their
// team.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Confirmation is how people show again that it is them.
func (p *Section) Confirmation() page.Confirmation {
	people := &signInPages{p}
	return page.Confirmation{Ask: people.confirmForm, Prove: people.proveAgain}
}

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	return slices.Concat(
		(&signInPages{p}).routes(),
		(&settingsPages{p}).routes(),
		(&teamPages{p}).routes(),
	)
}

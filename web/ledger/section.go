// Package ledger is the pages of the rent ledger.
//
// It knows no other section and no SQL.
package ledger

import (
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/records"
	"portal/web/page"
)

// Config is what the pages of the rent ledger need.
type Config struct {
	Portfolio *records.Service
	Reports   *report.Reports
}

// Section is the pages of the rent ledger.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section {
	return &Section{shell, c}
}

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	return (&ledgerPages{p}).routes()
}

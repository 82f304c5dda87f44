// Package ticket is the pages of maintenance tickets.
//
// It knows no other section and no SQL.
package ticket

import (
	"portal/api/portfolio/records"
	"portal/web/page"
)

// Config is what the pages of maintenance tickets need.
type Config struct {
	Portfolio *records.Service
}

// Section is the pages of maintenance tickets.
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
	return (&ticketPages{p}).routes()
}

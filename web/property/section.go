// Package property is the pages of properties and units and of imports of rent rolls.
//
// It knows no other section and no SQL.
package property

import (
	"slices"

	"portal/api/developer"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/upload"
	"portal/web/page"
)

// Config is what the pages of properties and units and of imports need.
type Config struct {
	Portfolio     *records.Service
	Verifications *verification.Verifications
	Imports       *upload.Service
	Developer     *developer.Service // takes requests for more units than the plan has
}

// Section is the pages of properties and units and of imports.
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
	return slices.Concat(
		(&propertyPages{p}).routes(),
		(&unitPages{p}).routes(),
		(&importPages{p}).routes(),
	)
}

// Package records is the pages of a landlord's records: properties, units, tenants, leases,
// tickets, the ledger, applications and imports.
package records

import (
	"slices"

	"portal/web/page"
)

// Config is what the pages of a landlord's records need.
type Config struct {
	Properties Properties
	Units      Units
	Tenants    Tenants
	Search     Search
	Leases     Leases
	LeaseTerms LeaseTerms
	Tickets    Tickets
	Ledger     Ledger
	Applicants Applicants
	Homes      Homes
	Imports    Imports
}

// Section is the pages of properties, units, tenants, leases, tickets, the ledger and
// applications.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	return slices.Concat(
		(&propertyPages{p}).routes(),
		(&unitPages{p}).routes(),
		(&tenantPages{p}).routes(),
		(&leasePages{p}).routes(),
		(&ledgerPages{p}).routes(),
		(&ticketPages{p}).routes(),
		(&applicationPages{p}).routes(),
		(&importPages{p}).routes(),
		(&searchPages{p}).routes(),
	)
}

// Package records is the pages of a landlord's records: properties, units, tenants, leases,
// tickets, the ledger, applications and imports.
package records

import "portal/web/page"

// Config is what the pages of a landlord's records need.
type Config struct {
	Properties Properties
	Units      Units
	Tenants    Tenants
	Search     Search
	Leases     Leases
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

// Routes are the pages of records.
func (p *Section) Routes() []page.Route {
	all := append(p.placeRoutes(), p.recordRoutes()...)
	all = append(all, p.applicationRoutes()...)
	return append(all, p.importRoutes()...)
}

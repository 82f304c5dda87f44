package docs

import (
	"portal/api/portfolio/lease"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/property"
	"portal/api/portfolio/records"
	"portal/api/portfolio/ticket"
)

// These are the rules by names that do not hide their methods where they are combined.
type (
	properties = property.Properties
	tenants    = lease.Tenants
	leases     = lease.Leases
	tickets    = ticket.Tickets
	payments   = ledger.Ledger
)

// Rules reads examples by the rules of a portfolio.
func Rules(p *records.Service) Examples {
	return struct {
		*properties
		*tenants
		*leases
		*tickets
		*payments
	}{p.Properties, p.Tenants, p.Leases, p.Tickets, p.Ledger}
}

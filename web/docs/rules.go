package docs

import "portal/api/portfolio"

// These are the rules by names that do not hide their methods where they are combined.
type (
	properties = portfolio.Properties
	tenants    = portfolio.Tenants
	leases     = portfolio.Leases
	tickets    = portfolio.Tickets
	ledger     = portfolio.Ledger
)

// Rules reads examples by the rules of a portfolio.
func Rules(p *portfolio.Service) Examples {
	return struct {
		*properties
		*tenants
		*leases
		*tickets
		*ledger
	}{p.Properties, p.Tenants, p.Leases, p.Tickets, p.Ledger}
}

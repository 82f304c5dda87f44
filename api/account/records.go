package account

import (
	"portal/api/portfolio"
	"portal/api/portfolio/application"
)

// These are the rules by names that do not hide their methods where they are combined.
type (
	properties = portfolio.Properties
	tenants    = portfolio.Tenants
	leases     = portfolio.Leases
	tickets    = portfolio.Tickets
	ledger     = portfolio.Ledger
	applicants = application.Applicants
)

// Records reads the records of an export by the rules of a portfolio and those of its
// applicants.
func Records(p *portfolio.Service, a *applicants) Portfolio {
	return struct {
		*properties
		*tenants
		*leases
		*tickets
		*ledger
		*applicants
	}{p.Properties, p.Tenants, p.Leases, p.Tickets, p.Ledger, a}
}

package account

import (
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/application"
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
	applicants = application.Applicants
)

// Records reads the records of an export by the rules of a portfolio and those of its
// applicants.
func Records(p *records.Service, a *applicants) Portfolio {
	return struct {
		*properties
		*tenants
		*leases
		*tickets
		*payments
		*applicants
	}{p.Properties, p.Tenants, p.Leases, p.Tickets, p.Ledger, a}
}

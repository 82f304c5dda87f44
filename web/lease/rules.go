package lease

import (
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/property"
	"portal/api/portfolio/records"
)

// These are the rules by names that do not hide their methods where they are combined.
type (
	homeRules   = property.Homes
	tenantRules = lease.Tenants
	leaseRules  = lease.Leases
	finder      = property.Finder
	invitations = application.Invitations
	applicants  = application.Applicants
)

// Rules are the rules of a portfolio as the pages need them, but for those of agreements.
func Rules(p *records.Service, a *application.Services) Config {
	return Config{
		Homes: struct {
			*finder
			*homeRules
		}{p.Finder, p.Homes},
		Tenants: struct {
			*tenantRules
			*homeRules
			*leaseRules
		}{p.Tenants, p.Homes, p.Leases},
		Leases: struct {
			*leaseRules
			*finder
		}{p.Leases, p.Finder},
		Charges: p.Ledger,
		Applicants: struct {
			*applicants
			*invitations
			*tenantRules
		}{a.Applicants, a.Invitations, p.Tenants},
	}
}

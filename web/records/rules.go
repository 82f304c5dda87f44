package records

import (
	"portal/api/portfolio"
	"portal/api/portfolio/application"
	"portal/api/portfolio/report"
	"portal/api/portfolio/verification"
)

// These are the rules by names that do not hide their methods where they are combined.
type (
	properties    = portfolio.Properties
	verifications = verification.Verifications
	homes         = portfolio.Homes
	units         = portfolio.Units
	tenants       = portfolio.Tenants
	leases        = portfolio.Leases
	tickets       = portfolio.Tickets
	ledger        = portfolio.Ledger
	reports       = report.Reports
	finder        = portfolio.Finder
	invitations   = application.Invitations
	applicants    = application.Applicants
)

// Rules is the part of the configuration that the rules of a portfolio fill.
func Rules(p *portfolio.Service, r *reports, a *application.Services, v *verifications) Config {
	return Config{
		Properties: struct {
			*properties
			*verifications
		}{p.Properties, v},
		Units: struct {
			*homes
			*units
			*leases
			*tickets
			*ledger
		}{p.Homes, p.Units, p.Leases, p.Tickets, p.Ledger},
		Tenants: struct {
			*tenants
			*homes
			*leases
		}{p.Tenants, p.Homes, p.Leases},
		Search: struct {
			*finder
			*homes
		}{p.Finder, p.Homes},
		Leases: struct {
			*leases
			*finder
		}{p.Leases, p.Finder},
		Tickets: struct {
			*tickets
			*homes
			*finder
			*tenants
		}{p.Tickets, p.Homes, p.Finder, p.Tenants},
		Ledger: struct {
			*ledger
			*reports
		}{p.Ledger, r},
		Applicants: struct {
			*applicants
			*invitations
			*tenants
		}{a.Applicants, a.Invitations, p.Tenants},
		Homes: struct {
			*finder
			*homes
		}{p.Finder, p.Homes},
	}
}

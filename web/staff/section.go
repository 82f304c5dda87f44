// Package staff is the pages of those who review requests and look after the service.
//
// It knows no other section and no SQL.
package staff

import (
	"portal/api/developer"
	"portal/api/id"
	"portal/api/portfolio/property/verification"
	"portal/web/csvexport"
	"portal/web/page"
)

// Config is what the pages of the staff need.
type Config struct {
	Developer     *developer.Service
	Jobs          Jobs
	Verifications *verification.Verifications
	Exchanges     developer.Exchanges
	Trail         csvexport.Trail
}

// Section is the pages of those who review requests and look after the service.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are the pages of the staff.
func (p *Section) Routes() []page.Route {
	of := page.With(id.Verification, p.verification)
	return append([]page.Route{
		page.Get("/staff/requests", page.Staff, p.queue),
		page.Get("/staff/requests.csv", page.Staff, p.exportRequests),
		page.Get("/staff/requests/:id", page.Staff, p.reviewCase),
		page.Get("/staff/accounts", page.Staff, p.findAccounts),
		page.Get("/staff/accounts.csv", page.Staff, p.exportAccounts),
		page.Get("/staff/accounts/:id", page.Staff, p.account),
		page.Post("/staff/accounts/:id", page.Staff, p.setPlan).Confirmed(),
		page.Post("/staff/accounts/:id/decline-units", page.Staff, p.declineUnits),
		page.Get("/staff/look-up", page.Staff, p.lookUp),
		page.Get("/staff/jobs", page.Staff, p.jobs),
		page.Get("/staff/jobs.csv", page.Staff, p.exportJobs),
		page.Get("/staff/jobs/:id", page.Staff, p.job),
		page.Get("/staff/jobs/:id/retry", page.Staff, p.askRetry),
		page.Post("/staff/jobs/:id/retry", page.Staff, p.retryJob),
		page.Get("/staff/properties", page.Staff, p.verifications),
		page.Get("/staff/properties.csv", page.Staff, p.exportVerifications),
		page.Get("/staff/properties/:id", page.Staff, of(p.verificationCase)),
		page.Get("/staff/properties/:id/verify", page.Staff, of(p.decides(true))),
		page.Post("/staff/properties/:id/verify", page.Staff, of(p.decides(true))),
		page.Get("/staff/properties/:id/decline", page.Staff, of(p.decides(false))),
		page.Post("/staff/properties/:id/decline", page.Staff, of(p.decides(false))),
	}, p.decisionRoutes()...)
}

// Package lease is the pages of leases, of those who sign them and of those who apply for a home.
//
// It knows no other section and no SQL.
package lease

import (
	"slices"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/notice"
	"portal/api/attachment"
	"portal/api/id"
	"portal/api/payment/simulated"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/records"
	"portal/api/tenantportal"
	"portal/web/page"
)

// Config is what the pages of leases, tenants and applications need.
type Config struct {
	Portfolio    *records.Service
	Applications *application.Services
	Agreements   *agreement.Service
	Notices      *notice.Service       // nil: tenants are given no notices here
	Terms        *agreement.Service    // nil: pages do not show what the document of a lease says
	Signings     *ceremony.Service     // nil: no lease is signed here
	TenantPortal *tenantportal.Service // nil: tenants have no pages of their own
	Payments     *simulated.Payments   // nil: nothing is paid online
	Photos       *attachment.Converter // of condition reports
}

// Section is the pages of leases, tenants and applications.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section {
	shell.Opens(id.Invitation, page.Opening{
		Path:  "/{mode}/applications/",
		Icon:  "user-plus",
		Name:  "Application",
		There: page.OpenedBy(c.Applications.Applicants.Applicant),
	})
	shell.Opens(id.Template, page.Opening{
		Path:  "/{mode}" + templatesAt + "/",
		Icon:  "file-text",
		Name:  "Lease template",
		There: page.OpenedBy(c.Agreements.Template),
	})
	shell.Opens(id.Library, page.Opening{
		Path:  "/{mode}" + libraryAt + "/",
		Icon:  "file-text",
		Name:  "Document of the library",
		There: page.OpenedBy(c.Agreements.LibraryDocument),
	})
	return &Section{shell, c}
}

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	return slices.Concat(
		p.generation(),
		(&leasePages{p}).routes(),
		(&leasePages{p}).signRoutes(),
		(&leasePages{p}).attachmentRoutes(),
		(&templatePages{p}).routes(),
		(&libraryPages{p}).routes(),
		(&leasePages{p}).depositRoutes(),
		(&leasePages{p}).noticeRoutes(),
		(&leasePages{p}).statementRoutes(),
		(&conditionPages{p}).routes(),
		(&leasePages{p}).onlineRoutes(),
		(&tenantPages{p}).routes(),
		(&applicationPages{p}).routes(),
	)
}

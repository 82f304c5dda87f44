// Package resident is the pages for people with a link from an email and no account.
//
// It knows no other section and no SQL.
package resident

import (
	"context"
	"net/http"
	"slices"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/attachment"
	"portal/api/payment/simulated"
	"portal/api/portfolio/lease/application"
	"portal/api/tenantportal"
	"portal/web/page"
)

// Config is what the pages need that a link from an email opens.
type Config struct {
	Guests    Guests
	Emails    *application.Emails   // which a person can stop
	Documents Documents             // nil: no link opens a document
	Signing   *ceremony.Service     // nil: no lease is signed here
	Proofs    *agreement.Service    // nil: no signed lease is checked here
	Photos    *attachment.Converter // of tenants
	Tenants   *tenantportal.Service // nil: tenants have no pages
	Payments  *simulated.Payments   // nil: tenants pay nothing online
}

// Section is the pages for people with a link and no account.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are the pages that a link from an email opens.
func (p *Section) Routes() []page.Route {
	all := []page.Route{
		page.Get("/apply/:token", page.LinkHolder, p.apply),
		page.Post("/apply/:token", page.LinkHolder, p.sendApplication),
		page.Get("/mail/unsubscribe/:token", page.LinkHolder, p.unsubscribe),
		page.Post("/mail/unsubscribe/:token", page.LinkHolder, p.stopInvitations),
	}
	if p.Documents != nil {
		all = append(all, page.Get("/documents/:token", page.LinkHolder, p.document))
	}
	all = slices.Concat(all, p.signRoutes(), p.endingRoutes(), p.verifyRoutes())
	if p.Tenants == nil {
		return all
	}
	return slices.Concat(all, p.tenantRoutes(), p.payRoutes(), p.tenantMailRoutes())
}

// Documents are the documents of leases, for who holds a link.
type Documents interface {
	// Document is what a link opens: fault.NotFound for one that opens nothing, and no content for one
	// that has ended.
	Document(ctx context.Context, token string) (*agreement.Shown, error)
}

// document answers with the PDF of a lease, with the signatures once all have signed it.
func (p *Section) document(v *page.Request) error {
	shown, err := p.Documents.Document(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	if shown.Content == nil {
		return notice(v, http.StatusGone, bilingualHeader(v, shown.Landlord, v.Request().URL.Path),
			[2]string{"This document has expired", "Este documento ya no está vigente"},
			[2]string{
				"It was the draft of a lease for " + shown.Address + ", and can no longer be signed. Ask " +
					shown.Landlord + " for a new one.",
				"Era el borrador de un contrato de " + shown.Address + " y ya no se puede firmar. Pida uno nuevo a " +
					shown.Landlord + ".",
			})
	}
	name := "lease"
	if shown.Executed {
		name = "signed-lease"
	}
	return v.Send.OwnPDF(name, shown.Content)
}

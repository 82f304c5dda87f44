// Package lease is the pages of leases, of those who sign them and of those who apply for a home.
package lease

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/change"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/web/page"
)

// Agreements generates leases.
type Agreements interface {
	Generate(
		ctx context.Context, by access.Actor, g agreement.LeaseGenerate,
	) (*change.Result[agreement.LeaseWithTerms], error)
	// Preview is the document that Generate would make, as PDF.
	Preview(ctx context.Context, by access.Actor, g agreement.LeaseGenerate) ([]byte, error)
	// PreviewDocument is what Preview renders.
	PreviewDocument(ctx context.Context, by access.Actor, g agreement.LeaseGenerate) (*document.Document, error)
}

// Charges are the rows of the ledger of a lease.
type Charges interface {
	Payments(ctx context.Context, by access.Actor, f portfolio.PaymentFilter) (*list.Page[portfolio.Payment], error)
}

// Config is what the pages of leases, tenants and applications need.
type Config struct {
	Agreements Agreements
	Homes      page.Homes
	Tenants    Tenants
	Leases     Leases
	Terms      Terms
	Charges    Charges
	Applicants Applicants
}

// Section is the pages of leases, tenants and applications.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	return slices.Concat(
		p.generation(),
		(&leasePages{p}).routes(),
		(&tenantPages{p}).routes(),
		(&applicationPages{p}).routes(),
	)
}

package agreement

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/records"
)

// Stores keep what leases are generated from, and their documents.
type Stores struct {
	Records   Records
	Documents Documents
}

// Records are the records that a lease is generated from.
type Records interface {
	// AddLease writes a new lease with its parties and terms.
	AddLease(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error
	Landlord(ctx context.Context, in access.Portfolio) (portfolio.Landlord, error)
	Lease(ctx context.Context, in access.Portfolio, id string) (portfolio.Lease, error)
	Leases(ctx context.Context, in access.Portfolio, f portfolio.LeaseFilter) ([]portfolio.Lease, error)
	Property(ctx context.Context, in access.Portfolio, id string) (portfolio.Property, error)
	Tenant(ctx context.Context, in access.Portfolio, id string) (portfolio.Tenant, error)
	Unit(ctx context.Context, in access.Portfolio, id string) (portfolio.Unit, error)
	// UnitsOf reads the units of a property.
	UnitsOf(ctx context.Context, in access.Portfolio, propertyID string) ([]portfolio.Unit, error)
}

// Documents keeps the documents of leases.
type Documents interface {
	AddDocument(ctx context.Context, in access.Portfolio, d *Document) error
	// ReplaceDocument writes another content of a document.
	ReplaceDocument(ctx context.Context, in access.Portfolio, d *Document) error
	// LeaseDetails reads what leases of a portfolio say of the landlord, and whether anybody has said it.
	LeaseDetails(ctx context.Context, in access.Portfolio) (d Details, found bool, err error)
	SaveLeaseDetails(ctx context.Context, in access.Portfolio, d *Details, at clock.Time) error
	// Document finds a document and the portfolio that it belongs to, or fault.NotFound.
	Document(ctx context.Context, id string) (access.Portfolio, Document, error)
}

// Document is the PDF of a lease.
type Document struct {
	ID        string
	LeaseID   string
	CreatedAt clock.Time // of its content
	SHA256    string     // of the content, in hex
	Content   []byte
}

// Keys signs the links that open documents, so that nobody can guess one.
type Keys interface {
	Sign(purpose, text string) string
	Signed(purpose, text, signature string) bool
}

// Service generates leases and keeps their documents.
type Service struct {
	*portfolio.Common
	leases    *lease.Leases
	store     Records
	documents Documents
	keys      Keys
	renderers chan struct{} // takes one for each PDF that is being rendered
}

// New makes the service beside the rules of a portfolio, whose parts it shares. Whoever makes it gives it
// to those rules as their Documents, so that drafts of leases that change get a new document.
func New(p *records.Service, stores Stores, keys Keys) *Service {
	return &Service{p.Common, p.Leases, stores.Records, stores.Documents, keys, make(chan struct{}, renderers())}
}

package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/fault"
	"portal/db"
	"portal/db/kit"
)

// LeaseDocuments keeps the documents of leases.
type LeaseDocuments struct{ db *db.DB }

// NewLeaseDocuments is the store over a database.
func NewLeaseDocuments(d *db.DB) LeaseDocuments { return LeaseDocuments{d} }

// pdfType is the media type of a document.
const pdfType = "application/pdf"

// AddDocument writes the document of a new lease.
func (s LeaseDocuments) AddDocument(ctx context.Context, in access.Portfolio, d *agreement.Document) error {
	_, err := s.db.Exec(ctx, `INSERT INTO documents (portfolio_id, id, created_at, lease_id, media_type, sha256, content, clauses)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		in.ID, d.ID, d.CreatedAt, d.LeaseID, pdfType, d.SHA256, d.Content, d.Clauses)
	return err
}

// ReplaceDocument writes another content of a document.
func (s LeaseDocuments) ReplaceDocument(ctx context.Context, in access.Portfolio, d *agreement.Document) error {
	return kit.Save(ctx, s.db, in, "documents", "id, created_at, sha256, content", []any{d.ID, d.CreatedAt, d.SHA256, d.Content})
}

// Document finds a document and the portfolio that it belongs to, or fault.NotFound. Who asks has
// shown that they hold its link.
func (s LeaseDocuments) Document(ctx context.Context, id string) (in access.Portfolio, d agreement.Document, err error) {
	d.ID = id
	found, err := s.db.One(ctx, `SELECT p.id, p.mode, d.lease_id, d.created_at, d.clauses, d.sha256, d.content
		FROM documents d`+s.db.IndexedBy("documents_id")+`
		JOIN portfolios p ON p.id = d.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE d.id = $1 AND a.closed_at IS NULL`, []any{id}, &in.ID, &in.Mode, &d.LeaseID, &d.CreatedAt, &d.Clauses, &d.SHA256, &d.Content)
	if err == nil && !found {
		err = fault.NotFound("document")
	}
	return in, d, err
}

// LeaseDocument reads a document of a portfolio without its content, or fault.NotFound.
func (s LeaseDocuments) LeaseDocument(ctx context.Context, in access.Portfolio, id string) (d agreement.Document, err error) {
	d.ID = id
	found, err := s.db.One(ctx, `SELECT lease_id, created_at, clauses, sha256
		FROM documents
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, id}, &d.LeaseID, &d.CreatedAt, &d.Clauses, &d.SHA256)
	if err == nil && !found {
		err = fault.NotFound("document")
	}
	return d, err
}

// LandlordDetails reads what leases of an account say of its landlord, "" for nothing.
func (s LeaseDocuments) LandlordDetails(ctx context.Context, accountID string) (details string, err error) {
	_, err = s.db.One(ctx, "SELECT COALESCE(lease_details, '') FROM accounts WHERE id = $1", []any{accountID}, &details)
	return details, err
}

// SaveLandlordDetails writes it.
func (s LeaseDocuments) SaveLandlordDetails(ctx context.Context, accountID, details string) error {
	_, err := s.db.Exec(ctx, "UPDATE accounts SET lease_details = $2 WHERE id = $1 AND closed_at IS NULL", accountID, details)
	return err
}

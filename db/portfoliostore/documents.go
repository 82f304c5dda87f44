package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/fault"
	"portal/db"
	"portal/db/rows"
)

// LeaseDocuments keeps the documents of leases.
type LeaseDocuments struct{ db *db.DB }

// NewLeaseDocuments is the store over a database.
func NewLeaseDocuments(d *db.DB) LeaseDocuments { return LeaseDocuments{d} }

// pdfType is the media type of a document.
const pdfType = "application/pdf"

// AddDocument writes the document of a new lease.
func (s LeaseDocuments) AddDocument(ctx context.Context, in access.Portfolio, d *agreement.Document) error {
	_, err := s.db.Exec(
		ctx,
		`INSERT INTO documents (portfolio_id, id, created_at, lease_id, media_type, sha256, content)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		in.ID,
		d.ID,
		d.CreatedAt,
		d.LeaseID,
		pdfType,
		d.SHA256,
		d.Content,
	)
	return err
}

// ReplaceDocument writes another content of a document.
func (s LeaseDocuments) ReplaceDocument(ctx context.Context, in access.Portfolio, d *agreement.Document) error {
	return rows.Save(ctx, s.db, in, "documents", "id, created_at, sha256, content", []any{
		d.ID, d.CreatedAt, d.SHA256, d.Content,
	})
}

// Document finds a document and the portfolio that it belongs to, or fault.NotFound. Who asks has
// shown that they hold its link.
func (s LeaseDocuments) Document(
	ctx context.Context, id string,
) (in access.Portfolio, d agreement.Document, err error) {
	d.ID = id
	found, err := s.db.One(ctx, `SELECT p.id, p.mode, d.lease_id, d.created_at, d.sha256, d.content
		FROM documents d`+s.db.IndexedBy("documents_id")+`
		JOIN portfolios p ON p.id = d.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE d.id = $1 AND a.closed_at IS NULL`, []any{
		id,
	}, &in.ID, &in.Mode, &d.LeaseID, &d.CreatedAt, &d.SHA256, &d.Content)
	if err == nil && !found {
		err = fault.NotFound("document")
	}
	return in, d, err
}

// LeaseDetails reads what leases of a portfolio say of the landlord, and whether anybody has said it.
func (s LeaseDocuments) LeaseDetails(
	ctx context.Context, in access.Portfolio,
) (d agreement.Details, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT version, name, address, phone, signer, title
		FROM lease_details
		WHERE portfolio_id = $1`, []any{in.ID}, &d.Version, &d.Name, &d.Address, &d.Phone, &d.Signer, &d.Title)
	return d, found, err
}

// SaveLeaseDetails writes it.
func (s LeaseDocuments) SaveLeaseDetails(
	ctx context.Context, in access.Portfolio, d *agreement.Details, at clock.Time,
) error {
	_, err := s.db.Exec(
		ctx,
		`INSERT INTO lease_details (portfolio_id, version, updated_at, name, address, phone, signer, title)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (portfolio_id) DO UPDATE
		SET version = excluded.version, updated_at = excluded.updated_at, name = excluded.name,
			address = excluded.address,
			phone = excluded.phone, signer = excluded.signer, title = excluded.title`,
		in.ID,
		d.Version,
		at,
		d.Name,
		d.Address,
		d.Phone,
		d.Signer,
		d.Title,
	)
	return err
}

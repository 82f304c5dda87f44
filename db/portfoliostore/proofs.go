package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/fault"
)

// ExecutedAs finds the document that all have signed whose PDF has a SHA-256, of all portfolios: who asks has
// those very bytes, and knows what they say.
func (s *Store) ExecutedAs(ctx context.Context, sha256 string) (documentID string, err error) {
	found, err := s.db.One(ctx, `SELECT document_id
		FROM executed_documents`+s.db.IndexedBy("executed_documents_sha256")+`
		WHERE sha256 = $1
		ORDER BY created_at
		LIMIT 1`, []any{sha256}, &documentID)
	if err == nil && !found {
		err = fault.NotFound("signed document")
	}
	return documentID, err
}

// VersionAs finds the version of a document whose PDF has a SHA-256, of all portfolios, like ExecutedAs.
func (s *Store) VersionAs(ctx context.Context, sha256 string) (documentID string, number int, err error) {
	found, err := s.db.One(ctx, `SELECT document_id, number
		FROM document_versions`+s.db.IndexedBy("document_versions_sha256")+`
		WHERE sha256 = $1
		ORDER BY created_at
		LIMIT 1`, []any{sha256}, &documentID, &number)
	if err == nil && !found {
		err = fault.NotFound("version")
	}
	return documentID, number, err
}

// OfLease finds the latest document of a lease, of all portfolios: who asks has a file with its number, and is
// told nothing that is kept.
func (s *Store) OfLease(ctx context.Context, leaseID string) (documentID string, err error) {
	found, err := s.db.One(ctx, `SELECT id
		FROM documents`+s.db.IndexedBy("documents_lease_id")+`
		WHERE lease_id = $1
		ORDER BY created_at DESC, id DESC
		LIMIT 1`, []any{leaseID}, &documentID)
	if err == nil && !found {
		err = fault.NotFound("document")
	}
	return documentID, err
}

// Kept is Document, of accounts that were closed too: whoever has a lease may see that it is genuine for as
// long as it is kept.
func (s *Store) Kept(ctx context.Context, id string) (in access.Portfolio, d agreement.Document, err error) {
	return s.document(ctx, id, "TRUE")
}

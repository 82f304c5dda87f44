package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/db"
	"portal/db/rows"
)

// pdfType is the media type of a document.
const pdfType = "application/pdf"

// AddDocument writes a new document with its first version and the log that begins with it. The content
// is that of the version.
func (s *Store) AddDocument(
	ctx context.Context, in access.Portfolio, d *agreement.Document, log []evidence.Entry,
) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.Exec(
			ctx,
			`INSERT INTO documents (portfolio_id, id, created_at, lease_id, media_type, sha256, content, version,
				evidence_key)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			in.ID,
			d.ID,
			d.CreatedAt,
			d.LeaseID,
			pdfType,
			d.SHA256,
			[]byte{},
			d.Number,
			d.EvidenceKey,
		)
		if err != nil {
			return err
		}
		if err := s.addVersion(ctx, in, d); err != nil {
			return err
		}
		return s.AddEvidence(ctx, in, d, log)
	})
}

// AddVersion appends the version of a document. The one before is emptied where nobody has viewed it.
func (s *Store) AddVersion(ctx context.Context, in access.Portfolio, d *agreement.Document) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, `UPDATE document_versions
			SET body = '', content = $4
			WHERE portfolio_id = $1 AND document_id = $2 AND number = $3 AND viewed_at IS NULL`,
			in.ID, d.ID, d.Number-1, []byte{})
		if err != nil {
			return err
		}
		if err := s.addVersion(ctx, in, d); err != nil {
			return err
		}
		return rows.Save(ctx, s.db, in, "documents", "id, created_at, sha256, content, version", []any{
			d.ID, d.CreatedAt, d.SHA256, []byte{}, d.Number,
		})
	})
}

func (s *Store) addVersion(ctx context.Context, in access.Portfolio, d *agreement.Document) error {
	_, err := versionTable.Add(
		ctx,
		s.db,
		&d.Version,
		"",
		rows.Cell{Column: "portfolio_id", Value: in.ID},
		rows.Cell{Column: "document_id", Value: d.ID},
	)
	return err
}

// versionTable has the columns of the versions of documents, and where in one their values are.
var versionTable = rows.NewTable(
	"document_versions",
	rows.At("number", func(v *agreement.Version) *int { return &v.Number }),
	rows.At("created_at", func(v *agreement.Version) *clock.Time { return &v.CreatedAt }),
	rows.At("body", func(v *agreement.Version) *string { return &v.Body }),
	rows.At("sha256", func(v *agreement.Version) *string { return &v.SHA256 }),
	rows.At("content", func(v *agreement.Version) *[]byte { return &v.Content }),
)

// entryTable has the columns of what happened to documents, and where in an entry their values are.
var entryTable = rows.NewTable(
	"document_evidence",
	rows.At("number", func(e *evidence.Entry) *int { return &e.Number }),
	rows.At("at", func(e *evidence.Entry) *clock.Time { return &e.At }),
	rows.At("kind", func(e *evidence.Entry) *evidence.Kind { return &e.Kind }),
	rows.At("party", func(e *evidence.Entry) *string { return &e.Party }),
	rows.At("name", func(e *evidence.Entry) *string { return &e.Name }),
	rows.At("address", func(e *evidence.Entry) *string { return &e.Address }),
	rows.At("browser", func(e *evidence.Entry) *string { return &e.Browser }),
	rows.At("document", func(e *evidence.Entry) *string { return &e.Document }),
	rows.At("note", func(e *evidence.Entry) *string { return &e.Note }),
	rows.At("previous", func(e *evidence.Entry) *string { return &e.Previous }),
	rows.At("hash", func(e *evidence.Entry) *string { return &e.Hash }),
)

// AddEvidence writes entries of the log of a document, and its anchor.
func (s *Store) AddEvidence(
	ctx context.Context, in access.Portfolio, d *agreement.Document, log []evidence.Entry,
) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		for i := range log {
			_, err := entryTable.Add(
				ctx,
				s.db,
				&log[i],
				"",
				rows.Cell{Column: "portfolio_id", Value: in.ID},
				rows.Cell{Column: "document_id", Value: d.ID},
			)
			if err != nil {
				return err
			}
		}
		return rows.Save(
			ctx,
			s.db,
			in,
			"documents",
			"id, evidence_key, evidence_count, evidence_head, evidence_mac",
			[]any{d.ID, d.EvidenceKey, d.Anchor.Count, d.Anchor.Head, d.Anchor.MAC},
		)
	})
}

// Evidence reads the log of a document.
func (s *Store) Evidence(
	ctx context.Context, in access.Portfolio, documentID string,
) (log []evidence.Entry, err error) {
	query := "SELECT " + entryTable.Columns + ` FROM document_evidence
		WHERE portfolio_id = $1 AND document_id = $2
		ORDER BY number`
	err = s.db.Each(ctx, query, []any{in.ID, documentID}, func(scan db.Scan) error {
		log = append(log, evidence.Entry{})
		return entryTable.Scan(scan, &log[len(log)-1])
	})
	return log, err
}

// EachVersion reads the versions of a document, the first one first and one after the other.
func (s *Store) EachVersion(
	ctx context.Context, in access.Portfolio, documentID string, each func(*agreement.Version) error,
) error {
	query := "SELECT " + versionTable.Columns + ` FROM document_versions
		WHERE portfolio_id = $1 AND document_id = $2
		ORDER BY number`
	return s.db.Each(ctx, query, []any{in.ID, documentID}, func(scan db.Scan) error {
		var v agreement.Version
		if err := versionTable.Scan(scan, &v); err != nil {
			return err
		}
		return each(&v)
	})
}

// Document finds a document with its latest version and the portfolio that it belongs to, or
// fault.NotFound. Who asks has shown that they hold its link.
func (s *Store) Document(ctx context.Context, id string) (in access.Portfolio, d agreement.Document, err error) {
	return s.document(ctx, id, "a.closed_at IS NULL")
}

// document finds a document of those accounts that are meant.
func (s *Store) document(
	ctx context.Context, id, accounts string,
) (in access.Portfolio, d agreement.Document, err error) {
	d.ID = id
	found, err := s.db.One(ctx, `SELECT p.id, p.mode, d.lease_id, d.version, COALESCE(v.created_at, d.created_at),
			COALESCE(v.body, ''), d.sha256, COALESCE(v.content, d.content), d.evidence_key, d.evidence_count,
			d.evidence_head, d.evidence_mac
		FROM documents d`+s.db.IndexedBy("documents_id")+`
		JOIN portfolios p ON p.id = d.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		LEFT JOIN document_versions v ON v.portfolio_id = d.portfolio_id AND v.document_id = d.id
			AND v.number = d.version
		WHERE d.id = $1 AND `+accounts, []any{id},
		&in.ID, &in.Mode, &d.LeaseID, &d.Number, &d.CreatedAt, &d.Body, &d.SHA256, &d.Content,
		&d.EvidenceKey, &d.Anchor.Count, &d.Anchor.Head, &d.Anchor.MAC)
	if err == nil && !found {
		err = fault.NotFound("document")
	}
	return in, d, err
}

// AddExecution writes a document as all have signed it, once.
func (s *Store) AddExecution(ctx context.Context, in access.Portfolio, e *agreement.Execution) error {
	_, err := executionTable.Add(ctx, s.db, e, "", rows.Cell{Column: "portfolio_id", Value: in.ID})
	return err
}

// Execution finds what a document has become that all have signed, or fault.NotFound. Who asks has shown
// that they hold its link, which does not end with the account.
func (s *Store) Execution(ctx context.Context, documentID string) (e agreement.Execution, err error) {
	found, err := s.db.One(ctx, "SELECT "+executionTable.Columns+` FROM executed_documents
		WHERE (portfolio_id, document_id) = (
			SELECT d.portfolio_id, d.id
			FROM documents d`+s.db.IndexedBy("documents_id")+`
			WHERE d.id = $1)`, []any{documentID}, executionTable.Targets(&e)...)
	if err == nil && !found {
		err = fault.NotFound("signed document")
	}
	return e, err
}

// executionTable has the columns of executed documents, and where in one their values are.
var executionTable = rows.NewTable(
	"executed_documents",
	rows.At("document_id", func(e *agreement.Execution) *string { return &e.DocumentID }),
	rows.At("version", func(e *agreement.Execution) *int { return &e.Version }),
	rows.At("created_at", func(e *agreement.Execution) *clock.Time { return &e.CreatedAt }),
	rows.At("sha256", func(e *agreement.Execution) *string { return &e.SHA256 }),
	rows.At("content", func(e *agreement.Execution) *[]byte { return &e.Content }),
)

// LeaseDetails reads what leases of a portfolio say of the landlord, and whether anybody has said it.
func (s *Store) LeaseDetails(ctx context.Context, in access.Portfolio) (d agreement.Details, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT version, name, address, phone, signer, title
		FROM lease_details
		WHERE portfolio_id = $1`, []any{in.ID}, &d.Version, &d.Name, &d.Address, &d.Phone, &d.Signer, &d.Title)
	return d, found, err
}

// SaveLeaseDetails writes it.
func (s *Store) SaveLeaseDetails(ctx context.Context, in access.Portfolio, d *agreement.Details, at clock.Time) error {
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

package portfoliostore

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db/rows"
)

var libraryTable = rows.NewTable(
	"library_documents",
	append(recordColumns(func(d *agreement.LibraryDocument) *portfolio.Record { return &d.Record }),
		rows.At("title", func(d *agreement.LibraryDocument) *string { return &d.Title }),
		rows.At("edition", func(d *agreement.LibraryDocument) **string { return &d.Edition }),
		rows.At("kind", func(d *agreement.LibraryDocument) *agreement.LibraryKind { return &d.Kind }),
		rows.ListAt("states", func(d *agreement.LibraryDocument) *[]contact.State { return &d.States }),
		rows.ListAt("disclosures", func(d *agreement.LibraryDocument) *[]string { return &d.Disclosures }),
		rows.At("file_id", func(d *agreement.LibraryDocument) *string { return &d.File.ID }),
		rows.At("file_name", func(d *agreement.LibraryDocument) *string { return &d.File.FileName }),
		rows.At("pages", func(d *agreement.LibraryDocument) *int { return &d.File.Pages }),
		rows.At("size", func(d *agreement.LibraryDocument) *int { return &d.File.Size }),
		rows.At("sha256", func(d *agreement.LibraryDocument) *string { return &d.File.SHA256 }),
		rows.At("requires_initials", func(d *agreement.LibraryDocument) *bool { return &d.File.RequiresInitials }),
		rows.At("uploaded_at", func(d *agreement.LibraryDocument) *clock.Time { return &d.File.UploadedAt }),
	)...).Completed(func(d *agreement.LibraryDocument, mode access.Mode) {
	d.Object, d.Mode, d.File.ContentType = "library_document", mode, "application/pdf"
	d.File.Disclosures = d.Disclosures
})

// Library reads the documents of the library that pass the filter, one more than its limit, without their files.
func (s *Store) Library(
	ctx context.Context, in access.Portfolio, f agreement.LibraryFilter,
) ([]agreement.LibraryDocument, error) {
	l := rows.Listed(s.db, libraryTable.Columns, "library_documents", in, id.Library, f.Query)
	return rows.Rows(ctx, s.db, l, libraryTable.Read(in))
}

// LibraryDocument finds a document of the library, or fault.NotFound.
func (s *Store) LibraryDocument(
	ctx context.Context, in access.Portfolio, libraryID string,
) (agreement.LibraryDocument, error) {
	return libraryTable.Record(ctx, s.db, "document of the library", in, libraryID)
}

// LibraryFile is the PDF of a document of the library, or fault.NotFound.
func (s *Store) LibraryFile(ctx context.Context, in access.Portfolio, libraryID string) ([]byte, error) {
	return rows.Only(ctx, s.db, "document of the library",
		"SELECT content FROM library_documents WHERE portfolio_id = $1 AND id = $2", []any{in.ID, libraryID},
		rows.Value[[]byte])
}

// CountLibrary counts the documents of the library of a portfolio.
func (s *Store) CountLibrary(ctx context.Context, in access.Portfolio) (int, error) {
	return rows.Only(ctx, s.db, "count", "SELECT count(*) FROM library_documents WHERE portfolio_id = $1",
		[]any{in.ID}, rows.Value[int])
}

// AddToLibrary writes a new document of the library with its file.
func (s *Store) AddToLibrary(
	ctx context.Context, in access.Portfolio, d *agreement.LibraryDocument, content []byte,
) error {
	return libraryTable.Add(ctx, s.db, d, "portfolio_id", in.ID, "content", content)
}

// SaveLibrary writes a document of the library that has changed, but not its file.
func (s *Store) SaveLibrary(ctx context.Context, in access.Portfolio, d *agreement.LibraryDocument) error {
	return libraryTable.Save(ctx, s.db, in, d)
}

// SaveLibraryFile writes the file of a document of the library.
func (s *Store) SaveLibraryFile(ctx context.Context, in access.Portfolio, libraryID string, content []byte) error {
	return s.db.Run(ctx, "UPDATE library_documents SET content = $3 WHERE portfolio_id = $1 AND id = $2", in.ID,
		libraryID, content)
}

// DeleteFromLibrary removes a document from the library.
func (s *Store) DeleteFromLibrary(ctx context.Context, in access.Portfolio, libraryID string) error {
	return s.db.Run(ctx, "DELETE FROM library_documents WHERE portfolio_id = $1 AND id = $2", in.ID, libraryID)
}

// CopyFromLibrary adds to a lease what the library has as an attachment.
func (s *Store) CopyFromLibrary(
	ctx context.Context, in access.Portfolio, libraryID, leaseID string, to *agreement.Attachment,
) error {
	n, err := s.db.Exec(ctx, `INSERT INTO lease_attachments (portfolio_id, lease_id, id, file_name, pages, size, sha256,
			requires_initials, uploaded_at, disclosures, content)
		SELECT portfolio_id, CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), pages, size, sha256,
			requires_initials, CAST($6 AS BIGINT), disclosures, content
		FROM library_documents
		WHERE portfolio_id = $1 AND id = $2`,
		in.ID, libraryID, leaseID, to.ID, to.FileName, int64(to.UploadedAt))
	if err == nil && n != 1 {
		err = fmt.Errorf("%d documents of the library have the id %s", n, libraryID)
	}
	return err
}

// StatesOfHomes are the states where the portfolio has homes, by their codes: each costs one look into the index.
func (s *Store) StatesOfHomes(ctx context.Context, in access.Portfolio) ([]contact.State, error) {
	return rows.All(ctx, s.db, `WITH RECURSIVE found (state) AS (
			SELECT min(state) FROM properties WHERE portfolio_id = $1
			UNION ALL
			SELECT (SELECT min(p.state) FROM properties p WHERE p.portfolio_id = $1 AND p.state > found.state)
			FROM found
			WHERE found.state IS NOT NULL
		)
		SELECT state
		FROM found
		WHERE state IS NOT NULL
		ORDER BY state`, []any{in.ID}, rows.Value[contact.State])
}

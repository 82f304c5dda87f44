package portfoliostore

import (
	"cmp"
	"context"
	"slices"

	"portal/api/access"
	"portal/api/agreement/amendment"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db/rows"
)

// amendmentTable has amendments of leases without their documents.
var amendmentTable = rows.NewTable(
	"lease_amendments",
	append(recordColumns(func(a *amendment.Amendment) *portfolio.Record { return &a.Record }),
		rows.At("lease_id", func(a *amendment.Amendment) *string { return &a.LeaseID }),
		rows.At("created_by", func(a *amendment.Amendment) **string { return &a.CreatedBy }),
		rows.At("status", func(a *amendment.Amendment) *amendment.Status { return &a.Status }),
		rows.At("effective_on", func(a *amendment.Amendment) *clock.Date { return &a.EffectiveOn }),
		rows.JSONAt("changes", func(a *amendment.Amendment) **amendment.Changes { return &a.Changes }),
		rows.JSONAt("content", func(a *amendment.Amendment) **amendment.Content { return &a.Content }),
		rows.ListAt("signatures", func(a *amendment.Amendment) *[]amendment.Signature { return &a.Signatures }),
		rows.At("reason", func(a *amendment.Amendment) **string { return &a.Reason }),
		rows.At("sent_at", func(a *amendment.Amendment) **clock.Time { return &a.SentAt }),
		rows.At("signed_at", func(a *amendment.Amendment) **clock.Time { return &a.SignedAt }),
		rows.At("closed_at", func(a *amendment.Amendment) **clock.Time { return &a.ClosedAt }),
		rows.At("document_sha256", func(a *amendment.Amendment) **string { return &a.DocumentSHA256 }),
	)...).Completed(func(a *amendment.Amendment, mode access.Mode) { a.Object, a.Mode = "lease_amendment", mode })

// Amendments reads the amendments of a lease, the newest first.
func (s *Store) Amendments(ctx context.Context, in access.Portfolio, leaseID string) ([]amendment.Amendment, error) {
	all, err := amendmentTable.In(ctx, s.db, in, "WHERE portfolio_id = $1 AND lease_id = $2", in.ID, leaseID)
	slices.SortFunc(all, func(a, b amendment.Amendment) int { return cmp.Compare(b.ID, a.ID) })
	return all, err
}

// AllAmendments reads amendments of the portfolio by ascending id, one more than the limit.
func (s *Store) AllAmendments(
	ctx context.Context, in access.Portfolio, q list.Query,
) ([]amendment.Amendment, error) {
	l := rows.Listed(s.db, amendmentTable.Columns, "lease_amendments", in, id.Amendment, q)
	return rows.Rows(ctx, s.db, l, amendmentTable.Read(in))
}

// Amendment finds an amendment of a lease, or fault.NotFound.
func (s *Store) Amendment(
	ctx context.Context, in access.Portfolio, leaseID, amendmentID string,
) (amendment.Amendment, error) {
	return rows.Only(ctx, s.db, "lease amendment", "SELECT "+amendmentTable.Columns+` FROM lease_amendments
		WHERE portfolio_id = $1 AND id = $2 AND lease_id = $3`, []any{in.ID, amendmentID, leaseID},
		amendmentTable.Read(in))
}

// AddAmendment writes a new amendment.
func (s *Store) AddAmendment(ctx context.Context, in access.Portfolio, a *amendment.Amendment) error {
	return amendmentTable.Insert(ctx, s.db, in, []amendment.Amendment{*a})
}

// SaveAmendment writes an amendment that has changed without its document.
func (s *Store) SaveAmendment(ctx context.Context, in access.Portfolio, a *amendment.Amendment) error {
	return amendmentTable.Save(ctx, s.db, in, a)
}

// DeleteAmendment removes an amendment.
func (s *Store) DeleteAmendment(ctx context.Context, in access.Portfolio, amendmentID string) error {
	return s.db.Run(ctx, "DELETE FROM lease_amendments WHERE portfolio_id = $1 AND id = $2", in.ID, amendmentID)
}

// SaveAmendmentDocument writes what all have signed as PDF.
func (s *Store) SaveAmendmentDocument(
	ctx context.Context, in access.Portfolio, amendmentID string, content []byte,
) error {
	return s.db.Run(ctx, "UPDATE lease_amendments SET document = $3 WHERE portfolio_id = $1 AND id = $2", in.ID,
		amendmentID, content)
}

// AmendmentDocument reads what all have signed as PDF, or is fault.NotFound.
func (s *Store) AmendmentDocument(
	ctx context.Context, in access.Portfolio, leaseID, amendmentID string,
) ([]byte, error) {
	return rows.Only(ctx, s.db, "signed lease amendment", `SELECT document
		FROM lease_amendments
		WHERE portfolio_id = $1 AND id = $2 AND lease_id = $3 AND document IS NOT NULL`,
		[]any{in.ID, amendmentID, leaseID}, rows.Value[[]byte])
}

// dueAmendments are the amendments of a portfolio, $1, that a day, $2, or the end of their leases, brings something to.
var dueAmendments = ` FROM lease_amendments a
	JOIN leases l ON l.portfolio_id = a.portfolio_id AND l.id = a.lease_id
	WHERE a.portfolio_id = $1 AND ` + rows.OneOf("a.status", amendment.OpenStatuses()) + `
		AND (` + rows.Is("a.status", amendment.Signed) + ` AND a.effective_on <= $2
			OR ` + rows.IsNot("l.status", portfolio.LeaseActive) + `)`

// DueAmendments reads amendments behind one by ascending id, at most so many, that a day or the end of their leases
// brings something to.
func (s *Store) DueAmendments(
	ctx context.Context, in access.Portfolio, today clock.Date, behind string, most int,
) ([]amendment.Amendment, error) {
	return amendmentTable.In(ctx, s.db, in, `WHERE portfolio_id = $1 AND id IN (SELECT a.id`+dueAmendments+`
			AND a.id > $3
			ORDER BY a.id
			LIMIT $4)
		ORDER BY id`, in.ID, int64(today), behind, int64(most))
}

package retentionstore

import (
	"context"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/db/rows"
)

// endedUnsigned are the statuses of leases that will not be signed any more.
var endedUnsigned = []portfolio.LeaseStatus{portfolio.LeaseDeclined, portfolio.LeaseVoided}

// ForgetDrafts empties the documents of leases that nobody signed and that have ended before a moment:
// voided, declined or expired. Their hashes stay. It empties a bounded number, and tells how many.
func (s Accounts) ForgetDrafts(ctx context.Context, before clock.Time, most int) (int64, error) {
	n, err := s.forgetDrafts(ctx, "documents", "d.id", "(portfolio_id, id)", "content = $1", before, most)
	if err != nil || n == int64(most) {
		return n, err
	}
	versions, err := s.forgetDrafts(ctx, "document_versions", "v.document_id, v.number",
		"(portfolio_id, document_id, number)", "content = $1, body = ''", before, most-int(n))
	return n + versions, err
}

// forgetDrafts empties rows of a table, whose key and content are named.
func (s Accounts) forgetDrafts(
	ctx context.Context, table, key, rowKey, emptied string, before clock.Time, most int,
) (int64, error) {
	from, at := "documents d", "d"
	if table != "documents" {
		from = `document_versions v
			JOIN documents d ON d.portfolio_id = v.portfolio_id AND d.id = v.document_id`
		at = "v"
	}
	return s.db.Exec(ctx, `UPDATE `+table+`
		SET `+emptied+`
		WHERE `+rowKey+` IN (
			SELECT `+at+`.portfolio_id, `+key+`
			FROM `+from+`
			JOIN leases l ON l.portfolio_id = d.portfolio_id AND l.id = d.lease_id
			WHERE length(`+at+`.content) > 0 AND `+at+`.created_at < $2 AND l.signed_at IS NULL
				AND (`+rows.OneOf("l.status", endedUnsigned)+` AND l.updated_at < $2
					OR `+rows.Is("l.status", portfolio.LeaseDraft)+` AND l.expires_at < $2)
				AND NOT EXISTS (
					SELECT 1
					FROM lease_signers p
					WHERE p.portfolio_id = l.portfolio_id AND p.lease_id = l.id AND p.signed_at IS NOT NULL)
			ORDER BY `+at+`.created_at
			LIMIT $3)`, []byte{}, int64(before), most)
}

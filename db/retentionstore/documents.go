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
	return s.db.Exec(ctx, `UPDATE documents
		SET content = $1
		WHERE (portfolio_id, id) IN (
			SELECT d.portfolio_id, d.id
			FROM documents d
			JOIN leases l ON l.portfolio_id = d.portfolio_id AND l.id = d.lease_id
			WHERE length(d.content) > 0 AND d.created_at < $2 AND l.signed_at IS NULL
				AND (`+rows.OneOf("l.status", endedUnsigned)+` AND l.updated_at < $2
					OR `+rows.Is("l.status", portfolio.LeaseDraft)+` AND l.expires_at < $2)
				AND NOT EXISTS (
					SELECT 1
					FROM lease_tenants p
					WHERE p.portfolio_id = l.portfolio_id AND p.lease_id = l.id AND p.signed_at IS NOT NULL)
			ORDER BY d.created_at
			LIMIT $3)`, []byte{}, int64(before), most)
}

package portfoliostore

import (
	"cmp"
	"context"
	"slices"

	"portal/api/access"
	"portal/api/agreement/notice"
	"portal/api/clock"
	"portal/db/rows"
)

var noticeTable = rows.NewTable(
	"lease_notices",
	rows.At("lease_id", func(n *notice.Notice) *string { return &n.LeaseID }),
	rows.At("id", func(n *notice.Notice) *string { return &n.ID }),
	rows.At("created_at", func(n *notice.Notice) *clock.Time { return &n.CreatedAt }),
	rows.At("created_by", func(n *notice.Notice) **string { return &n.CreatedBy }),
	rows.At("kind", func(n *notice.Notice) *notice.Kind { return &n.Kind }),
	rows.At("given_on", func(n *notice.Notice) *clock.Date { return &n.GivenOn }),
	rows.At("effective_on", func(n *notice.Notice) *clock.Date { return &n.EffectiveOn }),
	rows.At("emailed_at", func(n *notice.Notice) **clock.Time { return &n.EmailedAt }),
	rows.JSONAt("content", func(n *notice.Notice) **notice.Content { return &n.Content }),
)

// AddNotice adds a notice to the tenants of a lease.
func (s *Store) AddNotice(ctx context.Context, in access.Portfolio, n *notice.Notice) error {
	return noticeTable.Add(ctx, s.db, n, "portfolio_id", in.ID)
}

// Notices reads the notices of some leases, the newest first.
func (s *Store) Notices(ctx context.Context, in access.Portfolio, leaseIDs ...string) ([]notice.Notice, error) {
	all, err := noticeTable.With(ctx, s.db, in, "", "lease_id", leaseIDs, "")
	slices.SortFunc(all, func(a, b notice.Notice) int { return cmp.Compare(b.ID, a.ID) })
	return all, err
}

// CountNotices counts the notices of a lease.
func (s *Store) CountNotices(ctx context.Context, in access.Portfolio, leaseID string) (int, error) {
	return rows.Only(ctx, s.db, "count",
		"SELECT count(*) FROM lease_notices WHERE portfolio_id = $1 AND lease_id = $2", []any{in.ID, leaseID},
		rows.Value[int])
}

// Notice finds a notice of a lease, or fault.NotFound.
func (s *Store) Notice(
	ctx context.Context, in access.Portfolio, leaseID, noticeID string,
) (notice.Notice, error) {
	return noticeTable.Only(ctx, s.db, "notice", "WHERE portfolio_id = $1 AND lease_id = $2 AND id = $3", in.ID,
		leaseID, noticeID)
}

// SaveNoticeEmailed notes when a notice was emailed.
func (s *Store) SaveNoticeEmailed(ctx context.Context, in access.Portfolio, n *notice.Notice) error {
	return s.db.Run(ctx,
		"UPDATE lease_notices SET emailed_at = $4 WHERE portfolio_id = $1 AND lease_id = $2 AND id = $3", in.ID,
		n.LeaseID, n.ID, n.EmailedAt)
}

// DeleteNotice removes a notice of a lease.
func (s *Store) DeleteNotice(ctx context.Context, in access.Portfolio, leaseID, noticeID string) error {
	return s.db.Run(ctx, "DELETE FROM lease_notices WHERE portfolio_id = $1 AND lease_id = $2 AND id = $3", in.ID,
		leaseID, noticeID)
}

// NoticesAfter reads notices behind one of them, by ascending id of their leases, at most so many.
func (s *Store) NoticesAfter(
	ctx context.Context, in access.Portfolio, leaseID, noticeID string, most int,
) ([]notice.Notice, error) {
	return noticeTable.All(ctx, s.db, `WHERE portfolio_id = $1 AND (lease_id, id) > ($2, $3)
		ORDER BY lease_id, id
		LIMIT $4`, in.ID, leaseID, noticeID, int64(most))
}

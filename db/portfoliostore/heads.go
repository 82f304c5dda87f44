package portfoliostore

import (
	"cmp"
	"context"
	"slices"

	"portal/api/access"
	"portal/api/agreement/evidence"
	"portal/db"
)

// Untold are portfolios with a log that has grown since its head was told, in the order of their ids, behind
// one and at most so many.
func (s *Store) Untold(ctx context.Context, behind int64, most int) (all []access.Portfolio, err error) {
	query := `SELECT p.id, p.mode
		FROM portfolios p
		WHERE p.id > $1 AND p.id IN (
			SELECT d.portfolio_id
			FROM documents d` + s.db.IndexedBy("documents_untold") + `
			WHERE d.evidence_count > d.evidence_told)
		ORDER BY p.id
		LIMIT $2`
	err = s.db.Each(ctx, query, []any{behind, int64(most)}, func(scan db.Scan) error {
		all = append(all, access.Portfolio{})
		in := &all[len(all)-1]
		return scan(&in.ID, &in.Mode)
	})
	return all, err
}

// TakeUntold marks the heads of a portfolio that were not told as told, and gives them in the order of their
// leases. One statement does both, so that exactly what it gives is marked.
func (s *Store) TakeUntold(ctx context.Context, in access.Portfolio) (all []evidence.Head, err error) {
	query := `UPDATE documents` + s.db.IndexedBy("documents_untold") + `
		SET evidence_told = evidence_count
		WHERE portfolio_id = $1 AND evidence_count > evidence_told
		RETURNING lease_id, id, evidence_count, evidence_head, COALESCE((
			SELECT l.rental_address
			FROM leases l
			WHERE l.portfolio_id = documents.portfolio_id AND l.id = documents.lease_id), '')`
	err = s.db.Each(ctx, query, []any{in.ID}, func(scan db.Scan) error {
		all = append(all, evidence.Head{})
		h := &all[len(all)-1]
		return scan(&h.LeaseID, &h.DocumentID, &h.Entries, &h.Hash, &h.Address)
	})
	slices.SortFunc(all, func(a, b evidence.Head) int {
		return cmp.Or(cmp.Compare(a.LeaseID, b.LeaseID), cmp.Compare(a.DocumentID, b.DocumentID))
	})
	return all, err
}

// HeadOwners are the owners of a portfolio's account who want the heads by email: nobody where the account is
// closed.
func (s *Store) HeadOwners(ctx context.Context, in access.Portfolio) (all []evidence.HeadOwner, err error) {
	err = s.db.Each(ctx, `SELECT a.id, a.name, u.email
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		JOIN members m ON m.account_id = a.id
		JOIN users u ON u.id = m.user_id
		WHERE p.id = $1 AND a.closed_at IS NULL AND m.role = 'owner' AND m.evidence_mail = 1
		ORDER BY m.created_at, u.id`, []any{in.ID}, func(scan db.Scan) error {
		all = append(all, evidence.HeadOwner{})
		o := &all[len(all)-1]
		return scan(&o.AccountID, &o.Account, &o.Email)
	})
	return all, err
}

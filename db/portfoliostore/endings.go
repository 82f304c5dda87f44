package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/agreement/ceremony"
	"portal/db"
	"portal/db/rows"
)

// AddEnding adds a request to agree to the end of a lease, and gives it its number within the lease.
func (s *Store) AddEnding(ctx context.Context, in access.Portfolio, e *ceremony.EndingRequest) error {
	_, err := s.db.One(
		ctx,
		`INSERT INTO lease_endings (portfolio_id, lease_id, number, created_at, ends_on, reason, status)
		VALUES ($1, $2, (
			SELECT COALESCE(max(o.number), 0) + 1
			FROM lease_endings o
			WHERE o.portfolio_id = $1 AND o.lease_id = $2), $3, $4, $5, $6)
		RETURNING number`,
		[]any{in.ID, e.LeaseID, e.CreatedAt, e.On, e.Reason, string(e.Status)},
		&e.Number,
	)
	return err
}

// Ending finds the latest request to agree to the end of a lease with its answers, or fault.NotFound.
func (s *Store) Ending(ctx context.Context, in access.Portfolio, leaseID string) (ceremony.EndingRequest, error) {
	e := ceremony.EndingRequest{LeaseID: leaseID}
	err := rows.Find(ctx, s.db, "request to end the lease", `SELECT number, created_at, ends_on, reason, status
		FROM lease_endings
		WHERE portfolio_id = $1 AND lease_id = $2
		ORDER BY number DESC
		LIMIT 1`, []any{in.ID, leaseID}, &e.Number, &e.CreatedAt, &e.On, &e.Reason, &e.Status)
	if err != nil {
		return e, err
	}
	query := `SELECT signer_id, answered_at, agreed, reason
		FROM lease_ending_answers
		WHERE portfolio_id = $1 AND lease_id = $2 AND number = $3
		ORDER BY answered_at, signer_id`
	e.Answers, err = rows.All(ctx, s.db, query, []any{in.ID, leaseID, int64(e.Number)},
		func(scan db.Scan, a *ceremony.EndingAnswer) error {
			return scan(&a.SignerID, &a.At, (*rows.BitInto)(&a.Agreed), &a.Reason)
		})
	return e, err
}

// CloseEnding gives a request to agree to the end of a lease its last status.
func (s *Store) CloseEnding(ctx context.Context, in access.Portfolio, e *ceremony.EndingRequest) error {
	return s.db.Run(ctx, `UPDATE lease_endings
		SET status = $4
		WHERE portfolio_id = $1 AND lease_id = $2 AND number = $3
			AND `+rows.Is("status", ceremony.EndingOpen),
		in.ID, e.LeaseID, int64(e.Number), string(e.Status))
}

// AddEndingAnswer adds what a tenant has answered to a request, once.
func (s *Store) AddEndingAnswer(
	ctx context.Context, in access.Portfolio, e *ceremony.EndingRequest, a *ceremony.EndingAnswer,
) error {
	return s.db.Run(ctx, `INSERT INTO lease_ending_answers (portfolio_id, lease_id, number, signer_id, answered_at,
			agreed, reason)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		in.ID, e.LeaseID, int64(e.Number), a.SignerID, a.At, rows.Bit(a.Agreed), a.Reason)
}

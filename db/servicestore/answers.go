package servicestore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/idempotency"
	"portal/db"
)

// Answers keeps the answers of idempotent requests.
type Answers struct{ db *db.DB }

// NewAnswers is the store over a database.
func NewAnswers(d *db.DB) Answers { return Answers{d} }

// Exclusively runs do in one transaction; see db.DB.Exclusively.
func (s Answers) Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error {
	return s.db.Exclusively(ctx, in, do)
}

// ClaimKey stores a claim, or reads the one that was stored before. PostgreSQL lets
// the second of two wait at the unique key until the first has ended; on SQLite one
// transaction writes at a time.
func (s Answers) ClaimKey(
	ctx context.Context, c idempotency.Claim, at, expired clock.Time,
) (*idempotency.Record, error) {
	n, err := s.db.Exec(
		ctx,
		`INSERT INTO idempotency_keys (key_id, idempotency_key, fingerprint, status, body, sealed, created_at, revision)
		VALUES ($1, $2, $3, 0, $4, $5, $6, 0)
		ON CONFLICT (key_id, idempotency_key) DO UPDATE
		SET fingerprint = excluded.fingerprint, status = 0, body = excluded.body,
			created_at = excluded.created_at, revision = 0
		WHERE idempotency_keys.created_at <= $7`,
		c.KeyID,
		c.Key,
		c.Fingerprint[:],
		[]byte{},
		true,
		at,
		expired,
	)
	if err != nil || n == 1 {
		return nil, err
	}
	r := &idempotency.Record{Claim: c}
	var fingerprint []byte
	_, err = s.db.One(ctx, `SELECT fingerprint, status, body, created_at, revision
		FROM idempotency_keys
		WHERE key_id = $1 AND idempotency_key = $2`, []any{
		c.KeyID, c.Key,
	}, &fingerprint, &r.Status, &r.Sealed, &r.At, &r.Revision)
	copy(r.Fingerprint[:], fingerprint)
	return r, err
}

// KeepAnswer completes a claim of the same transaction.
func (s Answers) KeepAnswer(ctx context.Context, r *idempotency.Record) error {
	return s.db.Later(ctx, `UPDATE idempotency_keys
		SET status = $3, body = $4, revision = $5
		WHERE key_id = $1 AND idempotency_key = $2`, r.KeyID, r.Key, r.Status, r.Sealed, r.Revision)
}

// ForgetAnswers deletes claims that are older than a moment, at most so many.
func (s Answers) ForgetAnswers(ctx context.Context, before clock.Time, most int) (int64, error) {
	return s.db.Exec(ctx, `DELETE FROM idempotency_keys
		WHERE (key_id, idempotency_key) IN (
			SELECT key_id, idempotency_key
			FROM idempotency_keys
			WHERE created_at <= $1
			ORDER BY created_at
			LIMIT $2)`, before, most)
}

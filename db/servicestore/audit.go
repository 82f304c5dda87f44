// Package servicestore keeps what the service notes of its own work rather than of a landlord's
// records, in the database of package db: the trail of who did what, rate limits, what a demo holds,
// requests and forms that were sent, the keys of the seal, and how much work waits.
//
// It knows no rules and no HTTP.
package servicestore

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/idempotency"
	"portal/db"
	"portal/db/rows"
)

// Trail keeps what people did.
type Trail struct{ db *db.DB }

// NewTrail is the store over a database.
func NewTrail(d *db.DB) Trail { return Trail{d} }

var entryTable = rows.NewTable(
	"audit",
	rows.At("id", func(e *audit.Entry) *string { return &e.ID }),
	rows.At("at", func(e *audit.Entry) *clock.Time { return &e.At }),
	rows.At("account_id", func(e *audit.Entry) **string { return &e.AccountID }),
	rows.At("user_id", func(e *audit.Entry) **string { return &e.UserID }),
	rows.At("action", func(e *audit.Entry) *string { return &e.Action }),
	rows.At("target", func(e *audit.Entry) *string { return &e.Target }),
	rows.At("address", func(e *audit.Entry) *string { return &e.Address }),
	rows.At("request_id", func(e *audit.Entry) *string { return &e.RequestID }),
	rows.Column[audit.Entry]{
		Name:   "details",
		Target: func(e *audit.Entry) any { return (*details)(&e.Details) },
		Value: func(e *audit.Entry) (any, error) {
			if len(e.Details) == 0 {
				return "{}", nil
			}
			text, err := json.Marshal(e.Details)
			return string(text), err
		},
	},
)

// details is a column with an object of texts.
type details map[string]string

// Scan is sql.Scanner.
func (d *details) Scan(src any) error {
	text, err := rows.Text(src)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), (*map[string]string)(d))
}

// AddAudit adds to the trail.
func (s Trail) AddAudit(ctx context.Context, e *audit.Entry) error {
	return entryTable.Add(ctx, s.db, e)
}

// Audit lists entries of the trail, the newest first.
func (s Trail) Audit(ctx context.Context, q audit.Query) ([]audit.Entry, error) {
	before := q.Before
	if before == "" {
		before = id.Audit + "_~"
	}
	l := rows.NewListing(s.db, q.Limit, before, int64(q.Limit))
	l.SQL.WriteString(`SELECT ` + entryTable.Of("a") + `, u.email
		FROM audit a
		LEFT JOIN users u ON u.id = a.user_id
		WHERE a.id < $1`)
	l.Has("a.account_id", q.AccountID)
	l.Has("a.user_id", q.UserID)
	l.Has("a.action", q.Action)
	l.SQL.WriteString(" ORDER BY a.id DESC LIMIT $2")
	return rows.All(ctx, s.db, l.SQL.String(), l.Args, func(scan db.Scan, e *audit.Entry) error {
		return scan(append(entryTable.Targets(e), &e.Email)...)
	})
}

// Answers keeps the answers of idempotent requests.
type Answers struct {
	db *db.DB
	rows.Transactor
}

// NewAnswers is the store over a database.
func NewAnswers(d *db.DB) Answers { return Answers{d, d} }

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
	const key = "key_id, idempotency_key"
	return rows.Forget(ctx, s.db, "idempotency_keys", key, "created_at <= $1", "created_at", before, most)
}

// Forms keeps the forms of pages that were sent.
type Forms struct {
	db *db.DB
	rows.Transactor
}

// NewForms is the store over a database.
func NewForms(d *db.DB) Forms { return Forms{d, d} }

// formTime is how long a form that was sent is remembered.
const formTime = 24 * time.Hour

// ClaimForm notes that a form is taken, in the transaction of the context, or reads what
// KeepForm has kept of the first answer. PostgreSQL lets the second of two wait at the
// unique name until the first has ended; on SQLite one transaction writes at a time.
func (s Forms) ClaimForm(ctx context.Context, name []byte, at clock.Time) (first bool, to, said string, err error) {
	n, err := s.db.Exec(ctx, `INSERT INTO sent_forms (name, leads_to, said, expires_at)
		VALUES ($1, '', '', $2)
		ON CONFLICT (name) DO NOTHING`, name, at+clock.Time(formTime.Milliseconds()))
	if err != nil || n == 1 {
		return true, "", "", err
	}
	_, err = s.db.One(ctx, "SELECT leads_to, said FROM sent_forms WHERE name = $1", []any{name}, &to, &said)
	return false, to, said, err
}

// KeepForm notes where the answer to a form leads to, and what to say to somebody who sends it
// again, both sealed by who sends it.
func (s Forms) KeepForm(ctx context.Context, name []byte, to, said string) error {
	return s.db.Run(ctx, "UPDATE sent_forms SET leads_to = $2, said = $3 WHERE name = $1", name, to, said)
}

// Limits keeps how much of each rate limit is used.
type Limits struct{ db *db.DB }

// NewLimits is the store over a database.
func NewLimits(d *db.DB) Limits { return Limits{d} }

// SaveLimits stores the state of the rate limiter of each subject; nil forgets it.
func (s Limits) SaveLimits(ctx context.Context, states map[string][]byte, at clock.Time) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		// Nodes that lock rows in one order never deadlock.
		for _, subject := range slices.Sorted(maps.Keys(states)) {
			var err error
			if state := states[subject]; state == nil {
				_, err = s.db.Exec(ctx, "DELETE FROM rate_limits WHERE subject = $1", subject)
			} else {
				_, err = s.db.Exec(ctx, `INSERT INTO rate_limits (subject, state, updated_at)
					VALUES ($1, $2, $3)
					ON CONFLICT (subject) DO UPDATE SET state = excluded.state,
						updated_at = excluded.updated_at`, subject, state, at)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Limits calls back with each state that was stored.
func (s Limits) Limits(ctx context.Context, each func(subject string, state []byte) error) error {
	return s.db.Each(ctx, "SELECT subject, state FROM rate_limits", nil, func(scan db.Scan) error {
		var subject string
		var state []byte
		if err := scan(&subject, &state); err != nil {
			return err
		}
		return each(subject, state)
	})
}

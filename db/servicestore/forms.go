package servicestore

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/db"
)

// Forms keeps the forms of pages that were sent.
type Forms struct{ db *db.DB }

// NewForms is the store over a database.
func NewForms(d *db.DB) Forms { return Forms{d} }

// Atomically runs do in one transaction; see db.DB.Atomically.
func (s Forms) Atomically(ctx context.Context, do func(context.Context) error) error {
	return s.db.Atomically(ctx, do)
}

// Exclusively runs do in one transaction; see db.DB.Exclusively.
func (s Forms) Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error {
	return s.db.Exclusively(ctx, in, do)
}

// formTime is how long a form that was sent is remembered.
const formTime = 24 * time.Hour

// ClaimForm notes that a form is taken, in the transaction of the context, or reads where
// the first answer led to and what it said. PostgreSQL lets the second of two wait at the
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
// again.
func (s Forms) KeepForm(ctx context.Context, name []byte, to, said string) error {
	_, err := s.db.Exec(ctx, "UPDATE sent_forms SET leads_to = $2, said = $3 WHERE name = $1", name, to, said)
	return err
}

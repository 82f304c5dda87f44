// Package oncestore keeps what makes a request that is sent twice happen once, in the database of
// package db.
package oncestore

import (
	"context"

	"portal/api/access"
	"portal/db"
)

// Answers keeps the answers of idempotent requests.
type Answers struct{ db *db.DB }

// NewAnswers is the store over a database.
func NewAnswers(d *db.DB) Answers { return Answers{d} }

// Forms keeps the forms of pages that were sent.
type Forms struct{ db *db.DB }

// NewForms is the store over a database.
func NewForms(d *db.DB) Forms { return Forms{d} }

// Exclusively runs do in one transaction; see db.DB.Exclusively.
func (s Answers) Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error {
	return s.db.Exclusively(ctx, in, do)
}

// Atomically runs do in one transaction; see db.DB.Atomically.
func (s Forms) Atomically(ctx context.Context, do func(context.Context) error) error {
	return s.db.Atomically(ctx, do)
}

// Exclusively runs do in one transaction; see db.DB.Exclusively.
func (s Forms) Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error {
	return s.db.Exclusively(ctx, in, do)
}

// Package servicestore keeps what the service notes of its own work rather than of a landlord's
// records, in the database of package db: the trail of who did what, rate limits, what a demo holds,
// requests and forms that were sent, the keys of the seal, and how much work waits.
//
// It knows no rules and no HTTP.
package servicestore

import (
	"context"
	"encoding/json"
	"fmt"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/id"
	"portal/db"
	"portal/db/rows"
)

// Trail keeps what people did.
type Trail struct{ db *db.DB }

// NewTrail is the store over a database.
func NewTrail(d *db.DB) Trail { return Trail{d} }

// entryTable has the columns of the trail, and where in an entry their values are.
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
	_, err := entryTable.Add(ctx, s.db, e, "")
	return err
}

// Audit lists entries of the trail, the newest first.
func (s Trail) Audit(ctx context.Context, q audit.Query) ([]audit.Entry, error) {
	before := q.Before
	if before == "" {
		before = id.Audit + "_~"
	}
	query := `SELECT ` + entryTable.Of("a") + `, u.email
		FROM audit a
		LEFT JOIN users u ON u.id = a.user_id
		WHERE a.id < $1`
	args := []any{before, int64(q.Limit)}
	where := func(column, value string) {
		if value != "" {
			args = append(args, value)
			query += fmt.Sprintf(" AND %s = $%d", column, len(args))
		}
	}
	where("a.account_id", q.AccountID)
	where("a.user_id", q.UserID)
	where("a.action", q.Action)
	all := []audit.Entry{}
	err := s.db.Each(ctx, query+" ORDER BY a.id DESC LIMIT $2", args, func(scan db.Scan) error {
		all = append(all, audit.Entry{})
		e := &all[len(all)-1]
		return scan(append(entryTable.Targets(e), &e.Email)...)
	})
	return all, err
}

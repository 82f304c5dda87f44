package auditstore

import (
	"context"
	"encoding/json"
	"fmt"

	"portal/api/audit"
	"portal/api/id"
	"portal/db"
)

// AddAudit adds to the trail.
func (s Trail) AddAudit(ctx context.Context, e *audit.Entry) error {
	details := "{}"
	if len(e.Details) > 0 {
		text, err := json.Marshal(e.Details)
		if err != nil {
			return err
		}
		details = string(text)
	}
	_, err := s.db.Exec(
		ctx,
		`INSERT INTO audit (id, at, account_id, user_id, action, target, address, request_id, details)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		e.ID,
		e.At,
		e.AccountID,
		e.UserID,
		e.Action,
		e.Target,
		e.Address,
		e.RequestID,
		details,
	)
	return err
}

// Audit lists entries of the trail, the newest first.
func (s Trail) Audit(ctx context.Context, q audit.Query) ([]audit.Entry, error) {
	before := q.Before
	if before == "" {
		before = id.Audit + "_~"
	}
	query := `SELECT a.id, a.at, a.account_id, a.user_id, u.email, a.action, a.target, a.address, a.request_id, a.details
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
	err := s.db.Each(ctx, query+" ORDER BY a.id DESC LIMIT $2 + 0", args, func(scan db.Scan) error {
		e, details := audit.Entry{}, ""
		err := scan(
			&e.ID,
			&e.At,
			&e.AccountID,
			&e.UserID,
			&e.Email,
			&e.Action,
			&e.Target,
			&e.Address,
			&e.RequestID,
			&details,
		)
		if err != nil {
			return err
		}
		err = json.Unmarshal([]byte(details), &e.Details)
		all = append(all, e)
		return err
	})
	return all, err
}

package developerstore

import (
	"context"
	"maps"
	"slices"
	"strings"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db"
	"portal/db/rows"
)

const requestColumns = `id, at, account_id, key_id, portfolio_id, operation, method, path, query, status, code, param, duration_us, bytes,
	address, user_agent, idempotency_key, replayed, dry_run`

// AddRequests writes lines of the request log, and for each key in them when it
// was last used and what was asked that day, in one transaction. Lines that are there already stay as they
// are: who heard an error may have been heard all the same, and writes again.
func (s *Store) AddRequests(ctx context.Context, batch []developer.Request) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		lines, used, t, hours := batch, map[string]clock.Time{}, usage{}, requestHours{}
		for len(lines) > 0 {
			chunk := lines[:min(rows.Bulk, len(lines))]
			lines = lines[len(chunk):]
			if err := s.addRequests(ctx, chunk, t, hours); err != nil {
				return err
			}
			for i := range chunk {
				used[chunk[i].KeyID] = max(used[chunk[i].KeyID], chunk[i].At)
			}
		}
		delete(used, "")
		// Nodes that take rows in one order never lock each other out.
		for _, key := range slices.Sorted(maps.Keys(used)) {
			if _, err := s.db.Exec(ctx, `UPDATE api_keys
				SET last_used_at = $2
				WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`, key, used[key]); err != nil {
				return err
			}
		}
		if err := s.addUsage(ctx, t); err != nil {
			return err
		}
		return s.addHours(ctx, hours)
	})
}

// addRequests writes lines, and counts those that were not there.
func (s *Store) addRequests(ctx context.Context, chunk []developer.Request, t usage, hours requestHours) error {
	const width = 19
	var sql strings.Builder
	sql.WriteString("INSERT INTO requests (" + requestColumns + ") VALUES ")
	args := make([]any, 0, width*len(chunk))
	for i := range chunk {
		r := &chunk[i]
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString("(" + s.db.Marks(len(args), width) + ")")
		args = append(
			args,
			r.ID,
			int64(r.At),
			rows.Null(r.AccountID),
			rows.Null(r.KeyID),
			rows.Null(r.PortfolioID),
			r.Operation,
			r.Method,
			r.Path,
			r.Query,
			r.Status,
			rows.Null(r.Code),
			rows.Null(r.Param),
			r.Duration.Microseconds(),
			r.Bytes,
			r.Address,
			r.UserAgent,
			rows.Null(r.IdempotencyKey),
			r.Replayed,
			r.DryRun,
		)
	}
	sql.WriteString(" ON CONFLICT (id) DO NOTHING RETURNING id")
	added := make(map[string]bool, len(chunk))
	err := s.db.Each(ctx, sql.String(), args, func(scan db.Scan) error {
		var id string
		err := scan(&id)
		added[id] = true
		return err
	})
	for i := range chunk {
		if added[chunk[i].ID] {
			t.count(&chunk[i])
			hours.count(&chunk[i])
		}
	}
	return err
}

// Logged finds a line of the log, of whichever account.
func (s *Store) Logged(ctx context.Context, id string) (r developer.Request, found bool, err error) {
	err = s.db.Each(ctx, requestsRead+" WHERE id = $1", []any{id}, func(scan db.Scan) error {
		found = true
		return readRequest(scan, &r)
	})
	return r, found, err
}

// ForgetRequests deletes the lines of the log and the counts before a moment, a bounded
// number at a time, and tells how many.
func (s *Store) ForgetRequests(ctx context.Context, before clock.Time, most int) (int64, error) {
	end := id.After(id.Request, (before - 1).Std())
	n, err := s.db.Exec(ctx, `DELETE FROM requests
		WHERE id IN (SELECT id FROM requests WHERE id < $1 ORDER BY id LIMIT $2)`, end, most)
	if err != nil || n == int64(most) {
		return n, err
	}
	counts, err := s.db.Exec(ctx, `DELETE FROM request_counts
		WHERE id IN (SELECT id FROM request_counts WHERE id < $1 ORDER BY id LIMIT $2)`, end, int64(most)-n)
	return n + counts, err
}

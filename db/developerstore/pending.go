package developerstore

import (
	"context"

	"portal/api/developer"
	"portal/db/rows"
)

// PendingAccessRequests counts the requests that wait for the staff, at most so many.
func (s *Store) PendingAccessRequests(ctx context.Context, most int) (int, error) {
	var n int64
	_, err := s.db.One(ctx, `SELECT count(*)
		FROM (
			SELECT 1
			FROM access_requests
			WHERE `+rows.Is("status", developer.Pending)+`
			LIMIT $1) r`, []any{int64(most)}, &n)
	return int(n), err
}

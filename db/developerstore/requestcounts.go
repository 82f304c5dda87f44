package developerstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db"
	"portal/db/rows"
)

// AddLog writes a batch of the request log in one transaction.
func (s *Store) AddLog(ctx context.Context, b developer.LogBatch) error {
	err := s.addLog(ctx, b, false)
	if errors.Is(err, errThereAlready) {
		return s.addLog(ctx, b, true)
	}
	return err
}

func (s *Store) addLog(ctx context.Context, b developer.LogBatch, someThere bool) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		if err := s.AddRequests(ctx, b.Requests); err != nil {
			return err
		}
		for chunk := range slices.Chunk(b.Counts, rows.Bulk) {
			if err := s.setRequestCounts(ctx, chunk); err != nil {
				return err
			}
		}
		for chunk := range slices.Chunk(b.Exchanges, rows.Bulk) {
			if err := s.addExchanges(ctx, chunk, someThere); err != nil {
				return err
			}
		}
		return nil
	})
}

// setRequestCounts writes counts, in the place of what they were before.
func (s *Store) setRequestCounts(ctx context.Context, chunk []developer.RequestCount) error {
	const width = 4
	var sql strings.Builder
	sql.WriteString("INSERT INTO request_counts (id, client, total, codes) VALUES ")
	args := make([]any, 0, width*len(chunk))
	for i := range chunk {
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString("(" + s.db.Marks(len(args), width) + ")")
		args = append(args, chunk[i].ID, chunk[i].Client, chunk[i].Total, encodeCodes(chunk[i].Codes))
	}
	sql.WriteString(" ON CONFLICT (id) DO UPDATE SET total = excluded.total, codes = excluded.codes")
	_, err := s.db.Exec(ctx, sql.String(), args...)
	return err
}

func encodeCodes(codes []developer.CodeCount) string {
	var b strings.Builder
	for i, c := range codes {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.Code + "=" + strconv.FormatInt(c.Count, 10))
	}
	return b.String()
}

func decodeCodes(s string) (codes []developer.CodeCount, err error) {
	for one := range strings.SplitSeq(s, " ") {
		code, count, _ := strings.Cut(one, "=")
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read the codes of a count: %w", err)
		}
		codes = append(codes, developer.CodeCount{Code: code, Count: n})
	}
	return codes, nil
}

// RequestCounts reads what was counted from a moment on and before another, the most
// frequent first, and at most so many. client narrows to one, "" is all.
func (s *Store) RequestCounts(
	ctx context.Context, from, before clock.Time, client string, most int,
) (found []developer.RequestCount, err error) {
	err = s.db.Each(ctx, `SELECT id, client, total, codes
		FROM request_counts
		WHERE id > $1 AND id < $2 AND ($3 = '' OR client = $3 OR client = '')
		ORDER BY total DESC, id
		LIMIT $4`, append(minuteOf(from, before), client, int64(most)), func(scan db.Scan) error {
		var c developer.RequestCount
		var codes string
		if err := scan(&c.ID, &c.Client, &c.Total, &codes); err != nil {
			return err
		}
		var err error
		c.Codes, err = decodeCodes(codes)
		found = append(found, c)
		return err
	})
	return found, err
}

// UnkeyedRequests reads requests without a valid key from a moment on and before another,
// the oldest first, and at most so many.
func (s *Store) UnkeyedRequests(
	ctx context.Context, from, before clock.Time, most int,
) (found []developer.Request, err error) {
	err = s.db.Each(
		ctx,
		`SELECT id, at, operation, method, path, query, status, COALESCE(code, ''), duration_us, bytes, address, user_agent
		FROM requests
		WHERE id > $1 AND id < $2 AND account_id IS NULL
		ORDER BY id
		LIMIT $3`,
		append(minuteOf(from, before), int64(most)),
		func(scan db.Scan) error {
			var r developer.Request
			var took int64
			err := scan(
				&r.ID,
				&r.At,
				&r.Operation,
				&r.Method,
				&r.Path,
				&r.Query,
				&r.Status,
				&r.Code,
				&took,
				&r.Bytes,
				&r.Address,
				&r.UserAgent,
			)
			r.Duration = time.Duration(took) * time.Microsecond
			found = append(found, r)
			return err
		},
	)
	return found, err
}

// minuteOf are the positions between which the ids of a time lie.
func minuteOf(from, before clock.Time) []any {
	return []any{id.After(id.Request, (from - 1).Std()), id.After(id.Request, (before - 1).Std())}
}

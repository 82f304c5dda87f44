package developerstore

import (
	"context"
	"fmt"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/db"
	"portal/db/rows"
)

// requestsRead reads lines of the log with what stands there for NULL.
const requestsRead = `SELECT id, at, COALESCE(account_id, ''), COALESCE(key_id, ''), COALESCE(portfolio_id, 0), operation, method,
	path, query, status, COALESCE(code, ''), COALESCE(param, ''), duration_us, bytes, address, user_agent,
	COALESCE(idempotency_key, ''), replayed, dry_run
	FROM requests`

const requestsShown = requestsRead + `%s
	WHERE portfolio_id = $1`

func readRequest(scan db.Scan, r *developer.Request) error {
	var took int64
	err := scan(
		&r.ID,
		&r.At,
		&r.AccountID,
		&r.KeyID,
		&r.PortfolioID,
		&r.Operation,
		&r.Method,
		&r.Path,
		&r.Query,
		&r.Status,
		&r.Code,
		&r.Param,
		&took,
		&r.Bytes,
		&r.Address,
		&r.UserAgent,
		&r.IdempotencyKey,
		&r.Replayed,
		&r.DryRun,
	)
	r.Duration = time.Duration(took) * time.Microsecond
	return err
}

// Request reads one line of the log of a portfolio, of a moment or later, or fault.NotFound.
func (s Requests) Request(
	ctx context.Context, in access.Portfolio, name string, since clock.Time,
) (r developer.Request, err error) {
	err = s.db.Each(ctx, fmt.Sprintf(requestsShown, "")+" AND id = $2 AND at >= $3", []any{
		in.ID,
		name,
		int64(since),
	}, func(scan db.Scan) error { return readRequest(scan, &r) })
	if err == nil && r.ID == "" {
		err = fault.NotFound("request")
	}
	return r, err
}

// Requests reads lines of the log of a portfolio, the newest first unless they are to ascend, with one more
// than the limit.
func (s Requests) Requests(
	ctx context.Context, in access.Portfolio, f developer.RequestFilter,
) ([]developer.Request, error) {
	after, before, order := rows.SpanFrom(id.Request, f.From, f.To, f.StartingAfter, f.Ascending)
	query, args := fmt.Sprintf(requestsShown, s.db.IndexedBy(requestIndex(f)))+" AND id > $2 AND id < $3", []any{
		in.ID,
		after,
		before,
		int64(f.Limit + 1),
	}
	where := func(condition string, value any) {
		args = append(args, value)
		query += fmt.Sprintf(" AND "+condition, len(args))
	}
	if f.Class >= 4 {
		query += " AND status >= 400" // as the index has it
	}
	if f.Class != 0 {
		where("status / 100 = CAST($%d AS BIGINT)", int64(f.Class))
	}
	if f.KeyID != "" {
		where("key_id = $%d", f.KeyID)
	}
	if f.Method != "" {
		where("method = $%d", f.Method)
	}
	if f.Operation != "" {
		where("operation = $%d", f.Operation)
	}
	if f.Path != "" {
		where("replace(path, CAST($%d AS TEXT), '') <> path", f.Path) // a LIKE that is bound is prepared each time
	}
	found := []developer.Request{}
	err := s.db.Each(ctx, query+" ORDER BY "+order+" LIMIT $4 + 0", args, func(scan db.Scan) error {
		found = append(found, developer.Request{})
		return readRequest(scan, &found[len(found)-1])
	})
	return found, err
}

// requestIndex is the index that reads the requests of a filter in their order.
func requestIndex(f developer.RequestFilter) string {
	if f.Class >= 4 {
		return "requests_failed"
	}
	return "requests_portfolio"
}

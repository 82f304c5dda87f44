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

// requestFields are what is read of a line of the log, with what stands there for NULL.
const requestFields = `id, at, COALESCE(account_id, ''), COALESCE(key_id, ''), COALESCE(portfolio_id, 0), operation, method,
	path, query, status, COALESCE(code, ''), COALESCE(param, ''), duration_us, bytes, address, user_agent,
	COALESCE(idempotency_key, ''), replayed, dry_run`

const requestsRead = "SELECT " + requestFields + " FROM requests"

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
func (s *Store) Request(
	ctx context.Context, in access.Portfolio, name string, since clock.Time,
) (r developer.Request, err error) {
	err = s.db.Each(ctx, requestsRead+" WHERE portfolio_id = $1 AND id = $2 AND at >= $3", []any{
		in.ID, name, int64(since),
	}, func(scan db.Scan) error { return readRequest(scan, &r) })
	if err == nil && r.ID == "" {
		err = fault.NotFound("request")
	}
	return r, err
}

// Requests reads lines of the log of a portfolio, the newest first unless they are to ascend, with one more
// than the limit. An index has their order, and what they are narrowed by behind it: at most
// developer.RequestsSearched entries of it are looked at, and reached is the last of them where there are more.
func (s *Store) Requests(
	ctx context.Context, in access.Portfolio, f developer.RequestFilter,
) (found []developer.Request, reached string, err error) {
	after, before, order := rows.SpanFrom(id.Request, f.From, f.To, f.StartingAfter, f.Ascending)
	index, class := requestIndex(f.Class)
	from := "SELECT id AS few_id FROM requests" + s.db.IndexedBy(index) + " WHERE portfolio_id = $1" + class
	args, span := []any{in.ID, after, before}, " AND id > $2 AND id < $3"
	if narrowed(f) {
		_, err = s.db.One(ctx, from+span+" ORDER BY "+order+" LIMIT 1 OFFSET $4",
			append(args, int64(developer.RequestsSearched-1)), &reached)
	}
	switch {
	case err != nil:
		return nil, "", err
	case reached == "":
	case f.Ascending:
		span, args[2] = " AND id > $2 AND id <= $3", reached
	default:
		span, args[1] = " AND id >= $2 AND id < $3", reached
	}
	query, args := from+span, append(args, int64(f.Limit+1))
	if f.Class == 2 || f.Class == 3 {
		query += fmt.Sprintf(" AND status BETWEEN %d AND %d", f.Class*100, f.Class*100+99)
	}
	narrow := func(condition, value string) {
		if value != "" {
			args = append(args, value)
			query += fmt.Sprintf(" AND "+condition, len(args))
		}
	}
	narrow("key_id = $%d", f.KeyID)
	narrow("method = $%d", f.Method)
	narrow("operation = $%d", f.Operation)
	narrow("replace(path, CAST($%d AS TEXT), '') <> path", f.Path) // a LIKE that is bound is prepared each time
	found = []developer.Request{}
	err = s.db.Each(ctx, "WITH few AS MATERIALIZED ("+query+" ORDER BY "+order+" LIMIT $4) SELECT "+requestFields+
		" FROM few CROSS JOIN requests WHERE id = few_id AND +portfolio_id = $1 ORDER BY "+order, args, func(scan db.Scan) error {
		found = append(found, developer.Request{})
		return readRequest(scan, &found[len(found)-1])
	})
	return found, reached, err
}

// narrowed reports whether entries of the index are looked at that do not pass a filter.
func narrowed(f developer.RequestFilter) bool {
	return f.Class == 2 || f.Class == 3 || f.KeyID != "" || f.Method != "" || f.Operation != "" || f.Path != ""
}

// requestIndex is the index that has the requests of a class of statuses in their order, with its condition in the
// words of the index. One of all requests has their status behind the id.
func requestIndex(class int) (index, condition string) {
	switch class {
	case 4:
		return "requests_4xx", " AND status >= 400 AND status < 500"
	case 5:
		return "requests_5xx", " AND status >= 500"
	}
	return "requests_portfolio", ""
}

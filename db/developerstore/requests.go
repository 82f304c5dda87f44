package developerstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db"
	"portal/db/rows"
)

var requestTable = rows.NewTable(
	"requests",
	rows.At("id", func(r *developer.Request) *string { return &r.ID }),
	rows.At("at", func(r *developer.Request) *clock.Time { return &r.At }),
	rows.NullAt("account_id", "''", func(r *developer.Request) *string { return &r.AccountID }),
	rows.NullAt("key_id", "''", func(r *developer.Request) *string { return &r.KeyID }),
	rows.NullAt("portfolio_id", "0", func(r *developer.Request) *int64 { return &r.PortfolioID }),
	rows.At("operation", func(r *developer.Request) *string { return &r.Operation }),
	rows.At("method", func(r *developer.Request) *string { return &r.Method }),
	rows.At("path", func(r *developer.Request) *string { return &r.Path }),
	rows.At("query", func(r *developer.Request) *string { return &r.Query }),
	rows.At("status", func(r *developer.Request) *int { return &r.Status }),
	rows.NullAt("code", "''", func(r *developer.Request) *string { return &r.Code }),
	rows.NullAt("param", "''", func(r *developer.Request) *string { return &r.Param }),
	rows.MicrosAt("duration_us", func(r *developer.Request) *time.Duration { return &r.Duration }),
	rows.At("bytes", func(r *developer.Request) *int64 { return &r.Bytes }),
	rows.At("address", func(r *developer.Request) *string { return &r.Address }),
	rows.At("user_agent", func(r *developer.Request) *string { return &r.UserAgent }),
	rows.NullAt("idempotency_key", "''", func(r *developer.Request) *string { return &r.IdempotencyKey }),
	rows.At("replayed", func(r *developer.Request) *bool { return &r.Replayed }),
	rows.At("dry_run", func(r *developer.Request) *bool { return &r.DryRun }),
)

// AddRequests writes lines of the request log, and for each key in them when it
// was last used and what was asked that day, in one transaction. Lines that are there already stay as they
// are: who heard an error may have been heard all the same, and writes again.
func (s *Store) AddRequests(ctx context.Context, batch []developer.Request) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		used, t, hours := map[string]clock.Time{}, usage{}, requestHours{}
		for chunk := range slices.Chunk(batch, rows.Bulk) {
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
			if err := s.db.Run(ctx, `UPDATE api_keys
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
	sql, args, err := requestTable.Bulked(s.db, chunk)
	if err != nil {
		return err
	}
	added := make(map[string]bool, len(chunk))
	err = s.db.Each(ctx, sql+" ON CONFLICT (id) DO NOTHING RETURNING id", args, func(scan db.Scan) error {
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
func (s *Store) Logged(ctx context.Context, id string) (developer.Request, bool, error) {
	return requestTable.First(ctx, s.db, "WHERE id = $1", id)
}

// ForgetRequests deletes the lines of the log and the counts before a moment, a bounded
// number at a time, and tells how many.
func (s *Store) ForgetRequests(ctx context.Context, before clock.Time, most int) (int64, error) {
	end := id.After(id.Request, (before - 1).Std())
	n, err := rows.Forget(ctx, s.db, "requests", "id", "id < $1", "id", end, most)
	if err != nil || n == int64(most) {
		return n, err
	}
	counts, err := rows.Forget(ctx, s.db, "request_counts", "id", "id < $1", "id", end, most-int(n))
	return n + counts, err
}

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
	sql, args, err := countTable.Bulked(s.db, chunk)
	if err != nil {
		return err
	}
	return s.db.Run(ctx, sql+" ON CONFLICT (id) DO UPDATE SET total = excluded.total, codes = excluded.codes", args...)
}

var countTable = rows.NewTable(
	"request_counts",
	rows.At("id", func(c *developer.RequestCount) *string { return &c.ID }),
	rows.At("client", func(c *developer.RequestCount) *string { return &c.Client }),
	rows.At("total", func(c *developer.RequestCount) *int64 { return &c.Total }),
	rows.Column[developer.RequestCount]{
		Name:   "codes",
		Target: func(c *developer.RequestCount) any { return (*storedCodes)(&c.Codes) },
		Value:  func(c *developer.RequestCount) (any, error) { return encodeCodes(c.Codes), nil },
	},
)

type storedCodes []developer.CodeCount

// Scan is sql.Scanner.
func (c *storedCodes) Scan(src any) error {
	text, err := rows.Text(src)
	if err == nil {
		*c, err = decodeCodes(text)
	}
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
) ([]developer.RequestCount, error) {
	return countTable.All(ctx, s.db, `WHERE id > $1 AND id < $2 AND ($3 = '' OR client = $3 OR client = '')
		ORDER BY total DESC, id
		LIMIT $4`, append(minuteOf(from, before), client, int64(most))...)
}

// UnkeyedRequests reads requests without a valid key from a moment on and before another,
// the oldest first, and at most so many.
func (s *Store) UnkeyedRequests(
	ctx context.Context, from, before clock.Time, most int,
) ([]developer.Request, error) {
	return rows.All(
		ctx,
		s.db,
		`SELECT id, at, operation, method, path, query, status, COALESCE(code, ''), duration_us, bytes, address,
			user_agent
		FROM requests
		WHERE id > $1 AND id < $2 AND account_id IS NULL
		ORDER BY id
		LIMIT $3`,
		append(minuteOf(from, before), int64(most)),
		func(scan db.Scan, r *developer.Request) error {
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
			return err
		},
	)
}

// minuteOf are the positions between which the ids of a time lie.
func minuteOf(from, before clock.Time) []any {
	return []any{id.After(id.Request, (from - 1).Std()), id.After(id.Request, (before - 1).Std())}
}

const anHour = clock.Time(time.Hour / time.Millisecond)

// portfolioHour is an hour of a portfolio.
type portfolioHour struct {
	portfolio int64
	hour      clock.Time
}

// requestHours are what came of requests, by the hour.
type requestHours map[portfolioHour]*developer.RequestSpan

// count adds a line of the request log.
func (t requestHours) count(r *developer.Request) {
	if r.PortfolioID == 0 {
		return
	}
	at := portfolioHour{r.PortfolioID, r.At - r.At%anHour}
	if t[at] == nil {
		t[at] = &developer.RequestSpan{}
	}
	t[at].Count(r)
}

// requestHourColumns are those of what was counted, in the order of figures.
const requestHourColumns = `succeeded, client_failed, server_failed, throttled,
	ms_2, ms_5, ms_10, ms_20, ms_50, ms_100, ms_200, ms_500, ms_1000, ms_5000, ms_more`

// figures are the numbers of a span in the order of requestHourColumns.
func figures(s *developer.RequestSpan) []*int {
	all := []*int{&s.Succeeded, &s.ClientFailed, &s.ServerFailed, &s.Throttled}
	for i := range s.Took {
		all = append(all, &s.Took[i])
	}
	return all
}

// addHours adds what came of requests to the hours of their portfolios. Nodes that take the
// rows in one order never lock each other out.
func (s *Store) addHours(ctx context.Context, t requestHours) error {
	for _, at := range slices.SortedFunc(maps.Keys(t), func(a, b portfolioHour) int {
		return cmp.Or(cmp.Compare(a.portfolio, b.portfolio), cmp.Compare(a.hour, b.hour))
	}) {
		args := []any{at.portfolio, int64(at.hour)}
		for _, n := range figures(t[at]) {
			args = append(args, *n)
		}
		if err := s.db.Run(ctx, `INSERT INTO request_hours (portfolio_id, hour, `+requestHourColumns+`)
			VALUES (`+s.db.Marks(0, len(args))+`)
			ON CONFLICT (portfolio_id, hour) DO UPDATE
			SET `+addHourColumns, args...); err != nil {
			return err
		}
	}
	return nil
}

// addHourColumns adds each column to what is there.
var addHourColumns = func() string {
	var sets []string
	for column := range strings.SplitSeq(requestHourColumns, ",") {
		column = strings.TrimSpace(column)
		sets = append(sets, column+" = request_hours."+column+" + excluded."+column)
	}
	return strings.Join(sets, ", ")
}()

// sumHourColumns sums each column up.
var sumHourColumns = func() string {
	var sums []string
	for column := range strings.SplitSeq(requestHourColumns, ",") {
		sums = append(sums, "CAST(sum("+strings.TrimSpace(column)+") AS BIGINT)")
	}
	return strings.Join(sums, ", ")
}()

// RequestSpans reads what came of the requests of a portfolio since an hour, summed up over
// spans of time that begin with it, in their order. Spans without a request are left out.
func (s *Store) RequestSpans(
	ctx context.Context, in access.Portfolio, since clock.Time, span time.Duration,
) ([]developer.RequestSpan, error) {
	length := int64(span / time.Millisecond)
	return rows.All(ctx, s.db, `SELECT (hour - $2) / $3, `+sumHourColumns+`
		FROM request_hours
		WHERE portfolio_id = $1 AND hour >= $2
		GROUP BY (hour - $2) / $3
		ORDER BY 1`, []any{in.ID, int64(since), length}, func(scan db.Scan, r *developer.RequestSpan) error {
		var n int64
		into := []any{&n}
		for _, f := range figures(r) {
			into = append(into, f)
		}
		err := scan(into...)
		r.At = since + clock.Time(n*length)
		return err
	})
}

// ForgetRequestHours deletes what came of requests before a moment, a bounded number of hours
// at a time, and tells how many.
func (s *Store) ForgetRequestHours(ctx context.Context, before clock.Time, most int) (int64, error) {
	return rows.Forget(ctx, s.db, "request_hours", "portfolio_id, hour", "hour < $1", "hour", int64(before), most)
}

// Request reads one line of the log of a portfolio, of a moment or later, or fault.NotFound.
func (s *Store) Request(
	ctx context.Context, in access.Portfolio, name string, since clock.Time,
) (developer.Request, error) {
	return requestTable.Only(ctx, s.db, "request", "WHERE portfolio_id = $1 AND id = $2 AND at >= $3",
		in.ID, name, int64(since))
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
	l := rows.NewListing(s.db, f.Limit, append(args, int64(f.Limit+1))...)
	l.SQL.WriteString(from + span)
	if f.Class == 2 || f.Class == 3 {
		fmt.Fprintf(&l.SQL, " AND status BETWEEN %d AND %d", f.Class*100, f.Class*100+99)
	}
	l.Has("key_id", f.KeyID)
	l.Has("method", f.Method)
	l.Has("operation", f.Operation)
	if f.Path != "" {
		l.Where("replace(path, CAST(? AS TEXT), '') <> path", f.Path) // a LIKE that is bound is prepared each time
	}
	found, err = rows.All(ctx, s.db, "WITH few AS MATERIALIZED ("+l.SQL.String()+" ORDER BY "+order+
		" LIMIT $4) SELECT "+requestTable.Columns+
		" FROM few CROSS JOIN requests WHERE id = few_id AND +portfolio_id = $1 ORDER BY "+order, l.Args, requestTable.Scan)
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

package developerstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
)

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
		if _, err := s.db.Exec(ctx, `INSERT INTO request_hours (portfolio_id, hour, `+requestHourColumns+`)
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
	var found []developer.RequestSpan
	err := s.db.Each(ctx, `SELECT (hour - $2) / $3, `+sumHourColumns+`
		FROM request_hours
		WHERE portfolio_id = $1 AND hour >= $2
		GROUP BY (hour - $2) / $3
		ORDER BY 1`, []any{in.ID, int64(since), length}, func(scan db.Scan) error {
		var r developer.RequestSpan
		var n int64
		into := []any{&n}
		for _, f := range figures(&r) {
			into = append(into, f)
		}
		err := scan(into...)
		r.At = since + clock.Time(n*length)
		found = append(found, r)
		return err
	})
	return found, err
}

// ForgetRequestHours deletes what came of requests before a moment, a bounded number of hours
// at a time, and tells how many.
func (s *Store) ForgetRequestHours(ctx context.Context, before clock.Time, most int) (int64, error) {
	return s.db.Exec(ctx, `DELETE FROM request_hours
		WHERE (portfolio_id, hour) IN (
			SELECT portfolio_id, hour
			FROM request_hours
			WHERE hour < $1
			ORDER BY hour
			LIMIT $2)`, int64(before), most)
}

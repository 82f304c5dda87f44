package developerstore_test

import (
	"slices"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/db/dbtest"
)

func whatCameOfRequestsIsSummedUpBySpansOfTime(r *fixture) {
	l := r.Landlord("dana")
	hour := dbtest.Now.Truncate(time.Hour)
	var all []developer.Request
	for i, status := range []int{200, 404, 500, 429, 201} {
		one := line("key_1", hour.Add(time.Duration(i)*30*time.Minute))
		one.AccountID, one.PortfolioID, one.Status = l.Account.ID, l.Live.ID, status
		one.Duration = time.Duration(i+1) * 4 * time.Millisecond
		all = append(all, one)
	}
	other := line("key_2", hour)
	other.AccountID, other.PortfolioID = l.Account.ID, l.Test.ID
	for range 2 { // what was written already is not counted again
		r.OK(r.Developer.AddRequests(r.Context(), append([]developer.Request{other}, all...)))
	}
	got, err := r.Developer.RequestSpans(r.Context(), l.Live, clock.At(hour), 2*time.Hour)
	r.OK(err)
	r.Same(got, []developer.RequestSpan{
		{At: clock.At(hour), Succeeded: 1, ClientFailed: 1, ServerFailed: 1, Throttled: 1,
			Took: developer.Durations{0, 1, 1, 2}},
		{At: clock.At(hour.Add(2 * time.Hour)), Succeeded: 1, Took: developer.Durations{0, 0, 0, 1}},
	})
	counted := r.requestHours()
	r.Raw("DELETE FROM request_hours")
	r.Raw(dbtest.Backfill(r, r.DB, "00034_overview.sql", "request_hours"))
	r.Same(r.requestHours(), counted)
	n, err := r.Developer.ForgetRequestHours(r.Context(), clock.At(hour.Add(time.Hour)), 1)
	r.OK(err)
	r.Same(n, int64(1))
}

// requestHours are the rows of the table, each with all of its columns.
func (r *fixture) requestHours() (all [][]any) {
	r.Helper()
	dbtest.Query(r, r.DB, `SELECT portfolio_id, hour, succeeded, client_failed, server_failed, throttled, ms_2,
		ms_5, ms_10, ms_20, ms_50, ms_100, ms_200, ms_500, ms_1000, ms_5000, ms_more
		FROM request_hours ORDER BY portfolio_id, hour`, func(_ []string, row []any) {
		all = append(all, slices.Clone(row))
	})
	return all
}

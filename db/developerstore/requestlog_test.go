package developerstore_test

import (
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/list"
	"portal/db/dbtest"
)

func theLogOfAPortfolioIsReadByWhatItsLinesAre(r *fixture) {
	l := r.Landlord("dana")
	var all []developer.Request
	for i, status := range []int{200, 404, 200, 500, 429, 201} {
		one := line("key_1", dbtest.Now.Add(time.Duration(i)*time.Second))
		one.AccountID = l.Account.ID
		one.PortfolioID = l.Live.ID
		one.Status = status
		one.Operation = "list_leases"
		one.Duration = 1500 * time.Microsecond
		if status >= 400 {
			one.Code, one.Param = "no_record", "id"
		}
		all = append(all, one)
	}
	all[5].KeyID = "key_2"
	all[5].Method = "PATCH"
	all[5].Path = "/api/v1/external/100%_x"
	all[5].Operation = "create_property"
	all[5].Query = "a=b"
	all[5].IdempotencyKey = "k"
	all[5].DryRun = true
	other := line("key_3", dbtest.Now)
	other.AccountID, other.PortfolioID = l.Account.ID, l.Test.ID
	r.OK(r.Developer.AddRequests(r.Context(), append([]developer.Request{other, line("", dbtest.Now)}, all...)))
	slices.Reverse(all)
	at := func(i int) *clock.Time { return &all[i].At }
	for name, c := range map[string]struct {
		f    developer.RequestFilter
		want []developer.Request
	}{
		"all":       {developer.RequestFilter{}, all},
		"class 2":   {developer.RequestFilter{Class: 2}, []developer.Request{all[0], all[3], all[5]}},
		"class 4":   {developer.RequestFilter{Class: 4}, []developer.Request{all[1], all[4]}},
		"class 5":   {developer.RequestFilter{Class: 5}, all[2:3]},
		"class 3":   {developer.RequestFilter{Class: 3}, all[:0]},
		"key":       {developer.RequestFilter{KeyID: "key_2"}, all[:1]},
		"method":    {developer.RequestFilter{Method: "PATCH"}, all[:1]},
		"operation": {developer.RequestFilter{Operation: "list_leases"}, all[1:]},
		"path":      {developer.RequestFilter{Path: "%_"}, all[:1]},
		"behind":    {developer.RequestFilter{StartingAfter: all[2].ID}, all[3:]},
		"time":      {developer.RequestFilter{From: at(4), To: at(1)}, all[2:5]},
		"few":       {developer.RequestFilter{Limit: 1}, all[:2]},
		"oldest": {
			developer.RequestFilter{Class: 4, Ascending: true},
			[]developer.Request{all[4], all[1]},
		},
		"newer": {
			developer.RequestFilter{StartingAfter: all[2].ID, Ascending: true},
			[]developer.Request{all[1], all[0]},
		},
	} {
		if c.f.Limit == 0 {
			c.f.Limit = list.Default
		}
		got, _, err := r.Developer.Requests(r.Context(), l.Live, c.f)
		r.OK(err)
		r.Log(name)
		r.Same(got, c.want)
	}
	one, err := r.Developer.Request(r.Context(), l.Live, all[0].ID, all[0].At)
	r.OK(err)
	r.Same(one, all[0])
	for _, err := range []error{
		second(r.Developer.Request(r.Context(), l.Test, all[0].ID, 0)),
		second(r.Developer.Request(r.Context(), l.Live, all[0].ID, all[0].At+1)),
		second(r.Developer.Request(r.Context(), l.Live, "req_x", 0)),
	} {
		r.Want(fault.Is(err, fault.NoRecord), "it is there: %v", err)
	}
}

func aSearchOfALongLogGoesOnBehindWhatItHasReached(r *fixture) {
	l := r.Landlord("dana")
	all := make([]developer.Request, developer.RequestsSearched+2)
	for i := range all {
		all[i] = line("key_1", dbtest.Now.Add(time.Duration(i)*time.Millisecond))
		all[i].AccountID, all[i].PortfolioID, all[i].Status = l.Account.ID, l.Live.ID, 404
	}
	rare := []int{0, 1, len(all) - 1}
	for _, i := range rare {
		all[i].Method = "DELETE"
	}
	other := line("key_2", dbtest.Now)
	other.AccountID, other.PortfolioID, other.Method = l.Account.ID, l.Test.ID, "DELETE"
	r.OK(r.Developer.AddRequests(r.Context(), append(slices.Clone(all), other)))
	last := len(all) - 1
	for name, f := range map[string]developer.RequestFilter{
		"all":    {Method: "DELETE", Limit: 5},
		"failed": {Method: "DELETE", Limit: 5, Class: 4}, // is read from an index of its own
	} {
		r.Log(name)
		found, reached, err := r.Developer.Requests(r.Context(), l.Live, f)
		r.OK(err)
		r.Same(found, all[last:])
		r.Same(reached, all[2].ID)
		f.StartingAfter = reached
		found, reached, err = r.Developer.Requests(r.Context(), l.Live, f)
		r.OK(err)
		r.Same(found, []developer.Request{all[1], all[0]})
		r.Same(reached, "")

		f.StartingAfter, f.Ascending = "", true
		found, reached, err = r.Developer.Requests(r.Context(), l.Live, f)
		r.OK(err)
		r.Same(found, all[:2])
		r.Same(reached, all[last-2].ID)
		f.StartingAfter = reached
		found, reached, err = r.Developer.Requests(r.Context(), l.Live, f)
		r.OK(err)
		r.Same(found, all[last:])
		r.Same(reached, "")
	}
}

// theLongestLineIsKeptAndFound: PostgreSQL takes 2,704 bytes in a row of an index, and a batch with a line that has
// more is lost. Words by chance cannot be compressed.
func theLongestLineIsKeptAndFound(r *fixture) {
	l := r.Landlord("dana")
	long := line("key_1", dbtest.Now)
	long.AccountID, long.PortfolioID, long.Status = l.Account.ID, l.Live.ID, 404
	for len(long.Path) < 1500 { // 500 bytes that redaction has made longer
		long.Path += "/" + rand.Text()
	}
	long.Method, long.Operation = strings.Repeat("M", 20), strings.Repeat("o", 60)
	r.OK(r.Developer.AddRequests(r.Context(), []developer.Request{long}))
	found, _, err := r.Developer.Requests(
		r.Context(),
		l.Live,
		developer.RequestFilter{Path: long.Path[1400:], Limit: 1},
	)
	r.OK(err)
	r.Same(found, []developer.Request{long})
}

func second[T any](_ T, err error) error { return err }

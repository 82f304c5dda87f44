package developer_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/db/developerstore"
	"portal/web/pagetest"
)

func TestKeyAndReviewPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, d := pagetest.Browser(t), pagetest.NewStaffPages(t)
	sue := d.Reviewer()
	fresh := d.Landlord("fresh@example.com")
	r := d.Approved("dana@example.com")
	denied := d.Landlord("denied@example.com")
	denied.Leads(denied.Post("/access", "/access", pagetest.AccessForm()), "/access")
	at := "/staff/requests/" + denied.Found(denied.Get("/access"), `/access/(areq_\w+)/withdraw`)
	sue.Leads(sue.Post(at+"/deny", at+"/deny", url.Values{
		"denial_reason": {"Say which records the integration changes."},
	}), at)
	waits := d.Landlord("waits@example.com")
	waits.Leads(waits.Post("/access", "/access", pagetest.AccessForm()), "/access")
	wait := "/staff/requests/" + waits.Found(waits.Get("/access"), `/access/(areq_\w+)/withdraw`)
	id, _ := r.MakesKey(pagetest.AKey())
	pagetest.Must(t, developerstore.New(d.DB).AddRequests(t.Context(), []developer.Request{{
		ID:     "req_01KA5R2M7Q8D4E6F9G1H3J5K7M",
		At:     clock.At(time.Now()),
		KeyID:  id,
		Method: "GET",
		Path:   "/api/v1/external/properties",
		Status: 200,
	}}))
	d.Used(id, 400, time.Hour)
	pagetest.Must(
		t,
		d.DB.Atomically(t.Context(), func(ctx context.Context) error { return d.Queue.Deliver(ctx, "mail_1") }),
	)
	for _, c := range []struct {
		who   *pagetest.Reader
		paths []string
	}{
		{fresh, []string{"/overview", "/access", "/keys"}},
		{denied, []string{"/access"}},
		{waits, []string{"/access", "/overview"}},
		{
			r,
			[]string{
				"/overview", "/access", "/keys", "/keys/new", "/keys/" + id,
				"/keys/" + id + "/revoke", "/keys/" + id + "/roll", "/usage",
				"/usage?days=7&key=" + id,
			},
		},
		{
			sue,
			[]string{"/staff/requests", wait, wait +
				"/deny", at, "/staff/accounts?email=d", "/staff/accounts/" +
				d.People[r.Cookies["session"].Value].Account.AccountID,
				"/staff/look-up?id=req_01KA5R2M7Q8D4E6F9G1H3J5K7M", "/staff/jobs", "/staff/jobs/1"},
		},
	} {
		b.Looks(t, d.Opened(c.who), c.paths...)
	}
}

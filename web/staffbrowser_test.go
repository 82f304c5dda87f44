package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/db/developerstore"
)

// opened serves the pages at an address, to a browser that is signed in as a reader.
func (h *testPages) opened(as *reader) string {
	h.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.AddCookie(as.cookies["session"])
		h.ServeHTTP(w, r)
	}))
	h.Cleanup(s.Close)
	return s.URL
}

func TestEverybodyCanUseThePagesOfKeysAndReviews(t *testing.T) {
	t.Parallel()
	b, d := browser(t), newStaffPages(t)
	sue, fresh, r, denied := d.reviewer(), d.landlord("fresh@example.com"), d.approved("dana@example.com"), d.landlord("denied@example.com")
	denied.leads(denied.post("/access", "/access", accessForm()), "/access")
	at := "/staff/requests/" + denied.found(denied.get("/access"), `/access/(areq_\w+)/withdraw`)
	sue.leads(sue.post(at+"/deny", at+"/deny", url.Values{"denial_reason": {"Say which records the integration changes."}}), at)
	waits := d.landlord("waits@example.com")
	waits.leads(waits.post("/access", "/access", accessForm()), "/access")
	wait := "/staff/requests/" + waits.found(waits.get("/access"), `/access/(areq_\w+)/withdraw`)
	id, _ := r.makesKey(aKey())
	must(t, developerstore.NewRequests(d.db).AddRequests(t.Context(), []developer.Request{{ID: "req_01KA5R2M7Q8D4E6F9G1H3J5K7M", At: clock.At(time.Now()), KeyID: id, Method: "GET", Path: "/api/v1/external/properties", Status: 200}}))
	d.used(id, 400, time.Hour)
	must(t, d.db.Atomically(t.Context(), func(ctx context.Context) error { return d.queue.Deliver(ctx, "mail_1") }))
	for _, c := range []struct {
		who   *reader
		paths []string
	}{
		{fresh, []string{"/overview", "/access", "/keys"}},
		{denied, []string{"/access"}},
		{waits, []string{"/access", "/overview"}},
		{r, []string{"/overview", "/access", "/keys", "/keys/new", "/keys/" + id, "/keys/" + id + "/revoke", "/keys/" + id + "/roll", "/usage", "/usage?days=7&key=" + id}},
		{sue, []string{"/staff/requests", wait, wait + "/deny", at, "/staff/accounts?email=d", "/staff/accounts/" + d.people[r.cookies["session"].Value].Account.AccountID,
			"/staff/look-up?id=req_01KA5R2M7Q8D4E6F9G1H3J5K7M", "/staff/jobs", "/staff/jobs/1"}},
	} {
		address := d.opened(c.who)
		for _, path := range c.paths {
			t.Run(path, func(t *testing.T) { b.Look(t, address+path) })
		}
	}
}

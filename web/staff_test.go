package web_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/mail"
	"portal/db/developerstore"
)

func TestTheStaffApprovesDeniesAndTakesBack(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	sue, r := d.reviewer(), d.landlord("dana@example.com")
	sue.says(sue.get("/staff/requests"), http.StatusOK, "No requests to review")
	r.leads(r.post("/access", "/access", accessForm()), "/access")
	queue := sue.get("/staff/requests")
	sue.says(queue, http.StatusOK, "Harbor & Lane dana@example.com Needs review")
	at := sue.found(queue, `href="(/staff/requests/areq_\w+)"`)
	sue.says(sue.post(at+"/deny", at+"/deny", url.Values{"review_notes": {"Kept"}}), http.StatusBadRequest, "A denial needs a reason")
	sue.leads(sue.post(at+"/deny", at+"/deny", url.Values{"denial_reason": {"Say more.\r\nPlease."}, "review_notes": {"Looks fine"}}), at)
	sue.says(sue.get(at), http.StatusOK, "Deniedby sue@portal.example")
	sue.says(sue.get(at), http.StatusOK, "Looks fine")
	sue.says(sue.get(at), http.StatusOK, "Applicantdana@example.com")
	page := r.get("/access")
	r.says(page, http.StatusOK, "The reasonSay more. Please.")
	if strings.Contains(page.Body.String(), "Looks fine") {
		t.Error("the applicant reads the notes of the staff")
	}
	sue.says(sue.get(at+"/approve"), http.StatusConflict, "The request is denied by now.")
	sue.says(sue.post(at+"/approve", at+"/notes", nil), http.StatusConflict, "only a pending one can be approved")

	r.leads(r.post("/access", "/access", accessForm()), "/access")
	at = sue.found(sue.get("/staff/requests?status=pending"), `href="(/staff/requests/areq_\w+)"`)
	sue.leads(sue.post(at+"/approve", at+"/approve", nil), at)
	r.says(r.get("/access"), http.StatusOK, "Approved Keys can be created.")
	_, secret := r.makesKey(aKey())
	sue.leads(sue.post(at+"/revoke", at+"/revoke", url.Values{"denial_reason": {"Abuse"}}), at)
	r.says(r.get("/access"), http.StatusOK, "Every key of the account is revoked")
	if _, err := d.dev.Authenticate(t.Context(), "Bearer "+secret); err == nil {
		t.Error("the key still works")
	}
	sue.says(sue.get("/staff/requests?status=all"), http.StatusOK, "Taken back")
	d.mails = slices.DeleteFunc(d.mails, func(m *mail.Message) bool { return strings.HasPrefix(m.Subject, "A new API key") })
	if len(d.mails) != 3 || d.mails[1].To != "tech@example.com" || d.mails[1].Subject != "Your API access is approved" {
		t.Errorf("%d emails", len(d.mails))
	}
	if got := strings.Join(d.actions(d.people[sue.cookies["session"].Value].UserID), " "); got != "access.revoked access.approved access.denied" {
		t.Error(got)
	}
}

func TestNobodyOfTheStaffReviewsTheirOwn(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	who := d.someone("both@example.com", access.Owner)
	who.Role = developer.Staff
	r := d.reader(who)
	r.leads(r.post("/access", "/access", accessForm()), "/access")
	at := r.found(r.get("/staff/requests"), `href="(/staff/requests/areq_\w+)"`)
	r.says(r.post(at+"/approve", at+"/approve", nil), http.StatusConflict, "Nobody reviews the request of their own account.")
	r.says(r.get("/staff/requests/areq_none"), http.StatusNotFound, "Page not found")
	r.says(r.get("/staff/requests?after=x"), http.StatusBadRequest, "could not be taken")
}

func TestTheStaffFindsAnAccountAndSetsItsPlan(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	sue := d.reviewer()
	d.landlord("dana@example.com")
	sue.says(sue.get("/staff/accounts?email=zoe"), http.StatusOK, "Nobody takes part")
	page := sue.get("/staff/accounts?email=DANA")
	sue.says(page, http.StatusOK, "dana@example.com owner Harbor & Lane Starter")
	at := sue.found(page, `href="(/staff/accounts/acct_\w+)"`)
	sue.says(sue.get(at), http.StatusOK, "60 sustained, 120 in a burst")
	sue.says(sue.post(at, at, url.Values{"plan": {"pro"}, "burst": {"5"}}), http.StatusBadRequest, "The burst must be at least 20")
	sue.says(sue.post(at, at, url.Values{"plan": {"gold"}}), http.StatusBadRequest, "is not a plan")
	sue.says(sue.post(at, at, url.Values{"plan": {"pro"}, "units": {"many"}}), http.StatusBadRequest, "Enter a whole number")
	sue.leads(sue.post(at, at, url.Values{"plan": {"prime"}, "sustained": {"4,000"}, "burst": {""}, "units": {"9000"}}), at)
	page = sue.get(at)
	sue.says(page, http.StatusOK, "4000 sustained, 6000 in a burst")
	sue.says(page, http.StatusOK, "0 of 9000")
	sue.says(sue.get("/staff/accounts/acct_none"), http.StatusNotFound, "Page not found")
	sue.says(sue.post("/staff/accounts/acct_none", at, url.Values{"plan": {"pro"}}), http.StatusNotFound, "Page not found")
	for _, evil := range payloads {
		d.tame(sue.get("/staff/accounts?email="+url.QueryEscape(evil)), evil)
		d.tame(sue.get("/staff/look-up?id="+url.QueryEscape(evil)), evil)
		d.tame(sue.get("/staff/jobs?kind="+url.QueryEscape(evil)+"&state="+url.QueryEscape(evil)), evil)
		d.tame(sue.get("/staff/requests?status="+url.QueryEscape(evil)), evil)
		d.tame(sue.post(at, at, url.Values{"plan": {evil}, "sustained": {evil}, "burst": {evil}, "units": {evil}}), evil)
	}
}

func TestTheStaffLooksUpARequestOfAnyAccount(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	sue := d.reviewer()
	must(t, developerstore.NewRequests(d.db).AddRequests(t.Context(), []developer.Request{
		{ID: "req_01KA5R2M7Q8D4E6F9G1H3J5K7M", At: clock.At(time.Now()), Method: "POST", Path: "/api/v1/external/<b>properties</b>", Status: 409, Code: "stale_write", Param: "version",
			Duration: 1500 * time.Microsecond, Bytes: 312, Address: "192.0.2.1", UserAgent: payloads[0], AccountID: "acct_1", KeyID: "key_1", IdempotencyKey: "abc", Replayed: true}}))
	sue.says(sue.get("/staff/look-up"), http.StatusOK, "Look-up")
	sue.says(sue.get("/staff/look-up?id=req_none"), http.StatusOK, "Lines are kept for 90 days.")
	page := sue.get("/staff/look-up?id=+req_01KA5R2M7Q8D4E6F9G1H3J5K7M+")
	d.tame(page, "a line")
	at := time.Now()
	row := developer.Request{ID: id.New(id.Request, at), At: clock.At(at), Method: "GET", Path: "/api/v1/external/tenants", Status: 401, Code: "missing_api_key", Address: "203.0.113.8"}
	must(t, developerstore.NewRequests(d.db).AddLog(t.Context(), developer.LogBatch{Requests: []developer.Request{row}, Counts: []developer.RequestCount{
		{ID: id.New(id.Request, at), Client: "2001:db8::/64", Total: 1390, Codes: []developer.CodeCount{{Code: "unknown_api_key", Count: 1389}, {Code: "", Count: 1}}},
		{ID: id.New(id.Request, at), Client: developer.OtherClients, Total: 7, Codes: []developer.CodeCount{{Code: "missing_api_key", Count: 7}}}}}))
	counted := "/staff/look-up?id=" + id.New(id.Request, at)
	for _, words := range []string{"has a row of its own in the log", "2001:db8::/64", "1,390", "unknown_api_key × 1,389, no error × 1", "all other clients", "203.0.113.8", row.ID} {
		sue.says(sue.get(counted), http.StatusOK, words)
	}
	if narrow := sue.get(counted + "&address=2001:db8::77"); strings.Contains(narrow.Body.String(), row.ID) || !strings.Contains(narrow.Body.String(), "1,390") {
		t.Error("an address does not narrow to its client")
	}
	for _, words := range []string{"409 312 bytes in 1.5 ms", "stale_write at version", "abc (replayed)", "192.0.2.1", payloads[0], "/api/v1/external/<b>properties</b>"} {
		sue.says(page, http.StatusOK, words)
	}
}

func TestTheStaffSeesJobsAndHasOneTriedAgain(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	sue := d.reviewer()
	sue.says(sue.get("/staff/jobs"), http.StatusOK, "No such job")
	for range 30 {
		must(t, d.db.Atomically(t.Context(), func(ctx context.Context) error { return d.queue.Deliver(ctx, "mail_1") }))
	}
	_, err := d.db.SQLite().ExecContext(t.Context(), `UPDATE river_job SET state = 'discarded', finalized_at = datetime('now', 'subsec'), attempt = 3,
		errors = jsonb('[{"at": "2026-11-12T12:00:00Z", "attempt": 3, "error": "<b>no route</b>", "trace": ""}]') WHERE id = 3`)
	must(t, err)
	page := sue.get("/staff/jobs")
	sue.says(page, http.StatusOK, "Given up1")
	sue.says(page, http.StatusOK, "Available29")
	sue.says(sue.get(strings.ReplaceAll(sue.found(page, `href="([^"]*)" rel="next"`), "&amp;", "&")), http.StatusOK, "<b>no route</b>")
	sue.says(sue.get("/staff/jobs?state=discarded"), http.StatusOK, "3 of 100")
	sue.says(sue.get("/staff/jobs/3"), http.StatusOK, "Attempt 3")
	sue.says(sue.get("/staff/jobs/3/retry"), http.StatusOK, "Try the job 3 again?")
	sue.leads(sue.post("/staff/jobs/3/retry", "/staff/jobs/3/retry", nil), "/staff/jobs/3")
	sue.says(sue.get("/staff/jobs/3"), http.StatusOK, "Available")
	sue.says(sue.post("/staff/jobs/3/retry", "/staff/jobs/8/retry", nil), http.StatusConflict, "The job is available by now.")
	for _, id := range []string{"4711", "x", "99999999999999999999"} {
		sue.says(sue.get("/staff/jobs/"+id), http.StatusNotFound, "Page not found")
	}
	if got := strings.Join(d.actions(d.people[sue.cookies["session"].Value].UserID), " "); got != "job.retried" {
		t.Error(got)
	}
}

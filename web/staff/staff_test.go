package staff_test

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
	"portal/web/page"
	"portal/web/pagetest"
)

func TestStaffApproveDenyAndRevokeAccess(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	sue, r := d.Reviewer(), d.Landlord("dana@example.com")
	sue.Says(sue.Get("/staff/requests"), http.StatusOK, "No requests to review")
	r.Leads(r.Post("/access", "/access", pagetest.AccessForm()), "/access")
	queue := sue.Get("/staff/requests")
	sue.Says(queue, http.StatusOK, "Harbor & Lane dana@example.com")
	at := sue.Found(queue, `href="(/staff/requests/areq_\w+)"`)
	sue.Says(sue.Post(at+"/deny", at+"/deny", url.Values{
		"review_notes": {"Kept"},
	}), http.StatusBadRequest, "A denial needs a reason")
	sue.Leads(sue.Post(at+"/deny", at+"/deny", url.Values{
		"denial_reason": {"Say more.\r\nPlease."},
		"review_notes":  {"Looks fine"},
	}), at)
	sue.Says(sue.Get(at), http.StatusOK, "Decided bysue@portal.example")
	sue.Says(sue.Get(at), http.StatusOK, "Looks fine")
	sue.Says(sue.Get(at), http.StatusOK, "Applicantdana@example.com")
	page := r.Get("/access")
	r.Says(page, http.StatusOK, "From our reviewSay more. Please.")
	if strings.Contains(page.Body.String(), "Looks fine") {
		t.Error("the applicant reads the notes of the staff")
	}
	sue.Says(sue.Get(at+"/approve"), http.StatusConflict, "The request is already denied.")
	sue.Says(sue.Post(at+"/approve", at+"/notes", nil), http.StatusConflict, "only a pending one can be approved")

	r.Leads(r.Post("/access", "/access", pagetest.AccessForm()), "/access")
	at = sue.Found(sue.Get("/staff/requests?status=pending"), `href="(/staff/requests/areq_\w+)"`)
	sue.Leads(sue.Post(at+"/approve", at+"/approve", nil), at)
	r.Says(r.Get("/access"), http.StatusOK, "You have API access")
	_, secret := r.MakesKey(pagetest.AKey())
	sue.Leads(sue.Post(at+"/revoke", at+"/revoke", url.Values{"denial_reason": {"Abuse"}}), at)
	r.Says(r.Get("/access"), http.StatusOK, "All keys of the account are revoked")
	if _, err := d.Dev.Authenticate(t.Context(), "Bearer "+secret); err == nil {
		t.Error("the key still works")
	}
	sue.Says(sue.Get("/staff/requests?status=all"), http.StatusOK, "Revoked")
	sue.Says(
		sue.Get("/staff/requests"), http.StatusOK, "Needs review 0Approved 0Denied 1Withdrawn 0Revoked 1All 2",
	)
	r.Says(r.Get("/staff/requests"), http.StatusNotFound, "Page not found")
	d.Mails = slices.DeleteFunc(
		d.Mails,
		func(m *mail.Message) bool { return strings.HasPrefix(m.Subject, "API key created") },
	)
	if len(d.Mails) != 3 || d.Mails[1].To != "tech@example.com" || d.Mails[1].Subject != "Your API access is approved" {
		t.Errorf("%d emails", len(d.Mails))
	}
	got := strings.Join(d.Actions(d.People[sue.Cookies["session"].Value].UserID), " ")
	if got != "access.revoked access.approved access.denied" {
		t.Error(got)
	}
}

func TestStaffCannotReviewTheirOwnRequest(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	who := d.Someone("both@example.com", access.Owner)
	who.Role = developer.Staff
	r := d.Reader(who)
	r.Leads(r.Post("/access", "/access", pagetest.AccessForm()), "/access")
	at := r.Found(r.Get("/staff/requests"), `href="(/staff/requests/areq_\w+)"`)
	r.Says(
		r.Post(at+"/approve", at+"/approve", nil),
		http.StatusConflict,
		"Nobody reviews the request of their own account.",
	)
	r.Says(r.Get("/staff/requests/areq_none"), http.StatusNotFound, "Page not found")
	r.Says(r.Get("/staff/requests?after=x"), http.StatusBadRequest, "This can’t be done")
}

func TestStaffFindAccountAndSetPlan(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	sue := d.Reviewer()
	d.Landlord("dana@example.com")
	sue.Says(sue.Get("/staff/accounts?email=zoe"), http.StatusOK, "No member’s email address begins with this.")
	page := sue.Get("/staff/accounts?email=DANA")
	sue.Says(page, http.StatusOK, "dana@example.com Owner Harbor & Lane Starter")
	at := sue.Found(page, `href="(/staff/accounts/acct_\w+)"`)
	sue.Says(sue.Get(at), http.StatusOK, "60 sustained, 120 in a burst")
	sue.Says(sue.Post(at, at, url.Values{
		"plan":  {"pro"},
		"burst": {"5"},
	}), http.StatusBadRequest, "Must be a whole number between 20 and 1,000,000")
	sue.Says(sue.Post(at, at, url.Values{
		"plan": {"gold"},
	}), http.StatusBadRequest, "Must be one of starter, pro, prime")
	sue.Says(sue.Post(at, at, url.Values{
		"plan":  {"pro"},
		"units": {"many"},
	}), http.StatusBadRequest, "Live units: Enter a number.")
	sue.Leads(sue.Post(at, at, url.Values{
		"plan":      {"prime"},
		"sustained": {"4,000"},
		"burst":     {""},
		"units":     {"9000"},
	}), at)
	page = sue.Get(at)
	sue.Says(page, http.StatusOK, "4,000 sustained, 6,000 in a burst")
	sue.Says(page, http.StatusOK, "0 of 9,000")
	sue.Says(sue.Get("/staff/accounts/acct_none"), http.StatusNotFound, "Page not found")
	sue.Says(sue.Post("/staff/accounts/acct_none", at, url.Values{
		"plan": {"pro"},
	}), http.StatusNotFound, "Page not found")
	for _, evil := range pagetest.Payloads {
		d.Tame(sue.Get("/staff/accounts?email="+url.QueryEscape(evil)), evil)
		d.Tame(sue.Get("/staff/look-up?id="+url.QueryEscape(evil)), evil)
		d.Tame(sue.Get("/staff/jobs?kind="+url.QueryEscape(evil)+"&state="+url.QueryEscape(evil)), evil)
		d.Tame(sue.Get("/staff/requests?status="+url.QueryEscape(evil)), evil)
		d.Tame(sue.Post(at, at, url.Values{
			"plan":      {evil},
			"sustained": {evil},
			"burst":     {evil},
			"units":     {evil},
		}), evil)
	}
}

func TestStaffAnswerRequestsForMoreUnits(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	sue, dana, kim := d.Reviewer(), d.Landlord("dana@example.com"), d.Landlord("kim@example.com")
	by := func(r *pagetest.Reader) developer.Member {
		who := d.People[r.Cookies["session"].Value]
		return developer.Member{UserID: who.UserID, AccountID: who.Account.AccountID, Role: access.Manager}
	}
	asks := func(r *pagetest.Reader, units int) {
		t.Helper()
		_, err := d.Dev.AskForUnits(t.Context(), by(r), units)
		pagetest.Must(t, err)
	}
	none := "Requests for more units"
	if page := sue.Get("/staff/accounts").Body.String(); strings.Contains(page, none) {
		t.Error("a part for requests, of which there are none")
	}
	asks(dana, 1300)
	asks(kim, 40)
	if len(d.Mails) != 2 || d.Mails[1].To != "sue@portal.example" ||
		d.Mails[1].Subject != "Harbor & Lane asks for 40 units" {
		t.Errorf("the staff get %+v", d.Mails)
	}
	d.Mails = nil
	list := sue.Get("/staff/accounts")
	sue.Says(list, http.StatusOK, "Harbor & Lane dana@example.com 1,300 25")
	sue.Says(list, http.StatusOK, "Harbor & Lane kim@example.com 40 25")
	at := sue.Found(list, `href="(/staff/accounts/acct_\w+)"`)
	if at != "/staff/accounts/"+by(dana).AccountID {
		t.Errorf("the oldest request is %s", at)
	}
	sue.Says(sue.Get("/staff/accounts?email=kim"), http.StatusOK, "1,300")

	sue.Says(sue.Get(at), http.StatusOK, "dana@example.com asked for 1,300 live units on ")
	sue.Leads(sue.Post(at, at, url.Values{"plan": {"pro"}}), at)
	sue.Says(sue.Get(at), http.StatusOK, "asked for 1,300 live units")
	request := url.Values{"request": {sue.Found(sue.Get(at), `name="request" value="(ureq_\w+)"`)}}
	sue.Says(sue.Post(at+"/decline-units", at, request), http.StatusBadRequest, "Give a reason.")
	if len(d.Mails) != 0 {
		t.Errorf("an email before an answer: %q", d.Mails[0].Subject)
	}
	sue.Leads(sue.Post(at, at, url.Values{"plan": {"prime"}}), at)
	if page := sue.Get(at).Body.String(); strings.Contains(page, "asked for 1,300") {
		t.Error("the request is open after a plan that covers it")
	}
	request.Set("reason", "Late")
	sue.Says(sue.Post(at+"/decline-units", at, request), http.StatusConflict, "This request was already answered.")

	at = sue.Found(sue.Get("/staff/accounts"), `href="(/staff/accounts/acct_\w+)"`)
	request = url.Values{
		"request": {sue.Found(sue.Get(at), `name="request" value="(ureq_\w+)"`)},
		"reason":  {"Verify your\r\nproperties first."},
	}
	kim.Says(kim.Post(at+"/decline-units", "/access", request), http.StatusNotFound, "Page not found")
	sue.Leads(sue.Post(at+"/decline-units", at, request), at)
	sue.Says(sue.Get(at), http.StatusOK, "Request declined.")
	if page := sue.Get("/staff/accounts").Body.String(); strings.Contains(page, none) {
		t.Error("answered requests are still listed")
	}
	if len(d.Mails) != 2 || d.Mails[0].To != "dana@example.com" ||
		d.Mails[0].Subject != "You can now have 2,500 units" ||
		d.Mails[1].To != "kim@example.com" || !strings.Contains(d.Mails[1].Text, "properties first.") {
		t.Errorf("%d emails: %+v", len(d.Mails), d.Mails)
	}
	got := strings.Join(d.Actions(d.People[sue.Cookies["session"].Value].UserID), " ")
	if got != "units.declined units.granted plan.set plan.set" {
		t.Error(got)
	}
	asks(kim, 50)
	for _, evil := range pagetest.Payloads {
		d.Tame(sue.Post(at+"/decline-units", at, url.Values{"request": {evil}, "reason": {evil}}), evil)
	}
}

func TestStaffLookUpRequestOfAnyAccount(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	sue := d.Reviewer()
	pagetest.Must(t, developerstore.New(d.DB).AddRequests(t.Context(), []developer.Request{
		{
			ID:             "req_01KA5R2M7Q8D4E6F9G1H3J5K7M",
			At:             clock.At(time.Now()),
			Method:         "POST",
			Path:           "/api/v1/external/<b>properties</b>",
			Status:         409,
			Code:           "stale_write",
			Param:          "version",
			Duration:       1500 * time.Microsecond,
			Bytes:          312,
			Address:        "192.0.2.1",
			UserAgent:      pagetest.Payloads[0],
			AccountID:      "acct_1",
			KeyID:          "key_1",
			IdempotencyKey: "abc",
			Replayed:       true,
		}}))
	sue.Says(sue.Get("/staff/look-up"), http.StatusOK, "Look-up")
	sue.Says(sue.Get("/staff/look-up?id=req_none"), http.StatusOK, "The log has no request with the ID req_none.")
	page := sue.Get("/staff/look-up?id=+req_01KA5R2M7Q8D4E6F9G1H3J5K7M+")
	d.Tame(page, "a line")
	at := time.Now()
	row := developer.Request{
		ID:      id.New(id.Request, at),
		At:      clock.At(at),
		Method:  "GET",
		Path:    "/api/v1/external/tenants",
		Status:  401,
		Code:    "missing_api_key",
		Address: "203.0.113.8",
	}
	pagetest.Must(t, developerstore.New(d.DB).AddLog(t.Context(), developer.LogBatch{
		Requests: []developer.Request{row},
		Counts: []developer.RequestCount{
			{
				ID:     id.New(id.Request, at),
				Client: "2001:db8::/64",
				Total:  1390,
				Codes:  []developer.CodeCount{{Code: "unknown_api_key", Count: 1389}, {Code: "", Count: 1}},
			},
			{
				ID:     id.New(id.Request, at),
				Client: developer.OtherClients,
				Total:  7,
				Codes:  []developer.CodeCount{{Code: "missing_api_key", Count: 7}},
			}},
	}))
	counted := "/staff/look-up?id=" + id.New(id.Request, at)
	for _, words := range []string{
		"The log keeps the first ten requests of each client", "2001:db8::/64", "1,390",
		"unknown_api_key × 1,389, no error × 1", "All other clients", "203.0.113.8", "GET /tenants",
	} {
		sue.Says(sue.Get(counted), http.StatusOK, words)
	}
	if link := "/staff/look-up?id=" + row.ID; !strings.Contains(sue.Get(counted).Body.String(), link) {
		t.Errorf("no link %s to a request with a row of its own", link)
	}
	narrow := sue.Get(counted + "&address=2001:db8::77")
	if strings.Contains(narrow.Body.String(), row.ID) || !strings.Contains(narrow.Body.String(), "1,390") {
		t.Error("an address does not narrow to its client")
	}
	for _, words := range []string{
		"POST /<b>properties</b>409", "1.5 ms", "Size312 bytes", "Errorstale_writeFieldversion",
		"Idempotency keyabc", "ReplayedThe response of the first", "Accountacct_1API keykey_1", "Source192.0.2.1",
		pagetest.Payloads[0], "/api/v1/external/<b>properties</b>",
	} {
		sue.Says(page, http.StatusOK, words)
	}
}

func TestStaffSeeAndRetryJobs(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	sue := d.Reviewer()
	sue.Says(sue.Get("/staff/jobs"), http.StatusOK, "No jobs")
	for range 30 {
		pagetest.Must(
			t,
			d.DB.Atomically(t.Context(), func(ctx context.Context) error { return d.Queue.Deliver(ctx, "mail_1") }),
		)
	}
	_, err := d.DB.SQLite().ExecContext(
		t.Context(),
		`UPDATE river_job SET state = 'discarded', finalized_at = datetime('now', 'subsec'), attempt = 3,
		errors = jsonb('[{"at": "2026-11-12T12:00:00Z", "attempt": 3, "error": "<b>no route</b>", "trace": ""}]')
			WHERE id = 3`,
	)
	pagetest.Must(t, err)
	page := sue.Get("/staff/jobs")
	sue.Says(page, http.StatusOK, "Given up 1")
	sue.Says(page, http.StatusOK, "Available 29")
	sue.Says(
		sue.Get(strings.ReplaceAll(sue.Found(page, `href="([^"]*)" rel="next"`), "&amp;", "&")),
		http.StatusOK,
		"<b>no route</b>",
	)
	sue.Says(page, http.StatusOK, "25 of 30")
	if got := sue.Found(sue.Get("/staff/jobs?sort=oldest"), `href="/staff/jobs/(\d+)"`); got != "1" {
		t.Errorf("the oldest job is %s", got)
	}
	sue.Says(sue.Get("/staff/jobs?state=discarded"), http.StatusOK, "3 of 100")
	sue.Says(sue.Get("/staff/jobs?state=discarded"), http.StatusOK, "1 of 1")
	sue.Says(sue.Get("/staff/jobs/3"), http.StatusOK, "Attempt 3")
	sue.Says(sue.Get("/staff/jobs/3/retry"), http.StatusOK, "Retry job 3 now?")
	sue.Leads(sue.Post("/staff/jobs/3/retry", "/staff/jobs/3/retry", nil), "/staff/jobs/3")
	sue.Says(sue.Get("/staff/jobs/3"), http.StatusOK, "Available")
	sue.Says(
		sue.Post("/staff/jobs/3/retry", "/staff/jobs/8/retry", nil),
		http.StatusConflict,
		"The job is already available.",
	)
	for _, id := range []string{"4711", "x", "99999999999999999999"} {
		sue.Says(sue.Get("/staff/jobs/"+id), http.StatusNotFound, "Page not found")
	}
	if got := strings.Join(d.Actions(d.People[sue.Cookies["session"].Value].UserID), " "); got != "job.retried" {
		t.Error(got)
	}
}

func TestStaffConfirmToGrantAccessButNotToRevoke(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r, sue := d.Landlord("dana@example.com"), d.Reviewer()
	r.Post("/access", "/access", pagetest.AccessForm())
	at := sue.Found(sue.Get("/staff/requests"), `href="(/staff/requests/areq_\w+)"`)
	account := "/staff/accounts/" + d.People[r.Cookies["session"].Value].Account.AccountID
	who := d.People[sue.Cookies["session"].Value]
	signedIn, longAgo := who.AuthenticatedAt, clock.At(time.Now().Add(-2*time.Hour))

	who.AuthenticatedAt = longAgo
	d.Pages.Confirmation.Ask = func(v *page.Request, _ *page.Form, _ string) error {
		return page.Refusal{Status: http.StatusForbidden, Title: "Confirm it’s you"}
	}
	sue.Leads(sue.Get(at+"/approve"), "/confirm?next="+url.QueryEscape(at+"/approve"))
	for path, form := range map[string]url.Values{at + "/approve": nil, account: {"plan": {"prime"}}} {
		sue.Says(sue.Post(path, at+"/notes", form), http.StatusForbidden, "Confirm it’s you")
	}
	sue.Says(sue.Get(at), http.StatusOK, "Needs review")
	sue.Says(sue.Get(account), http.StatusOK, "60 sustained, 120 in a burst")

	who.AuthenticatedAt = signedIn
	sue.Leads(sue.Post(at+"/approve", at+"/approve", nil), at)
	sue.Leads(sue.Post(account, account, url.Values{"plan": {"prime"}}), account)
	who.AuthenticatedAt = longAgo
	sue.Leads(sue.Post(at+"/revoke", at+"/revoke", nil), at)
}

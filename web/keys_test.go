package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/db/developerstore"
)

func TestAKeyIsShownOnceAndWorksUntilItIsRevoked(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r := d.approved("dana@example.com")
	r.says(r.get("/keys"), http.StatusOK, "No keys yetBegin with a test key")
	form := aKey()
	form.Set("once", "this very form")
	page := r.post("/keys", "/keys/new", form)
	secret := r.found(page, `<code>(sk_test_pm_\w+)</code>`)
	r.says(page, http.StatusOK, `curl -H "Authorization: Bearer `+secret)
	r.says(page, http.StatusOK, "claude mcp add --transport http portal "+base+"/mcp")
	if page.Header().Get("Cache-Control") != "no-store" {
		t.Error("the page of the key may be kept")
	}
	id := r.found(page, `href="/keys/(key_\w+)"`)
	if _, err := d.dev.Authenticate(t.Context(), "Bearer "+secret); err != nil {
		t.Error(err)
	}
	r.leads(r.post("/keys", "/keys/new", form), "/keys/"+id) // the page was loaded again
	r.says(r.get("/keys/"+id), http.StatusOK, "That form was sent before, and this is its key.")
	list := r.get("/keys")
	if n := strings.Count(list.Body.String(), `href="/keys/key_`); n != 1 || strings.Contains(list.Body.String(), secret) {
		t.Errorf("%d keys are listed", n)
	}
	r.says(list, http.StatusOK, "CI "+secret[:17]+"… read, write Active never never")
	r.says(r.get("/keys/"+id), http.StatusOK, "Created bydana@example.com")
	r.says(r.get("/keys/"+id+"/revoke"), http.StatusOK, "Revoke “CI”?")
	r.leads(r.post("/keys/"+id+"/revoke", "/keys/"+id+"/revoke", nil), "/keys")
	if _, err := d.dev.Authenticate(t.Context(), "Bearer "+secret); !fault.Is(err, fault.RevokedAPIKey) {
		t.Errorf("the revoked key: %v", err)
	}
	r.says(r.get("/keys/"+id), http.StatusOK, "Revoked")
	r.says(r.post("/keys/"+id+"/revoke", "/keys/new", nil), http.StatusConflict, "revoked already")
	if got := strings.Join(d.actions(d.people[r.cookies["session"].Value].UserID), " "); got != "key.revoked key.created" {
		t.Error(got)
	}
}

func TestARolledKeyIsFollowedByOneThatIsShownOnce(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r := d.approved("dana@example.com")
	id, old := r.makesKey(aKey())
	r.says(r.post("/keys/"+id+"/roll", "/keys/"+id+"/roll", url.Values{"ends": {"9"}}), http.StatusBadRequest, "Choose when the old key ends.")
	for i, words := range []string{"2", "0"} {
		form := url.Values{"ends": {words}, "once": {words + "x"}}
		page := r.post("/keys/"+id+"/roll", "/keys/"+id+"/roll", form)
		r.says(page, http.StatusOK, []string{"The old key works for 24 more hours", "The old key has ended"}[i])
		fresh := r.found(page, `<code>(sk_test_pm_\w+)</code>`)
		_, err := d.dev.Authenticate(t.Context(), "Bearer "+old)
		if i == 0 && err != nil || i == 1 && !fault.Is(err, fault.ExpiredAPIKey) || fresh == old {
			t.Errorf("the old key after %s: %v", words, err)
		}
	}
	r.says(r.get("/keys"), http.StatusOK, "Expired")
	r.says(r.post("/keys/"+id+"/roll", "/keys/new", url.Values{"ends": {"0"}, "once": {"b"}}), http.StatusConflict, "The key is expired; create a new one instead.")
}

func TestAKeyLastsUntilTheEndOfItsLastDay(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r := d.approved("dana@example.com")
	d.people[r.cookies["session"].Value].Account.TimeZone = "America/New_York"
	form := aKey()
	form.Set("expires_at", "2030-06-30")
	r.makesKey(form)
	all, err := d.dev.Keys(t.Context(), "dana@example.com")
	must(t, err)
	if want := time.Date(2030, 7, 1, 4, 0, 0, 0, time.UTC); len(all) != 1 || *all[0].ExpiresAt != clock.At(want) {
		t.Errorf("%+v", all)
	}
	for field, value := range map[string]string{"expires_at": "2020-01-01", "name": "", "mode": "dead", "scopes": "all"} {
		form := aKey()
		form.Set(field, value)
		page := r.creates(form)
		fault := "field-" + field + "-fault"
		if page.Code != http.StatusBadRequest || byID(parse(t, page.Body.String()), fault) == nil {
			t.Errorf("%s: %d %s", field, page.Code, text(parse(t, page.Body.String())))
		}
	}
}

func TestKeysAreForOwnersOfTheAccountAlone(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r := d.landlord("dana@example.com")
	r.says(r.get("/keys"), http.StatusOK, "once your request for API access is approved")
	r.leads(r.get("/keys/new"), "/access")
	r.says(r.post("/keys", "/access", url.Values{"name": {"CI"}, "mode": {"test"}, "once": {"a"}}), http.StatusConflict, "has not been approved")
	_, err := d.dev.Reviews.Approve(t.Context(), "dana@example.com", nil)
	must(t, err)
	m := d.colleague(r)
	m.says(m.get("/keys"), http.StatusOK, "Owners of the account create keys.")
	id, secret := r.makesKey(aKey())
	m.says(m.get("/keys"), http.StatusOK, "CI "+secret[:17])
	m.says(m.get("/keys/"+id), http.StatusOK, "Owners of the account create, roll and revoke keys.")
	other := d.approved("robin@example.com")
	for _, path := range []string{"/keys/" + id, "/keys/" + id + "/revoke", "/keys/" + id + "/roll"} {
		other.says(other.get(path), http.StatusNotFound, "Page not found")
		if path == "/keys/"+id {
			continue
		}
		m.says(m.get(path), http.StatusForbidden, "Only an owner")
		m.says(m.post(path, "/trial/member", nil), http.StatusForbidden, "Only an owner")
		other.says(other.post(path, "/keys/new", url.Values{"ends": {"0"}, "once": {path}}), http.StatusNotFound, "Page not found")
	}
	m.says(m.post("/keys", "/trial/member", aKey()), http.StatusForbidden, "Only an owner")
	if _, err := d.dev.Authenticate(t.Context(), "Bearer "+secret); err != nil {
		t.Errorf("the key has changed: %v", err)
	}
}

func TestTheNameOfAKeyRunsNowhere(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r := d.approved("dana@example.com")
	for i, evil := range payloads {
		form := aKey()
		form.Set("name", evil)
		page := r.creates(form)
		d.tame(page, evil)
		id := r.found(page, `href="/keys/(key_\w+)"`)
		if i > 3 {
			continue
		}
		for _, path := range []string{"/keys", "/keys/" + id, "/keys/" + id + "/revoke", "/keys/" + id + "/roll"} {
			d.tame(r.get(path), evil)
		}
	}
	d.tame(r.get("/keys"), "all")
	form := aKey()
	form.Set("name", payloads[1])
	form.Set("mode", payloads[2])
	d.tame(r.post("/keys", "/keys/new", form), "a form that is refused")
}

func TestTheOverviewShowsTheNextStepFromTheRecords(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r := d.approved("dana@example.com")
	now := func(title string) {
		t.Helper()
		if got := r.found(r.get("/overview"), `(?s)aria-current="step"[^>]*>\s*<span class="dot on"[^>]*>\s*\d\s*</span>\s*<div>\s*<p class="hdl">\s*<strong>([^<]*)`); got != title {
			t.Errorf("the next step is %s, want %s", got, title)
		}
	}
	now("Create a key")
	id, _ := r.makesKey(aKey())
	now("Send a first request")
	must(t, developerstore.NewRequests(d.db).AddRequests(t.Context(), []developer.Request{{ID: "req_1", At: clock.At(time.Now()), KeyID: id}}))
	now("Receive a webhook")
	r.says(r.get("/overview"), http.StatusOK, "Rent due through today")
	_, err := d.dev.Reviews.RevokeAccess(t.Context(), "dana@example.com", nil)
	must(t, err)
	now("Apply again")
	sue := d.reviewer()
	sue.leads(sue.get("/overview"), "/staff/requests")
	gone := d.someone("gone@example.com", access.Owner)
	gone.Account = nil
	nobody := d.reader(gone)
	nobody.says(nobody.get("/overview"), http.StatusOK, "You’re not a member of any account")
}

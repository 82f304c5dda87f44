package developer_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/web/pagetest"
)

func TestKeyIsShownOnceAndWorksUntilRevoked(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r := d.Approved("dana@example.com")
	r.Says(r.Get("/keys"), http.StatusOK, "No keys yetStart with a test key")
	form := pagetest.AKey()
	form.Set("once", "this very form")
	page := r.Post("/keys", "/keys/new", form)
	secret := r.Found(page, `<code>(sk_test_pm_\w+)</code>`)
	r.Says(page, http.StatusOK, `curl -H "Authorization: Bearer `+secret)
	r.Says(page, http.StatusOK, "claude mcp add --transport http portal "+pagetest.BaseURL+"/mcp")
	if page.Header().Get("Cache-Control") != "no-store" {
		t.Error("the page of the key may be kept")
	}
	if to := pagetest.Link(t, page, "I copied the key, continue"); to != "/overview" {
		t.Errorf("the first steps go on at %q", to)
	}
	id := r.Found(page, `href="/keys/(key_\w+)"`)
	if _, err := d.Dev.Authenticate(t.Context(), "Bearer "+secret); err != nil {
		t.Error(err)
	}
	r.Leads(r.Post("/keys", "/keys/new", form), "/keys/"+id) // the page was loaded again
	r.Says(r.Get("/keys/"+id), http.StatusOK, "That form was sent before, and this is its key.")
	list := r.Get("/keys")
	n := strings.Count(list.Body.String(), `href="/keys/key_`)
	if n != 1 || strings.Contains(list.Body.String(), secret) {
		t.Errorf("%d keys are listed", n)
	}
	r.Says(list, http.StatusOK, "CI "+secret[:17]+"… Active Test read, write dana@example.com Never")
	r.Says(r.Get("/keys/"+id), http.StatusOK, "Created bydana@example.com")
	r.Says(r.Get("/keys/"+id+"/revoke"), http.StatusOK, "Revoke “CI”?")
	r.Leads(r.Post("/keys/"+id+"/revoke", "/keys/"+id+"/revoke", nil), "/keys")
	if _, err := d.Dev.Authenticate(t.Context(), "Bearer "+secret); !fault.Is(err, fault.RevokedAPIKey) {
		t.Errorf("the revoked key: %v", err)
	}
	r.Says(r.Get("/keys/"+id), http.StatusOK, "Revoked")
	r.Says(r.Post("/keys/"+id+"/revoke", "/keys/new", nil), http.StatusConflict, "already revoked")
	got := strings.Join(d.Actions(d.People[r.Cookies["session"].Value].UserID), " ")
	if got != "key.revoked key.created" {
		t.Error(got)
	}
}

func TestRollingKeyShowsReplacement(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r := d.Approved("dana@example.com")
	id, old := r.MakesKey(pagetest.AKey())
	r.Says(r.Post("/keys/"+id+"/roll", "/keys/"+id+"/roll", url.Values{
		"ends": {"9"},
	}), http.StatusBadRequest, "Choose when the old key ends.")
	for i, words := range []string{"2", "0"} {
		form := url.Values{"ends": {words}, "once": {words + "x"}}
		page := r.Post("/keys/"+id+"/roll", "/keys/"+id+"/roll", form)
		r.Says(page, http.StatusOK, []string{"The old key works for 24 more hours", "The old key has ended"}[i])
		fresh := r.Found(page, `<code>(sk_test_pm_\w+)</code>`)
		_, err := d.Dev.Authenticate(t.Context(), "Bearer "+old)
		if i == 0 && err != nil || i == 1 && !fault.Is(err, fault.ExpiredAPIKey) || fresh == old {
			t.Errorf("the old key after %s: %v", words, err)
		}
	}
	r.Says(r.Get("/keys"), http.StatusOK, "Expired")
	r.Says(r.Post("/keys/"+id+"/roll", "/keys/new", url.Values{
		"ends": {"0"},
		"once": {"b"},
	}), http.StatusConflict, "The key is expired; create a new one instead.")
}

func TestKeyExpiresAtEndOfItsLastDay(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r := d.Approved("dana@example.com")
	d.People[r.Cookies["session"].Value].Account.TimeZone = "America/New_York"
	form := pagetest.AKey()
	form.Set("expires_at", "2030-06-30")
	r.MakesKey(form)
	all, err := d.Dev.Keys(t.Context(), "dana@example.com")
	pagetest.Must(t, err)
	if want := time.Date(2030, 7, 1, 4, 0, 0, 0, time.UTC); len(all) != 1 || *all[0].ExpiresAt != clock.At(want) {
		t.Errorf("%+v", all)
	}
	for field, value := range map[string]string{
		"expires_at": "2020-01-01",
		"name":       "",
		"mode":       "dead",
		"scopes":     "all",
	} {
		form := pagetest.AKey()
		form.Set(field, value)
		page := r.Creates(form)
		fault := "field-" + field + "-error"
		if page.Code != http.StatusBadRequest || pagetest.ByID(pagetest.Parse(t, page.Body.String()), fault) == nil {
			t.Errorf("%s: %d %s", field, page.Code, pagetest.Text(pagetest.Parse(t, page.Body.String())))
		}
	}
}

func TestOnlyAccountOwnersManageKeys(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r := d.Landlord("dana@example.com")
	r.Says(r.Get("/keys"), http.StatusOK, "once your request for API access is approved")
	r.Leads(r.Get("/keys/new"), "/access")
	r.Says(r.Post("/keys", "/access", url.Values{
		"name": {"CI"},
		"mode": {"test"},
		"once": {"a"},
	}), http.StatusConflict, "has not been approved")
	_, err := d.Dev.Reviews.Approve(t.Context(), "dana@example.com", nil)
	pagetest.Must(t, err)
	m := d.Colleague(r)
	m.Says(m.Get("/keys"), http.StatusOK, "Owners of the account create keys.")
	id, secret := r.MakesKey(pagetest.AKey())
	m.Says(m.Get("/keys"), http.StatusOK, "CI "+secret[:17])
	m.Says(m.Get("/keys/"+id), http.StatusOK, "Owners of the account create, roll, and revoke keys.")
	other := d.Approved("robin@example.com")
	for _, path := range []string{"/keys/" + id, "/keys/" + id + "/revoke", "/keys/" + id + "/roll"} {
		other.Says(other.Get(path), http.StatusNotFound, "Page not found")
		if path == "/keys/"+id {
			continue
		}
		m.Says(m.Get(path), http.StatusForbidden, "Only owners")
		m.Says(m.Post(path, "/trial/member", nil), http.StatusForbidden, "Only owners")
		other.Says(other.Post(path, "/keys/new", url.Values{
			"ends": {"0"},
			"once": {path},
		}), http.StatusNotFound, "Page not found")
	}
	m.Says(m.Post("/keys", "/trial/member", pagetest.AKey()), http.StatusForbidden, "Only owners")
	if _, err := d.Dev.Authenticate(t.Context(), "Bearer "+secret); err != nil {
		t.Errorf("the key has changed: %v", err)
	}
}

func TestKeyNameNeverRunsAsScript(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r := d.Approved("dana@example.com")
	for i, evil := range pagetest.Payloads {
		form := pagetest.AKey()
		form.Set("name", evil)
		page := r.Creates(form)
		d.Tame(page, evil)
		id := r.Found(page, `href="/keys/(key_\w+)"`)
		if i > 3 {
			continue
		}
		for _, path := range []string{"/keys", "/keys/" + id, "/keys/" + id + "/revoke", "/keys/" + id + "/roll"} {
			d.Tame(r.Get(path), evil)
		}
	}
	d.Tame(r.Get("/keys"), "all")
	form := pagetest.AKey()
	form.Set("name", pagetest.Payloads[1])
	form.Set("mode", pagetest.Payloads[2])
	d.Tame(r.Post("/keys", "/keys/new", form), "a form that is refused")
}

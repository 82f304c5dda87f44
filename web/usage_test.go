package web_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db/developerstore"
)

// used lets a key have asked so often, so long ago, once in a while without success.
func (d *staffPages) used(key string, times int, ago time.Duration) {
	d.Helper()
	account, at := "", time.Now().Add(-ago)
	for _, v := range d.people {
		if v.Account == nil {
			continue
		}
		if _, err := d.dev.KeyOf(d.Context(), developer.Member{AccountID: v.Account.AccountID}, key); err == nil {
			account = v.Account.AccountID
		}
	}
	var lines []developer.Request
	for i := range times {
		r := developer.Request{ID: id.New(id.Request, at), At: clock.At(at), AccountID: account, KeyID: key, Status: 200, Cost: 1}
		switch i % 10 {
		case 3:
			r.Status = 404
		case 7:
			r.Status, r.Cost = 429, 0
		}
		lines = append(lines, r)
	}
	must(d.T, developerstore.NewRequests(d.db).AddRequests(d.Context(), lines))
}

func TestUsageIsShownByKeyBesideThePlan(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r, other := d.approved("dana@example.com"), d.approved("other@example.com")
	r.says(r.get("/usage"), 200, "No requests yet")
	r.says(r.get("/usage"), 200, "60 requests a minute, in bursts up to 120")
	first, _ := r.makesKey(aKey())
	d.used(first, 100, 0)
	second, _ := r.makesKey(url.Values{"name": {"<b>Nightly</b>"}, "mode": {"live"}, "scopes": {"read"}})
	d.used(second, 20, 40*24*time.Hour)
	page := r.get("/usage")
	for _, want := range []string{`href="/keys/` + first, ">\n90", "90 requests were admitted", "150 % of the limit", "Sustained limit of a key", "10 were throttled"} {
		if !strings.Contains(strings.ReplaceAll(page.Body.String(), "\t", ""), strings.ReplaceAll(want, "\n", "")) {
			t.Errorf("no %q in %s", want, page.Body.String())
		}
	}
	for path, keys := range map[string]string{"": first, "?days=7": first, "?days=90": first + second, "?days=x": first, "?days=90&key=" + second: second, "?key=" + second: "", "?key=%00": ""} {
		page := r.get("/usage" + path).Body.String()
		for _, key := range []string{first, second} {
			if strings.Contains(page, `href="/keys/`+key) != strings.Contains(keys, key) {
				t.Errorf("%q does not show %q", path, keys)
			}
		}
	}
	if strings.Contains(r.get("/usage?days=90").Body.String(), "<b>") {
		t.Error("the name of a key is markup")
	}
	other.says(other.get("/usage?key="+first), 200, "No requests yet")
}

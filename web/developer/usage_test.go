package developer_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/web/pagetest"
)

func TestUsageIsShownByKeyAndPlan(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r, other := d.Approved("dana@example.com"), d.Approved("other@example.com")
	r.Says(r.Get("/usage"), 200, "No requests yet")
	r.Says(r.Get("/usage"), 200, "60 requests per minute, in bursts up to 120")
	first, _ := r.MakesKey(pagetest.AKey())
	d.Used(first, 100, 0)
	second, _ := r.MakesKey(url.Values{"name": {"<b>Nightly</b>"}, "mode": {"live"}, "scopes": {"read"}})
	d.Used(second, 20, 40*24*time.Hour)
	page := r.Get("/usage")
	for _, want := range []string{
		`href="/keys/` + first, ">\n90", "90 requests were accepted", "150% of the limit",
		"Limit of a key", "10 were rate limited", "Response time",
	} {
		if !strings.Contains(strings.ReplaceAll(page.Body.String(), "\t", ""), strings.ReplaceAll(want, "\n", "")) {
			t.Errorf("no %q in %s", want, page.Body.String())
		}
	}
	for path, keys := range map[string]string{
		"":                       first,
		"?days=7":                first,
		"?days=90":               first + second,
		"?days=x":                first,
		"?days=90&key=" + second: second,
		"?key=" + second:         "",
		"?key=%00":               "",
	} {
		page := r.Get("/usage" + path).Body.String()
		for _, key := range []string{first, second} {
			if strings.Contains(page, `href="/keys/`+key) != strings.Contains(keys, key) {
				t.Errorf("%q does not show %q", path, keys)
			}
		}
	}
	if strings.Contains(r.Get("/usage?days=90").Body.String(), "<b>Nightly") {
		t.Error("the name of a key is markup")
	}
	other.Says(other.Get("/usage?key="+first), 200, "No requests yet")
}

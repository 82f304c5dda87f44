package property_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/quota"
	"portal/api/ratelimit"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// A stranger makes drafts and voids them in the demo portfolio as fast as the pages take it. The day is
// sampled: it begins with room for some minutes, and goes on by the hour once the portfolio is full.
func TestDemoPortfolioFillsOnlyToItsLimit(t *testing.T) {
	e := newRecordPages(t)
	now := time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)
	e.Pages.Shell.Limiter = ratelimit.NewMemory(func() time.Time { return now })
	const room = 2_200_000
	dbtest.Exec(t, e.DB, "UPDATE demo_usage SET bytes = $1", quota.MaxBytes-room)
	stored := func() (bytes int) {
		dbtest.Row(
			t,
			e.DB,
			"SELECT COALESCE(sum(length(content) + length(body)), 0) FROM document_versions",
			nil,
			&bytes,
		)
		return bytes
	}
	r := e.Member(access.Owner)
	at := "/test/leases/generate?unit_id=" + strings.TrimPrefix(e.unit, "/test/units/")
	form := pagetest.With(
		r.Shown(at),
		"tenant_id",
		strings.TrimPrefix(e.tenant, "/test/tenants/"),
		"start_date",
		"2028-01-01",
		"end_date",
		"",
		"monthly_rent",
		"1500",
	)
	full, answers := 0, map[int]int{}
	for hour := 0; hour < 24; {
		posts, previews := 0, 0
		for r.Post("/test/leases/generate/preview", at, form).Code != http.StatusTooManyRequests {
			if previews++; full > 0 {
				break // the day's rest is sampled
			}
		}
		for ; ; posts++ {
			got := r.Post("/test/leases/generate", at, form)
			answers[got.Code]++
			if got.Code == http.StatusTooManyRequests {
				break
			}
			if got.Code == http.StatusForbidden {
				r.Says(got, http.StatusForbidden, "An owner can reset it")
				full++
				break
			}
			lease := strings.TrimSuffix(got.Header().Get("Location"), "/money")
			code := r.Post(lease+"/void", lease+"/void", r.Shown(lease+"/void")).Code
			if code == http.StatusTooManyRequests {
				break
			}
		}
		if posts > 60 || previews > 20 {
			t.Fatalf("a minute takes %d posts and %d previews", posts, previews)
		}
		if now = now.Add(time.Minute); full > 0 {
			now, hour = now.Add(time.Hour), hour+1
		}
		if bytes := stored(); bytes > room {
			t.Fatalf("%d bytes of documents are stored", bytes)
		}
	}
	if full != 24 || answers[http.StatusSeeOther] < 20 || answers[http.StatusTooManyRequests] == 0 ||
		stored() < room-100_000 {
		t.Errorf("full in %d hours, %v, %d bytes", full, answers, stored())
	}
}

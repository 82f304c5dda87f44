package overview_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db/developerstore"
	"portal/web/pagetest"
)

func TestOverviewShowsOnlyItsMode(t *testing.T) {
	t.Parallel()
	d := pagetest.NewDemoPages(t)
	r := d.Member(access.Owner)
	empty := r.Get("/test/overview")
	for _, words := range []string{
		"Next step: apply for access",
		"No requests in the last 24 hours",
		"No events yet.",
		"Trigger test event",
		"Open tickets",
		"Needs attention",
		"Arrears by age",
		"More than 90 days",
	} {
		r.Says(empty, http.StatusOK, words)
	}
	now := time.Now()
	var lines []developer.Request
	for i, status := range []int{200, 200, 404, 503} {
		lines = append(lines, developer.Request{
			ID:          "req_" + string(rune('a'+i)),
			At:          clock.At(now.Add(-time.Duration(i) * time.Minute)),
			AccountID:   d.Home.AccountID,
			PortfolioID: d.Home.Test.ID,
			KeyID:       "key_1",
			Status:      status,
			Duration:    4 * time.Millisecond,
		})
	}
	lines[1].At = clock.At(now.Add(-48 * time.Hour))
	pagetest.Must(t, developerstore.New(d.DB).AddRequests(t.Context(), lines))
	day := r.Get("/test/overview")
	if chart := "Requests. 3 requests in the last 24 hours, 2 failed."; !strings.Contains(day.Body.String(), chart) {
		t.Errorf("no chart says %s", chart)
	}
	r.Says(day, http.StatusOK, "66.7%")
	r.Says(day, http.StatusOK, "1 request failed on our side")
	r.Says(r.Get("/test/overview?period=7d"), http.StatusOK, "Requests 4 None the 7 days before")
	r.Says(r.Get("/test/overview?period=30d"), http.StatusOK, "Answered with 5xx in the last 30 days")
	r.Says(r.Get("/live/overview"), http.StatusOK, "No requests in the last 24 hours")
}

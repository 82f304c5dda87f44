package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/status"
	"portal/web/pagetest"
)

func TestStatusIsPublicAndAvailableAsJSON(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.Guest()
	r.Says(r.Get("/status"), http.StatusOK, "All systems operational.")
	if rec := r.Get("/status.json"); rec.Code != http.StatusOK ||
		!strings.HasPrefix(rec.Body.String(), `{"status":"operational","components":[{"name":"API"`) {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	r.Leads(r.Get("/staff/status"), "/sign-in?next=%2Fstaff%2Fstatus")
	h.Owner().Says(h.Owner().Get("/staff/status"), http.StatusNotFound, "Page not found")
}

func TestStatusReportsDatabaseOutage(t *testing.T) {
	t.Parallel()
	h := pagetest.New(t, pagetest.Config{BaseURL: pagetest.BaseURL, Now: time.Now, Status: &status.Monitor{
		Check: func(context.Context) status.Checks { return status.Checks{Jobs: true} },
		Now:   time.Now,
	}})
	for path, words := range map[string]string{
		"/status":      "The service doesn’t work right now.",
		"/status.json": `"status":"down"`,
	} {
		rec := h.Guest().Get(path)
		if rec.Code != http.StatusServiceUnavailable || !strings.Contains(rec.Body.String(), words) ||
			rec.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %v %s", path, rec.Code, rec.Header(), rec.Body)
		}
	}
}

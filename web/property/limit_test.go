package property_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/ratelimit"
)

func TestFormsAndPreviewsAreRateLimitedPerPortfolioMode(t *testing.T) {
	e := newRecordPages(t)
	now := time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)
	e.Pages.Shell.Limiter = ratelimit.NewMemory(func() time.Time { return now })
	r, other := e.Member(access.Owner), e.Member(access.Manager)
	at := "/test/leases/generate?unit_id=" + strings.TrimPrefix(e.unit, "/test/units/")
	token := url.Values{"token": {r.Token(at)}, "once": {"x"}}
	others := url.Values{"token": {other.Token(at)}, "once": {"x"}}
	tooOften := func(path string) {
		t.Helper()
		got := r.Send(http.MethodPost, path, token, nil)
		wait, err := strconv.Atoi(got.Header().Get("Retry-After"))
		if r.Says(got, http.StatusTooManyRequests, "at most 60 forms"); err != nil || wait < 1 || wait > 60 {
			t.Errorf("%s: Retry-After %q", path, got.Header().Get("Retry-After"))
		}
	}
	taken := func(path string, number int) {
		t.Helper()
		for i := range number {
			by, form := r, token
			if i%2 == 1 {
				by, form = other, others
			}
			if code := by.Send(http.MethodPost, path, form, nil).Code; code == http.StatusTooManyRequests {
				t.Fatalf("%s: number %d is refused", path, i+1)
			}
		}
	}
	taken("/test/leases/generate/preview", 20)
	tooOften("/test/leases/generate/preview")
	taken("/test/tickets/new", 60)
	tooOften("/test/leases/generate")
	r.Says(r.Get(at), http.StatusOK, "Create lease")
	if code := r.Send(http.MethodPost, "/live/tickets/new", token, nil).Code; code == http.StatusTooManyRequests {
		t.Error("the live portfolio has no limit of its own")
	}
	now = now.Add(time.Minute)
	taken("/test/tickets/new", 60)
	tooOften("/test/tickets/new")
}

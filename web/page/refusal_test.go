package page

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"portal/api/fault"
)

func TestRefusalSaysWhenToRetry(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int]string{
		0: "in a moment.", 1: "in 1 second.", 59: "in 59 seconds.", 60: "in 1 minute.", 61: "in 2 minutes.",
	} {
		away := fault.New(fault.Unavailable, "The database is away.")
		away.Retry = seconds
		r := refusalOf(fmt.Errorf("read leases: %w", away))
		if r.Status != http.StatusServiceUnavailable || !strings.HasSuffix(r.Words, "Try again "+want) {
			t.Errorf("%d seconds: %d %q", seconds, r.Status, r.Words)
		}
		often := fault.New(fault.RateLimited, "Too many sign-ins.")
		often.Retry = seconds
		if r := refusalOf(often); seconds > 0 && r.Words != "Too many sign-ins. You can try again "+want {
			t.Errorf("%d seconds: %q", seconds, r.Words)
		}
	}
}

func TestRefusalHidesInternalErrors(t *testing.T) {
	t.Parallel()
	r := refusalOf(fmt.Errorf("dial postgres.internal"))
	if r.Status != http.StatusInternalServerError || strings.Contains(r.Words+r.Title, "postgres") {
		t.Errorf("%d %q %q", r.Status, r.Title, r.Words)
	}
	if r := plainRefusal(http.StatusBadGateway); r.Status != http.StatusInternalServerError {
		t.Errorf("a status of ours that nobody explained is shown as %d", r.Status)
	}
}

func TestRuleRefusalKeepsItsMessage(t *testing.T) {
	t.Parallel()
	for code, status := range map[fault.Code]int{
		fault.OwnerRequired: http.StatusForbidden, fault.InvalidTransition: http.StatusConflict,
	} {
		r := refusalOf(fault.New(code, "The lease has ended."))
		if r.Status != status || r.Words != "The lease has ended." || r.Title == "" {
			t.Errorf("%s: %+v", code, r)
		}
	}
}

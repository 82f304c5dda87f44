package overview_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestOpenOverviewUpdatesLive(t *testing.T) {
	t.Parallel()
	b := pagetest.Browser(t)
	d := pagetest.NewStaffPages(t)
	r := d.Approved("dana@example.com")
	at := d.Opened(r)
	w := b.Window(t)
	w.Visit(webtest.Desktop, at+"/overview")
	w.Await(`document.querySelector("[aria-current=step] strong")?.textContent === "Create a key"`)
	id, _ := r.MakesKey(pagetest.AKey())
	w.Await(`document.querySelector("[aria-current=step] strong").textContent === "Send a first request"`)
	w.Await(`document.querySelector("#told").textContent === "Next step: Send a first request"`)
	if got := w.Text("[aria-current=step] pre"); !strings.Contains(got, "/api/v1/external/me") ||
		!strings.Contains(got, "Bearer sk_test_pm_") {
		t.Errorf("the command is %s", got)
	}
	pagetest.Must(t, developerstore.New(d.DB).AddRequests(t.Context(), []developer.Request{{
		ID:    "req_1",
		At:    clock.At(time.Now()),
		KeyID: id,
	}}))
	w.Await(`document.querySelector("[aria-current=step] strong").textContent === "Receive a webhook"`)
	if got := w.Text("[aria-current=step] pre"); !strings.HasPrefix(got, "portal listen ") {
		t.Errorf("the command is %s", got)
	}
	dbtest.Exec(t, d.DB, "UPDATE portfolios SET streamed_at = 1 WHERE mode = 'test'") // as portal listen does
	w.Await(`document.querySelector("[aria-current=step] strong")?.textContent !== "Receive a webhook"`)
}

func TestOverviewDerivesNextStepFromRecords(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r := d.Approved("dana@example.com")
	now := func(title string) {
		t.Helper()
		got := r.Found(
			r.Get("/overview"),
			`(?s)aria-current="step"[^>]*>\s*<span class="dot on"[^>]*>\s*\d\s*</span>\s*<div>\s*<p `+
				`class="hdl">\s*<strong>([^<]*)`,
		)
		if got != title {
			t.Errorf("the next step is %s, want %s", got, title)
		}
	}
	now("Create a key")
	form := r.Shown(pagetest.Link(t, r.Get("/overview"), "Create key"))
	if got := form.Get("scopes"); got != "write" { // it may trigger events
		t.Errorf("the key of the first steps has the scopes %s", got)
	}
	if got := r.Shown("/keys/new").Get("scopes"); got != "read" {
		t.Errorf("another key has the scopes %s", got)
	}
	id, _ := r.MakesKey(pagetest.AKey())
	now("Send a first request")
	pagetest.Must(t, developerstore.New(d.DB).AddRequests(t.Context(), []developer.Request{{
		ID:    "req_1",
		At:    clock.At(time.Now()),
		KeyID: id,
	}}))
	now("Receive a webhook")
	pagetest.Must(t, d.Dev.RevokeKey(t.Context(), id))
	now("Receive a webhook")
	_, err := d.Dev.Reviews.RevokeAccess(t.Context(), "dana@example.com", nil)
	pagetest.Must(t, err)
	now("Receive a webhook")
	r.Says(r.Get("/overview"), http.StatusOK, "API access is no longer approved.")
	sue := d.Reviewer()
	sue.Leads(sue.Get("/overview"), "/staff/requests")
	gone := d.Someone("gone@example.com", access.Owner)
	gone.Account = nil
	nobody := d.Reader(gone)
	nobody.Says(nobody.Get("/overview"), http.StatusOK, "You’re not a member of any account")
}

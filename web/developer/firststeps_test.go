package developer_test

import (
	"strings"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/db/developerstore"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestAnOpenOverviewKnowsWhatWasDoneElsewhere(t *testing.T) {
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
	pagetest.Must(t, developerstore.NewRequests(d.DB).AddRequests(t.Context(), []developer.Request{{
		ID:    "req_1",
		At:    clock.At(time.Now()),
		KeyID: id,
	}}))
	w.Await(`document.querySelector("[aria-current=step] strong").textContent === "Receive a webhook"`)
	if got := w.Text("[aria-current=step] pre"); !strings.HasPrefix(got, "portal listen ") {
		t.Errorf("the command is %s", got)
	}
}

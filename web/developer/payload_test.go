package developer_test

import (
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/event"
	"portal/web/pagetest"
)

func TestDeliveryPageStaysSmallWithManyLongResponses(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	long := "[" + strings.Repeat(`{"id":1},`, 450) + `{"id":2}]`
	e := y.Endpoint("https://hooks.example.com/portal", nil)
	d := y.Sent(e, event.LeaseSigned, bad(long), nil)
	for i := range 12 {
		y.Tried(e, d, i+2, bad(long))
	}
	page := r.Get("/test/webhooks/deliveries/" + d)
	r.Says(page, 200, "Attempt 13")
	if n := page.Body.Len(); n > 60_000 {
		t.Errorf("it has %d bytes", n)
	}
	for _, attempt := range []string{"1", "13"} {
		file := r.Get(pagetest.Link(t, page, "Download the whole attempt "+attempt+", response body"))
		if file.Body.String() != long {
			t.Errorf("attempt %s has %d bytes", attempt, file.Body.Len())
		}
	}
}

package developer_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"portal/web/pagetest"
)

func TestUnitsAreAskedForOnTheirOwnPage(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r, other := d.Approved("dana@example.com"), d.Approved("other@example.com")
	const at = "/usage/units"
	r.Says(r.Get(at), http.StatusOK, "Your Starter plan allows 25 live units, and you have 0.")
	for _, wrong := range []string{"", "25", "x", "1000001"} {
		r.Says(r.Post(at, at, url.Values{"plan_units": {wrong}}), http.StatusBadRequest,
			"Enter a whole number from 26 to 1,000,000.")
	}
	r.Leads(r.Post(at, at, url.Values{"plan_units": {"40"}}), at)
	r.Says(r.Get(at), http.StatusOK, "Request sent. We answer by email.")
	r.Says(r.Get(at), http.StatusOK, "You asked for 40 units on ")
	if strings.Contains(other.Get(at).Body.String(), "asked for 40 units") {
		t.Error("another account sees the request")
	}
}

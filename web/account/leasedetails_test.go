package account_test

import (
	"net/http"
	"net/url"
	"testing"

	"portal/web/pagetest"
)

func TestOwnerSetsLandlordDetailsForLeases(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	r.Says(r.Get("/settings"), http.StatusOK, "Lease details")
	typed := url.Values{
		"name":    {"Harbor Lane LLC"},
		"address": {"12 Harbor Lane, Austin, TX 78701"},
		"phone":   {"(512) 555-0100"},
		"signer":  {"Dana Reed"},
		"title":   {"Owner"},
	}
	r.Says(
		r.Post("/live/settings/leases", "/live/settings/leases", pagetest.With(typed, "phone", "12")),
		http.StatusBadRequest,
		"Phone: This is not a phone number",
	)
	r.Says(
		r.Post("/live/settings/leases", "/live/settings/leases", pagetest.With(typed, "name", "አበበ")),
		http.StatusBadRequest,
		"Landlord: Has characters that the document cannot show",
	)
	r.Leads(r.Post("/live/settings/leases", "/live/settings/leases", typed), "/live/settings/leases")
	page := r.Get("/live/settings/leases")
	r.Says(page, http.StatusOK, "New documents use these details.")
	r.Says(r.Get("/live/settings/leases"), http.StatusOK, "generated leases of the live portfolio")
	r.Says(
		r.Post(
			"/live/settings/leases",
			"/live/settings/leases",
			pagetest.With(typed, "version", "1", "name", "Another"),
		),
		http.StatusConflict,
		"Harbor Lane LLC",
	)
	doc := pagetest.Parse(t, page.Body.String())
	for name, want := range map[string]string{
		"name":    "Harbor Lane LLC",
		"address": "12 Harbor Lane, Austin, TX 78701",
		"phone":   "+15125550100",
		"signer":  "Dana Reed",
		"title":   "Owner",
	} {
		if got := pagetest.Attr(pagetest.ByID(doc, "field-"+name), "value"); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

package overview_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

const roll = "street_address,city,state,postal_code\n1 Oak Street,Austin,TX,78701\n"

func TestFirstStepsStandBelowFiguresOfLandlordWithRecords(t *testing.T) {
	t.Parallel()
	d := pagetest.NewDemoPages(t)
	dbtest.Exec(t, d.DB, "DELETE FROM units WHERE portfolio_id IN (SELECT id FROM portfolios WHERE mode = 'live')")
	dbtest.Exec(t, d.DB, "DELETE FROM properties WHERE portfolio_id IN (SELECT id FROM portfolios WHERE mode = 'live')")
	r := d.Member(access.Owner)
	r.Says(r.Get("/overview"), http.StatusOK, "Make your first API request")
	if said := r.Get("/live/overview").Body.String(); strings.Contains(said, `id="next"`) {
		t.Error("the steps are on two pages")
	}
	at := r.Uploaded("/live/import", "roll.csv", roll)
	r.Leads(r.Post(at, at, url.Values{"seen": {r.Seen(at)}}), at)
	d.Imports()
	r.Leads(r.Get("/overview"), "/live/overview")
	page := r.Get("/live/overview")
	for _, words := range []string{
		"Next step: apply for access", "Open tickets", "Needs attention", "To do", "Receive a webhook",
	} {
		r.Says(page, http.StatusOK, words)
	}
	if to := pagetest.Link(t, page, "View first steps"); to != "#next" {
		t.Errorf("the steps are at %s", to)
	}
	if said := page.Body.String(); !strings.Contains(said, `id="next"`) || strings.Contains(said, "no properties yet") {
		t.Error(said)
	}
}

func TestOverviewCallsPortfolioEmptyOnlyWithoutRecords(t *testing.T) {
	t.Parallel()
	d := pagetest.NewDemoPages(t)
	dbtest.Exec(t, d.DB, "DELETE FROM units WHERE portfolio_id IN (SELECT id FROM portfolios WHERE mode = 'live')")
	dbtest.Exec(t, d.DB, "DELETE FROM properties WHERE portfolio_id IN (SELECT id FROM portfolios WHERE mode = 'live')")
	r := d.Member(access.Owner)
	dbtest.Exec(
		t,
		d.DB,
		"INSERT INTO api_keys (id, account_id, portfolio_id, created_by, name, mode, hash, key_prefix, "+
			"scopes, created_at, last_used_at) SELECT 'key_1', account_id, id, (SELECT id FROM users LIMIT 1), 'Sync', mode, "+
			"x'01', 'sk_test_', 'read', 1, 1 FROM portfolios WHERE mode = 'test'",
	)
	dbtest.Exec(t, d.DB, "UPDATE portfolios SET streamed_at = 1 WHERE mode = 'test'")
	r.Says(r.Get("/live/overview"), http.StatusOK, "This portfolio has no properties yet. Import your rent roll")
	at := r.Uploaded("/live/import", "roll.csv", roll)
	r.Leads(r.Post(at, at, url.Values{"seen": {r.Seen(at)}}), at)
	d.Imports()
	if said := r.Get("/live/overview").Body.String(); strings.Contains(said, "Import your rent roll") {
		t.Error("a portfolio with a property is called empty")
	}
}

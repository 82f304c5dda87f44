package lease_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

func TestLeasePageShowsTermsDisclosuresAndSigners(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	lease := dbtest.Texts(t, e.DB, "SELECT id FROM leases WHERE status = '"+string(portfolio.LeaseActive)+"'")[0]
	page := r.Get("/test/leases/" + lease)
	r.Says(page, http.StatusOK, "Ledger")
	if strings.Contains(page.Body.String(), "Disclosures") {
		t.Error("a lease without a document has disclosures")
	}
	dbtest.Exec(
		t,
		e.DB,
		`UPDATE leases SET document_id = 'doc_01KJMMA2G00400000000000002', late_fee_amount = 5000,
			late_fee_grace_days = NULL,
		terms = '{"fees":[{"name":"Parking","amount":50,"frequency":"monthly"}]}' WHERE id = $1`,
		lease,
	)
	page = r.Get("/test/leases/" + lease)
	r.Says(page, http.StatusOK, "Not answered")
	fold := `<details class="more"><summary>6 disclosures that are always included`
	asked, always, _ := strings.Cut(page.Body.String(), fold)
	if !strings.Contains(asked, "Parking and towing rules") || strings.Contains(always, "Parking and towing rules") {
		t.Error("what the landlord is asked about is in the fold")
	}
	if strings.Contains(asked, "Utility shutoff") || !strings.Contains(always, "Utility shutoff") {
		t.Error("what is always included is not in the fold")
	}
	dbtest.Exec(t, e.DB, `UPDATE leases SET terms = '{"fees":[{"name":"Parking","amount":50,"frequency":"monthly"}],
		"disclosures":[{"code":"parking_rules","applies":true}]}' WHERE id = $1`, lease)
	page = r.Get("/test/leases/" + lease)
	for _, words := range []string{
		"Parking", "$50 each month", "Signatures", "Disclosures",
		"The landlord states that this applies.", "Tex. Prop. Code",
	} {
		r.Says(page, http.StatusOK, words)
	}
	if strings.Contains(page.Body.String(), "0 days after the rent is due") {
		t.Error("days of grace are shown that nobody has agreed on")
	}
}

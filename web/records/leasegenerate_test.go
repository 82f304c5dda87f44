package records_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

func TestALeaseIsGeneratedFromAForm(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	unit := strings.TrimPrefix(e.unit, "/test/units/")
	at := "/test/leases/generate?unit_id=" + unit
	dana, sam := strings.TrimPrefix(e.tenant, "/test/tenants/"), strings.TrimPrefix(e.next, "/test/tenants/")
	r.Says(r.Get(e.unit), http.StatusOK, "Generate a lease")
	r.Says(r.Get("/test/leases/new"), http.StatusOK, "For which home?")
	r.Leads(r.Get("/test/leases/new?unit_id="+unit), at)
	r.Leads(r.Get("/test/leases/generate"), "/test/leases/new")
	page := r.Get(at)
	for _, words := range []string{"1420 Maple Avenue, Unit 2B, Austin", "rules of Texas", "not legal advice", "Deposit in Texas: no limit is known.", "12% of the monthly rent", "Days of grace: at least 2 days.", "At most 2,000 characters."} {
		r.Says(page, http.StatusOK, words)
	}
	renewed := r.Found(page, `<option value="(lea_[^"]+)"`)
	form := pagetest.With(r.Shown(at), "tenant_id", dana, "additional_tenant_ids.0", sam, "start_date", "2028-01-01", "end_date", "", "monthly_rent", "$1,500", "security_deposit", "1500", "late_fee_amount", "50", "clauses.pets", "One cat.")
	for words, pairs := range map[string][]string{
		"Tenant: This is required.":                                       {"tenant_id", ""},
		"Second tenant: This is the primary tenant":                       {"additional_tenant_ids.0", dana},
		"Fourth tenant: This is the primary tenant":                       {"additional_tenant_ids.0", "", "additional_tenant_ids.2", dana},
		"Length in months: Must be left out where":                        {"term_months", "6", "end_date", "2028-06-30"},
		"Length in months: Must be a whole number":                        {"term_months", "121"},
		"Returned payment fee: Must be an amount":                         {"returned_payment_fee", "-1"},
		"Renews: Must name a lease of at least one of":                    {"tenant_id", sam, "additional_tenant_ids.0", "", "renews_lease_id", renewed},
		"First day: This is required.":                                    {"start_date", ""},
		"Last day: Must be after start date":                              {"end_date", "2027-12-31"},
		"Monthly rent: Enter a number.":                                   {"monthly_rent", "much"},
		"Late fee: Must be at most $180":                                  {"late_fee_amount", "900"},
		"Parking: Has characters that the document cannot show: \"駐車場\".": {"clauses.parking", "駐車場"},
		"Good for: Must be a whole number between 1 and 90":               {"expires_in_days", "91"},
	} {
		r.Says(r.Post("/test/leases/generate", at, pagetest.With(form, pairs...)), http.StatusBadRequest, words)
	}
	preview := r.Post("/test/leases/generate/preview", at, form)
	if preview.Code != http.StatusOK || preview.Header().Get("Content-Type") != "application/pdf" || !strings.HasPrefix(preview.Body.String(), "%PDF-") || preview.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the preview: %d %v", preview.Code, preview.Header())
	}
	r.Says(r.Post("/test/leases/generate/preview", at, pagetest.With(form, "late_fee_amount", "900")), http.StatusBadRequest, "Late fee: Must be at most $180")
	if left := dbtest.Texts(t, e.DB, "SELECT id FROM documents"); len(left) != 0 {
		t.Errorf("a preview has left %v", left)
	}
	made := r.Post("/test/leases/generate", at, form)
	lease := made.Header().Get("Location")
	if made.Code != http.StatusSeeOther || !strings.HasPrefix(lease, "/test/leases/lea_") {
		t.Fatalf("%d to %q:\n%s", made.Code, lease, made.Body)
	}
	page = r.Get(lease)
	for _, words := range []string{"The lease is generated.", "The document says these disclosures as conditions", "Draft", "Jan 1, 2028 to Dec 31, 2028", "$1,500", "Dana Whitfield", "Sam Whitfield", "The lease as PDF"} {
		r.Says(page, http.StatusOK, words)
	}
	for r.Post("/test/leases/generate", at, form).Code == http.StatusSeeOther {
	}
	r.Says(r.Post("/test/leases/generate", at, form), http.StatusConflict, "The unit has 5 open drafts of leases")
	r.Says(e.Stranger().Post("/test/leases/generate", "/test/tickets/new", form), http.StatusNotFound, "")
}

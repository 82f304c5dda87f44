package lease_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// signedByAll is the path of a lease that starts in a year and that all have signed, on paper.
func (e *leasePages) signedByAll(owner *pagetest.Reader) string {
	e.Helper()
	at := e.generated(owner)
	for _, name := range dbtest.Texts(e.T, e.DB, "SELECT name FROM lease_signers WHERE lease_id = $1 ORDER BY position",
		strings.TrimPrefix(at, "/test/leases/")) {
		paper := at + "/signers/" + e.signer(at, name) + "/paper"
		form := pagetest.With(owner.Shown(paper), "signed_on", dbtest.Noon().Std().Format("2006-01-02"))
		owner.Leads(recordsPaper(owner, paper, form, "l.pdf", aScan), at)
	}
	return at
}

func TestLandlordAsksTenantsToEndLease(t *testing.T) {
	e := newLeasePages(t)
	owner, manager := e.Member(access.Owner), e.Member(access.Manager)
	draft := e.generated(owner)
	ask := draft + "/ask-to-end"
	owner.Leads(owner.Get(ask), draft)
	owner.Leads(owner.Post(draft+"/void", draft+"/void", owner.Shown(draft+"/void")), draft)
	at := e.signedByAll(owner)
	ask = at + "/ask-to-end"
	manager.Says(manager.Get(at), http.StatusOK, "Ask tenants to end lease…")
	manager.Says(manager.Get(ask), http.StatusOK, "Ask the tenants to end the lease?")
	form := manager.Shown(ask)
	manager.Says(manager.Post(ask, ask, pagetest.With(form, "termination_reason", "")), http.StatusBadRequest,
		"Enter the reason.")
	manager.Says(
		manager.Post(ask, ask, pagetest.With(form, "termination_reason", "Sold.", "terminated_on", "2028-01-01")),
		http.StatusBadRequest,
		"before the first day",
	)
	form.Set("termination_reason", "The house is sold.")
	manager.Leads(manager.Post(ask, ask, form), at)
	manager.Says(manager.Get(at), http.StatusOK, "Tenants asked to end the lease")
	manager.Says(manager.Get(at), http.StatusOK, "Dana Whitfield Not answered")
	manager.Says(manager.Post(ask, ask, form), http.StatusConflict, "The tenants are asked already.")
	manager.Leads(manager.Post(ask+"/withdraw", at, nil), at)
	manager.Says(manager.Get(at), http.StatusOK, "Request to end the lease withdrawn")
	manager.Leads(manager.Post(ask+"/withdraw", at, nil), at)
	for _, path := range []string{ask, ask + "/withdraw"} {
		live := strings.Replace(path, "/test/", "/live/", 1)
		owner.Says(owner.Post(live, "/settings", form), http.StatusNotFound, "")
	}
	dbtest.Exec(t, e.DB, "UPDATE tenants SET email = NULL WHERE id = $1", e.dana)
	manager.Leads(manager.Get(ask), at+"/terminate")
	manager.Says(manager.Get(at+"/terminate"), http.StatusOK,
		"Without an email address: Dana Whitfield. The lease can only end on paper.")
}

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
	owner := e.Member(access.Owner)
	draft := e.generated(owner)
	ask := draft + "/ask-to-end"
	owner.Leads(owner.Get(ask), draft)
	owner.Leads(owner.Post(draft+"/void", draft+"/void", owner.Shown(draft+"/void")), draft)
	at := e.signedByAll(owner)
	ask = at + "/ask-to-end"
	owner.Says(owner.Get(at), http.StatusOK, "Ask tenants to end lease…")
	owner.Says(owner.Get(ask), http.StatusOK, "Ask the tenants to end the lease?")
	form := owner.Shown(ask)
	owner.Says(owner.Post(ask, ask, pagetest.With(form, "termination_reason", "")), http.StatusBadRequest,
		"Enter the reason.")
	owner.Says(
		owner.Post(ask, ask, pagetest.With(form, "termination_reason", "Sold.", "terminated_on", "2028-01-01")),
		http.StatusBadRequest,
		"before the first day",
	)
	form.Set("termination_reason", "The house is sold.")
	owner.Leads(owner.Post(ask, ask, form), at)
	owner.Says(owner.Get(at), http.StatusOK, "Tenants asked to end the lease")
	owner.Says(owner.Get(at), http.StatusOK, "Dana Whitfield Not answered")
	owner.Says(owner.Post(ask, ask, form), http.StatusConflict, "The tenants are asked already.")
	owner.Leads(owner.Post(ask+"/withdraw", at, nil), at)
	owner.Says(owner.Get(at), http.StatusOK, "Request to end the lease withdrawn")
	owner.Leads(owner.Post(ask+"/withdraw", at, nil), at)
	for _, path := range []string{ask, ask + "/withdraw"} {
		live := strings.Replace(path, "/test/", "/live/", 1)
		owner.Says(owner.Post(live, "/settings", form), http.StatusNotFound, "")
	}
	dbtest.Exec(t, e.DB, "UPDATE tenants SET email = NULL WHERE id = $1", e.dana)
	owner.Leads(owner.Get(ask), at+"/terminate")
	owner.Says(owner.Get(at+"/terminate"), http.StatusOK,
		"Without an email address: Dana Whitfield. The lease can only end on paper.")
}

func TestOnlyOwnersAskTenantsToEndLeaseAndWithdrawRequest(t *testing.T) {
	e := newLeasePages(t)
	owner, manager := e.Member(access.Owner), e.Member(access.Manager)
	at := e.signedByAll(owner)
	ask := at + "/ask-to-end"
	form := pagetest.With(owner.Shown(ask), "termination_reason", "Sold.")
	if shown := manager.Get(at).Body.String(); strings.Contains(shown, "/ask-to-end") {
		t.Error("a manager is offered to ask the tenants")
	}
	manager.Says(manager.Get(ask), http.StatusForbidden, "")
	manager.Says(manager.Post(ask, at, form), http.StatusForbidden, "")
	owner.Leads(owner.Post(ask, ask, form), at)
	if shown := manager.Get(at).Body.String(); !strings.Contains(shown, "Tenants asked to end the lease") ||
		strings.Contains(shown, "Withdraw request") {
		t.Error("a manager does not see the request, or is offered to withdraw it")
	}
	manager.Says(manager.Post(ask+"/withdraw", at, nil), http.StatusForbidden, "")
	owner.Says(owner.Get(at), http.StatusOK, "Tenants asked to end the lease")
	owner.Leads(owner.Post(ask+"/withdraw", at, nil), at)
}

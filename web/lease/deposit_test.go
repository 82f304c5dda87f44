package lease_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// paidDeposit charges a deposit of a lease and records that it was paid, all but some dollars of rent.
func (e *leasePages) paidDeposit(dollars int64) {
	e.Helper()
	m, err := e.rules.Ledger.AddCharge(e.Context(), e.Actor(), e.lease, ledger.ChargeCreate{
		Charge: ledger.ChargeDeposit, Amount: money.Dollars(dollars), DueDate: clock.Day(2026, 1, 1),
	})
	e.OK(err)
	_, err = e.rules.Ledger.RecordPayment(e.Context(), e.Actor(), change.Target{ID: m.After.ID}, ledger.Clearing{
		Amount: money.Dollars(dollars), Method: "check",
	})
	e.OK(err)
}

// shows checks that a page has some texts.
func shows(r *pagetest.Reader, rec *httptest.ResponseRecorder, all ...string) {
	for _, s := range all {
		r.Says(rec, http.StatusOK, s)
	}
}

func TestLandlordReturnsDepositAfterTenancy(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := "/test/leases/" + e.lease
	form := at + "/deposit"
	e.paidDeposit(1200)
	owner.Leads(owner.Get(form), at)
	if body := owner.Get(at).Body.String(); strings.Contains(body, "Return deposit") {
		t.Error("the deposit can go back while the tenancy goes on")
	}
	owner.Says(owner.Get(form+".pdf"), http.StatusNotFound, "")
	owner.Leads(owner.Post(at+"/terminate", at+"/terminate", owner.Shown(at+"/terminate")), at)
	shows(owner, owner.Get(at), "Deadline in TX", "30 days after the end of the tenancy", "$1,200.00",
		"Return deposit")
	if lead := leading(owner.Get(at)); !strings.Contains(lead, "Return deposit") {
		t.Errorf("a tenancy that is over leads to %s", lead)
	}
	shows(owner, owner.Get(form), "$1,200.00 is held. Return it by ", "Deduction 5")
	typed := pagetest.With(owner.Shown(form), "deductions.0.text", "Paint the hall", "deductions.0.amount", "$200.50",
		"deductions.3.text", "Two keys", "deductions.3.amount", "1,000", "method", "check", "reference", "1182")
	more := owner.Post(form+"?other=1", form, typed)
	shows(owner, more, "Deduction 10", "As typed, $0.00 goes back.")
	if body := more.Body.String(); !strings.Contains(body, "Paint the hall") || !strings.Contains(body, "Two keys") {
		t.Error("what was typed is lost")
	}
	refused := owner.Post(form, form, typed)
	owner.Says(refused, http.StatusBadRequest, "at most 1200.00 together")
	if body := refused.Body.String(); !strings.Contains(body, "Two keys") {
		t.Error("what was typed is lost")
	}
	typed.Set("deductions.3.amount", "0")
	owner.Says(owner.Post(form, form, typed), http.StatusBadRequest, "Must be more than 0")
	typed.Set("deductions.3.amount", "30")
	owner.Says(owner.Post(form, form, pagetest.With(typed, "method", "")), http.StatusBadRequest, "is required")
	owner.Says(owner.Post(form, form, pagetest.With(typed, "seen", "1.00 0.00 0.00")), http.StatusConflict,
		"Check the amounts")
	owner.Leads(owner.Post(form, form, typed), at)
	shows(owner, owner.Get(at), "Deposit statement", "Paint the hall", "−$200.50", "Two keys", "−$30.00",
		"$969.50", "by check, 1182", "Download statement")
	pdf := owner.Get(form + ".pdf")
	if pdf.Code != http.StatusOK || pdf.Header().Get("Content-Type") != "application/pdf" {
		t.Fatal(pdf.Code, pdf.Header())
	}
	text := documenttest.Tool(t, pdf.Body.Bytes(), "pdftotext", "-layout", "FILE", "-")
	if !strings.Contains(text, "$969.50") || !strings.Contains(text, "Paint the hall") {
		t.Error(text)
	}
	owner.MeetsLimit(form+".pdf", at+"/statement.pdf?from=x", e.Stranger())
	owner.Leads(owner.Get(form), at)
	owner.Says(owner.Post(form, at+"/edit", typed), http.StatusConflict, "")
	if n := len(dbtest.Texts(t, e.DB, "SELECT lease_id FROM deposit_statements")); n != 1 {
		t.Errorf("%d statements", n)
	}
	live := strings.Replace(form, "/test/", "/live/", 1)
	owner.Says(owner.Get(live), http.StatusNotFound, "")
	owner.Says(owner.Get(live+".pdf"), http.StatusNotFound, "")
	owner.Says(owner.Post(live, "/settings", typed), http.StatusNotFound, "")
	found, err := e.rules.Ledger.Payments(e.Context(), e.Actor(), portfolio.PaymentFilter{
		Query: portfolio.AllLeases, LeaseID: e.lease,
	})
	e.OK(err)
	var balance money.Cents
	for _, p := range found.Data {
		balance += p.BalanceDue
	}
	if balance != 0 {
		t.Errorf("%s is owed", balance)
	}
	owner.Says(owner.Get("/test/ledger"), http.StatusOK, "Deposit returned")
}

func TestDepositOfImportedLeaseIsAskedFor(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := "/test/leases/" + e.lease
	dbtest.Exec(t, e.DB, "UPDATE leases SET security_deposit = 90000 WHERE id = $1", e.lease)
	owner.Leads(owner.Post(at+"/terminate", at+"/terminate", owner.Shown(at+"/terminate")), at)
	form := at + "/deposit"
	shows(owner, owner.Get(form), "The ledger has no deposit of this lease", "$900.00 is held.")
	typed := pagetest.With(owner.Shown(form), "held", "850", "method", "cash")
	owner.Leads(owner.Post(form, form, typed), at)
	shows(owner, owner.Get(at), "Deposit statement", "$850.00", "by cash")
}

func TestManagersSeeDepositThatOwnersReturn(t *testing.T) {
	e := newLeasePages(t)
	owner, manager := e.Member(access.Owner), e.Member(access.Manager)
	at := "/test/leases/" + e.lease
	e.paidDeposit(1200)
	dbtest.Exec(t, e.DB, "UPDATE properties SET property_type = 'commercial'")
	owner.Leads(owner.Post(at+"/terminate", at+"/terminate", owner.Shown(at+"/terminate")), at)
	shows(manager, manager.Get(at), "An owner of the account returns the deposit.", "$1,200.00", "Not returned",
		"State deadlines for deposits are for homes.")
	if body := manager.Get(at).Body.String(); strings.Contains(body, "Return deposit") {
		t.Error("a manager is led to the form")
	}
	manager.Says(manager.Get(at+"/deposit"), http.StatusForbidden, "")
	manager.Says(manager.Post(at+"/deposit", at+"/edit", nil), http.StatusForbidden, "")
	shows(owner, owner.Get(at+"/deposit"), "$1,200.00 is held. Return it, less what you deduct.",
		"State deadlines for deposits are for homes.")
}

func TestDepositStatementShowsHowTheHomeHasChanged(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := "/test/leases/" + e.lease
	e.paidDeposit(1200)
	all := e.rules.Conditions
	for _, x := range []struct {
		kind  condition.Kind
		state condition.State
	}{{condition.MoveIn, condition.Good}, {condition.MoveOut, condition.Missing}} {
		r, err := all.Begin(e.Context(), e.Actor(), e.lease, x.kind)
		e.OK(err)
		_, err = all.Save(e.Context(), e.Actor(), e.lease, x.kind, []condition.Change{
			{ItemID: r.Areas[0].Items[0].ID, Condition: change.To(&x.state)},
		})
		e.OK(err)
		_, err = all.Share(e.Context(), e.Actor(), e.lease, x.kind)
		e.OK(err)
	}
	owner.Leads(owner.Post(at+"/terminate", at+"/terminate", owner.Shown(at+"/terminate")), at)
	form := at + "/deposit"
	shows(owner, owner.Get(form), "At moving in: Good. At moving out: Missing.")
	typed := pagetest.With(owner.Shown(form), "method", "check")
	owner.Leads(owner.Post(form, form, typed), at)
	text := documenttest.Tool(t, owner.Get(form+".pdf").Body.Bytes(), "pdftotext", "-layout", "FILE", "-")
	if !strings.Contains(text, "Condition of the home") || !strings.Contains(text, "Missing") {
		t.Error(text)
	}
}

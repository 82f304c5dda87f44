package ledger_test

import (
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

func TestPaymentThatTheBankReturnedIsOwedAgainWithTheFeeOfTheLease(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	store := portfoliostore.New(y.DB)
	at := "/test/ledger/" + y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	r.Leads(r.Sends(at+"/record", "amount", "1000", "method", "check", "reference", "1182"), at)
	shown := r.Get(at + "/correct")
	r.Says(shown, 200, "It was recorded in error")
	r.Says(shown, 200, "The bank returned it")
	if strings.Contains(shown.Body.String(), "fee for a returned payment") {
		t.Error("a lease without a fee has one")
	}
	l.Terms.ReturnedPaymentFee = new(money.Dollars(25))
	y.OK(store.SaveLeaseTerms(y.Context(), y.Home.Test, l))
	y.OK(store.SetAutoCharge(y.Context(), y.Home.Test, new(clock.At(y.Now))))
	r.Says(r.Get(at+"/correct"), 200, "The lease’s fee for a returned payment, $25.00, is charged, too.")
	r.Says(r.Sends(at+"/correct", "happened", "x", "reason", "NSF."), 400, "What happened: Must be")
	r.Leads(r.Sends(at+"/correct", "happened", "returned", "reason", "Not enough money."), at)
	page := r.Get(at)
	r.Says(page, 200, "Payment returned. A fee of $25.00 is charged. $1,450.00 is owed.")
	r.Says(page, 200, "$1,000.00 returned by the bank, check, 1182: Not enough money.")
	r.Says(r.Get("/test/ledger"), 200, "Returned payment: Rent, Nov 2026")
	kinds := dbtest.Texts(t, y.DB, "SELECT kind FROM payment_transactions ORDER BY occurred_at, id")
	if len(kinds) != 2 || kinds[1] != "return" {
		t.Errorf("the transactions are %q", kinds)
	}
}

func TestCreditIsNeverOverdueAndNobodyPaysIt(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	store := portfoliostore.New(y.DB)
	of := y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	rent, err := store.Payment(y.Context(), y.Home.Test, of)
	y.OK(err)
	rent.Charge = new("rent 2026-11")
	y.OK(store.SavePayment(y.Context(), y.Home.Test, &rent))
	credit := rent
	credit.ID, credit.Part, credit.ReversesPaymentID = id.New(id.Payment, y.Now), 1, &of
	credit.Amount, credit.Description = -money.Dollars(500), new("Credit: Rent for November 2026")
	y.OK(store.AddPayment(y.Context(), y.Home.Test, &credit))
	list := r.Get("/test/ledger")
	r.Says(list, 200, "Credit: Rent, Nov 2026")
	r.Says(list, 200, "Total of 2 charges $950.00 $0.00 $950.00")
	r.Says(list, 200, "Overdue $950.00 1 charge")
	at := "/test/ledger/" + credit.ID
	page := r.Get(at)
	for _, want := range []string{"Credit−$500.00", "Used$0.00", "Left$500.00", "Credit added"} {
		r.Says(page, 200, want)
	}
	for _, never := range []string{"Record payment", "Void charge", "late", "Forgive"} {
		if strings.Contains(pagetest.Text(pagetest.Parse(t, page.Body.String())), never) {
			t.Errorf("the page of a credit says %q", never)
		}
	}
	r.Leads(r.Get(at+"/record"), at)
	r.Says(r.Get(at), 200, "The row is a credit: no payment can be recorded.")
	r.Leads(r.Get(at+"/void"), at)
	r.Says(r.Get("/test/leases/"+l.ID), 200, "−$500.00")
	if got := r.Get("/test/ledger.csv").Body.String(); !strings.Contains(got, "-500.00") {
		t.Errorf("the export is %s", got)
	}
	// A part of a charge of the schedule can be forgiven beside it.
	r.Leads(r.Sends("/test/ledger/"+of+"/forgive", "amount", "50", "reason", "The heat was off."), "/test/ledger/"+of)
	r.Says(r.Get("/test/ledger"), 200, "Forgiven: The heat was off.")
}

func TestReceiptOfAPaymentSaysWhatBecameOfIt(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	charge := y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	at := "/test/ledger/" + charge
	if strings.Contains(r.Get(at).Body.String(), "Receipt") {
		t.Error("there is a receipt before money came")
	}
	r.Leads(r.Sends(at+"/record", "amount", "1000", "method", "check", "reference", "1182"), at)
	page := r.Get(at)
	r.Says(page, 200, "Receipt (PDF)")
	transaction := dbtest.Texts(t, y.DB, "SELECT id FROM payment_transactions")[0]
	receipt := at + "/payments/" + transaction + "/receipt.pdf"
	if !strings.Contains(page.Body.String(), `href="`+receipt+`"`) {
		t.Errorf("the page leads to no %s", receipt)
	}
	says := func(all ...string) {
		t.Helper()
		rec := r.Get(receipt)
		text := documenttest.Tool(t, rec.Body.Bytes(), "pdftotext", "-layout", "FILE", "-")
		text = strings.Join(strings.Fields(text), " ")
		for _, want := range all {
			if !strings.Contains(text, want) {
				t.Errorf("the receipt lacks %q:\n%s", want, text)
			}
		}
		if info := documenttest.Tool(
			t,
			rec.Body.Bytes(),
			"pdfinfo",
			"FILE",
		); !strings.Contains(
			info,
			"Tagged:          yes",
		) {
			t.Error(info)
		}
	}
	says(
		"Receipt",
		"For Rent for November 2026",
		"Amount $1,000.00",
		"Method Check",
		"Reference 1182",
		"Still owed $450.00",
	)
	r.Leads(r.Sends(at+"/correct", "happened", "error", "reason", "Of another tenant."), at)
	says("This payment was recorded in error. It was taken back on", "no longer counts", "Still owed $1,450.00")
	for _, path := range []string{
		at + "/payments/" + id.New(id.Transaction, y.Now) + "/receipt.pdf",
		at + "/payments/" + dbtest.Texts(t, y.DB, "SELECT id FROM payment_transactions WHERE kind = 'correction'")[0] +
			"/receipt.pdf",
		strings.Replace(receipt, "/test/", "/live/", 1),
	} {
		if rec := r.Get(path); rec.Code != 404 {
			t.Errorf("%s: %d", path, rec.Code)
		}
	}
	stranger := y.Stranger()
	if rec := stranger.Get(receipt); rec.Code != 404 {
		t.Errorf("another account reads it: %d", rec.Code)
	}
	r.MeetsLimit(receipt, "/test/ledger/statement.pdf?from=x", stranger)
}

package lease_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// chargedFee charges a fee of a lease with a description, and records that some dollars of it were paid.
func (e *leasePages) chargedFee(words string, amount, paid int64) (chargeID string) {
	e.Helper()
	m, err := e.rules.Ledger.AddCharge(e.Context(), e.Actor(), e.lease, ledger.ChargeCreate{
		Charge: "parking", Amount: money.Dollars(amount), DueDate: clock.Day(2026, 11, 1), Description: &words,
	})
	e.OK(err)
	_, err = e.rules.Ledger.RecordPayment(e.Context(), e.Actor(), change.Target{ID: m.After.ID}, ledger.Clearing{
		Amount: money.Dollars(paid), Method: "check", Reference: new("1182"),
	})
	e.OK(err)
	return m.After.ID
}

func TestLandlordGetsStatementOfLease(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at := "/test/leases/" + e.lease
	e.paidDeposit(1200)
	charge := e.chargedFee("=Parking, level 2", 90, 40)
	if to := pagetest.Link(t, r.Get(at), "Statement of account"); to != at+"/statement" {
		t.Errorf("the page of the lease leads to %q", to)
	}
	form := r.Get(at + "/statement")
	shows(r, form, "First month", "Last month", "Open PDF", "Download CSV", "2B, Austin")
	pdf := r.Get(at + "/statement.pdf?from=2026-01&to=2026-11")
	if pdf.Code != http.StatusOK || pdf.Header().Get("Content-Type") != "application/pdf" ||
		!strings.Contains(pdf.Header().Get("Content-Disposition"), "statement-2026-01-2026-11.pdf") {
		t.Fatal(pdf.Code, pdf.Header())
	}
	text := strings.Join(
		strings.Fields(documenttest.Tool(t, pdf.Body.Bytes(), "pdftotext", "-layout", "FILE", "-")),
		" ",
	)
	for _, want := range []string{
		"Statement of account", "Dana Whitfield", "January 1, 2026 to", "Balance due $50.00",
		"Deposit held, apart $1,200.00",
		"=Parking, level 2 $90.00 $90.00", "Payment, check, 1182: =Parking,", "Brought forward",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	stranger := e.Stranger()
	for _, kind := range []string{".pdf", ".csv"} {
		r.MeetsLimit(at+"/statement"+kind+"?from=2026-11&to=2026-11", at+"/statement"+kind+"?from=x", stranger)
	}
	lease, err := e.rules.Leases.Lease(e.Context(), e.Actor(), e.lease)
	e.OK(err)
	if lease.BalanceDue != money.Dollars(50) {
		t.Error(lease.BalanceDue)
	}
	csv := r.Get(at + "/statement.csv?from=2026-11&to=11/2026")
	today := e.rules.Today(e.Actor()).String()
	payment := dbtest.Texts(t, e.DB, "SELECT id FROM payment_transactions WHERE payment_id = $1", charge)[0]
	where := `,"1420 Maple Avenue, Unit 2B, Austin, TX 78701",` + e.lease
	want := "\ufeffDate,Account,Description,Charges,Payments,Balance,Moved on,Charge ID,Transaction ID,Rental address,Lease ID\n" +
		"2026-11-01,Rent and fees,Brought forward,,,0.00,,," + where + "\n" +
		`2026-11-01,Rent and fees,"'=Parking, level 2",90.00,,90.00,,` + charge + "," + where + "\n" +
		today + `,Rent and fees,"Payment, check, 1182: =Parking, level 2",,40.00,50.00,` + today + "," + charge + "," +
		payment + where + "\n" +
		today + ",Rent and fees,Total,90.00,40.00,50.00,,," + where + "\n"
	if got := csv.Body.String(); !strings.HasPrefix(got, want) || !strings.Contains(got, ",1200.00,") {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}

func TestStatementSaysBesideItsMonthsWhatIsWrongWithThem(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at := "/test/leases/" + e.lease + "/statement"
	for query, want := range map[string]string{
		"?from=2026-05&to=2026-01": "Last month: Choose the first month or a later one.",
		"?from=x&to=2026-01":       "First month: Enter the month as 2026-12: year, month.",
		"?from=2026-01":            "Last month: Enter the month as 2026-12: year, month.",
		"?from=2026-01&to=2999-01": "Last month: Choose this month or an earlier one.",
		"?from=0001-01&to=2026-01": "First month: Enter the month as 2026-12: year, month.",
	} {
		for _, kind := range []string{"", ".pdf", ".csv"} {
			rec := r.Get(at + kind + query)
			r.Says(rec, http.StatusBadRequest, want)
			if body := rec.Body.String(); strings.Count(body, `aria-invalid="true"`) != 1 {
				t.Errorf("%s%s marks other fields", kind, query)
			}
		}
	}
}

func TestStatementOfAnotherPortfolioIsNotFound(t *testing.T) {
	e := newLeasePages(t)
	other := e.Stranger()
	for _, kind := range []string{"", ".pdf", ".csv"} {
		for _, at := range []string{
			"/test/leases/" + e.lease, "/live/leases/" + e.lease, "/test/leases/" + id.New(id.Lease, e.Now),
		} {
			if rec := other.Get(at + "/statement" + kind); rec.Code != http.StatusNotFound {
				t.Errorf("%s of %s: %d", kind, at, rec.Code)
			}
		}
	}
}

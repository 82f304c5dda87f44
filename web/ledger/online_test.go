package ledger_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// sees checks what the section of online payments of a row says, and what it does not.
func sees(r *pagetest.Reader, at string, says []string, never ...string) {
	rec := r.Get(at)
	text := pagetest.Text(pagetest.Parse(r.T, rec.Body.String()))
	_, section, found := strings.Cut(text, "Online payments")
	if rec.Code != http.StatusOK || !found {
		r.Errorf("%d: there are no online payments in %s", rec.Code, text)
	}
	for _, want := range says {
		if !strings.Contains(section, want) {
			r.Errorf("no %q in %s", want, section)
		}
	}
	for _, not := range never {
		if strings.Contains(section, not) {
			r.Errorf("%q is in %s", not, section)
		}
	}
}

func TestRowTellsWhatBecameOfItsOnlinePayments(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Owner), y.Rent(portfolio.LeaseActive, "Dana")
	row, other := y.Owes(l, "Rent", portfolio.PaymentDue), y.Owes(l, "Rent again", portfolio.PaymentDue)
	at := "/test/ledger/" + row
	if strings.Contains(r.Get(at).Body.String(), "Online payments") {
		t.Error("a row that nobody has paid online has online payments")
	}
	a, err := y.Payments.PayAs(y.Context(), y.Actor(), payment.Order{
		TenantID: l.TenantIDs[0],
		LeaseID:  l.ID,
		Shares: []ledger.Share{
			{PaymentID: row, Amount: money.Dollars(1000)}, {PaymentID: other, Amount: money.Dollars(300)},
		},
	}, portfolio.PayByCard, simulated.Clears)
	y.OK(err)
	sees(
		r,
		at,
		[]string{"$1,300.00, started Nov 12, 2026", "Cleared", a.ID, "Card", "For this charge$1,000.00"},
		"Refund",
	)
	sees(r, "/test/ledger/"+other, []string{a.ID, "For this charge$300.00"})
	paid := dbtest.Texts(t, y.DB, "SELECT id FROM payment_transactions WHERE payment_id = $1", row)[0]
	form := at + "/refund?transaction=" + paid
	r.Leads(r.Post(at+"/refund", form, pagetest.With(r.Shown(form), "amount", "25", "reason", "No heat.")), at)
	sees(r, at, []string{"Refund$25.00: No heat."}, "not confirmed")
	sees(r, "/test/ledger/"+other, []string{a.ID}, "No heat.")

	pays(y, l, row, 40, portfolio.PayByCard, simulated.Declined)
	sees(r, at, []string{"$40.00, started", "Failed", "The bank declined the card.", "$1,300.00, started"})

	pays(y, l, row, 50, portfolio.PayByCard, simulated.ChargeDisputed)
	y.Now = y.Now.AddDate(0, 0, 2)
	y.OK(y.Payments.SettleDay(y.Context(), y.Actor()))
	sees(r, at, []string{
		"$50.00, started", "Disputed", "The cardholder disputed the charge", "Went back onNov 13, 2026",
		"Answer the dispute byDec 4, 2026",
	})
	y.Now = y.Now.AddDate(0, 1, 0)
	y.OK(y.Payments.SettleDay(y.Context(), y.Actor()))
	sees(r, at, []string{"Dispute lost"}, "Answer the dispute by")
}

func TestRowTellsWhatProcessorReportsDifferently(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Owner), y.Rent(portfolio.LeaseActive, "Dana")
	row := y.Owes(l, "Rent", portfolio.PaymentDue)
	a, _, err := y.Payments.Pay(y.Context(), y.Actor(), payment.Order{
		TenantID: l.TenantIDs[0], LeaseID: l.ID, Shares: []ledger.Share{{PaymentID: row, Amount: money.Dollars(1450)}},
	}, func(string) string { return "" })
	y.OK(err)
	at := "/test/ledger/" + row
	sees(r, at, []string{"$1,450.00, started", "Not finished"}, "The processor reports", "For this charge")
	state := payment.State{
		Status:   payment.Succeeded,
		Amount:   money.Dollars(1400),
		Currency: portfolio.Currency,
		Method:   portfolio.PayByCard,
	}
	y.OK(y.Payments.Settle(y.Context(), y.Actor(), a.ID, state))
	sees(r, at, []string{"The processor reports $1,400.00 instead of $1,450.00. Check it with the processor."})

	r.Leads(r.Sends(at+"/record", "amount", "450", "method", "cash"), at)
	state.Amount = money.Dollars(1450)
	y.OK(y.Payments.Settle(y.Context(), y.Actor(), a.ID, state))
	sees(r, at, []string{"Cleared", "Kept as credit$450.00"}, "The processor reports")
	credit := r.Found(r.Get(at), `href="(/test/ledger/pay_\w+)"[^>]*>\s*\$450\.00`)
	r.Says(r.Get(credit), http.StatusOK, "Credit: paid more than was owed")
}

package ledger_test

import (
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/web/pagetest"
)

func TestPayoutsShowWhatTheyContainAndFilterTheLedger(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	row, other := y.Owes(l, "Rent", portfolio.PaymentDue), y.Owes(l, "Unpaid rent", portfolio.PaymentDue)
	r.Says(r.Get("/test/payouts"), 200, "No payouts yet")
	pays(y, l, row, 1000, portfolio.PayByCard, simulated.Clears)
	for range 5 {
		y.Now = y.Now.AddDate(0, 0, 1)
		y.OK(y.Payments.SettleDay(y.Context(), y.Actor()))
	}
	list := r.Get("/test/payouts")
	r.Says(list, 200, "$970.70")
	at := r.Found(list, `href="(/test/payouts/demo_po_\d+)"`)
	for _, words := range []string{
		"Payout of $970.70", "Paid", "Payment", "$1,000.00", "$29.30", "Charges in the ledger",
	} {
		r.Says(r.Get(at), 200, words)
	}
	ledger := r.Found(r.Get(at), `href="(/test/ledger\?payout=demo_po_\d+)"`)
	page := r.Get(ledger).Body.String()
	if !strings.Contains(page, "/test/ledger/"+row) || strings.Contains(page, "/test/ledger/"+other) {
		t.Error("the ledger does not show the charges of the payout alone")
	}
	r.Says(r.Get("/test/ledger?payout=demo_po_0"), 200, "No charges match these filters")
	r.Says(r.Get("/test/payouts/demo_po_0"), 404, "")
	r.Says(r.Get("/live/payouts"), 200, "No payouts yet")
	r.Says(r.Get("/live"+strings.TrimPrefix(at, "/test")), 404, "")
}

func TestOwnerAnswersADispute(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Owner), y.Rent(portfolio.LeaseActive, "Dana")
	y.Books.Trail = y.Hooks.Trail
	row := y.Owes(l, "Rent", portfolio.PaymentDue)
	at := "/test/ledger/" + row
	r.Leads(r.Get(at+"/dispute"), at)
	r.Says(r.Get(at), 200, "it has no dispute that can be answered")
	pays(y, l, row, 1450, portfolio.PayByCard, simulated.ChargeDisputed)
	pass := func(days int) {
		for range days {
			y.Now = y.Now.AddDate(0, 0, 1)
			y.OK(y.Payments.SettleDay(y.Context(), y.Actor()))
		}
	}
	pass(1)
	r.Says(r.Get(at), 200, "A payment is disputed")
	r.Says(r.Get(at), 200, "Answer by Dec 4, 2026.")
	manager := y.Member(access.Manager)
	if strings.Contains(manager.Get(at).Body.String(), "A payment is disputed") {
		t.Error("a manager can answer")
	}
	manager.Says(manager.Get(at+"/dispute"), 403, "")
	form := at + "/dispute"
	r.Says(r.Get(form), 200, "Answer by Dec 4, 2026. After that, the dispute is lost.")
	r.Says(r.Post(form, form, pagetest.With(r.Shown(form), "evidence", " ")), 400, "This is required")
	typed := pagetest.With(r.Shown(form), "evidence", "Dana signed the lease. winning_evidence")
	r.Leads(r.Post(form, form, typed), at)
	page := r.Get(at)
	r.Says(page, 200, "Your answer was sent to the bank.")
	r.Says(page, 200, "The bank is reviewing your answer")
	if strings.Contains(page.Body.String(), "A payment is disputed") {
		t.Error("it can be answered again")
	}
	r.Leads(r.Post(form, at, typed), at)
	r.Says(r.Get(at), 200, "can’t be answered anymore")
	pass(7)
	sees(r, at, []string{"Dispute won"}, "The bank is reviewing")
	r.Says(r.Get(at), 200, "$1,450.00 back, dispute won")
	r.Says(r.Get("/test/leases/"+l.ID+"/statement.csv?from=2026-11&to=2026-11"), 200, "Dispute won, paid again")
}

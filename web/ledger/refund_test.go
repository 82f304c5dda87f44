package ledger_test

import (
	"context"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

// pays has the tenant of a lease pay a part of a row online, and is the transaction by which it was paid, "" for none.
func pays(
	y *pagetest.WebhookPages,
	l *portfolio.Lease,
	row string,
	dollars int64,
	m portfolio.PaymentMethod,
	o simulated.Outcome,
) string {
	y.Helper()
	a, err := y.Payments.PayAs(y.Context(), y.Actor(), payment.Order{
		TenantID: l.TenantIDs[0],
		LeaseID:  l.ID,
		Shares:   []ledger.Share{{PaymentID: row, Amount: money.Dollars(dollars)}},
	}, m, o)
	y.OK(err)
	found := dbtest.Texts(
		y.T,
		y.DB,
		"SELECT id FROM payment_transactions WHERE attempt_id = $1 AND status = 'succeeded'",
		a.ID,
	)
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

func TestOnlinePaymentIsRefundedInPartAndWhole(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Owner), y.Rent(portfolio.LeaseActive, "Dana")
	y.Books.Trail = y.Hooks.Trail
	row := y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	at := "/test/ledger/" + row
	r.Leads(r.Sends(at+"/record", "amount", "100", "method", "cash"), at)
	r.Leads(r.Get(at+"/refund"), at) // cash is given back by hand
	r.Says(r.Get(at), 200, "it has no online payment that can be refunded")
	if strings.Contains(r.Get(at).Body.String(), "/refund?") {
		t.Error("cash can be refunded")
	}
	card := pays(y, l, row, 1000, portfolio.PayByCard, simulated.Clears)
	form := r.Found(
		r.Get(at),
		`href="(`+at+`/refund\?transaction=txn_\w+)" aria-label="Refund the payment of \$1,000\.00"`,
	)
	if form != at+"/refund?transaction="+card {
		t.Errorf("the form is at %s", form)
	}
	r.Says(r.Get(form), 200, "$1,000.00 of it can be refunded.")
	manager := y.Member(access.Manager)
	manager.Says(manager.Get(form), 403, "")
	if strings.Contains(manager.Get(at).Body.String(), "/refund?") {
		t.Error("a manager can refund")
	}
	typed := pagetest.With(r.Shown(form), "amount", "300", "reason", "The heating was out.")
	if typed.Get("transaction_id") != card || r.Shown(form).Get("amount") != "1000.00" {
		t.Errorf("the form is filled with %v", r.Shown(form))
	}
	for words, pairs := range map[string][]string{
		"Amount: Must be more than 0 and at most 1000.00, what is left of the payment": {"amount", "1000.01"},
		"Amount: Must be":           {"amount", "0"},
		"Amount: This is required":  {"amount", ""},
		"Reason: This is required":  {"reason", " "},
		"Payment: This is required": {"transaction_id", ""},
	} {
		r.Says(r.Post(at+"/refund", form, pagetest.With(typed, pairs...)), 400, words)
	}
	r.Leads(r.Post(at+"/refund", form, typed), at)
	page := r.Get(at)
	r.Says(page, 200, "$300.00 refunded.")
	r.Says(page, 200, "Refund of $300.00, card")
	r.Says(page, 200, "Paid$800.00Balance$650.00")
	r.Says(r.Post(at+"/refund", form, typed), 409, "Look at its history before you refund a payment.")
	r.Says(r.Post(at+"/refund", form, pagetest.With(typed, "version", "")), 409, "This form is out of date.")

	r.Says(r.Get(form), 200, "$700.00 of it can be refunded.")
	r.Leads(r.Post(at+"/refund", form, pagetest.With(r.Shown(form), "reason", "The rest.")), at)
	r.Says(r.Get(at), 200, "$700.00 refunded.")
	r.Leads(r.Get(form), at)
	if got := dbtest.Texts(t, y.DB, "SELECT amount FROM payment_refunds ORDER BY id"); strings.Join(got, " ") !=
		"30000 70000" {
		t.Errorf("refunds of %v cents", got)
	}
	p, err := portfoliostore.New(y.DB).Payment(y.Context(), y.Home.Test, row)
	if y.OK(err); p.AmountPaid != money.Dollars(100) {
		t.Errorf("%s is paid", p.AmountPaid)
	}
	if !strings.Contains(y.Trail(), "payment.refunded") {
		t.Errorf("the trail has\n%s", y.Trail())
	}
}

func TestOnlyPaymentsOfRowAndPortfolioAreRefunded(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Owner), y.Rent(portfolio.LeaseActive, "Dana")
	row, other := y.Owes(l, "Rent", portfolio.PaymentDue), y.Owes(l, "Rent again", portfolio.PaymentDue)
	card := pays(y, l, row, 500, portfolio.PayByCard, simulated.Clears)
	foreign := pays(y, l, other, 500, portfolio.PayByCard, simulated.Clears)
	at := "/test/ledger/" + row
	form := at + "/refund?transaction=" + card
	typed := pagetest.With(r.Shown(form), "reason", "By mistake.")
	r.Says(r.Post(at+"/refund", form, pagetest.With(typed, "transaction_id", foreign)), 404, "")
	s := y.Stranger()
	s.Says(s.Get(form), 404, "")
	s.Says(s.Post(at+"/refund", "/test/tickets/new", typed), 404, "")
	live := strings.Replace(at, "/test/", "/live/", 1) + "/refund"
	r.Says(r.Get(live), 404, "")
	r.Says(r.Post(live, "/live/tickets/new", typed), 404, "")
	if n := len(dbtest.Texts(t, y.DB, "SELECT id FROM payment_refunds")); n != 0 {
		t.Errorf("%d refunds", n)
	}
}

// silent is a processor that takes a refund and does not confirm it.
type silent struct{ payment.Processor }

// State is payment.Processor's.
func (s silent) State(
	ctx context.Context, by access.Actor, a *payment.Attempt, _ []payment.Refund,
) (payment.State, error) {
	return s.Processor.State(ctx, by, a, nil)
}

func TestRefundThatIsNotConfirmedIsAskedForOnce(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Owner), y.Rent(portfolio.LeaseActive, "Dana")
	row := y.Owes(l, "Rent", portfolio.PaymentDue)
	at := "/test/ledger/" + row
	form := at + "/refund?transaction=" + pays(y, l, row, 1000, portfolio.PayByCard, simulated.Clears)
	store := portfoliostore.New(y.DB)
	y.Payments.Service = payment.New(y.Books.Common, y.Books.Ledger, store, map[access.Mode]payment.Processor{
		access.Test: silent{simulated.New(y.Books.Common, store)},
	})
	typed := pagetest.With(r.Shown(form), "amount", "400", "reason", "The heating was out.")
	r.Leads(r.Post(at+"/refund", form, typed), at)
	page := r.Get(at)
	r.Says(page, 200, "Refund requested; the processor hasn’t confirmed it yet.")
	r.Says(page, 200, "Paid$1,000.00Balance$450.00")
	r.Says(r.Post(at+"/refund", form, typed), 409, "Look at its history")
	r.Says(r.Get(form), 200, "$600.00 of it can be refunded.")
}

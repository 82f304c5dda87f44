package lease_test

import (
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

func TestPagesShowWhatIsOwedUnderALeaseLineByLine(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	l := y.Rent(portfolio.LeaseActive, "Dana")
	at, tenant := "/test/leases/"+l.ID, "/test/tenants/"+l.TenantIDs[0]
	r.Says(r.Get(at), 200, "Balance$0.00")
	y.Owes(l, "Rent for October 2026", portfolio.PaymentDue)
	y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	y.Owes(l, "Rent for September 2026", portfolio.PaymentProcessing)
	due := clock.Day(2026, 11, 2)
	charge := func(kind portfolio.PaymentType, amount, paid money.Cents, status portfolio.PaymentStatus) {
		p := portfolio.Payment{
			Record:     dbtest.Record("pay", "payment", access.Test, y.Now),
			LeaseID:    l.ID,
			TenantID:   l.TenantIDs[0],
			UnitID:     l.UnitID,
			PropertyID: l.PropertyID,
			Type:       kind,
			Amount:     amount,
			AmountPaid: paid,
			Status:     status,
			DueDate:    due,
		}
		y.OK(portfoliostore.New(y.DB).AddPayment(y.Context(), y.Home.Test, &p))
	}
	charge(portfolio.PaymentDeposit, money.Dollars(900), money.Dollars(500), portfolio.PaymentPartiallyPaid)
	charge(portfolio.PaymentRent, -money.Dollars(50), 0, portfolio.PaymentDue)
	page := r.Get(at)
	for _, want := range []string{
		"Balance today $2,850.00", "$2,900.00", "$500.00 held", "Deposit held", "Held today $500.00",
	} {
		r.Says(page, 200, want)
	}
	if n := strings.Count(page.Body.String(), "Rent for November 2026"); n != 1 {
		t.Errorf("the page names a charge %d times", n)
	}
	due = clock.Day(2026, 12, 1)
	charge(portfolio.PaymentRent, money.Dollars(1451), 0, portfolio.PaymentScheduled)
	_, scheduled, _ := strings.Cut(r.Get(at).Body.String(), "Scheduled charges")
	if strings.Count(scheduled, `data-label="Charge"`) != 1 || !strings.Contains(scheduled, "$1,451.00") {
		t.Errorf("the charges to come are %s", scheduled)
	}
	due = clock.Day(2026, 11, 2)
	r.Says(r.Get("/test/leases"), 200, "$2,850.00")
	r.Says(r.Get("/test/tenants"), 200, "$2,850.00")
	r.Says(r.Get(tenant), 200, "Balance$2,850.00")
	r.Says(r.Get(tenant+"?tab=leases"), 200, "$2,850.00")
	charge(portfolio.PaymentRent, -money.Dollars(3000), 0, portfolio.PaymentDue)
	r.Says(r.Get(at), 200, "Balance−$150.00 credit")
	r.Says(r.Get(tenant), 200, "Balance−$150.00 credit")
	for range 30 {
		charge(portfolio.PaymentRent, money.Dollars(10), 0, portfolio.PaymentDue)
	}
	r.Says(r.Get(at), 200, "Brought forward")
	r.Says(r.Get(at), 200, "Balance today $150.00")
}

package resident_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

// begins writes that a tenant has begun to pay a dollar of the rent online, and is the id of that payment.
func (f *tenantPages) begins(r *renter) string {
	f.Helper()
	a := payment.Attempt{
		Record:    dbtest.Record(id.Attempt, "payment_attempt", r.by.Portfolio.Mode, f.now),
		LeaseID:   r.lease,
		TenantID:  r.id,
		Processor: simulated.Name,
		Amount:    money.Dollars(1),
		Status:    payment.Open,
		ExpiresAt: clock.At(f.now),
		Shares:    []ledger.Share{{PaymentID: r.charge, Amount: money.Dollars(1)}},
	}
	pagetest.Must(f, portfoliostore.New(f.db).AddAttempt(f.Context(), r.by.Portfolio, &a))
	return a.ID
}

// online is a tenant of the demo portfolio whose browser has typed a code.
type online struct {
	*tenantPages
	*renter
	cookie *http.Cookie
}

func (f *tenantPages) online(r *renter) *online { return &online{f, r, f.unlocks(r)} }

func (o *online) form(path string, form url.Values) *httptest.ResponseRecorder {
	o.Helper()
	return o.asks(http.MethodPost, path, form, o.cookie)
}

// starts starts a payment of the rent, or of a part of it, and is the address of the processor's page.
func (o *online) starts(amount string) (checkout string) {
	o.Helper()
	rec := o.form(o.at("/pay"), url.Values{"charges": {o.row()}, "amount": {amount}})
	to := rec.Header().Get("Location")
	if path, _, _ := strings.Cut(to, "?"); rec.Code != http.StatusSeeOther || !strings.HasSuffix(path, "/checkout") {
		o.Fatalf("%d to %q: %s", rec.Code, to, words(rec))
	}
	return to
}

// sends sends a payment with a test number, and is its page.
func (o *online) sends(checkout, method, number string) *httptest.ResponseRecorder {
	o.Helper()
	rec := o.form(checkout, url.Values{"method": {method}, "number": {number}})
	if rec.Code != http.StatusSeeOther {
		o.Fatalf("%d: %s", rec.Code, words(rec))
	}
	return o.gets(rec.Header().Get("Location"), o.cookie)
}

// row is the charge of the rent.
func (o *online) row() string {
	return dbtest.Texts(o.T, o.db, "SELECT id FROM payments WHERE lease_id = $1 ORDER BY id", o.lease)[0]
}

func (o *online) is(status portfolio.PaymentStatus, left money.Cents) {
	o.Helper()
	p, err := o.rules.Ledger.Payment(o.Context(), o.by, o.row())
	if pagetest.Must(o, err); p.Status != status || p.Left() != left {
		o.Errorf("the rent is %s and %s are left to pay, want %s and %s", p.Status, p.Left(), status, left)
	}
}

// numbers are the test numbers, none of which is kept or shown again.
var numbers = []string{"4242424242424242", "4000000000000002", "000123456789"}

func TestTenantsPayTheirSharesOnline(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		all := f.rents(&f.home, f.home.Test, "3A", portfolio.PartyPrimary, portfolio.PartyCoTenant)
		sam, kim := f.online(all[0]), f.online(all[1])
		f.says(f.gets(sam.at("/payments"), sam.cookie), http.StatusOK, "Pay online")
		f.says(f.gets(sam.at("/pay"), sam.cookie), http.StatusOK, exactly(sam.rent), "Continue")

		left := sam.starts("500") // and comes back without paying, which keeps nothing from Sam
		first := sam.starts("400")
		f.says(sam.sends(left, "card", numbers[0]), http.StatusOK, "Canceled", "Nothing was paid.")
		f.says(f.gets(first, sam.cookie), http.StatusOK, "Simulated checkout", "$400.00", "No money moves")
		f.says(f.gets(sam.at("/payments"), sam.cookie), http.StatusOK, "Not finished")
		second := kim.starts("")
		f.says(f.gets(second, kim.cookie), http.StatusOK, exactly(sam.rent-40_000)) // what Sam pays is kept for Sam
		f.says(kim.form(second, url.Values{"method": {"card"}, "number": {"4111 1111"}}), http.StatusBadRequest,
			"Type one of the test numbers")
		f.says(
			sam.sends(first, "card", numbers[0]),
			http.StatusOK,
			"Paid with: Card",
			"It has cleared.",
			"Receipt (PDF)",
		)
		sam.is(portfolio.PaymentPartiallyPaid, sam.rent-40_000)

		f.says(kim.sends(second, "ach", numbers[2]), http.StatusOK, "Processing", "three business days")
		sam.is(portfolio.PaymentProcessing, 0)
		f.says(f.gets(sam.at(""), sam.cookie), http.StatusOK, "is being processed and hasn’t cleared yet")
		f.says(f.gets(sam.at("/pay"), sam.cookie), http.StatusOK, "nothing to pay online right now")
		f.now = f.now.AddDate(0, 0, 6)
		pagetest.Must(f, f.payments.SettleDay(f.Context(), sam.by))
		sam.is(portfolio.PaymentSucceeded, 0)
		attempt, _, _ := strings.Cut(strings.TrimPrefix(second, kim.at("/pay/")), "/")
		f.says(f.gets(sam.at("/pay/"+attempt), f.unlocks(sam.renter)), http.StatusOK, "Paid")

		whole := fmt.Sprint(dbtest.Dump(t, f.db, nil))
		for _, number := range numbers {
			if strings.Contains(whole, number) {
				f.Errorf("the database has the number %s", number)
			}
		}
	})
}

func TestTenantWhoHasPaidOnlineIsEmailedTheReceiptOnce(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		all := f.rents(&f.home, f.home.Test, "3A", portfolio.PartyPrimary, portfolio.PartyCoTenant)
		sam, kim := f.online(all[0]), f.online(all[1])
		dbtest.Exec(t, f.db, "UPDATE portfolios SET rent_notices = 0")
		before := f.count("mails")
		f.says(sam.sends(sam.starts("400"), "card", numbers[0]), http.StatusOK, "It has cleared.")
		f.says(kim.sends(kim.starts("50"), "card", numbers[1]), http.StatusOK, "Failed")
		f.now = f.now.AddDate(0, 0, 6)
		pagetest.Must(f, f.payments.SettleDay(f.Context(), sam.by))
		if got := sam.emailed(before); len(got) != 1 || got[0] != "Receipt for $400.00 paid online" {
			f.Errorf("emailed %q", got)
		}
		// Where the account emails tenants about rent, that email has the receipt.
		dbtest.Exec(t, f.db, "UPDATE portfolios SET rent_notices = 1, auto_charge_since = 1")
		sam.cookie = f.unlocks(sam.renter)
		before = f.count("mails")
		f.says(sam.sends(sam.starts("100"), "card", numbers[0]), http.StatusOK, "It has cleared.")
		if got := sam.emailed(before); len(got) != 0 {
			f.Errorf("emailed %q, and again by the email about rent", got)
		}
	})
}

func TestFailedOnlinePaymentSaysWhyInBothLanguages(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		all := f.rents(&f.home, f.home.Test, "3A", portfolio.PartyPrimary, portfolio.PartyCoTenant)
		sam, kim := f.online(all[0]), f.online(all[1])
		page := sam.sends(sam.starts(""), "card", "4000 0000 0000 0002")
		f.says(page, http.StatusOK, "Failed", "The bank declined the card.", "Try again", "still owed")
		sam.is(portfolio.PaymentFailed, sam.rent)
		path := dbtest.Texts(t, f.db, "SELECT id FROM payment_attempts WHERE lease_id = $1", sam.lease)[0]
		f.says(f.gets(sam.at("/pay/"+path+"?lang=es"), sam.cookie), http.StatusOK,
			"El banco rechazó la tarjeta.", "Intentar de nuevo")
		others := f.gets(kim.at("/pay/"+path), kim.cookie) // which is of a bank account that is not theirs
		f.says(others, http.StatusOK, "Failed", "It did not go through.")
		if strings.Contains(words(others), "declined") {
			f.Error("a roommate reads why a payment failed")
		}

		checkout := sam.starts("")
		at, _, _ := strings.Cut(checkout, "/checkout")
		f.says(f.gets(checkout, sam.cookie), http.StatusOK, "Cancel and go back")
		if rec := sam.form(at+"/cancel", nil); rec.Code != http.StatusSeeOther {
			f.Errorf("canceled: %d", rec.Code)
		}
		f.says(sam.sends(checkout, "card", numbers[0]), http.StatusOK, "Canceled", "Nothing was paid.")
		sam.is(portfolio.PaymentFailed, sam.rent)
		f.says(sam.sends(sam.starts(""), "card", numbers[0]), http.StatusOK, "It has cleared.")
		sam.is(portfolio.PaymentSucceeded, 0)
	})
}

func TestNothingIsPaidOnlineInLivePortfolioOrWhereLandlordForbidsIt(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		live := f.online(f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0])
		demo := f.online(f.rents(&f.home, f.home.Test, "3B", portfolio.PartyPrimary)[0])
		store := portfoliostore.New(f.db)
		closed := func(o *online) {
			o.Helper()
			f.says(f.gets(o.at("/pay"), o.cookie), http.StatusOK, "nothing to pay online right now")
			f.says(o.form(o.at("/pay"), url.Values{"charges": {o.row()}}), http.StatusBadRequest)
			if strings.Contains(words(f.gets(o.at("/payments"), o.cookie)), "Pay online") {
				f.Errorf("%s is asked to pay online", o.name)
			}
		}
		closed(live)
		pagetest.Must(f, store.SetOnlinePayments(f.Context(), demo.by.Portfolio, demo.lease, payment.AllowNone))
		closed(demo)
		pagetest.Must(f, store.SetOnlinePayments(f.Context(), demo.by.Portfolio, demo.lease, payment.AllowWhole))
		f.says(demo.form(demo.at("/pay"), url.Values{"charges": {demo.row()}, "amount": {"5"}}), http.StatusBadRequest,
			"whole charges")
		demo.starts("")
		if n := f.count("payment_attempts WHERE portfolio_id = $1", live.by.Portfolio.ID); n != 0 {
			f.Errorf("%d payments of a live portfolio", n)
		}
		if live.by.Portfolio.Mode != access.Live {
			f.Error("it is no live portfolio")
		}
	})
}

// exactly is how a page shows an amount with its cents.
func exactly(c money.Cents) string { return c.Dollars() }

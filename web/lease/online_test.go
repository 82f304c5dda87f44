package lease_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// allows checks which payments the tenants of the lease can make online.
func (e *leasePages) allows(want payment.Allowed) {
	e.Helper()
	got, err := e.payments.Allowed(e.Context(), e.Actor(), e.lease)
	if e.OK(err); got != want {
		e.Errorf("tenants can pay %s, want %s", got, want)
	}
}

func TestLandlordChoosesWhichPaymentsTenantsMakeOnline(t *testing.T) {
	e := newLeasePages(t)
	e.rules.Trail = e.Hooks.Trail
	r := e.Member(access.Manager)
	at := "/test/leases/" + e.lease
	to := at + "/online-payments"
	charge, err := e.rules.Ledger.AddCharge(e.Context(), e.Actor(), e.lease, ledger.ChargeCreate{
		Charge: ledger.ChargeDeposit, Amount: money.Dollars(900), DueDate: clock.Day(2026, 1, 1),
	})
	e.OK(err)
	pay := func(dollars int64) (*payment.Attempt, error) {
		a, _, err := e.payments.Pay(e.Context(), e.Actor(), payment.Order{
			TenantID: e.dana, LeaseID: e.lease,
			Shares: []ledger.Share{{PaymentID: charge.After.ID, Amount: money.Dollars(dollars)}},
		}, func(string) string { return "" })
		return a, err
	}
	shows(r, r.Get(at), "Online payments", "Turn it off when a suit is pending: accepting a payment can end it.",
		"Whole charges only")
	if got := r.Shown(at).Get("online_payments"); got != "all" {
		t.Errorf("%q is chosen", got)
	}
	e.allows(payment.AllowAll)
	for _, step := range []struct {
		choose payment.Allowed
		said   string
	}{
		{payment.AllowAll, "Nothing was changed"},
		{payment.AllowWhole, "Tenants can pay whole charges online."},
		{payment.AllowAll, "Tenants can pay charges online, also in part."},
	} {
		r.Leads(r.Post(to, at, pagetest.With(r.Shown(at), "online_payments", string(step.choose))), at)
		r.Says(r.Get(at), http.StatusOK, step.said)
		e.allows(step.choose)
		if _, err := pay(100); fault.Is(err, fault.InvalidField) != (step.choose == payment.AllowWhole) {
			t.Errorf("%s: a part is paid: %v", step.choose, err)
		}
	}
	started, err := pay(900)
	e.OK(err)
	r.Leads(r.Post(to, at, pagetest.With(r.Shown(at), "online_payments", "none")), at)
	r.Says(r.Get(at), http.StatusOK, "Tenants can’t pay online anymore.")
	e.allows(payment.AllowNone)
	if got := r.Shown(at).Get("online_payments"); got != "none" {
		t.Errorf("%q is chosen", got)
	}
	if a, err := e.payments.Attempt(e.Context(), e.Actor(), started.ID); err != nil || a.Status != payment.Canceled {
		t.Errorf("what a tenant had started is %+v, %v", a, err)
	}
	if _, err := pay(900); !fault.Is(err, fault.InvalidTransition) {
		t.Errorf("a charge is paid: %v", err)
	}
	for _, wrong := range []string{"", "some"} {
		r.Leads(r.Post(to, at, pagetest.With(r.Shown(at), "online_payments", wrong)), at)
		r.Says(r.Get(at), http.StatusOK, "Choose which payments tenants can make online.")
	}
	e.allows(payment.AllowNone)
	if n := strings.Count(e.Trail(), "lease.online_payments_changed"); n != 3 {
		t.Errorf("the trail has %d changes:\n%s", n, e.Trail())
	}
}

func TestOnlyMembersOfAccountChooseOnlinePayments(t *testing.T) {
	e := newLeasePages(t)
	r, s := e.Member(access.Owner), e.Stranger()
	to := "/test/leases/" + e.lease + "/online-payments"
	none := url.Values{"online_payments": {"none"}}
	s.Says(s.Post(to, "/test/tickets/new", none), http.StatusNotFound, "")
	live := strings.Replace(to, "/test/", "/live/", 1)
	r.Says(r.Post(live, "/live/tickets/new", none), http.StatusNotFound, "")
	reader := e.Actor()
	reader.Scopes = access.Scopes{access.Read}
	err := e.payments.Allow(e.Context(), reader, e.lease, payment.AllowNone)
	if !fault.Is(err, fault.ScopeRequired) {
		t.Errorf("who can only read: %v", err)
	}
	foreign := e.Actor()
	foreign.Portfolio = e.Home.Live
	if err := e.payments.Allow(e.Context(), foreign, e.lease, payment.AllowNone); !fault.Is(err, fault.NoRecord) {
		t.Errorf("another portfolio: %v", err)
	}
	e.allows(payment.AllowAll)
}

func TestLiveLeaseSaysThatOnlinePaymentsAreNotSetUp(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Owner)
	l, err := e.rules.Leases.Lease(e.Context(), e.Actor(), e.lease)
	e.OK(err)
	u := e.Home.Unit[access.Live]
	kim := e.stranger()
	live := *l
	live.ID, live.UnitID, live.PropertyID = strings.Replace(l.ID, "lea_0", "lea_1", 1), u.ID, u.PropertyID
	live.TenantIDs, live.Tenants = []string{kim}, []portfolio.Party{{ID: kim, Role: portfolio.PartyPrimary}}
	e.add(e.Home.Live, &portfolio.Book{Leases: []portfolio.Lease{live}})
	at := "/live/leases/" + live.ID
	page := r.Get(at)
	r.Says(page, http.StatusOK, "Tenants can’t pay online: online payments aren’t set up.")
	if strings.Contains(page.Body.String(), "/online-payments") {
		t.Error("there is a form")
	}
	r.Leads(r.Post(at+"/online-payments", "/live/tickets/new", url.Values{"online_payments": {"none"}}), at)
	r.Says(r.Get(at), http.StatusOK, "Online payment isn’t set up here.")
	if got := dbtest.Texts(t, e.DB, "SELECT DISTINCT online_payments FROM leases"); len(got) != 1 || got[0] != "all" {
		t.Errorf("leases allow %v", got)
	}
}

func TestLandlordSeesAutopayOfTheLease(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at := "/test/leases/" + e.lease
	a, _, err := e.payments.StartAutopay(e.Context(), e.Actor(), &payment.AutopayOrder{
		LeaseID: e.lease, TenantID: e.dana, Day: 5, Most: money.Dollars(1200), Text: "I agree.",
	}, func(string) string { return "" })
	e.OK(err)
	if strings.Contains(r.Get(at).Body.String(), "pays by autopay") {
		t.Error("autopay that was not set up is shown")
	}
	e.OK(e.payments.Give(e.Context(), e.Actor(), a, portfolio.PayByCard, simulated.Clears))
	shows(r, r.Get(at), "pays by autopay, at most $1,200.00 each month. Next payment: ")
	e.OK(e.payments.EndAutopay(e.Context(), e.Actor(), a.ID, payment.EndedByTenant))
	if strings.Contains(r.Get(at).Body.String(), "pays by autopay") {
		t.Error("autopay that has ended is shown")
	}
}

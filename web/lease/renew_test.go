package lease_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

// agree writes terms into the lease of the unit.
func (e *leasePages) agree(change func(*portfolio.Lease)) *portfolio.Lease {
	e.Helper()
	l, err := e.rules.Leases.Lease(e.Context(), e.Actor(), e.lease)
	e.OK(err)
	change(l)
	store := portfoliostore.New(e.DB)
	e.OK(store.SaveLease(e.Context(), e.Home.Test, l))
	e.OK(store.SaveLeaseTerms(e.Context(), e.Home.Test, l))
	return l
}

func fully(l *portfolio.Lease) {
	l.SecurityDeposit, l.RentDueDay = money.Dollars(1200), 5
	l.LateFeeAmount, l.LateFeeGraceDays = new(money.Dollars(20)), new(3)
	l.Terms = terms.Terms{
		LateFeeFrequency:   terms.Daily,
		ReturnedPaymentFee: new(money.Dollars(25)),
		Occupants:          []string{"Robin Whitfield", "Kim Whitfield"},
		Clauses: terms.Clauses{
			Pets:      new("One cat."),
			Smoking:   new("Nowhere."),
			Parking:   new("Bay 4."),
			Utilities: new("The tenant pays."),
		},
		Fees: []terms.Fee{
			{Name: "Parking", Amount: money.Dollars(50), Frequency: terms.Monthly},
			{Name: "Keys", Amount: money.Dollars(15), Frequency: terms.OneTime, Refundable: true},
		},
		Answers:   []terms.Answer{{Code: "parking_rules", Applies: true, Text: new("Park in bay 4.")}},
		LeadPaint: &terms.LeadPaint{Hazards: terms.KnownHazards, Details: new("The porch."), Records: terms.NoRecords},
	}
}

func TestRenewalStartsFromAgreedTerms(t *testing.T) {
	e := newLeasePages(t)
	before := e.agree(fully)
	r := e.Member(access.Manager)
	e.form += "&renews_lease_id=" + e.lease
	r.Says(r.Get("/test/leases/"+e.lease), http.StatusOK, "Renew lease")
	if to := r.Found(
		r.Get("/test/leases/"+e.lease),
		`href="([^"]+)"[^>]*>\s*<svg[^>]*><use[^>]*></use></svg>\s*Renew lease\s*<`,
	); to !=
		"/test/leases/generate?unit_id="+e.unit+"&amp;renews_lease_id="+e.lease {
		t.Errorf("Renew leads to %s", to)
	}
	l := e.made(r, r.Shown(e.form))
	if *l.RenewedFromLeaseID != e.lease || l.LeaseType != before.LeaseType ||
		l.StartDate != clock.Day(2027, 1, 1) || *l.EndDate != clock.Day(2027, 12, 31) ||
		!slices.Equal(l.TenantIDs, []string{e.dana}) ||
		l.LeaseType != before.LeaseType {
		t.Errorf("a renewal of %s by %v from %s to %s", *l.RenewedFromLeaseID, l.TenantIDs, l.StartDate, l.EndDate)
	}
	if l.MonthlyRent != before.MonthlyRent || l.SecurityDeposit != before.SecurityDeposit || l.RentDueDay != 5 ||
		*l.LateFeeAmount != *before.LateFeeAmount || *l.LateFeeGraceDays != 3 {
		t.Errorf("the renewal has the money %v %v %d", l.MonthlyRent, l.SecurityDeposit, l.RentDueDay)
	}
	agreed := before.Terms
	agreed.HeldDeposit = &before.SecurityDeposit
	if !reflect.DeepEqual(l.Terms, agreed) {
		t.Errorf("the renewal has the terms\n%+v, want\n%+v", l.Terms, agreed)
	}
	r.Says(
		r.Get("/test/leases/"+l.ID+"/money"),
		http.StatusOK,
		before.SecurityDeposit.Dollars()+" is held from the earlier lease",
	)
	r.Says(r.Get(e.form), http.StatusOK, before.SecurityDeposit.Dollars()+" is held from the earlier lease")
	if shown := r.Shown(e.form + "&monthly_rent=1600"); shown.Get("monthly_rent") != "1600" {
		t.Errorf("the address asks for a rent of 1600, the form has %s", shown.Get("monthly_rent"))
	}
}

func TestRenewalTakesGuarantorsOver(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	_, draft := e.drafted(r, "guarantors.0.first_name", "Robin", "guarantors.0.last_name", "Vance",
		"guarantors.0.email", "robin.vance@example.com")
	_, err := e.DB.Exec(e.Context(), "UPDATE leases SET status = 'signed' WHERE id = $1", draft.ID)
	e.OK(err)
	guarantor := e.now(draft.ID).GuarantorIDs()
	l := e.made(r, r.Shown(e.form+"&renews_lease_id="+draft.ID))
	if !slices.Equal(l.TenantIDs, append([]string{e.dana}, guarantor...)) ||
		!slices.Equal(l.GuarantorIDs(), guarantor) || len(guarantor) != 1 {
		t.Errorf("the parties of the renewal are %+v", l.Tenants)
	}
	if all := dbtest.Texts(t, e.DB, "SELECT id FROM tenants WHERE email = 'robin.vance@example.com'"); len(all) != 1 {
		t.Errorf("the guarantor is the tenants %v", all)
	}
}

func TestRenewalKeepsAllFees(t *testing.T) {
	e := newLeasePages(t)
	e.agree(func(l *portfolio.Lease) {
		for range 5 {
			l.Terms.Fees = append(l.Terms.Fees, terms.Fee{Name: "Storage", Amount: 100, Frequency: terms.Monthly})
		}
	})
	r := e.Member(access.Manager)
	e.form += "&renews_lease_id=" + e.lease
	l := e.made(r, r.Shown(e.form))
	if len(l.Terms.Fees) != 5 {
		t.Errorf("the renewal has the fees %v", l.Terms.Fees)
	}
	r.Says(r.Get("/test/leases/"+l.ID+"/money"), http.StatusOK, "Fee 6")
}

func TestRenewalKeepsTenantsInLargePortfolio(t *testing.T) {
	e := newLeasePages(t)
	e.fill()
	r := e.Member(access.Manager)
	e.form += "&renews_lease_id=" + e.lease
	if l := e.made(r, r.Shown(e.form)); !slices.Equal(l.TenantIDs, []string{e.dana}) {
		t.Errorf("%v sign the renewal", l.TenantIDs)
	}
}

func TestExpiredLeaseIsNotRenewed(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	e.agree(func(l *portfolio.Lease) { l.MonthlyRent, l.Status = money.Dollars(999), portfolio.LeaseExpired })
	page := r.Get("/test/leases/" + e.lease)
	if seen := pagetest.Text(pagetest.Parse(t, page.Body.String())); strings.Contains(seen, "Renew") {
		t.Errorf("a lease that has expired is renewed:\n%s", seen)
	}
	for _, name := range []string{e.lease, "lea_01KF0FV2HR0400000000000001", "x"} {
		if shown := r.Shown(e.form + "&renews_lease_id=" + name); shown.Get("monthly_rent") == "999.00" {
			t.Errorf("the form is filled from %s", name)
		}
	}
}

package records_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/property"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

func TestPersonsLedgerAndLeaseChangesAreAudited(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		trail := audit.Log{Store: servicestore.NewTrail(h.db), Now: func() time.Time { return h.now }}
		h.Trail = trail
		var user string
		dbtest.Query(h.T, h.db, "SELECT id FROM users", func(_ []string, values []any) { user = fmt.Sprint(values[0]) })
		person := audit.With(h.Context(), audit.By{UserID: user, Address: "192.0.2.1", RequestID: "req_1"})
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		by := h.by
		by.AccountID = h.home.AccountID
		h.ok(second(h.Ledger.RecordPayment(h.Context(), by, change.Target{ID: row}, dollars(100, "cash")))) // a program
		h.ok(second(h.Ledger.RecordPayment(person, by, change.Target{ID: row}, dollars(400, "check"))))
		h.ok(second(h.Leases.UpdateLease(
			person,
			by,
			change.Target{ID: h.let},
			lease.Update{MoveInDate: change.To(new(clock.Day(2026, 1, 2)))},
		)))
		// The same again changes nothing.
		h.ok(second(h.Leases.UpdateLease(
			person,
			by,
			change.Target{ID: h.let},
			lease.Update{MoveInDate: change.To(new(clock.Day(2026, 1, 2)))},
		)))
		h.ok(change.DryRun(
			person,
			h.db,
			func(ctx context.Context) error { return second(h.Ledger.AddCharge(ctx, by, h.let, h.fee())) },
		))
		made, err := h.Ledger.AddCharge(person, by, h.let, h.fee())
		h.ok(err)
		page, err := trail.Entries(h.Context(), audit.Query{AccountID: h.home.AccountID})
		h.ok(err)
		var got []string
		for _, e := range page.Data {
			got = append(
				got,
				e.Action+" "+e.Target+" "+e.Details["status"]+e.Details["amount_paid"]+" "+e.Details["version"],
			)
		}
		want := []string{
			"payment.created " + made.After.ID + " due0.00 1", "lease.changed " + h.let + "  2",
			"payment.changed " + row + " partially_paid500.00 3",
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			h.Errorf("%q, want %q", got, want)
		}
		h.Trail = audit.Log{}
		h.ok(second(h.Ledger.VoidCharge(person, h.owner(access.Live), change.Target{ID: made.After.ID})))
	})
}

// Parts of a charge that were recorded in another order than that in which they came.
func TestEachRecordedPaymentIsAuditedAndLatestDayIsPaidAt(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.Trail = audit.Log{Store: servicestore.NewTrail(h.db), Now: func() time.Time { return h.now }}
		var user string
		dbtest.Query(h.T, h.db, "SELECT id FROM users", func(_ []string, values []any) { user = fmt.Sprint(values[0]) })
		person := audit.With(h.Context(), audit.By{UserID: user, Address: "192.0.2.1", RequestID: "req_1"})
		by := h.by
		by.AccountID = h.home.AccountID
		row := h.owes(portfolio.PaymentFee, portfolio.PaymentDue)
		today := clock.DateOf(h.now, by.Zone)
		check := ledger.Clearing{
			Amount:    money.Dollars(400),
			Method:    "check",
			Reference: new("#101"),
			On:        new(today - 2),
		}
		h.ok(second(h.Ledger.RecordPayment(person, by, change.Target{ID: row}, check)))
		cash := ledger.Clearing{Amount: money.Dollars(600), Method: "cash", On: new(today - 60)}
		paid, err := h.Ledger.RecordPayment(person, by, change.Target{ID: row}, cash)
		h.ok(err)
		if p := paid.After; clock.DateOf(p.PaidAt.Std(), by.Zone) != today-2 || p.Reference != nil ||
			*p.Method != "cash" {
			h.Errorf("paid at %v by %s, reference %v", p.PaidAt, *p.Method, p.Reference)
		}
		page, err := h.Trail.Entries(h.Context(), audit.Query{AccountID: h.home.AccountID})
		h.ok(err)
		var got []string
		for _, e := range page.Data {
			d := e.Details
			got = append(got, d["recorded"]+" "+d["method"]+" "+d["reference"]+" "+d["paid_on"]+", "+d["amount_paid"])
		}
		want := []string{
			"600.00 cash  " + (today - 60).String() + ", 1000.00",
			"400.00 check #101 " + (today - 2).String() + ", 400.00",
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			h.Errorf("%q, want %q", got, want)
		}
	})
}

func TestPropertyAndTenantChangesAreAudited(t *testing.T) {
	onEach(t, func(g *guests) {
		trail := audit.Log{Store: servicestore.NewTrail(g.db), Now: g.clock()}
		g.Service.Use(portfolio.Parts{Trail: trail, Post: g.post, BaseURL: "https://portal.example.com/"})
		accepted, declined := g.applied(), g.applied()
		by, person := g.owner(access.Live), g.as(g.user("dana"))
		by.AccountID = g.home.AccountID
		made, err := g.Properties.CreateProperty(person, by, property.Create{
			StreetAddress: "9 Elm Street",
			City:          "Austin",
			State:         "TX",
			PropertyType:  "condo",
		})
		g.ok(err)
		at := change.Target{ID: made.After.ID}
		made.After.VerificationStatus = portfolio.Verified // another city undoes that
		g.ok(portfoliostore.New(g.db).SaveProperty(g.Context(), by.Portfolio, &made.After.Property))
		g.ok(second(g.Properties.UpdateProperty(person, by, at, property.Update{
			City: change.To("Round Rock"),
		})))
		unit, err := g.Units.AddUnit(person, by, at.ID, property.UnitAdd{UnitNumber: "2"})
		g.ok(err)
		g.ok(second(g.Units.TakeOffMarket(person, by, change.Target{ID: unit.After.ID})))
		g.ok(second(g.Properties.ArchiveProperty(person, by, at)))
		tenant, err := g.Applicants.AcceptApplication(person, by, accepted.ID)
		g.ok(err)
		g.ok(second(g.Tenants.UpdateTenant(
			person,
			by,
			change.Target{ID: tenant.After.ID},
			lease.TenantUpdate{FirstName: change.To("Samuel")},
		)))
		g.ok(second(g.Applicants.DeclineApplication(person, by, declined.ID, application.DeclineNotice{})))
		asked, err := g.Invitations.InviteTenant(person, by, g.asked())
		g.ok(err)
		g.ok(second(g.Applicants.CancelInvitation(person, by, asked.After.ID)))
		page, err := trail.Entries(g.Context(), audit.Query{AccountID: g.home.AccountID})
		g.ok(err)
		var got []string
		for i := range page.Data {
			e := &page.Data[len(page.Data)-1-i]
			got = append(got, e.Action+" "+e.Target+" "+e.Details["status"])
		}
		want := []string{
			"property.created " + at.ID +
				" ", "property.changed " + at.ID +
				" ", "unit.created " +
				unit.After.ID + " ", "unit.changed " +
				unit.After.ID + " ", "property.archived " +
				at.ID + " ",
			"application.accepted " + accepted.ID +
				" ", "tenant.created " + tenant.After.ID +
				" ", "tenant.changed " +
				tenant.After.ID + " ", "application.declined " +
				declined.ID + " ",
			"tenant_invitation.created " + asked.After.ID +
				" sent", "tenant_invitation.changed " +
				asked.After.ID + " cancelled",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			g.Errorf("the trail says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

package portfolio_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

func TestWhatAPersonChangesIsInTheTrail(t *testing.T) {
	inEach(t, func(h *house) {
		trail := audit.Log{Store: h.db, Now: func() time.Time { return h.now }}
		h.Trail = trail
		var user string
		dbtest.Query(h.T, h.db, "SELECT id FROM users", func(_ []string, values []any) { user = fmt.Sprint(values[0]) })
		person := audit.With(h.Context(), audit.By{UserID: user, Address: "192.0.2.1", RequestID: "req_1"})
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		by := h.by
		by.AccountID = h.home.AccountID
		h.ok(second(h.RecordPayment(h.Context(), by, change.Target{ID: row}, dollars(100, "cash")))) // a program
		h.ok(second(h.RecordPayment(person, by, change.Target{ID: row}, dollars(400, "check"))))
		h.ok(second(h.UpdateLease(person, by, change.Target{ID: h.let}, portfolio.LeaseUpdate{MoveInDate: change.To(new(clock.Day(2026, 1, 2)))})))
		h.ok(second(h.UpdateLease(person, by, change.Target{ID: h.let}, portfolio.LeaseUpdate{MoveInDate: change.To(new(clock.Day(2026, 1, 2)))}))) // nothing
		h.ok(change.Rehearse(person, h.db, func(ctx context.Context) error { return second(h.AddCharge(ctx, by, h.let, h.fee())) }))
		made, err := h.AddCharge(person, by, h.let, h.fee())
		h.ok(err)
		page, err := trail.Entries(h.Context(), audit.Query{AccountID: h.home.AccountID})
		h.ok(err)
		var got []string
		for _, e := range page.Data {
			got = append(got, e.Action+" "+e.Target+" "+e.Details["status"]+e.Details["amount_paid"]+" "+e.Details["version"])
		}
		want := []string{"payment.created " + made.After.ID + " due0.00 1", "lease.changed " + h.let + "  2", "payment.changed " + row + " partially_paid500.00 3"}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			h.Errorf("%q, want %q", got, want)
		}
		h.Trail = nil
		h.ok(second(h.VoidCharge(person, h.owner(access.Live), change.Target{ID: made.After.ID})))
	})
}

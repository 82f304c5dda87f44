package payment_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/db/dbtest"
	"portal/db/retentionstore"
)

// told are the notices that tenants of a fixture got. unreachable are tenants who cannot be told.
type told struct {
	notices     []string
	cleared     []string // payments, by the amount
	unreachable []string
}

func (n *told) Reaches(_ context.Context, _ access.Actor, tenantID string) (bool, error) {
	return !slices.Contains(n.unreachable, tenantID), nil
}

func (n *told) AutopayNotice(_ context.Context, _ access.Actor, _ *payment.Autopay, o payment.Notice) error {
	said := fmt.Sprintf("%s %s %s", o.Kind, o.Amount, o.On)
	if o.FailureCode != nil {
		said += " " + *o.FailureCode
	}
	n.notices = append(n.notices, said)
	return nil
}

func (n *told) PaymentCleared(_ context.Context, _ access.Actor, a *payment.Attempt) error {
	n.cleared = append(n.cleared, a.Total().String())
	return nil
}

// autopays sets up autopay of the first tenant, whose card or account a test number stands for, in place of what the
// tenant has.
func (f *fixture) autopays(day int, most int64, method portfolio.PaymentMethod, o simulated.Outcome) *payment.Autopay {
	f.Helper()
	a, to, err := f.payments.StartAutopay(f.Context(), f.by, &payment.AutopayOrder{
		LeaseID: f.lease, TenantID: f.tenants[0], Day: day, Most: money.Dollars(most), Text: "I agree.",
		Language: language.English,
	}, func(id string) string { return "https://portal.example.com/" + id })
	f.ok(err)
	if to != "https://portal.example.com/"+a.ID+simulated.CheckoutPath || a.Status != payment.AutopayPending {
		f.Fatalf("%s, %+v", to, a)
	}
	f.ok(f.payments.Give(f.Context(), f.by, a, method, o))
	return f.autopay(a)
}

func (f *fixture) autopay(a *payment.Autopay) *payment.Autopay {
	f.Helper()
	a, err := f.payments.Autopay(f.Context(), f.by, a.ID)
	f.ok(err)
	return a
}

// until lets the days pass until a day, each with what it brings.
func (f *fixture) until(day clock.Date) {
	f.Helper()
	for f.rules.Today(f.by) < day {
		f.later(24 * time.Hour)
		f.ok(f.payments.SettleDay(f.Context(), f.by))
		f.ok(f.payments.SettleDay(f.Context(), f.by)) // which does nothing twice
	}
}

func (f *fixture) hears() *told {
	n := &told{}
	f.payments.Notices = n
	return n
}

func (n *told) are(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(n.notices, "; "); got != strings.Join(want, "; ") {
		t.Errorf("told:\n%s, want\n%s", got, strings.Join(want, "; "))
	}
}

func TestAutopayPaysWhatIsDueOnItsDayAndTellsThreeDaysAhead(t *testing.T) {
	each(t, func(f *fixture) {
		n := f.hears()
		f.until(clock.Day(2026, 11, 16))
		a := f.autopays(20, 1100, portfolio.PayByCard, simulated.Clears)
		if a.Status != payment.AutopayActive || *a.NextOn != clock.Day(2026, 11, 20) || a.Text != "I agree." {
			f.Fatalf("%+v", a)
		}
		f.until(clock.Day(2026, 11, 17))
		n.are(t, "started 1100.00 2026-11-20", "ahead 1100.00 2026-11-20")
		f.until(clock.Day(2026, 11, 19))
		f.stands("due 0.00, due 0.00, due 0.00; balance 1350.00")
		f.until(clock.Day(2026, 11, 20)) // at most 1,100: a part of the last charge
		f.stands("succeeded 1000.00, succeeded 50.00, partially_paid 50.00; balance 250.00")
		f.told(2)
		f.until(clock.Day(2026, 12, 19))
		n.are(t, "started 1100.00 2026-11-20", "ahead 1100.00 2026-11-20", "ahead 250.00 2026-12-20")
		f.until(clock.Day(2026, 12, 20))
		f.stands("succeeded 1000.00, succeeded 50.00, succeeded 300.00; balance 0.00")
		f.until(clock.Day(2027, 2, 1)) // nothing is owed: nobody is told
		if len(n.notices) != 3 {
			f.Errorf("told %q", n.notices)
		}
		if got := f.autopay(a); *got.NextOn != clock.Day(2027, 2, 20) {
			f.Errorf("next on %s", got.NextOn)
		}
	})
}

func TestAutopayThatBeginsLateIsToldThreeDaysAhead(t *testing.T) {
	each(t, func(f *fixture) {
		n := f.hears()
		f.until(clock.Day(2026, 11, 18)) // in 2 days would be too soon
		a := f.autopays(20, 2000, portfolio.PayByCard, simulated.Clears)
		if *a.NextOn != clock.Day(2026, 12, 20) {
			f.Errorf("next on %s", a.NextOn)
		}
		// The days did not pass for a while: the payment is told of and made later, and none other in that month.
		f.later(33 * 24 * time.Hour)
		f.ok(f.payments.SettleDay(f.Context(), f.by))
		n.are(t, "started 2000.00 2026-12-20", "ahead 1350.00 2026-12-24")
		f.until(clock.Day(2026, 12, 24))
		f.stands("succeeded 1000.00, succeeded 50.00, succeeded 300.00; balance 0.00")
		if got := f.autopay(a); *got.NextOn != clock.Day(2027, 1, 20) {
			f.Errorf("next on %s", got.NextOn)
		}
	})
}

func TestAutopayPaysNoMoreThanWasTold(t *testing.T) {
	each(t, func(f *fixture) {
		n := f.hears()
		f.until(clock.Day(2026, 11, 16))
		f.autopays(20, 2000, portfolio.PayByCard, simulated.Clears)
		_, err := f.payments.PayAs(f.Context(), f.by, f.order(0, 1000), portfolio.PayByCard, simulated.Clears)
		f.ok(err)
		f.until(clock.Day(2026, 11, 17))
		n.are(t, "started 2000.00 2026-11-20", "ahead 350.00 2026-11-20")
		_, err = f.payments.PayAs(f.Context(), f.by, f.order(1, 0, 50), portfolio.PayByCard, simulated.Clears)
		f.ok(err)
		f.until(clock.Day(2026, 11, 20))
		f.stands("succeeded 1000.00, succeeded 50.00, succeeded 300.00; balance 0.00")
	})
}

func TestAutopayEndsWithOneClickAlsoAfterItWasTold(t *testing.T) {
	each(t, func(f *fixture) {
		n := f.hears()
		f.until(clock.Day(2026, 11, 16))
		a := f.autopays(20, 2000, portfolio.PayByCard, simulated.Clears)
		f.until(clock.Day(2026, 11, 19))
		f.ok(f.payments.EndAutopay(f.Context(), f.by, a.ID, payment.EndedByTenant))
		f.ok(f.payments.EndAutopay(f.Context(), f.by, a.ID, payment.EndedFailed)) // which changes nothing
		f.until(clock.Day(2026, 12, 25))
		f.stands("due 0.00, due 0.00, due 0.00; balance 1350.00")
		n.are(t, "started 2000.00 2026-11-20", "ahead 1350.00 2026-11-20", "ended 0.00 2026-11-19")
		got := f.autopay(a)
		if got.Status != payment.AutopayEnded || got.EndedWhy != payment.EndedByTenant || !got.Released ||
			got.LookAt != nil {
			f.Errorf("%+v", got)
		}
		if n := dbtest.Texts(t, f.db, "SELECT autopay_id FROM simulated_sources"); len(n) != 0 {
			f.Errorf("the processor still has %q", n)
		}
	})
}

func TestNewAutopayReplacesTheTenantsOwnAlone(t *testing.T) {
	each(t, func(f *fixture) {
		f.hears()
		first := f.autopays(20, 2000, portfolio.PayByCard, simulated.Clears)
		kim := f.tenants[1]
		f.tenants[0], f.tenants[1] = kim, f.tenants[0]
		other := f.autopays(21, 100, portfolio.PayByCard, simulated.Clears)
		f.tenants[0], f.tenants[1] = f.tenants[1], kim
		second := f.autopays(25, 500, portfolio.PayByACH, simulated.Clears)
		if a := f.autopay(first); a.Status != payment.AutopayEnded || a.EndedWhy != payment.EndedReplaced {
			f.Errorf("%+v", a)
		}
		if f.autopay(other).Status != payment.AutopayActive || f.autopay(second).Status != payment.AutopayActive {
			f.Error("another autopay has ended")
		}
	})
}

func TestFailedAutopayIsToldAndEndsAfterTwoFailuresOrOneForGood(t *testing.T) {
	each(t, func(f *fixture) {
		n := f.hears()
		f.until(clock.Day(2026, 11, 16))
		a := f.autopays(20, 2000, portfolio.PayByCard, simulated.InsufficientFunds)
		f.until(clock.Day(2026, 11, 20))
		f.stands("failed 0.00, failed 0.00, failed 0.00; balance 1350.00")
		f.until(clock.Day(2026, 12, 20))
		n.are(
			t,
			"started 2000.00 2026-11-20",
			"ahead 1350.00 2026-11-20",
			"unpaid 1350.00 2026-11-20 insufficient_funds",
			"ahead 1350.00 2026-12-20",
			"ended 1350.00 2026-12-20 insufficient_funds",
		)
		if got := f.autopay(a); got.Status != payment.AutopayEnded || got.EndedWhy != payment.EndedFailed {
			f.Errorf("%+v", got)
		}
		n.notices = nil
		a = f.autopays(24, 2000, portfolio.PayByACH, simulated.AccountClosed)
		f.until(clock.Day(2026, 12, 31))
		n.are(t, "started 2000.00 2026-12-24", "ahead 1350.00 2026-12-24", "ended 1350.00 2026-12-29 account_closed")
		if got := f.autopay(a); got.EndedWhy != payment.EndedFailed {
			f.Errorf("%+v", got)
		}
	})
}

func TestAutopayWaitsWhileTheLandlordTakesNoOnlinePayments(t *testing.T) {
	each(t, func(f *fixture) {
		n := f.hears()
		f.until(clock.Day(2026, 11, 16))
		f.autopays(20, 1200, portfolio.PayByCard, simulated.Clears)
		f.until(clock.Day(2026, 11, 18))
		f.ok(f.payments.Allow(f.Context(), f.by, f.lease, payment.AllowNone))
		f.until(clock.Day(2026, 12, 20))
		n.are(t, "started 1200.00 2026-11-20", "ahead 1200.00 2026-11-20", "stopped 1200.00 2026-11-20",
			"stopped 1200.00 2026-12-20")
		f.stands("due 0.00, due 0.00, due 0.00; balance 1350.00")
		f.ok(f.payments.Allow(f.Context(), f.by, f.lease, payment.AllowWhole))
		f.until(clock.Day(2027, 1, 20)) // no part of the last charge
		f.stands("succeeded 1000.00, succeeded 50.00, due 0.00; balance 300.00")
	})
}

func TestAutopayEndsWithItsLeaseAndForTenantsWhoCannotBeTold(t *testing.T) {
	each(t, func(f *fixture) {
		n := f.hears()
		f.until(clock.Day(2026, 11, 16))
		a := f.autopays(20, 1200, portfolio.PayByCard, simulated.Clears)
		f.until(clock.Day(2026, 11, 18))
		n.unreachable = f.tenants
		f.until(clock.Day(2026, 11, 20))
		if got := f.autopay(a); got.EndedWhy != payment.EndedUnreachable {
			f.Errorf("%+v", got)
		}
		_, _, err := f.payments.StartAutopay(f.Context(), f.by, &payment.AutopayOrder{
			LeaseID: f.lease, TenantID: f.tenants[0], Day: 1, Most: 100, Text: "I agree.",
		}, nowhere)
		if !fault.Is(err, fault.InvalidTransition) {
			f.Errorf("a tenant who cannot be told: %v", err)
		}
		n.unreachable = nil
		a = f.autopays(25, 1200, portfolio.PayByCard, simulated.Clears)
		f.ok(f.db.Run(f.Context(), "UPDATE leases SET status = 'expired' WHERE id = $1", f.lease))
		f.until(clock.Day(2026, 12, 25))
		if got := f.autopay(a); got.EndedWhy != payment.EndedLease {
			f.Errorf("%+v", got)
		}
		f.stands("due 0.00, due 0.00, due 0.00; balance 1350.00")
	})
}

func TestAutopayRefusesWhatCannotBeAgreedTo(t *testing.T) {
	each(t, func(f *fixture) {
		f.hears()
		good := payment.AutopayOrder{LeaseID: f.lease, TenantID: f.tenants[0], Day: 1, Most: 100}
		for _, test := range []struct {
			name  string
			wrong func(*payment.AutopayOrder)
			code  fault.Code
		}{
			{"day 0", func(o *payment.AutopayOrder) { o.Day = 0 }, fault.InvalidField},
			{"day 29", func(o *payment.AutopayOrder) { o.Day = 29 }, fault.InvalidField},
			{"no limit", func(o *payment.AutopayOrder) { o.Most = 0 }, fault.InvalidField},
			{
				"stranger", func(o *payment.AutopayOrder) { o.TenantID = id.New(id.Tenant, f.clock()) },
				fault.InvalidTransition,
			},
			{"no lease", func(o *payment.AutopayOrder) { o.LeaseID = id.New(id.Lease, f.clock()) }, fault.NoRecord},
		} {
			order := good
			test.wrong(&order)
			if _, _, err := f.payments.StartAutopay(f.Context(), f.by, &order, nowhere); !fault.Is(err, test.code) {
				f.Errorf("%s: %v", test.name, err)
			}
		}
		if n := dbtest.Texts(t, f.db, "SELECT id FROM payment_autopays"); len(n) != 0 {
			f.Errorf("%q are written", n)
		}
	})
}

// deafCharger is a processor that does not answer.
type deafCharger struct {
	*simulated.Processor
	deaf bool
}

func (p *deafCharger) Enroll(
	ctx context.Context, by access.Actor, a *payment.Autopay, returnTo string,
) (payment.Started, error) {
	if p.deaf {
		return payment.Started{}, errDeaf
	}
	return p.Processor.Enroll(ctx, by, a, returnTo)
}

func (p *deafCharger) Charge(
	ctx context.Context, by access.Actor, a *payment.Attempt, of *payment.Autopay,
) (*string, error) {
	if p.deaf {
		return nil, errDeaf
	}
	return p.Processor.Charge(ctx, by, a, of)
}

func (p *deafCharger) Release(ctx context.Context, by access.Actor, a *payment.Autopay) error {
	if p.deaf {
		return errDeaf
	}
	return p.Processor.Release(ctx, by, a)
}

func TestAutopayIsTriedForADayAtAProcessorThatDoesNotAnswer(t *testing.T) {
	each(t, func(f *fixture) {
		pays := simulated.New(f.rules.Common, f.store)
		p := &deafCharger{pays, true}
		s := payment.New(f.rules.Common, f.rules.Ledger, f.store, map[access.Mode]payment.Processor{access.Test: p})
		n := &told{}
		s.Notices = n
		f.payments.Notices = n
		order := &payment.AutopayOrder{
			LeaseID:  f.lease,
			TenantID: f.tenants[0],
			Day:      20,
			Most:     money.Dollars(1000),
			Text:     "I agree.",
		}
		if _, _, err := s.StartAutopay(f.Context(), f.by, order, nowhere); !fault.Is(err, fault.Unavailable) {
			f.Fatalf("started: %v", err)
		}
		p.deaf = false
		f.until(clock.Day(2026, 11, 16))
		a := f.autopays(20, 1000, portfolio.PayByCard, simulated.Clears)
		f.until(clock.Day(2026, 11, 19))
		f.later(24 * time.Hour)
		p.deaf = true
		if err := s.AutopayDay(f.Context(), f.by); !errors.Is(err, errDeaf) {
			f.Fatalf("charged: %v", err)
		}
		// What is to be sent is written, keeps its charges, and is sent by the job once the processor answers.
		f.stands("due 0.00, due 0.00, due 0.00; balance 1350.00")
		for range 3 {
			f.later(time.Hour)
			if err := s.Reconcile(f.Context(), f.clock()); !errors.Is(err, errDeaf) {
				f.Errorf("reconciled: %v", err)
			}
		}
		p.deaf = false
		f.later(time.Hour)
		f.ok(s.Reconcile(f.Context(), f.clock()))
		f.stands("succeeded 1000.00, due 0.00, due 0.00; balance 350.00")
		f.told(1)

		f.until(clock.Day(2026, 12, 19))
		f.later(24 * time.Hour)
		p.deaf = true
		if err := s.AutopayDay(f.Context(), f.by); !errors.Is(err, errDeaf) {
			f.Fatalf("charged: %v", err)
		}
		f.later(25 * time.Hour)
		f.ok(s.Reconcile(f.Context(), f.clock())) // canceled, which this processor hears
		f.stands("succeeded 1000.00, due 0.00, due 0.00; balance 350.00")
		if last := n.notices[len(n.notices)-1]; last != "unpaid 350.00 2026-12-20" {
			f.Errorf("told %q", last)
		}
		if err := s.EndAutopay(f.Context(), f.by, a.ID, payment.EndedByTenant); err != nil {
			f.Fatal(err)
		}
		if f.autopay(a).Released {
			f.Error("the processor has heard that nobody told it")
		}
		p.deaf = false
		f.later(time.Hour)
		f.ok(s.Reconcile(f.Context(), f.clock()))
		if !f.autopay(a).Released {
			f.Error("the processor was not asked again")
		}
	})
}

func TestAutopayThatWasNotFinishedEnds(t *testing.T) {
	each(t, func(f *fixture) {
		n := f.hears()
		a, _, err := f.payments.StartAutopay(f.Context(), f.by, &payment.AutopayOrder{
			LeaseID: f.lease, TenantID: f.tenants[0], Day: 20, Most: 100, Text: "I agree.",
		}, nowhere)
		f.ok(err)
		f.ok(f.payments.Reconcile(f.Context(), f.clock()))
		if got := f.autopay(a); got.Status != payment.AutopayPending {
			f.Errorf("%+v", got)
		}
		f.later(time.Hour)
		f.ok(f.payments.Reconcile(f.Context(), f.clock()))
		if got := f.autopay(a); got.Status != payment.AutopayEnded || got.EndedWhy != payment.EndedUnfinished {
			f.Errorf("%+v", got)
		}
		n.are(t)
	})
}

// A lease that renews another one is paid by autopay that its tenant has agreed to, and by nobody else's.
func TestAutopayGoesOnWithTheLeaseThatRenewsItsOwn(t *testing.T) {
	each(t, func(f *fixture) {
		f.hears()
		f.until(clock.Day(2026, 11, 16))
		a := f.autopays(20, 1000, portfolio.PayByCard, simulated.Clears)
		renewal, err := f.store.Lease(f.Context(), f.by.Portfolio, f.lease)
		f.ok(err)
		renewal.ID = id.New(id.Lease, f.clock())
		renewal.RenewedFromLeaseID = &f.lease
		f.ok(f.store.AddLease(f.Context(), f.by.Portfolio, &renewal))
		f.ok(f.db.Run(f.Context(), "UPDATE leases SET status = 'renewed', renewed_to_lease_id = $2 WHERE id = $1",
			f.lease, renewal.ID))
		f.until(clock.Day(2026, 11, 20))
		got := f.autopay(a)
		if got.Status != payment.AutopayActive || got.LeaseID != renewal.ID {
			f.Errorf("%+v", got)
		}
	})
}

func TestAutopayOfAnotherPortfolioIsNotFound(t *testing.T) {
	each(t, func(f *fixture) {
		f.hears()
		a := f.autopays(20, 1000, portfolio.PayByCard, simulated.Clears)
		stranger := f.by
		stranger.Portfolio = dbtest.NewHome(t, f.db, "erin").Test
		for name, err := range map[string]error{
			"read":    errOf(f.payments.Autopay(f.Context(), stranger, a.ID)),
			"ended":   f.payments.EndAutopay(f.Context(), stranger, a.ID, payment.EndedByTenant),
			"refresh": f.payments.RefreshAutopay(f.Context(), stranger, a.ID),
		} {
			if !fault.Is(err, fault.NoRecord) {
				f.Errorf("%s: %v", name, err)
			}
		}
		if all, err := f.payments.Autopays(f.Context(), stranger, []string{f.lease}); err != nil || len(all) != 0 {
			f.Errorf("%v, %v", all, err)
		}
		if f.autopay(a).Status != payment.AutopayActive {
			f.Error("it has ended")
		}
	})
}

func errOf[T any](_ T, err error) error { return err }

func TestTenantIsToldOnceThatAPaymentHasCleared(t *testing.T) {
	each(t, func(f *fixture) {
		told := f.hears()
		a := f.begins(0, 500)
		f.ok(f.payments.Settle(f.Context(), f.by, a.ID, f.reports(a, payment.Processing)))
		for range 3 {
			f.ok(f.payments.Settle(f.Context(), f.by, a.ID, f.reports(a, payment.Succeeded)))
		}
		b := f.begins(0, 100)
		f.ok(f.payments.Settle(f.Context(), f.by, b.ID, f.reports(b, payment.Failed)))
		if got := strings.Join(told.cleared, " "); got != "500.00" {
			t.Errorf("told that %s has cleared", got)
		}
	})
}

func TestAutopayOfAClosedAccountEndsAndItsCardIsForgotten(t *testing.T) {
	each(t, func(f *fixture) {
		n := f.hears()
		f.until(clock.Day(2026, 11, 16))
		a := f.autopays(20, 1100, portfolio.PayByCard, simulated.Clears)
		closed, err := retentionstore.New(f.db).CloseAccount(f.Context(), f.by.AccountID,
			application.OpenInvitations(), clock.At(f.clock()))
		f.ok(err)
		got := f.autopay(a)
		if !closed || got.Status != payment.AutopayEnded || got.EndedWhy != payment.EndedClosed || got.NextOn != nil {
			f.Fatalf("closed: %v, %+v", closed, got)
		}
		for range 2 {
			f.ok(f.payments.Reconcile(f.Context(), f.clock()))
		}
		if got := f.autopay(a); !got.Released || got.LookAt != nil {
			f.Errorf("%+v", got)
		}
		if left := dbtest.Texts(t, f.db, "SELECT autopay_id FROM simulated_sources"); len(left) != 0 {
			f.Errorf("the processor keeps %q", left)
		}
		n.are(t, "started 1100.00 2026-11-20", "ended 0.00 2026-11-16")
	})
}

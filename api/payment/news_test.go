package payment_test

import (
	"context"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

// knows gives the portfolio an account with the processor.
func (f *fixture) knows(account string) {
	f.Helper()
	f.ok(f.store.AddPaymentAccount(f.Context(), f.by.Portfolio, &payment.Account{
		Processor: simulated.Name, Reference: account, CreatedAt: clock.At(f.clock()),
	}))
}

func TestNewsAreLookedAtInAnyOrderAndBookedOnce(t *testing.T) {
	each(t, func(f *fixture) {
		f.knows("acct_1")
		hear := func(n payment.News) {
			f.Helper()
			n.Processor = simulated.Name
			f.ok(f.payments.Look(f.Context(), n))
		}
		a, _, err := f.payments.Pay(f.Context(), f.by, f.order(0, 1000), nowhere)
		f.ok(err)
		f.ok(simulated.New(f.rules.Common, f.store).Send(f.Context(), f.by, a, portfolio.PayByCard, simulated.Clears))
		hear(payment.News{Account: "acct_1", AttemptID: a.ID}) // its page is not known to be open yet
		f.stands("due 0.00, due 0.00, due 0.00; balance 1350.00")
		f.ok(f.db.Run(f.Context(), "UPDATE payment_attempts SET session = 'cs_1' WHERE id = $1", a.ID))
		stranger := dbtest.NewHome(t, f.db, "erin")
		f.ok(f.store.AddPaymentAccount(f.Context(), stranger.Test, &payment.Account{
			Processor: simulated.Name, Reference: "acct_2", CreatedAt: clock.At(f.clock()),
		}))
		for _, n := range []payment.News{
			{Account: "acct_2", AttemptID: a.ID}, {Account: "acct_0", AttemptID: a.ID}, {Account: "", AttemptID: a.ID},
			{Account: "acct_1", AttemptID: id.New(id.Attempt, f.clock())}, {Account: "acct_1", Payment: "pi_0"},
			{Account: "acct_1", AutopayID: "aut_0"}, {Account: "acct_1", AutopayID: id.New(id.Autopay, f.clock())},
			{Account: "acct_1"},
		} {
			hear(n)
		}
		f.stands("due 0.00, due 0.00, due 0.00; balance 1350.00")
		for range 10 {
			hear(payment.News{Account: "acct_1", AttemptID: a.ID})
			hear(payment.News{Account: "acct_1", Payment: *f.attempt(a).Reference, Payouts: true, Standing: true})
		}
		f.stands("succeeded 1000.00, due 0.00, due 0.00; balance 350.00")
		f.told(1)
	})
}

// forgetful is a processor whose answer to a charge does not come.
type forgetful struct{ *simulated.Processor }

func (p *forgetful) Charge(
	ctx context.Context, by access.Actor, a *payment.Attempt, of *payment.Autopay,
) (*string, error) {
	if _, err := p.Processor.Charge(ctx, by, a, of); err != nil {
		return nil, err
	}
	return nil, errDeaf
}

// State knows a payment of autopay by its reference alone.
func (p *forgetful) State(
	ctx context.Context, by access.Actor, a *payment.Attempt, refunds []payment.Refund,
) (payment.State, error) {
	state, err := p.Processor.State(ctx, by, a, refunds)
	if a.Reference == nil {
		state.Status, state.Reference = payment.Canceled, nil
	}
	return state, err
}

// A charge whose answer was lost is booked by the processor's event, also where the tenant has ended autopay meanwhile.
func TestChargeWhoseAnswerWasLostIsBookedByItsEvent(t *testing.T) {
	each(t, func(f *fixture) {
		f.hears()
		f.knows("acct_1")
		f.until(clock.Day(2026, 11, 16))
		a := f.autopays(20, 1000, portfolio.PayByCard, simulated.Clears)
		f.until(clock.Day(2026, 11, 19))
		f.later(24 * time.Hour)
		p := &forgetful{simulated.New(f.rules.Common, f.store)}
		s := payment.New(f.rules.Common, f.rules.Ledger, f.store, map[access.Mode]payment.Processor{access.Test: p})
		if err := s.AutopayDay(f.Context(), f.by); err == nil {
			f.Fatal("the charge was answered")
		}
		f.ok(s.EndAutopay(f.Context(), f.by, a.ID, payment.EndedByTenant))
		sent := dbtest.Texts(
			t,
			f.db,
			"SELECT id FROM payment_attempts WHERE autopay_id IS NOT NULL AND status = 'canceled'",
		)
		if len(sent) != 1 {
			f.Fatalf("%q are canceled", sent)
		}
		f.stands("due 0.00, due 0.00, due 0.00; balance 1350.00")
		reference := "demo_card_" + sent[0][len(sent[0])-8:]
		for range 3 {
			f.ok(s.Look(f.Context(), payment.News{
				Processor: simulated.Name, Account: "acct_1", AttemptID: sent[0], Payment: reference,
			}))
		}
		f.stands("succeeded 1000.00, due 0.00, due 0.00; balance 350.00")
		f.told(1)
	})
}

package payment_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

// payouts are those of the portfolio by its present day, with what they contain.
func (f *fixture) payouts(want ...string) {
	f.Helper()
	all, err := f.payments.Payouts(f.Context(), f.by, nil, 10)
	f.ok(err)
	var got []string
	for i := range all {
		p, err := f.payments.Payout(f.Context(), f.by, all[i].Reference)
		f.ok(err)
		line := fmt.Sprintf("%s %s %s, at the bank on %s:", p.Reference, p.Status, p.Amount, p.ArrivesOn)
		var sum money.Cents
		for _, m := range p.Movements {
			line += fmt.Sprintf(" %s %s -%s", m.Kind, m.Amount, m.Fee)
			sum += m.Amount - m.Fee
			if m.AttemptID == nil {
				f.Errorf("%s is of no payment", m.Reference)
			}
		}
		if sum != p.Amount {
			f.Errorf("%s contains %s", line, sum)
		}
		got = append(got, line)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		f.Errorf("payouts:\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestPayoutsContainWhatHasComeAndGoneBack(t *testing.T) {
	each(t, func(f *fixture) {
		f.until(clock.Day(2026, 11, 16)) // a Monday
		f.payouts()
		paid, err := f.payments.PayAs(f.Context(), f.by, f.order(0, 1000), portfolio.PayByCard, simulated.Clears)
		f.ok(err)
		_, err = f.payments.PayAs(f.Context(), f.by, f.order(0, 0, 50), portfolio.PayByACH, simulated.Clears)
		f.ok(err)
		f.until(clock.Day(2026, 11, 17))
		f.payouts()
		f.until(clock.Day(2026, 11, 18))
		f.payouts("demo_po_20261118 pending 970.70, at the bank on 2026-11-19: payment 1000.00 -29.30")
		f.refunds(paid, 0, 100)
		f.until(clock.Day(2026, 11, 23))
		f.payouts(
			"demo_po_20261118 paid 970.70, at the bank on 2026-11-19: payment 1000.00 -29.30",
		) // more has gone back than come
		f.until(clock.Day(2026, 11, 24))
		_, err = f.payments.PayAs(
			f.Context(),
			f.by,
			f.order(0, 0, 0, 300),
			portfolio.PayByCard,
			simulated.ChargeDisputed,
		)
		f.ok(err)
		f.until(clock.Day(2026, 11, 26))
		f.payouts(
			"demo_po_20261126 pending 240.60, at the bank on 2026-11-27: "+
				"refund -100.00 -0.00 payment 50.00 -0.40 payment 300.00 -9.00",
			"demo_po_20261118 paid 970.70, at the bank on 2026-11-19: payment 1000.00 -29.30",
		)
		f.until(clock.Day(2026, 11, 27))
		f.payouts(
			"demo_po_20261126 paid 240.60, at the bank on 2026-11-27: "+
				"refund -100.00 -0.00 payment 50.00 -0.40 payment 300.00 -9.00",
			"demo_po_20261118 paid 970.70, at the bank on 2026-11-19: payment 1000.00 -29.30",
		)
		if _, err := f.payments.Payout(f.Context(), f.by, "demo_po_1"); !fault.Is(err, fault.NoRecord) {
			f.Errorf("no payout: %v", err)
		}
		stranger := f.by
		stranger.Portfolio = dbtest.NewHome(t, f.db, "erin").Test
		if _, err := f.payments.Payout(f.Context(), stranger, "demo_po_20261118"); !fault.Is(err, fault.NoRecord) {
			f.Errorf("a stranger's: %v", err)
		}
		found, err := f.payments.RowsOf(f.Context(), f.by, "demo_po_20261126")
		f.ok(err)
		if len(found.IDs) != 3 || found.More {
			f.Errorf("%d rows are in the payout", len(found.IDs))
		}
		if hers, err := f.payments.RowsOf(f.Context(), stranger, "demo_po_20261126"); err != nil || len(hers.IDs) != 0 {
			f.Errorf("a stranger finds %v, %v", hers, err)
		}
	})
}

// refunds has a part of what an attempt has paid of a row go back.
func (f *fixture) refunds(a *payment.Attempt, row int, dollars int64) {
	f.Helper()
	p, err := f.rules.Ledger.PaymentWithTransactions(f.Context(), f.by, f.rows[row])
	f.ok(err)
	for i := range p.Transactions {
		if x := &p.Transactions[i]; x.AttemptID != nil && *x.AttemptID == a.ID {
			_, err := f.payments.Refund(f.Context(), f.by, change.Target{ID: p.ID}, payment.RefundCreate{
				TransactionID: x.ID, Amount: money.Dollars(dollars), Reason: "Asked for.",
			})
			f.ok(err)
			return
		}
	}
	f.Fatal("nothing to refund")
}

func TestDisputeIsAnsweredOnceAndWonOrLost(t *testing.T) {
	for evidence, want := range map[string]string{
		"The tenant signed. " + simulated.WinningEvidence: "succeeded 1000.00",
		"The tenant signed.":                              "failed 0.00",
	} {
		t.Run(want, func(t *testing.T) {
			each(t, func(f *fixture) { f.disputes(evidence, want) })
		})
	}
}

// disputes has a payment be disputed and answered, and looks at how the rent stands in the end.
func (f *fixture) disputes(evidence, want string) {
	f.Helper()

	f.until(clock.Day(2026, 11, 16))
	a, err := f.payments.PayAs(f.Context(), f.by, f.order(0, 1000), portfolio.PayByCard, simulated.ChargeDisputed)
	f.ok(err)
	to := change.Target{ID: f.rows[0]}
	answer := func(words string) error {
		return f.payments.Answer(f.Context(), f.by, to, a.ID, payment.DisputeAnswer{Evidence: words})
	}
	if err := answer(evidence); !fault.Is(err, fault.InvalidTransition) {
		f.Errorf("what was not disputed: %v", err)
	}
	f.until(clock.Day(2026, 11, 17))
	f.stands("failed 0.00, due 0.00, due 0.00; balance 1350.00")
	if got := f.attempt(a); !got.Answerable(f.rules.Today(f.by)) || *got.DisputeDueOn != clock.Day(2026, 12, 8) {
		f.Errorf("%+v", got)
	}
	if err := answer(""); !fault.Is(err, fault.InvalidField) && !fault.Is(err, fault.MissingField) {
		f.Errorf("no evidence: %v", err)
	}
	if err := f.payments.Answer(f.Context(), f.by, change.Target{ID: f.rows[1]}, a.ID,
		payment.DisputeAnswer{Evidence: evidence}); !fault.Is(err, fault.NoRecord) {
		f.Errorf("by another row: %v", err)
	}
	f.ok(answer(evidence))
	if got := f.attempt(a); *got.DisputeStatus != payment.UnderReview {
		f.Errorf("%s", *got.DisputeStatus)
	}
	if err := answer(evidence); !fault.Is(err, fault.InvalidTransition) {
		f.Errorf("twice: %v", err)
	}
	f.until(clock.Day(2026, 11, 23))
	f.stands("failed 0.00, due 0.00, due 0.00; balance 1350.00")
	f.until(clock.Day(2026, 12, 27))
	if got := f.standing(); !strings.HasPrefix(got, want+",") {
		f.Errorf("%s, want %s", got, want)
	}
	row, err := f.rules.Ledger.Payment(f.Context(), f.by, f.rows[0])
	f.ok(err)
	if won := strings.HasPrefix(
		want,
		"succeeded",
	); won != (row.FailureCode == nil) ||
		won != (row.FailureMessage == nil) {
		f.Errorf("the row that is %s says %v", want, row.FailureCode)
	}
}

// forgets is a processor that has moved money which the ledger does not have.
type forgets struct {
	*simulated.Processor
	more []payment.Movement
}

func (p *forgets) Movements(
	ctx context.Context, by access.Actor, account *string, from, to clock.Time,
) ([]payment.Movement, error) {
	all, err := p.Processor.Movements(ctx, by, account, from, to)
	return append(all, p.more...), err
}

func TestComparisonOfADayBooksNewsAndTellsOwnersWhatDiffers(t *testing.T) {
	each(t, func(f *fixture) {
		pays := simulated.New(f.rules.Common, f.store)
		p := &forgets{Processor: pays}
		s := payment.New(f.rules.Common, f.rules.Ledger, f.store, map[access.Mode]payment.Processor{access.Test: p})
		f.until(clock.Day(2026, 11, 16))
		day := clock.Day(2026, 11, 16)
		agree := func(want ...string) {
			f.Helper()
			found, err := s.Compare(f.Context(), f.by, day)
			f.ok(err)
			var got []string
			for _, d := range found {
				got = append(got, d.Words())
			}
			if strings.Join(got, "; ") != strings.Join(want, "; ") {
				f.Errorf("differs %q, want %q", got, want)
			}
		}
		agree()
		a, err := f.payments.PayAs(f.Context(), f.by, f.order(0, 1000), portfolio.PayByCard, simulated.ChargeDisputed)
		f.ok(err)
		agree()
		f.refunds(a, 0, 100)
		agree()
		// A payment was sent, and what became of it was missed: it is booked.
		missed, _, err := s.Pay(f.Context(), f.by, f.order(0, 0, 50), nowhere)
		f.ok(err)
		f.ok(pays.Send(f.Context(), f.by, missed, portfolio.PayByCard, simulated.Clears))
		f.ok(
			f.db.Run(f.Context(), "UPDATE payment_attempts SET reference = 'demo_card_' || substr(id, length(id) - 7) "+
				"WHERE id = $1", missed.ID),
		)
		agree()
		if got := f.attempt(missed); got.Status != payment.Succeeded {
			f.Errorf("what was missed is %s", got.Status)
		}
		// Money that the ledger does not know, and a payment that came to less.
		p.more = []payment.Movement{
			{
				Reference: "txn_1",
				Kind:      payment.MovedPayment,
				Payment:   new("pi_unknown"),
				Amount:    1234,
				At:        clock.At(f.clock()),
			},
			{Reference: "txn_2", Kind: payment.MovedOther, Amount: 5, At: clock.At(f.clock())},
			{
				Reference: "txn_3",
				Kind:      payment.MovedRefund,
				Payment:   missed.Reference,
				Amount:    -700,
				At:        clock.At(f.clock()),
			},
		}
		p.more[2].Payment = f.attempt(missed).Reference
		agree(*f.attempt(missed).Reference+": $43.00 at the processor, $50.00 in the ledger.",
			"pi_unknown: $12.34 at the processor, $0.00 in the ledger.")
		subjects := dbtest.Texts(t, f.db, "SELECT subject FROM mails ORDER BY id")
		if len(subjects) != 1 || subjects[0] != "Payments of November 16, 2026 don’t agree" {
			f.Errorf("emailed %q", subjects)
		}
		p.more = nil
		f.later(24 * time.Hour)
		f.ok(f.payments.SettleDay(f.Context(), f.by))
		day++
		agree() // the dispute
	})
}

// foreign is a processor in whose dashboard a landlord has made a refund.
type foreign struct {
	*simulated.Processor
	made *payment.Refund
}

func (p *foreign) State(
	ctx context.Context, by access.Actor, a *payment.Attempt, refunds []payment.Refund,
) (payment.State, error) {
	state, err := p.Processor.State(ctx, by, a, refunds)
	if p.made != nil {
		state.Refunds = append(state.Refunds, *p.made)
	}
	return state, err
}

func TestRefundInTheProcessorsDashboardIsBookedOnce(t *testing.T) {
	each(t, func(f *fixture) {
		p := &foreign{Processor: simulated.New(f.rules.Common, f.store)}
		s := payment.New(f.rules.Common, f.rules.Ledger, f.store, map[access.Mode]payment.Processor{access.Test: p})
		a, err := f.payments.PayAs(f.Context(), f.by, f.order(0, 1000, 50), portfolio.PayByCard, simulated.Clears)
		f.ok(err)
		p.made = &payment.Refund{
			Amount: money.Dollars(60), Status: payment.RefundSucceeded, Reference: new("re_1"), At: clock.At(f.clock()),
		}
		for range 3 {
			f.ok(s.Refresh(f.Context(), f.by, a.ID))
		}
		f.stands("partially_paid 990.00, refunded 0.00, due 0.00; balance 310.00")
		p.made = &payment.Refund{
			Amount: money.Dollars(
				2000,
			),
			Status:    payment.RefundSucceeded,
			Reference: new("re_2"),
			At:        clock.At(f.clock()),
		}
		for range 3 {
			f.ok(s.Refresh(f.Context(), f.by, a.ID))
		}
		f.stands("refunded 0.00, refunded 0.00, due 0.00; balance 300.00")
		if n := dbtest.Texts(t, f.db, "SELECT subject FROM mails"); len(n) != 1 {
			f.Errorf("emailed %q", n)
		}
	})
}

// The fee is on top of the rows: the ledger does not know it, and the processor takes it where the state allows one.
func TestFeeForPayingOnlineIsAddedWhereTheStateAllowsIt(t *testing.T) {
	each(t, func(f *fixture) {
		if _, err := f.payments.SetOnlineFee(f.Context(), f.by, payment.MostFee+1); !fault.Is(err, fault.InvalidField) {
			f.Errorf("too much: %v", err)
		}
		changed, err := f.payments.SetOnlineFee(f.Context(), f.by, 250)
		if f.ok(err); !changed {
			f.Error("nothing has changed")
		}
		a, err := f.payments.PayAs(f.Context(), f.by, f.order(0, 1000), portfolio.PayByCard, simulated.Clears)
		f.ok(err)
		if a.Fee != 250 || a.Total() != money.Dollars(1000)+250 {
			f.Errorf("%+v", a)
		}
		f.stands("succeeded 1000.00, due 0.00, due 0.00; balance 350.00")
		f.until(clock.Day(2026, 11, 16))
		f.payouts("demo_po_20261116 pending 973.13, at the bank on 2026-11-17: payment 1002.50 -29.37")
		auto := f.autopays(20, 50, portfolio.PayByCard, simulated.Clears)
		f.until(clock.Day(2026, 11, 20))
		all, err := f.payments.Attempts(f.Context(), f.by, []string{f.lease}, 1)
		f.ok(err)
		if all[0].AutopayID == nil || *all[0].AutopayID != auto.ID || all[0].Fee != 0 {
			f.Errorf("autopay pays %+v", all[0])
		}
		for _, n := range payment.NoFeeStates() {
			f.ok(
				f.db.Run(
					f.Context(),
					"UPDATE properties SET state = $2 WHERE portfolio_id = $1",
					f.by.Portfolio.ID,
					n.State,
				),
			)
			if fee, err := f.payments.FeeOf(f.Context(), f.by, f.lease); err != nil || fee != 0 {
				f.Errorf("%s: %s, %v", n.State, fee, err)
			}
		}
	})
}

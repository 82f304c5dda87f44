package simulated

import (
	"context"

	"portal/api/access"
	"portal/api/payment"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// Payments are payments of rent, which demo portfolios make through the simulated processor.
type Payments struct {
	*payment.Service
	processor *Processor
}

// Open makes the payments beside the rules of a portfolio, whose clock has them go on. Live portfolios pay through
// another processor, nil for not at all.
func Open(c *portfolio.Common, l *ledger.Ledger, store interface {
	payment.Store
	Store
}, live payment.Processor) *Payments {
	p := New(c, store)
	processors := map[access.Mode]payment.Processor{access.Test: p}
	if live != nil {
		processors[access.Live] = live
	}
	s := &Payments{payment.New(c, l, store, processors), p}
	c.Payments = s
	return s
}

// Send pays an attempt as a tenant does on the page of the processor, and books it.
func (s *Payments) Send(
	ctx context.Context, by access.Actor, a *payment.Attempt, method portfolio.PaymentMethod, o Outcome,
) error {
	if err := s.processor.Send(ctx, by, a, method, o); err != nil {
		return err
	}
	return s.Refresh(ctx, by, a.ID)
}

// Give gives a card or a bank account for autopay as a tenant does on the page of the processor, and begins autopay.
func (s *Payments) Give(
	ctx context.Context, by access.Actor, a *payment.Autopay, method portfolio.PaymentMethod, o Outcome,
) error {
	if err := s.processor.Give(ctx, by, a, method, o); err != nil {
		return err
	}
	return s.RefreshAutopay(ctx, by, a.ID)
}

// PayAs pays rows of a lease of a demo portfolio, and is what became of it so far.
func (s *Payments) PayAs(
	ctx context.Context, by access.Actor, o payment.Order, method portfolio.PaymentMethod, outcome Outcome,
) (*payment.Attempt, error) {
	if by.Portfolio.Mode != access.Test {
		return nil, errLive(&payment.Attempt{})
	}
	a, _, err := s.Pay(ctx, by, o, func(string) string { return "" })
	if err != nil {
		return nil, err
	}
	if err := s.Send(ctx, by, a, method, outcome); err != nil {
		return nil, err
	}
	return s.Attempt(ctx, by, a.ID)
}

// atOnce is how many payments are looked at in one transaction.
const atOnce = 100

// SettleDay is portfolio.PaymentClock's.
func (s *Payments) SettleDay(ctx context.Context, by access.Actor) error {
	if by.Portfolio.Mode == access.Test {
		if err := s.settleSimulated(ctx, by); err != nil {
			return err
		}
	}
	return s.AutopayDay(ctx, by)
}

// settleSimulated books what has become of simulated payments by the portfolio's present day.
func (s *Payments) settleSimulated(ctx context.Context, by access.Actor) error {
	p := s.processor
	today := p.rules.Today(by)
	for n := atOnce; n == atOnce; {
		if err := p.rules.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
			due, err := p.store.DueSimulated(ctx, by.Portfolio, today, atOnce)
			if err != nil {
				return err
			}
			n = len(due)
			for _, attemptID := range due {
				if err := s.Refresh(ctx, by, attemptID); err != nil {
					return err
				}
				sent, _, err := p.store.Simulated(ctx, by.Portfolio, attemptID)
				if err != nil {
					return err
				}
				sent.NextOn = sent.next(today)
				if err := p.store.SaveSimulated(ctx, by.Portfolio, &sent); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

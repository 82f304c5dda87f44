package payment

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// payoutsAgain is for how many days before the latest known payout others are read again: a payout may fail days
// after it was made.
const payoutsAgain = 35

// KeptPayout is a payout as it is kept, with the attempts that its movements are of.
type KeptPayout struct {
	Payout
	Movements []KeptMovement
}

// KeptMovement is a movement, with the attempt that it is of, nil for none that is known.
type KeptMovement struct {
	Movement
	AttemptID *string
}

// SyncPayouts reads from the processor which payouts a portfolio has had, and keeps them.
func (s *Service) SyncPayouts(ctx context.Context, by access.Actor) error {
	p, account, err := s.processor(ctx, by.Portfolio)
	if err != nil || p == nil {
		return err
	}
	latest, err := s.store.LatestPayout(ctx, by.Portfolio)
	if err != nil {
		return err
	}
	var since clock.Date // all of them at first
	if latest != nil {
		since = clock.DateOf(latest.Std(), by.Zone).AddDays(-payoutsAgain)
	}
	all, err := p.Payouts(ctx, by, account, since)
	if err != nil {
		return fmt.Errorf("ask for the payouts: %w", err)
	}
	if len(all) == 0 {
		return nil
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		return s.store.SavePayouts(ctx, by.Portfolio, all)
	})
}

// Payouts are the latest payouts before a moment, nil for the present, the latest first. Those of a demo portfolio
// follow its clock.
func (s *Service) Payouts(
	ctx context.Context, by access.Actor, before *clock.Time, most int,
) ([]KeptPayout, error) {
	if by.Portfolio.Mode == access.Test {
		if err := s.SyncPayouts(ctx, by); err != nil {
			return nil, err
		}
	}
	return s.store.Payouts(ctx, by.Portfolio, before, most)
}

// mostRows is how many ledger rows of a payout are listed.
const mostRows = 1000

// RowsOf are the ledger rows whose money a payout contains, as a search finds rows: those beyond mostRows are left out.
func (s *Service) RowsOf(ctx context.Context, by access.Actor, reference string) (*portfolio.Named, error) {
	ids, err := s.store.RowsOfPayout(ctx, by.Portfolio, reference, mostRows+1)
	n := &portfolio.Named{IDs: ids}
	if n.More = len(ids) > mostRows; n.More {
		n.IDs = ids[:mostRows]
	}
	return n, err
}

// Payout is a payout with what it contains, or fault.NotFound.
func (s *Service) Payout(ctx context.Context, by access.Actor, reference string) (*KeptPayout, error) {
	p, known, err := s.store.Payout(ctx, by.Portfolio, reference)
	if err == nil && !known {
		err = fault.NotFound("payout")
	}
	return &p, err
}

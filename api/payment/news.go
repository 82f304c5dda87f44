package payment

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
)

// News names what an event of a processor is about. What has become of it is asked for.
type News struct {
	Event     string `json:"event"` // which is heard once
	Processor string `json:"processor"`
	Account   string `json:"account"` // of the landlord at the processor
	AttemptID string `json:"attempt,omitempty"`
	AutopayID string `json:"autopay,omitempty"`
	Payment   string `json:"payment,omitempty"` // what the processor calls it
	Payouts   bool   `json:"payouts,omitempty"`
	Standing  bool   `json:"standing,omitempty"` // of the account
}

// Look asks the processor what has become of what news are about, and books it. News of an account or a payment that
// nobody has here are of no interest.
func (s *Service) Look(ctx context.Context, n News) error {
	in, zone, err := s.store.PortfolioOfAccount(ctx, n.Processor, n.Account)
	if fault.Is(err, fault.NoRecord) {
		return nil
	}
	if err != nil {
		return err
	}
	location, err := clock.Zone(zone)
	if err != nil {
		return err
	}
	by := access.Actor{Portfolio: in, Zone: location}
	for _, step := range []struct {
		due  bool
		look func() error
	}{
		{n.Standing, func() error { return s.RefreshAccount(ctx, by) }},
		{n.AutopayID != "", func() error { return s.lookAtAutopay(ctx, by, n.AutopayID) }},
		{n.AttemptID != "" || n.Payment != "", func() error { return s.lookAtAttempt(ctx, by, n) }},
		{n.Payouts, func() error { return s.SyncPayouts(ctx, by) }},
	} {
		if !step.due {
			continue
		}
		if err := step.look(); err != nil && !fault.Is(err, fault.NoRecord) {
			return err
		}
	}
	return nil
}

func (s *Service) lookAtAutopay(ctx context.Context, by access.Actor, autopayID string) error {
	if !id.Valid(id.Autopay, autopayID) {
		return nil
	}
	return s.RefreshAutopay(ctx, by, autopayID)
}

// lookAtAttempt refreshes the attempt that news are about. One whose page was not opened to its end yet is left to who
// opens it, or to Reconcile.
func (s *Service) lookAtAttempt(ctx context.Context, by access.Actor, n News) error {
	attemptID := n.AttemptID
	if attemptID == "" {
		found, err := s.store.AttemptByReference(ctx, by.Portfolio, n.Payment)
		if err != nil {
			return err
		}
		attemptID = found
	}
	a, err := s.store.Attempt(ctx, by.Portfolio, attemptID)
	if err != nil || a.Status == Open && a.Session == nil && a.AutopayID == nil {
		return err
	}
	if a.AutopayID != nil && a.Reference == nil && n.Payment != "" {
		// It was charged, and this process or another one ended before that was written.
		if err := s.change(ctx, by, a.ID, func(_ context.Context, a *Attempt) error {
			a.Reference = &n.Payment
			return nil
		}); err != nil {
			return err
		}
	}
	return s.Refresh(ctx, by, a.ID)
}

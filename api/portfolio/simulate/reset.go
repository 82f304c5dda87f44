package simulate

import (
	"context"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/fault"
	"portal/api/portfolio/demo"
)

// Reset puts the actor's demo portfolio back to what it was on the first day, with days
// counted from the present one: all of it or, where anything fails, nothing. Changes of the
// portfolio that are under way come before or after it. No delivery that was pending is
// sent afterwards. Only an owner may: others work there too.
func (s *Simulator) Reset(ctx context.Context, by access.Actor) error {
	switch {
	case by.Portfolio.Mode != access.Test:
		return fault.Of(fault.NoRecord)
	case by.Role != access.Owner:
		return fault.New(
			fault.OwnerRequired,
			"Only an owner can reset the demo portfolio: all who use it lose what they have changed there.",
		)
	}
	book := demo.Book(s.Portfolio.Now(by.Portfolio), by.Zone)
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		if err := s.Store.Lock(ctx, by.Portfolio); err != nil {
			return err
		}
		if err := s.Store.ClearDemo(ctx, by.Portfolio); err != nil {
			return err
		}
		if err := s.Store.Add(ctx, by.Portfolio, &book); err != nil {
			return err
		}
		done := audit.Event{AccountID: by.AccountID, Action: "demo.reset", Target: by.AccountID}
		if by.KeyID != "" { // the entry names no user then
			done.Details = map[string]string{"key": by.KeyID}
		}
		return s.Trail.Record(ctx, done)
	})
}

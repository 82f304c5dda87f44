package simulate

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// ClockQueue carries the job that advances a test clock.
type ClockQueue interface {
	// AdvanceClock has the clock of a portfolio advanced once the transaction of the context commits.
	AdvanceClock(ctx context.Context, in access.Portfolio, zone *time.Location) error
}

// mostMonthsAhead is how many months after the real day a test clock can be.
const mostMonthsAhead = 24

// Advance has the test clock of the actor's demo portfolio go to a day, which is today or later. What falls due on the
// way happens day by day in a job, Continue. A day that is out of reach is fault.InvalidField, and a clock that is
// already being advanced fault.InvalidTransition.
func (s *Simulator) Advance(
	ctx context.Context, by access.Actor, to clock.Date,
) (*change.Result[portfolio.TestClockOut], error) {
	if by.Portfolio.Mode != access.Test {
		return nil, fault.Of(fault.NoRecord)
	}
	common := s.Portfolio.Common
	return portfolio.Write(ctx, common, by, func(ctx context.Context) (*change.Result[portfolio.TestClockOut], error) {
		c, err := s.Store.TestClock(ctx, by.Portfolio)
		if err != nil {
			return nil, err
		}
		before := s.shown(by, c)
		if err := advanceable(before, s.Farthest(by), to); err != nil {
			return nil, err
		}
		if to > before.Today {
			c.AdvanceTo, c.AdvanceFrom = &to, &before.Today
			if err := s.begin(ctx, by, c); err != nil {
				return nil, err
			}
		}
		return &change.Result[portfolio.TestClockOut]{Before: before, After: s.shown(by, c)}, nil
	})
}

// Farthest is the last day to which the test clock of the actor's demo portfolio can be advanced.
func (s *Simulator) Farthest(by access.Actor) clock.Date {
	by.Portfolio.Ahead = 0
	return s.Portfolio.Today(by).AddMonths(mostMonthsAhead)
}

// advanceable refuses a day that a clock cannot be advanced to.
func advanceable(c *portfolio.TestClockOut, last, to clock.Date) error {
	switch {
	case to < c.Today || to > last:
		return fault.New(fault.InvalidField,
			"advance_to must be a day from %s, the demo portfolio's today, to %s, two years after the real day.",
			c.Today, last).At("advance_to")
	case c.AdvanceTo != nil:
		return fault.New(fault.InvalidTransition,
			"The test clock is already being advanced, to %s. Wait until GET /me shows that its status is ready.",
			*c.AdvanceTo)
	}
	return nil
}

// begin stores to which day a clock is being advanced, and has a job do it.
func (s *Simulator) begin(ctx context.Context, by access.Actor, c portfolio.TestClock) error {
	if err := s.Store.SetTestClock(ctx, by.Portfolio, c); err != nil {
		return err
	}
	details := map[string]string{"to": c.AdvanceTo.String()}
	if err := s.Portfolio.RecordDone(ctx, by, "demo.clock_advanced", by.AccountID, details); err != nil {
		return err
	}
	if s.Clocks == nil {
		return nil
	}
	return s.Clocks.AdvanceClock(ctx, by.Portfolio, by.Zone)
}

// Clock is the test clock of the actor's demo portfolio.
func (s *Simulator) Clock(ctx context.Context, by access.Actor) (*portfolio.TestClockOut, error) {
	if by.Portfolio.Mode != access.Test {
		return nil, fault.Of(fault.NoRecord)
	}
	c, err := s.Store.TestClock(ctx, by.Portfolio)
	if err != nil {
		return nil, err
	}
	return s.shown(by, c), nil
}

// shown is a clock as callers see it.
func (s *Simulator) shown(by access.Actor, c portfolio.TestClock) *portfolio.TestClockOut {
	by.Portfolio.Ahead = c.Ahead
	out := &portfolio.TestClockOut{
		Object:    "test_clock",
		Status:    portfolio.ClockReady,
		Today:     s.Portfolio.Today(by),
		AdvanceTo: c.AdvanceTo,
		From:      c.AdvanceFrom,
	}
	if c.AdvanceTo != nil {
		out.Status = portfolio.ClockAdvancing
	}
	return out
}

// Continue advances the test clock of a demo portfolio day by day to where it is to go. Each day is one transaction,
// so that whoever continues after a crash begins with the day that had not been committed. Several may do so at once,
// and a reset ends it. A clock that is not being advanced stays as it is.
func (s *Simulator) Continue(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	for {
		done, err := s.nextDay(ctx, in, zone)
		if err != nil || done {
			return err
		}
	}
}

// nextDay begins the next day of a clock that is being advanced, and has everything happen that the day brings.
func (s *Simulator) nextDay(ctx context.Context, in access.Portfolio, zone *time.Location) (done bool, err error) {
	err = s.Store.Exclusively(ctx, in, func(ctx context.Context) error {
		c, err := s.Store.TestClock(ctx, in)
		if done = err == nil && c.AdvanceTo == nil; err != nil || done {
			return err
		}
		in.Ahead = c.Ahead
		left := *c.AdvanceTo - s.Portfolio.Today(access.Actor{Portfolio: in, Zone: zone})
		if left > 0 { // it may be 0 at once: days pass by themselves too
			c.Ahead++
		}
		if done = left <= 1; done {
			c.AdvanceTo, c.AdvanceFrom = nil, nil
		}
		if err := s.Store.SetTestClock(ctx, in, c); err != nil {
			return err
		}
		if err := s.Portfolio.Calendar.RollOver(ctx, in, zone); err != nil || s.Tenants == nil {
			return err
		}
		in.Ahead = c.Ahead
		return s.Tenants.SendLockedRentNotices(ctx, in, zone)
	})
	return done, err
}

// ContinueAll is Continue for every clock that is being advanced. One that fails keeps no other back.
func (s *Simulator) ContinueAll(ctx context.Context) error {
	return s.Store.Advancing(ctx, func(in access.Portfolio, zone string) error {
		location, err := clock.Zone(zone)
		if err != nil {
			return err
		}
		return s.Continue(ctx, in, location)
	})
}

// StopClock ends an advance that cannot go on: the clock stays at the day that it has reached.
func (s *Simulator) StopClock(ctx context.Context, in access.Portfolio) error {
	return s.Store.Exclusively(ctx, in, func(ctx context.Context) error {
		c, err := s.Store.TestClock(ctx, in)
		if err != nil || c.AdvanceTo == nil {
			return err
		}
		return s.Store.SetTestClock(ctx, in, portfolio.TestClock{Ahead: c.Ahead})
	})
}

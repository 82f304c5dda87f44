package webhook

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
)

// EnableEndpoint has events sent to an endpoint again, and tells how many it has missed
// since it was disabled; SendMissed sends those. They are counted before anybody has to
// wait for the change.
func (s *Service) EnableEndpoint(
	ctx context.Context, by access.Actor, id string,
) (made *change.Result[Endpoint], missed int, err error) {
	if err := by.Need(access.Write); err != nil {
		return nil, 0, err
	}
	e, err := s.store.Endpoint(ctx, by.Portfolio, id)
	if err != nil {
		return nil, 0, err
	}
	if e.Status == Disabled {
		if missed, err = s.MissedEvents.countMissed(ctx, by.Portfolio, &e, Span{
			From: *e.DisabledAt,
			To:   clock.At(s.now()),
		}); err != nil {
			return nil, 0, err
		}
	}
	err = s.write(ctx, by.Portfolio, func(ctx context.Context, now time.Time) error {
		before, err := s.store.Endpoint(ctx, by.Portfolio, id)
		if err != nil {
			return err
		}
		e := before
		made = &change.Result[Endpoint]{Before: &before, After: &e}
		if e.Status == Enabled {
			return nil
		}
		if err := s.enable(ctx, by.Portfolio, &e); err != nil {
			return err
		}
		e.changed(clock.At(now))
		if err := s.store.EnableEndpoint(ctx, by.Portfolio, &e); err != nil {
			return err
		}
		return s.record(ctx, by, "endpoint.enabled", id)
	})
	return made, missed, err
}

// enable makes of a disabled endpoint an enabled one, if the portfolio may have one more.
// The caller saves it.
func (s *Service) enable(ctx context.Context, in access.Portfolio, e *Endpoint) error {
	if _, err := s.withinLimit(ctx, in); err != nil {
		return err
	}
	e.Status, e.DisabledAt, e.DisabledReason = Enabled, nil, nil
	return nil
}

// mostCounted is how many missed events an answer of the API counts.
const mostCounted = 1000

// offerMissed tells what an endpoint has missed since it was disabled, and how to have it
// sent.
func (s *Service) offerMissed(
	ctx context.Context, in access.Portfolio, made *change.Result[Endpoint], now time.Time,
) error {
	m := Span{From: *made.Before.DisabledAt, To: clock.At(now) + 1}
	missed, err := s.MissedEvents.missed(ctx, in, made.After, m, "", mostCounted+1)
	if err != nil || len(missed) == 0 {
		return err
	}
	n := strconv.Itoa(len(missed))
	if len(missed) > mostCounted {
		n = fmt.Sprintf("more than %d", mostCounted)
	}
	made.Warn(
		"events_missed",
		fmt.Sprintf(
			`The endpoint has missed %s of its events since it was disabled. Have them sent with POST /api/v1/external/webhooks/endpoints/%s/redeliver_missed and the body {"since": %q}.`,
			n,
			made.After.ID,
			m.From,
		),
	)
	return nil
}

// enabled is an endpoint that something can be sent to.
func (s *Service) enabled(ctx context.Context, in access.Portfolio, id string) (Endpoint, error) {
	e, err := s.store.Endpoint(ctx, in, id)
	if err == nil && e.Status != Enabled {
		err = fault.New(fault.InvalidTransition, "The endpoint is disabled. Enable it first.")
	}
	return e, err
}

// DisableEndpoint ends the sending to an endpoint and cancels what is queued for it;
// the endpoint and its history stay. One that is disabled already stays as it is,
// with the reason it has.
func (s *Service) DisableEndpoint(ctx context.Context, by access.Actor, id string) (*change.Result[Endpoint], error) {
	return makes(ctx, by, s.alone, nil, func(ctx context.Context, now time.Time) (*change.Result[Endpoint], error) {
		before, err := s.store.Endpoint(ctx, by.Portfolio, id)
		if err != nil {
			return nil, err
		}
		e := before
		made := &change.Result[Endpoint]{Before: &before, After: &e}
		if err := s.disable(ctx, by.Portfolio, &e, disabler(ctx), now); err != nil {
			return nil, err
		}
		return made, s.record(ctx, by, "endpoint.disabled", id)
	})
}

// disabler is the person or program that disables an endpoint within a context.
func disabler(ctx context.Context) DisabledReason {
	if personal(ctx) {
		return ByDashboard
	}
	return ByAPI
}

// disable ends the sending to an endpoint.
func (s *Service) disable(
	ctx context.Context, in access.Portfolio, e *Endpoint, why DisabledReason, now time.Time,
) error {
	if err := s.end(ctx, in, e, why, now); err != nil {
		return err
	}
	return s.stop(ctx, now, EndpointRef{in, e.ID})
}

// end notes that an endpoint is disabled. One that was before stays as it is.
func (s *Service) end(ctx context.Context, in access.Portfolio, e *Endpoint, why DisabledReason, now time.Time) error {
	if e.Status != Enabled {
		return nil
	}
	e.disabled(why, clock.At(now))
	e.changed(clock.At(now))
	return s.store.SaveEndpoint(ctx, in, e)
}

// disabled notes that an endpoint is disabled, by whom and when.
func (e *Endpoint) disabled(why DisabledReason, at clock.Time) {
	e.Status, e.DisabledAt, e.DisabledReason = Disabled, &at, &why
}

// stop keeps attempts at disabled endpoints from being made, and cancels what is queued
// for them: once that is durable no attempt starts, in any process. Attempts are stopped
// within the transaction, so that a repeated request waits for that too.
func (s *Service) stop(ctx context.Context, now time.Time, endpoints ...EndpointRef) error {
	if err := s.stopStarts(ctx, endpoints...); err != nil {
		return err
	}
	for _, p := range endpoints {
		if err := s.store.CancelDeliveries(ctx, p.Portfolio, p.Endpoint, clock.At(now)); err != nil {
			return err
		}
	}
	return nil
}

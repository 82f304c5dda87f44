package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
)

// DisableEndpoint ends the sending to an endpoint and cancels what is queued for it;
// the endpoint and its history stay. One that is disabled already stays as it is,
// with the reason it has.
func (s *Service) DisableEndpoint(ctx context.Context, by access.Actor, id string) (*change.Result[Endpoint], error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	var made *change.Result[Endpoint]
	err := s.alone(ctx, by.Portfolio, func(ctx context.Context, now time.Time) error {
		before, err := s.store.Endpoint(ctx, by.Portfolio, id)
		if err != nil {
			return err
		}
		e := before
		made = &change.Result[Endpoint]{Before: &before, After: &e}
		if err := s.disable(ctx, by.Portfolio, &e, disabler(ctx), now); err != nil {
			return err
		}
		return s.record(ctx, by, "endpoint.disabled", id)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
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

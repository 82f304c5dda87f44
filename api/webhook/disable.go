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
func (s *Service) DisableEndpoint(ctx context.Context, by access.Actor, id string) (*change.Made[Endpoint], error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	var made *change.Made[Endpoint]
	err := s.alone(ctx, by.Portfolio, func(ctx context.Context, now time.Time) error {
		before, err := s.store.Endpoint(ctx, by.Portfolio, id)
		if err != nil {
			return err
		}
		e := before
		made = &change.Made[Endpoint]{Before: &before, After: &e}
		if e.Status == Enabled {
			at, why := clock.At(now), ByAPI
			e.Status, e.DisabledAt, e.DisabledReason = Disabled, &at, &why
			e.changed(at)
			if err := s.store.SaveEndpoint(ctx, by.Portfolio, &e); err != nil {
				return err
			}
		}
		return s.store.CancelDeliveries(ctx, by.Portfolio, id)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

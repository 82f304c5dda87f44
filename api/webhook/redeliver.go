package webhook

import (
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
)

// Redeliver makes an attempt at a delivery at once, whatever became of it. Where it fails
// its schedule begins anew.
func (s *Service) Redeliver(ctx context.Context, by access.Actor, id string) (*change.Result[Delivery], error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	var made *change.Result[Delivery]
	err := s.write(ctx, by.Portfolio, func(ctx context.Context, now time.Time) (err error) {
		made, err = s.redeliver(ctx, by, id, now)
		return err
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// MostRedelivered is how many deliveries can be redelivered at once.
const MostRedelivered = 100

// RedeliverEach makes an attempt at each of several deliveries at once, as Redeliver does, and tells how many
// they are. It leaves out what cannot be sent again and what the portfolio has not.
func (s *Service) RedeliverEach(ctx context.Context, by access.Actor, ids []string) (queued int, err error) {
	if err := by.Need(access.Write); err != nil {
		return 0, err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) > MostRedelivered {
		return 0, fault.New(fault.InvalidField, "You can resend at most %d deliveries at once.", MostRedelivered)
	}
	err = s.write(ctx, by.Portfolio, func(ctx context.Context, now time.Time) error {
		queued = 0
		for _, id := range ids {
			_, err := s.redeliver(ctx, by, id, now)
			switch {
			case err == nil:
				queued++
			case !fault.Is(err, fault.NoRecord) && !fault.Is(err, fault.InvalidTransition):
				return err
			}
		}
		return nil
	})
	return queued, err
}

// redeliver queues a delivery in the transaction of the context. It writes nothing where it refuses.
func (s *Service) redeliver(
	ctx context.Context, by access.Actor, id string, now time.Time,
) (*change.Result[Delivery], error) {
	before, err := s.store.Delivery(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	if err := s.sendable(ctx, by.Portfolio, &before); err != nil {
		return nil, err
	}
	free, err := s.store.Redeliver(ctx, by.Portfolio, id, clock.At(now))
	if err == nil && !free {
		err = fault.New(
			fault.InvalidTransition,
			"An attempt at this delivery is running. Wait for its end, which takes at most 10 seconds.",
		)
	}
	if err != nil {
		return nil, err
	}
	after, err := s.store.Delivery(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	before.Attempts, after.Attempts = nil, nil
	s.wakeAfter(ctx, EndpointRef{by.Portfolio, after.EndpointID})
	return &change.Result[Delivery]{Before: &before, After: &after}, s.record(ctx, by, "delivery.redelivered", id)
}

// sendable refuses a delivery that cannot be sent again: that of a disabled endpoint, and
// that of an event whose content has been forgotten.
func (s *Service) sendable(ctx context.Context, in access.Portfolio, d *Delivery) error {
	if _, err := s.enabled(ctx, in, d.EndpointID); err != nil {
		return err
	}
	event, err := s.store.Event(ctx, in, d.EventID)
	if err == nil && event.Body == nil {
		err = fault.New(
			fault.InvalidTransition,
			"The event of this delivery is older than 90 days; its content has been forgotten, and it cannot be sent again.",
		)
	}
	return err
}

// Test sends an event of the kind endpoint.test to an endpoint; its record is the
// endpoint itself. It shows the delivery.
func (s *Service) Test(ctx context.Context, by access.Actor, endpointID string) (*change.Result[Delivery], error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	var made *change.Result[Delivery]
	err := s.write(ctx, by.Portfolio, func(ctx context.Context, _ time.Time) error {
		e, err := s.enabled(ctx, by.Portfolio, endpointID)
		if err != nil {
			return err
		}
		deliveries, err := s.tell(ctx, by.Portfolio, event.EndpointTest, &e, []Endpoint{e})
		if err != nil {
			return err
		}
		d, err := s.store.Delivery(ctx, by.Portfolio, deliveries[0])
		if err != nil {
			return err
		}
		d.Attempts = nil
		made = &change.Result[Delivery]{After: &d}
		return s.record(ctx, by, "endpoint.tested", endpointID)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// EnableEndpoint has events sent to an endpoint again, and tells how many it has missed
// since it was disabled; SendMissed sends those. They are counted before anybody has to
// wait for the change.
func (s *Service) EnableEndpoint(ctx context.Context, by access.Actor, id string) (made *change.Made[Endpoint], missed int, err error) {
	if err := by.Need(access.Write); err != nil {
		return nil, 0, err
	}
	e, err := s.store.Endpoint(ctx, by.Portfolio, id)
	if err != nil {
		return nil, 0, err
	}
	if e.Status == Disabled {
		if missed, err = s.countMissed(ctx, by.Portfolio, &e, Span{From: *e.DisabledAt, To: clock.At(s.now())}); err != nil {
			return nil, 0, err
		}
	}
	made, err = s.enable(ctx, by, id)
	return made, missed, err
}

func (s *Service) enable(ctx context.Context, by access.Actor, id string) (made *change.Made[Endpoint], err error) {
	in := by.Portfolio
	err = s.alone(ctx, in, func(ctx context.Context, now time.Time) error {
		before, err := s.store.Endpoint(ctx, in, id)
		if err != nil {
			return err
		}
		e := before
		made = &change.Made[Endpoint]{Before: &before, After: &e}
		if e.Status == Enabled {
			return nil
		}
		if _, err := s.room(ctx, in); err != nil {
			return err
		}
		e.Status, e.DisabledAt, e.DisabledReason = Enabled, nil, nil
		e.changed(clock.At(now))
		if err := s.store.EnableEndpoint(ctx, in, &e); err != nil {
			return err
		}
		return s.record(ctx, by, "endpoint.enabled", id)
	})
	return made, err
}

// Span is a time, from a moment up to before another.
type Span struct{ From, To clock.Time }

// Missed is an event that an endpoint has not been sent, with its delivery if there is one.
type Missed struct {
	EventID, DeliveryID string
	Type                Kind
}

// missedPart is how many missed events are queued in one transaction, so that other
// writes need not wait long.
const missedPart = 500

// CountMissed tells how many events of a time SendMissed would send to an endpoint.
func (s *Service) CountMissed(ctx context.Context, by access.Actor, id string, m Span) (int, error) {
	e, err := s.store.Endpoint(ctx, by.Portfolio, id)
	if err != nil {
		return 0, err
	}
	return s.countMissed(ctx, by.Portfolio, &e, m)
}

func (s *Service) countMissed(ctx context.Context, in access.Portfolio, e *Endpoint, m Span) (n int, err error) {
	for position := ""; ; {
		missed, err := s.store.Missed(ctx, in, e, m, position, missedPart)
		if err != nil || len(missed) == 0 {
			return n, err
		}
		n += len(missed)
		position = missed[len(missed)-1].EventID
	}
}

// SendMissed queues the events of a time that an endpoint chose and has not acknowledged:
// those that failed, were cancelled, or happened while it was disabled. An event that is
// on its way already is left to that. It tells how many are queued; doing it again queues
// none of them twice.
func (s *Service) SendMissed(ctx context.Context, by access.Actor, id string, m Span) (n int, err error) {
	if err := by.Need(access.Write); err != nil {
		return 0, err
	}
	for position := ""; ; {
		part, last, err := s.sendMissed(ctx, by, id, m, position)
		n += part
		if err != nil || last == "" {
			return n, err
		}
		position = last
	}
}

// sendMissed queues some in one transaction and names the last of them, "" at the end.
func (s *Service) sendMissed(ctx context.Context, by access.Actor, id string, m Span, position string) (n int, last string, err error) {
	in := by.Portfolio
	err = s.alone(ctx, in, func(ctx context.Context, now time.Time) error {
		e, err := s.enabled(ctx, in, id)
		if err != nil {
			return err
		}
		missed, err := s.store.Missed(ctx, in, &e, m, position, missedPart)
		n, last = len(missed), ""
		for _, one := range missed {
			if err := s.again(ctx, Place{in, id}, one, now); err != nil {
				return err
			}
			last = one.EventID
		}
		if err != nil || n == 0 {
			return err
		}
		return s.record(ctx, by, "endpoint.missed_sent", id)
	})
	return n, last, err
}

// again queues a missed event: its delivery, or a new one where it has none.
func (s *Service) again(ctx context.Context, p Place, one Missed, now time.Time) error {
	if one.DeliveryID == "" {
		_, err := s.queue(ctx, p.Portfolio, []Endpoint{{Record: portfolio.Record{ID: p.Endpoint}}}, &Event{ID: one.EventID, Type: one.Type}, now)
		return err
	}
	_, err := s.store.Redeliver(ctx, p.Portfolio, one.DeliveryID, clock.At(now))
	s.wakeAfter(ctx, p)
	return err
}

// Redeliver makes an attempt at a delivery at once, whatever became of it. Where it fails
// its schedule begins anew.
func (s *Service) Redeliver(ctx context.Context, by access.Actor, id string) error {
	if err := by.Need(access.Write); err != nil {
		return err
	}
	return s.alone(ctx, by.Portfolio, func(ctx context.Context, now time.Time) error {
		d, err := s.store.Delivery(ctx, by.Portfolio, id)
		if err != nil {
			return err
		}
		if _, err := s.enabled(ctx, by.Portfolio, d.EndpointID); err != nil {
			return err
		}
		event, err := s.store.Event(ctx, by.Portfolio, d.EventID)
		if err != nil {
			return err
		}
		if event.Body == nil {
			return fault.New(fault.InvalidTransition, "The event of this delivery is older than 90 days; its content has been forgotten, and it cannot be sent again.")
		}
		free, err := s.store.Redeliver(ctx, by.Portfolio, id, clock.At(now))
		if err == nil && !free {
			err = fault.New(fault.InvalidTransition, "An attempt at this delivery is running. Wait for its end, which takes at most 10 seconds.")
		}
		if err != nil {
			return err
		}
		s.wakeAfter(ctx, Place{by.Portfolio, d.EndpointID})
		return s.record(ctx, by, "delivery.redelivered", id)
	})
}

// enabled is an endpoint that something can be sent to.
func (s *Service) enabled(ctx context.Context, in access.Portfolio, id string) (Endpoint, error) {
	e, err := s.store.Endpoint(ctx, in, id)
	if err == nil && e.Status != Enabled {
		err = fault.New(fault.InvalidTransition, "The endpoint is disabled, so nothing is sent to it. Enable it first.")
	}
	return e, err
}

package webhook

import (
	"context"
	"fmt"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
)

// Event is what happened, as it is told.
type Event struct {
	ID        string
	CreatedAt clock.Time
	Type      Kind
	Body      []byte // the final bytes; nil once they have been forgotten
}

// Identity is the id of the event.
func (e *Event) Identity() string { return e.ID }

// Revision is always the same: what happened does not change.
func (e *Event) Revision() int64 { return 1 }

// Raise stores an event about a record as it is at this moment, with its final bytes,
// and a delivery for each endpoint that chose its kind, in the transaction of the
// context: what is rolled back is never sent, what is committed is never lost.
func (s *Service) Raise(ctx context.Context, in access.Portfolio, kind string, record any) error {
	return s.store.Exclusively(ctx, in, func(ctx context.Context) error {
		endpoints, err := s.store.EnabledEndpoints(ctx, in)
		if err != nil {
			return err
		}
		endpoints = slices.DeleteFunc(endpoints, func(e Endpoint) bool { return !e.chose(Kind(kind)) })
		_, err = s.tell(ctx, in, Kind(kind), record, endpoints)
		return err
	})
}

// chose reports whether an endpoint is sent a kind of event.
func (e *Endpoint) chose(k Kind) bool {
	return slices.Contains(e.Events, EveryKind) || slices.Contains(e.Events, k)
}

// tell stores an event and its deliveries, which it names, and wakes who sends them.
func (s *Service) tell(
	ctx context.Context, in access.Portfolio, kind Kind, record any, to []Endpoint,
) (deliveries []string, err error) {
	now := s.now()
	e := Event{ID: id.New(id.Event, now), CreatedAt: clock.At(now), Type: kind}
	about, known := kindOf(kind)
	if !known {
		return nil, fmt.Errorf("there is no event %s", kind)
	}
	if e.Body, err = about.Body(&event.Header{
		ID:        e.ID,
		Type:      string(kind),
		CreatedAt: e.CreatedAt,
		Mode:      in.Mode,
	}, record); err != nil {
		return nil, err
	}
	if err := s.store.AddEvent(ctx, in, &e); err != nil {
		return nil, fmt.Errorf("store the event: %w", err)
	}
	s.store.After(ctx, func() { s.readers.wake(in) })
	return s.queue(ctx, in, to, &e, now)
}

// queue adds deliveries of an event to endpoints, for attempts at once, and names them.
func (s *Service) queue(
	ctx context.Context, in access.Portfolio, to []Endpoint, e *Event, now time.Time,
) (ids []string, err error) {
	all := make([]Delivery, len(to))
	for i := range to {
		all[i] = Delivery{
			ID:         id.New(id.Delivery, now),
			CreatedAt:  clock.At(now),
			EventID:    e.ID,
			EventType:  event.Type(e.Type),
			EndpointID: to[i].ID,
		}
		ids = append(ids, all[i].ID)
		s.wakeAfter(ctx, EndpointRef{in, to[i].ID})
	}
	if err := s.store.AddDeliveries(ctx, in, all); err != nil {
		return nil, fmt.Errorf("queue the deliveries: %w", err)
	}
	return ids, nil
}

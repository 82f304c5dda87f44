package webhook

import (
	"context"
	"fmt"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/wire"
)

// APIVersion is the version of the records that events carry (service.md, Versioning).
const APIVersion = "0.1.0"

// EndpointTest is the kind of an event that is sent on request, to one endpoint and
// whatever it chose.
const EndpointTest Kind = "endpoint.test"

// Event is what happened, as it is told.
type Event struct {
	ID        string
	CreatedAt clock.Time
	Type      Kind
	Body      []byte // the final bytes; nil once they have been forgotten
}

// Raise stores an event about a record as it is at this moment, with its final bytes,
// and a delivery for each endpoint that chose its kind, in the transaction of the
// context: what is rolled back is never sent, what is committed is never lost.
func (s *Service) Raise(ctx context.Context, in access.Portfolio, kind string, record any) error {
	data, err := encoded(record)
	if err != nil {
		return err
	}
	return s.store.Atomically(ctx, func(ctx context.Context) error {
		if err := s.store.Hold(ctx, in); err != nil {
			return err
		}
		endpoints, err := s.store.EnabledEndpoints(ctx, in)
		if err != nil {
			return err
		}
		endpoints = slices.DeleteFunc(endpoints, func(e Endpoint) bool { return !e.chose(Kind(kind)) })
		_, err = s.tell(ctx, in, Kind(kind), data, endpoints)
		return err
	})
}

// chose tells whether an endpoint is sent a kind of event.
func (e *Endpoint) chose(k Kind) bool {
	return slices.Contains(e.Events, EveryKind) || slices.Contains(e.Events, k)
}

// tell stores an event and its deliveries, which it names, and wakes who sends them.
func (s *Service) tell(ctx context.Context, in access.Portfolio, kind Kind, data []byte, to []Endpoint) (deliveries []string, err error) {
	now := s.now()
	e := Event{ID: id.New(id.Event, now), CreatedAt: clock.At(now), Type: kind}
	e.Body = e.bytes(in.Mode, data)
	if err := s.store.AddEvent(ctx, in, &e); err != nil {
		return nil, fmt.Errorf("store the event: %w", err)
	}
	s.store.After(ctx, func() { s.readers.wake(in) })
	for i := range to {
		d, err := s.queue(ctx, Place{in, to[i].ID}, e.ID, now)
		if err != nil {
			return nil, err
		}
		deliveries = append(deliveries, d)
	}
	return deliveries, nil
}

// queue adds a delivery of an event to an endpoint, for an attempt at once.
func (s *Service) queue(ctx context.Context, p Place, event string, now time.Time) (string, error) {
	d := Delivery{ID: id.New(id.Delivery, now), CreatedAt: clock.At(now), EventID: event, EndpointID: p.Endpoint}
	if err := s.store.AddDelivery(ctx, p.Portfolio, &d); err != nil {
		return "", fmt.Errorf("queue the delivery: %w", err)
	}
	s.wakeAfter(ctx, p)
	return d.ID, nil
}

// bytes are what every attempt sends, unchanged.
func (e *Event) bytes(mode access.Mode, data []byte) []byte {
	b := make([]byte, 0, len(data)+200)
	b = append(b, `{"id":`...)
	b = wire.AppendString(b, e.ID)
	b = append(b, `,"object":"event","type":`...)
	b = wire.AppendString(b, string(e.Type))
	b = append(b, `,"api_version":"`+APIVersion+`","created_at":`...)
	b = e.CreatedAt.AppendJSON(b)
	b = append(b, `,"mode":`...)
	b = wire.AppendString(b, string(mode))
	b = append(b, `,"data":{"object":`...)
	b = append(b, data...)
	return append(b, "}}"...)
}

var (
	encodeLease    = operation.Encoder[portfolio.Lease]()
	encodePayment  = operation.Encoder[portfolio.Payment]()
	encodeTicket   = operation.Encoder[portfolio.Ticket]()
	encodeEndpoint = operation.Encoder[Endpoint]()
)

// encoded is a record as REST shows it.
func encoded(record any) ([]byte, error) {
	switch r := record.(type) {
	case *portfolio.Lease:
		return encodeLease(nil, r), nil
	case *portfolio.Payment:
		return encodePayment(nil, r), nil
	case *portfolio.Ticket:
		return encodeTicket(nil, r), nil
	case *Endpoint:
		return encodeEndpoint(nil, r), nil
	}
	return nil, fmt.Errorf("no event tells of a %T", record)
}

// Test sends an event of the kind endpoint.test to an endpoint; its record is the
// endpoint itself. The delivery is named.
func (s *Service) Test(ctx context.Context, by access.Actor, endpointID string) (delivery string, err error) {
	if err := by.Need(access.Write); err != nil {
		return "", err
	}
	err = s.alone(ctx, by.Portfolio, func(ctx context.Context, _ time.Time) error {
		e, err := s.enabled(ctx, by.Portfolio, endpointID)
		if err != nil {
			return err
		}
		deliveries, err := s.tell(ctx, by.Portfolio, EndpointTest, encodeEndpoint(nil, &e), []Endpoint{e})
		if err == nil {
			delivery = deliveries[0]
		}
		return err
	})
	return delivery, err
}

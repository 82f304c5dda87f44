package webhook

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/operation"
	"portal/api/portfolio"
)

// APIVersion is the version of the records that events carry (service.md, Versioning).
const APIVersion = "0.1.0"

// Notice is the body of an event about a record of a kind.
type Notice[T any] struct {
	// Identifier of the event; webhook-id has it too, in every attempt.
	ID string `json:"id" format:"id" prefix:"evt"`
	// The kind of object.
	Object string `json:"object" const:"event"`
	// What happened.
	Type EventType `json:"type" example:"lease.signed"`
	// Version of the record.
	APIVersion string `json:"api_version" const:"0.1.0"`
	// When it happened.
	CreatedAt clock.Time `json:"created_at"`
	// test for the demo portfolio, live for the real one.
	Mode access.Mode `json:"mode"`
	// What it is about.
	Data Subject[T] `json:"data"`
}

// SchemaName is the name of the OpenAPI component.
func (Notice[T]) SchemaName() string { return eventOf[T]() }

// Constants are the fields whose only value comes from the kind of the record.
func (Notice[T]) Constants() map[string]string { return map[string]string{"type": string(typeOf[T]())} }

// Subject is the record that an event is about.
type Subject[T any] struct {
	// The complete record, as it was at that moment, without links that open something: those are
	// null. Retrieve the record for them.
	Object T `json:"object"`
}

// SchemaName is the name of the OpenAPI component.
func (Subject[T]) SchemaName() string { return eventOf[T]() + "Data" }

// eventOf names the event that is about a record of a type.
func eventOf[T any]() string {
	switch typeOf[T]() {
	case EventType(LeaseSigned):
		return "LeaseSignedEvent"
	case EventType(PaymentSucceeded):
		return "PaymentSucceededEvent"
	case EventType(MaintenanceCreated):
		return "MaintenanceCreatedEvent"
	}
	return "EndpointTestEvent"
}

// typeOf is the type of the event that is about a record of a type.
func typeOf[T any]() EventType {
	switch reflect.TypeFor[T]() {
	case reflect.TypeFor[portfolio.Lease]():
		return EventType(LeaseSigned)
	case reflect.TypeFor[portfolio.Payment]():
		return EventType(PaymentSucceeded)
	case reflect.TypeFor[portfolio.Ticket]():
		return EventType(MaintenanceCreated)
	}
	return EventType(EndpointTest)
}

// EventType is a kind of event that happens.
type EventType string

// Values are all types of events.
func (EventType) Values() []string {
	return []string{string(LeaseSigned), string(PaymentSucceeded), string(MaintenanceCreated), string(EndpointTest)}
}

// EndpointTest is the kind of an event that is sent on request, to one endpoint and
// whatever it chose.
const EndpointTest Kind = "endpoint.test"

// SchemaName is the name of the OpenAPI component.
func (EventType) SchemaName() string { return "EventType" }

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
	return s.stores.Transactions.Exclusively(ctx, in, func(ctx context.Context) error {
		endpoints, err := s.stores.Endpoints.EnabledEndpoints(ctx, in)
		if err != nil {
			return err
		}
		endpoints = slices.DeleteFunc(endpoints, func(e Endpoint) bool { return !e.chose(Kind(kind)) })
		_, err = s.tell(ctx, in, Kind(kind), record, endpoints)
		return err
	})
}

// chose tells whether an endpoint is sent a kind of event.
func (e *Endpoint) chose(k Kind) bool {
	return slices.Contains(e.Events, EveryKind) || slices.Contains(e.Events, k)
}

// tell stores an event and its deliveries, which it names, and wakes who sends them.
func (s *Service) tell(
	ctx context.Context, in access.Portfolio, kind Kind, record any, to []Endpoint,
) (deliveries []string, err error) {
	now := s.now()
	e := Event{ID: id.New(id.Event, now), CreatedAt: clock.At(now), Type: kind}
	if e.Body, err = e.about(record, in.Mode); err != nil {
		return nil, err
	}
	if err := s.stores.Events.AddEvent(ctx, in, &e); err != nil {
		return nil, fmt.Errorf("store the event: %w", err)
	}
	s.stores.Transactions.After(ctx, func() { s.readers.wake(in) })
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
			EventType:  EventType(e.Type),
			EndpointID: to[i].ID,
		}
		ids = append(ids, all[i].ID)
		s.wakeAfter(ctx, EndpointRef{in, to[i].ID})
	}
	if err := s.stores.Deliveries.AddDeliveries(ctx, in, all); err != nil {
		return nil, fmt.Errorf("queue the deliveries: %w", err)
	}
	return ids, nil
}

// about is the body of an event, which every attempt sends unchanged.
func (e *Event) about(record any, mode access.Mode) ([]byte, error) {
	switch r := record.(type) {
	case *portfolio.Lease:
		return body(e, mode, encodeLease, r.WithoutLinks()), nil
	case *portfolio.Payment:
		return body(e, mode, encodePayment, r), nil
	case *portfolio.Ticket:
		return body(e, mode, encodeTicket, r), nil
	case *Endpoint:
		return body(e, mode, encodeEndpoint, r), nil
	}
	return nil, fmt.Errorf("no event tells of a %T", record)
}

var (
	encodeLease    = operation.Encoder[Notice[portfolio.Lease]]()
	encodePayment  = operation.Encoder[Notice[portfolio.Payment]]()
	encodeTicket   = operation.Encoder[Notice[portfolio.Ticket]]()
	encodeEndpoint = operation.Encoder[Notice[Endpoint]]()
)

func body[T any](e *Event, mode access.Mode, encode func([]byte, *Notice[T]) []byte, record *T) []byte {
	return encode(nil, &Notice[T]{e.ID, "event", EventType(e.Type), APIVersion, e.CreatedAt, mode, Subject[T]{*record}})
}

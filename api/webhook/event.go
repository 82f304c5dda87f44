package webhook

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/operation"
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

// endpointTest is the type of the event that is sent on request, to one endpoint and whatever it chose.
type endpointTest struct{}

func (endpointTest) Type() string { return event.EndpointTest }

var testKind = event.About[Endpoint, endpointTest](event.Kind{
	Summary:     "A test event",
	Description: "A test event that you sent to one endpoint, whatever types it chose.",
	Object:      "the endpoint",
	Icon:        "zap",
}, func(e *Endpoint) {
	e.DisabledAt, e.PreviousSecretExpiresAt = nil, nil
}, func(e *Endpoint) (id, words string) { return e.ID, e.URL })

// Kinds are all kinds of events: those of the catalogue, and the test of an endpoint.
func Kinds() []event.Kind { return append(event.All(), testKind) }

func kindOf(name Kind) (k event.Kind, known bool) {
	if string(name) == testKind.Type {
		return testKind, true
	}
	return event.Of(string(name))
}

// Icon is the sign of an event.
func (e *Event) Icon() string {
	k, _ := kindOf(e.Type)
	return cmp.Or(k.Icon, testKind.Icon)
}

// Subject is the record that an event is about, by its id and in a few words, each "" where that is not known.
func (e *Event) Subject() (id, words string) {
	k, known := kindOf(e.Type)
	if !known || e.Body == nil {
		return "", ""
	}
	return k.Subject(e.Body)
}

// Keep is how long events can be read (docs/webhooks.md).
const Keep = 90 * 24 * time.Hour

// SentEvent is an event as it was sent, whatever record it is about; see Notice.
type SentEvent struct {
	// Identifier of the event; webhook-id has it too, in every attempt.
	ID string `json:"id" format:"id" prefix:"evt"`
	// The kind of object.
	Object string `json:"object" const:"event"`
	// What happened.
	Type event.Type `json:"type" example:"lease.signed"`
	// Version of the record.
	APIVersion string `json:"api_version" const:"0.1.0"`
	// When it happened.
	CreatedAt clock.Time `json:"created_at"`
	// test for the demo portfolio, live for the real one.
	Mode access.Mode `json:"mode"`
	// What it is about.
	Data SentEventData `json:"data"`
}

// SchemaName is the name of the OpenAPI component.
func (SentEvent) SchemaName() string { return "EventOut" }

// Variants are the events that it may be, told apart by their type.
func (SentEvent) Variants() (field string, types []reflect.Type) {
	for _, k := range Kinds() {
		types = append(types, k.Notice)
	}
	return "type", types
}

// SentEventData is what an event is about.
type SentEventData struct {
	// The complete record at that time: a lease, a payment, a maintenance ticket, or, in a test
	// event, a webhook endpoint. Links that anyone can open, such as the document_url of a lease, are
	// null.
	Object SentRecord `json:"object"`
}

// SchemaName is the name of the OpenAPI component.
func (SentEventData) SchemaName() string { return "EventOutData" }

// SentRecord is the JSON of the record that an event is about.
type SentRecord operation.Raw

// AppendJSON appends it as it is.
func (r SentRecord) AppendJSON(b []byte) []byte { return operation.Raw(r).AppendJSON(b) }

// Records are the types of record that events are about.
func (SentRecord) Records() (types []reflect.Type) {
	for _, k := range Kinds() {
		if !slices.Contains(types, k.Record) {
			types = append(types, k.Record)
		}
	}
	return types
}

// sent is an event as it was sent. Its bytes were made by body, whose last member is data.
func (e *Event) sent(mode access.Mode) (SentEvent, error) {
	const data = `"data":{"object":`
	_, record, found := bytes.Cut(e.Body, []byte(data))
	record, closed := bytes.CutSuffix(record, []byte("}}"))
	if !found || !closed {
		return SentEvent{}, fmt.Errorf("the bytes of the event %s are none of ours", e.ID)
	}
	return SentEvent{e.ID, "event", event.Type(e.Type), event.APIVersion, e.CreatedAt, mode, SentEventData{record}}, nil
}

// EventQuery is what a caller of the API may ask of the list of events.
type EventQuery struct {
	list.Span
	// Only events of this type.
	Type event.Type `in:"query" name:"type" example:"payment.succeeded"`
}

// ListEvents is a page of the events of the last 90 days, in ascending id.
func (s *Service) ListEvents(ctx context.Context, by access.Actor, q EventQuery) (*list.Page[SentEvent], error) {
	position := max(q.StartingAfter, id.After(id.Event, s.now().Add(-Keep)))
	if q.CreatedAfter != nil {
		position = max(position, id.After(id.Event, q.CreatedAfter.Std()))
	}
	found, err := s.store.SentEvents(ctx, by.Portfolio, position, q.Type, q.Limit+1)
	if err != nil {
		return nil, err
	}
	events := make([]SentEvent, len(found))
	for i := range found {
		if events[i], err = found[i].sent(by.Portfolio.Mode); err != nil {
			return nil, err
		}
	}
	return list.Of(events, q.Limit, func(e *SentEvent) string { return e.ID }), nil
}

// SentEvent is one event of the last 90 days, as it was sent; an older one is not found.
func (s *Service) SentEvent(ctx context.Context, by access.Actor, id string) (*SentEvent, error) {
	e, err := s.store.Event(ctx, by.Portfolio, id)
	if err == nil && (e.Body == nil || e.CreatedAt.Std().Before(s.now().Add(-Keep))) {
		err = fault.NotFound("event")
	}
	if err != nil {
		return nil, err
	}
	sent, err := e.sent(by.Portfolio.Mode)
	if err != nil {
		return nil, err
	}
	return &sent, nil
}

// mostBetween is how many events of a type may have happened since one that is looked for.
const mostBetween = 100

// EventAbout is the latest event of a kind about a record, as it was sent.
func (s *Service) EventAbout(ctx context.Context, by access.Actor, kind Kind, record string) (*SentEvent, error) {
	found, err := s.store.Events(ctx, by.Portfolio, EventFilter{Type: kind, Limit: mostBetween})
	if err != nil {
		return nil, err
	}
	about := []byte(`"data":{"object":{"id":"` + record + `"`)
	for i := range found {
		e, err := s.store.Event(ctx, by.Portfolio, found[i].ID)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(e.Body, about) {
			sent, err := e.sent(by.Portfolio.Mode)
			if err != nil {
				return nil, err
			}
			return &sent, nil
		}
	}
	return nil, fault.NotFound("event")
}

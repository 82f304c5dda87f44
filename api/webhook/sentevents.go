package webhook

import (
	"bytes"
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

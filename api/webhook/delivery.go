package webhook

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
)

// Delivery is an event on its way to an endpoint.
type Delivery struct {
	ID            string         `json:"id"`
	CreatedAt     clock.Time     `json:"created_at"`
	EventID       string         `json:"event_id"`
	EventType     Kind           `json:"event_type"`
	EndpointID    string         `json:"endpoint_id"`
	Status        DeliveryStatus `json:"status"`
	NextAttemptAt *clock.Time    `json:"next_attempt_at"` // nil while one runs and when none will
	AttemptCount  int            `json:"attempt_count"`   // of those that started
	Attempts      []Attempt      `json:"attempts"`        // of those that ended; nil in a list
}

// DeliveryStatus is where a delivery stands.
type DeliveryStatus string

// The statuses of a delivery.
const (
	Pending   DeliveryStatus = "pending"   // an attempt runs or will
	Succeeded DeliveryStatus = "succeeded" // the receiver has acknowledged it
	Failed    DeliveryStatus = "failed"    // nobody acknowledged it in time
	Cancelled DeliveryStatus = "cancelled" // the endpoint was disabled before that
)

// Values are all statuses of a delivery.
func (DeliveryStatus) Values() []string {
	return []string{"pending", "succeeded", "failed", "cancelled"}
}

// Trigger is why an attempt started.
type Trigger string

// The triggers.
const (
	BySchedule Trigger = "schedule"
	ByHand     Trigger = "manual"
)

// Attempt is one try at a delivery.
type Attempt struct {
	Number          int                 `json:"number"`
	At              clock.Time          `json:"at"`
	DurationMS      int64               `json:"duration_ms"`
	StatusCode      *int                `json:"status_code"`      // nil where no answer came
	Error           *string             `json:"error"`            // nil where it was acknowledged
	RequestHeaders  map[string][]string `json:"request_headers"`  // nil once forgotten
	ResponseHeaders map[string][]string `json:"response_headers"` // nil where no answer came, or once forgotten
	ResponseBody    *string             `json:"response_body"`    // at most 4 KiB of it; nil like its headers
	Trigger         Trigger             `json:"trigger"`
}

// DeliveryFilter narrows a list of deliveries, the newest first.
type DeliveryFilter struct {
	EndpointID string
	EventID    string
	EventType  Kind
	Status     DeliveryStatus
	From, To   *clock.Time // created at or after, and before
	Before     string      // id of a delivery; only older ones
	Limit      int
}

// Deliveries lists deliveries, the newest first and without their attempts.
func (s *Service) Deliveries(ctx context.Context, by access.Actor, f DeliveryFilter) ([]Delivery, error) {
	return s.store.Deliveries(ctx, by.Portfolio, f)
}

// Delivery is one delivery with its attempts.
func (s *Service) Delivery(ctx context.Context, by access.Actor, id string) (*Delivery, error) {
	d, err := s.store.Delivery(ctx, by.Portfolio, id)
	return &d, err
}

// Event is one event with its bytes, as long as they are kept.
func (s *Service) Event(ctx context.Context, by access.Actor, id string) (*Event, error) {
	e, err := s.store.Event(ctx, by.Portfolio, id)
	return &e, err
}

// EventFilter narrows a list of events, the newest first.
type EventFilter struct {
	Type     Kind
	From, To *clock.Time // created at or after, and before
	Before   string      // id of an event; only older ones
	Limit    int
}

// Events lists events, the newest first and without their bytes.
func (s *Service) Events(ctx context.Context, by access.Actor, f EventFilter) ([]Event, error) {
	return s.store.Events(ctx, by.Portfolio, f)
}

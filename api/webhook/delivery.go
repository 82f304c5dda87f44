package webhook

import (
	"context"
	"net/http"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/list"
)

// Delivery is an event on its way to an endpoint, as every surface shows it.
type Delivery struct {
	// Identifier; X-Service-Delivery has it, in every attempt.
	ID string `json:"id" format:"id" prefix:"del"`
	// The kind of record.
	Object string `json:"object" const:"delivery"`
	// test for the demo portfolio, live for the real one.
	Mode access.Mode `json:"mode"`
	// 1 at creation. It increases when an attempt ends, and when the delivery is queued again or
	// cancelled. The ETag of the record.
	Version int64 `json:"version" min:"1"`
	// When the delivery was created.
	CreatedAt clock.Time `json:"created_at"`
	// When the delivery last changed.
	UpdatedAt clock.Time `json:"updated_at"`
	// The endpoint that the event is sent to.
	EndpointID string `json:"endpoint_id" format:"id" prefix:"we"`
	// The event that is sent.
	EventID string `json:"event_id" format:"id" prefix:"evt"`
	// Type of the event.
	EventType event.Type `json:"event_type" example:"payment.succeeded"`
	// pending until the first attempt ends; retrying if the last attempt failed and another one
	// follows; succeeded, failed, and cancelled are final unless you redeliver.
	Status DeliveryStatus `json:"status" example:"succeeded"`
	// HTTP status of the response to the last attempt that ended; null if there was none.
	LastStatusCode *int `json:"last_status_code" example:"200"`
	// The error of the last attempt that ended: a code, a colon, and a sentence; null if it
	// succeeded.
	LastError      *string `json:"last_error"`
	LastDurationMS *int64  `json:"-"` // of the last attempt that ended, nil where none has
	// How many attempts have started.
	AttemptCount int `json:"attempt_count" min:"0" example:"1"`
	// When the next attempt starts; null while one runs, and if none is scheduled.
	NextAttemptAt *clock.Time `json:"next_attempt_at"`
	// The attempts that have ended, in order. Only if you retrieve one delivery, not in lists or in
	// responses that queue deliveries.
	Attempts []Attempt `json:"attempts,omitempty"`
}

// SchemaName is the name of the OpenAPI component.
func (Delivery) SchemaName() string { return "DeliveryOut" }

// Identity is the id of the delivery.
func (d *Delivery) Identity() string { return d.ID }

// Revision is the version, the ETag of the delivery.
func (d *Delivery) Revision() int64 { return d.Version }

// Open reports whether an attempt at the delivery runs or will.
func (d *Delivery) Open() bool { return slices.Contains(QueuedDeliveries(), d.Status) }

// QueuedDeliveries are the statuses of deliveries of which an attempt runs or will.
func QueuedDeliveries() []DeliveryStatus { return []DeliveryStatus{Pending, Retrying} }

// DeliveriesNotMissed are the stored statuses of deliveries whose event the receiver has, or may get yet.
func DeliveriesNotMissed() []DeliveryStatus { return []DeliveryStatus{Pending, Succeeded} }

// DeliveryStatus is where a delivery stands.
type DeliveryStatus string

// The statuses of a delivery. What is stored of one that is retrying is that it is pending
// and that its last attempt has failed.
const (
	Pending   DeliveryStatus = "pending"   // an attempt runs or will
	Retrying  DeliveryStatus = "retrying"  // the last attempt failed, and another one runs or will
	Succeeded DeliveryStatus = "succeeded" // the receiver has acknowledged it
	Failed    DeliveryStatus = "failed"    // nobody acknowledged it in time
	Cancelled DeliveryStatus = "cancelled" // the endpoint was disabled before that
)

// Values are all statuses of a delivery.
func (DeliveryStatus) Values() []string {
	return []string{"pending", "retrying", "succeeded", "failed", "cancelled"}
}

// Trigger is why an attempt started.
type Trigger string

// The triggers.
const (
	BySchedule Trigger = "schedule"
	ByHand     Trigger = "manual"
)

// Values are all triggers.
func (Trigger) Values() []string { return []string{"schedule", "manual"} }

// SchemaName is the name of the OpenAPI component.
func (Trigger) SchemaName() string { return "DeliveryTrigger" }

// Attempt is one try at a delivery. Its headers and body are forgotten after 90 days.
type Attempt struct {
	// 1 for the first attempt at the delivery.
	Number int `json:"number" min:"1" example:"1"`
	// When it started.
	At clock.Time `json:"at"`
	// How long it took, in milliseconds.
	DurationMS int64 `json:"duration_ms" min:"0" example:"84"`
	// HTTP status of the response; null if there was none.
	StatusCode *int `json:"status_code" example:"200"`
	// The error: a code, a colon, and a sentence; null if the attempt succeeded.
	Error *string `json:"error"`
	// Headers that were sent; null after 90 days.
	RequestHeaders map[string][]string `json:"request_headers"`
	// Headers of the response; null if there was none, and after 90 days.
	ResponseHeaders map[string][]string `json:"response_headers" secret:"true"`
	// The first 4 KiB of the response; null if there was none, and after 90 days.
	ResponseBody *string `json:"response_body" secret:"true"`
	// manual if a person started the attempt.
	Trigger Trigger `json:"trigger" example:"schedule"`
}

// SchemaName is the name of the OpenAPI component.
func (Attempt) SchemaName() string { return "DeliveryAttempt" }

// DeliveryFilter narrows a list of deliveries, the newest first unless Ascending.
type DeliveryFilter struct {
	EndpointID string
	EventID    string
	EventType  event.Type
	Status     DeliveryStatus
	From, To   *clock.Time // created at or after, and before
	Before     string      // id of a delivery; only older ones
	After      string      // id of a delivery; only newer ones
	Ascending  bool        // in ascending id
	Limit      int
}

// Deliveries lists deliveries, the newest first and without their attempts.
func (s *Service) Deliveries(ctx context.Context, by access.Actor, f DeliveryFilter) ([]Delivery, error) {
	return s.store.Deliveries(ctx, by.Portfolio, f)
}

// DeliveryCounts counts the deliveries that pass a filter, by their status: list.Most of each at most. The
// status of the filter is not looked at.
func (s *Service) DeliveryCounts(
	ctx context.Context, by access.Actor, f DeliveryFilter,
) (list.Counts[DeliveryStatus], error) {
	return s.store.DeliveryCounts(ctx, by.Portfolio, f)
}

// DeliveryQuery is what a caller of the API may ask of the list of deliveries.
type DeliveryQuery struct {
	list.Span
	// Only deliveries to this endpoint.
	EndpointID string `in:"query" name:"endpoint_id" format:"ref" prefix:"we"`
	// Only deliveries of this event.
	EventID string `in:"query" name:"event_id" format:"ref" prefix:"evt"`
	// Only deliveries of events of this type.
	Type event.Type `in:"query" name:"type" example:"payment.succeeded"`
	// Only deliveries of this status.
	Status DeliveryStatus `in:"query" name:"status" example:"failed"`
}

// ListDeliveries is a page of deliveries in ascending id, without their attempts.
func (s *Service) ListDeliveries(ctx context.Context, by access.Actor, q DeliveryQuery) (*list.Page[Delivery], error) {
	f := DeliveryFilter{
		EndpointID: q.EndpointID,
		EventID:    q.EventID,
		EventType:  q.Type,
		Status:     q.Status,
		After:      q.StartingAfter,
		Ascending:  true,
		Limit:      q.Limit + 1,
	}
	if q.CreatedAfter != nil {
		f.From = new(*q.CreatedAfter + 1)
	}
	found, err := s.store.Deliveries(ctx, by.Portfolio, f)
	return list.Of(found, q.Limit, func(d *Delivery) string { return d.ID }), err
}

// Delivery is one delivery with its attempts.
func (s *Service) Delivery(ctx context.Context, by access.Actor, id string) (*Delivery, error) {
	d, err := s.store.Delivery(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	return &d, nil
}

// EventFilter narrows a list of events, the newest first.
type EventFilter struct {
	Type     Kind
	From, To *clock.Time // created at or after, and before
	Before   string      // id of an event; only older ones, newer ones where they ascend
	Limit    int
	Bodies   bool // with their bytes, as long as they are kept
	// Ascending is for the oldest first.
	Ascending bool
}

// Event is one event with its bytes, as long as they are kept.
func (s *Service) Event(ctx context.Context, by access.Actor, id string) (*Event, error) {
	e, err := s.store.Event(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	return &e, nil
}

// Events lists events, the newest first and without their bytes.
func (s *Service) Events(ctx context.Context, by access.Actor, f EventFilter) ([]Event, error) {
	return s.store.Events(ctx, by.Portfolio, f)
}

// GiveUp is how long after its first attempt a delivery is tried at most (docs/webhooks.md).
const GiveUp = 24 * time.Hour

// Headers are what every attempt has besides what signs it.
func Headers(kind Kind, delivery string) http.Header {
	return http.Header{
		"Content-Type":       jsonType,
		"X-Service-Event":    {string(kind)},
		"X-Service-Delivery": {delivery},
	}
}

var jsonType = []string{"application/json"}

// InterruptedError is what the record of an attempt says that ended with its process.
const InterruptedError = "interrupted: The service stopped before an answer came, so the receiver may have it or " +
	"not. It is sent again at once."

// Interrupted is the record of an attempt whose process was gone before it could note one.
func Interrupted(number int, at clock.Time) Attempt {
	return Attempt{
		Number:  number,
		At:      at,
		Error:   new(InterruptedError),
		Trigger: BySchedule,
	}
}

// Redeliver makes an attempt at a delivery at once, whatever became of it. Where it fails
// its schedule begins anew.
func (s *Service) Redeliver(ctx context.Context, by access.Actor, id string) (*change.Result[Delivery], error) {
	return makes(ctx, by, s.write, nil, func(ctx context.Context, now time.Time) (*change.Result[Delivery], error) {
		return s.redeliver(ctx, by, id, now)
	})
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
			"The event of this delivery is older than 90 days; its content has been forgotten, and it cannot be "+
				"sent again.",
		)
	}
	return err
}

// Test sends an event of the kind endpoint.test to an endpoint; its record is the
// endpoint itself. It shows the delivery.
func (s *Service) Test(ctx context.Context, by access.Actor, endpointID string) (*change.Result[Delivery], error) {
	return makes(ctx, by, s.write, nil, func(ctx context.Context, _ time.Time) (*change.Result[Delivery], error) {
		e, err := s.enabled(ctx, by.Portfolio, endpointID)
		if err != nil {
			return nil, err
		}
		deliveries, err := s.tell(ctx, by.Portfolio, event.EndpointTest, &e, []Endpoint{e})
		if err != nil {
			return nil, err
		}
		d, err := s.store.Delivery(ctx, by.Portfolio, deliveries[0])
		if err != nil {
			return nil, err
		}
		d.Attempts = nil
		made := &change.Result[Delivery]{After: &d}
		return made, s.record(ctx, by, "endpoint.tested", endpointID)
	})
}

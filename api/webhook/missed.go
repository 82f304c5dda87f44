package webhook

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
)

// MissedEvents is how events are sent that an endpoint chose and has not got.
type MissedEvents struct{ service *Service }

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

// missed reads what an endpoint has missed in a time. What happened before the endpoint
// existed is not among it.
func (s *MissedEvents) missed(
	ctx context.Context, in access.Portfolio, e *Endpoint, m Span, position string, most int,
) ([]Missed, error) {
	m.From = max(m.From, e.CreatedAt)
	return s.service.store.Missed(ctx, in, e, m, position, most)
}

// CountMissed tells how many events of a time SendMissed would send to an endpoint.
func (s *MissedEvents) CountMissed(ctx context.Context, by access.Actor, id string, m Span) (int, error) {
	e, err := s.service.store.Endpoint(ctx, by.Portfolio, id)
	if err != nil {
		return 0, err
	}
	return s.countMissed(ctx, by.Portfolio, &e, m)
}

// countMissed counts all that missed would read.
func (s *MissedEvents) countMissed(ctx context.Context, in access.Portfolio, e *Endpoint, m Span) (int, error) {
	m.From = max(m.From, e.CreatedAt)
	return s.service.store.CountMissed(ctx, in, e, m)
}

// MissedLately tells how many events SendMissed would send to an endpoint since each of several moments. It looks
// at the newest list.Most events of the portfolio: where there are older ones, it tells how many at least.
func (s *MissedEvents) MissedLately(
	ctx context.Context, by access.Actor, id string, since ...clock.Time,
) ([]list.Count, error) {
	e, err := s.service.store.Endpoint(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	existed := make([]clock.Time, len(since))
	for i, at := range since {
		existed[i] = max(at, e.CreatedAt)
	}
	return s.service.store.MissedLately(ctx, by.Portfolio, &e, existed, clock.At(s.service.now())+1)
}

// SendMissed queues the events of a time that an endpoint chose and has not acknowledged:
// those that failed, were cancelled, or happened while it was disabled. An event that is
// on its way already is left to that. It tells how many are queued; doing it again queues
// none of them twice.
func (s *MissedEvents) SendMissed(ctx context.Context, by access.Actor, id string, m Span) (n int, err error) {
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
func (s *MissedEvents) sendMissed(
	ctx context.Context, by access.Actor, id string, m Span, position string,
) (n int, last string, err error) {
	err = s.service.write(ctx, by.Portfolio, func(ctx context.Context, now time.Time) error {
		e, err := s.service.enabled(ctx, by.Portfolio, id)
		if err != nil {
			return err
		}
		queued, more, err := s.queueMissed(ctx, by.Portfolio, &e, m, position, missedPart, now)
		n, last = len(queued), more
		if err != nil || n == 0 {
			return err
		}
		return s.service.record(ctx, by, "endpoint.missed_sent", id)
	})
	return n, last, err
}

// queueMissed queues at most so many missed events behind a position. It names their
// deliveries, and the last of the events where more may follow, "" where none do.
func (s *MissedEvents) queueMissed(
	ctx context.Context, in access.Portfolio, e *Endpoint, m Span, position string, most int, now time.Time,
) (deliveries []string, last string, err error) {
	missed, err := s.missed(ctx, in, e, m, position, most+1)
	if err != nil {
		return nil, "", err
	}
	if len(missed) > most {
		missed = missed[:most]
		last = missed[most-1].EventID
	}
	for _, one := range missed {
		d, err := s.again(ctx, EndpointRef{in, e.ID}, one, now)
		if err != nil {
			return nil, "", err
		}
		deliveries = append(deliveries, d)
	}
	return deliveries, last, nil
}

// again queues a missed event and names its delivery, a new one where it had none.
func (s *MissedEvents) again(
	ctx context.Context, p EndpointRef, one Missed, now time.Time,
) (delivery string, err error) {
	if one.DeliveryID == "" {
		to := []Endpoint{{Record: portfolio.Record{ID: p.Endpoint}}}
		ids, err := s.service.queue(ctx, p.Portfolio, to, &Event{ID: one.EventID, Type: one.Type}, now)
		return strings.Join(ids, ""), err
	}
	_, err = s.service.store.Redeliver(ctx, p.Portfolio, one.DeliveryID, clock.At(now))
	s.service.wakeAfter(ctx, p)
	return one.DeliveryID, err
}

// RedeliverMissed says of which time missed events are sent.
type RedeliverMissed struct {
	// Sends missed events from this time on, at most of the last 90 days and not before the endpoint
	// was created.
	Since clock.Time `json:"since" example:"2026-11-02T16:00:00Z"`
}

// SchemaName is the name of the OpenAPI component.
func (RedeliverMissed) SchemaName() string { return "WebhookRedeliverMissed" }

// MissedRest is what is left to queue of the missed events of an endpoint.
type MissedRest struct {
	Portfolio access.Portfolio `json:"portfolio"`
	Endpoint  string           `json:"endpoint"`
	Span      Span             `json:"span"`
	Position  string           `json:"position"` // the last event that is queued already
}

// Backlog queues missed events later, if the transaction of the context commits.
type Backlog interface {
	QueueMissed(ctx context.Context, rest MissedRest) error
}

// RedeliverMissed queues the events since a moment that an endpoint has missed; see
// SendMissed. It answers with the first page of the deliveries. Where there are more, the
// others are queued by jobs, part by part, that are durable with this transaction, and a
// warning tells how many events there are in all.
func (s *MissedEvents) RedeliverMissed(
	ctx context.Context, by access.Actor, id string, in RedeliverMissed,
) (*change.Result[list.Page[Delivery]], error) {
	type queuedPage = change.Result[list.Page[Delivery]]
	return makes(ctx, by, s.service.write, nil, func(ctx context.Context, now time.Time) (*queuedPage, error) {
		e, err := s.service.enabled(ctx, by.Portfolio, id)
		if err != nil {
			return nil, err
		}
		m := Span{From: in.Since, To: clock.At(now) + 1}
		queued, last, err := s.queueMissed(ctx, by.Portfolio, &e, m, "", list.Max, now)
		if err != nil {
			return nil, err
		}
		made, err := s.queuedPage(ctx, by.Portfolio, queued, last != "")
		if err != nil || len(queued) == 0 {
			return made, err
		}
		if last != "" {
			left, err := s.countMissed(ctx, by.Portfolio, &e, m) // before the rest is queued
			if err != nil {
				return nil, err
			}
			made.Warn(
				"events_to_redeliver",
				fmt.Sprintf(
					"%d missed events are redelivered in all. This answer lists the first %d; the others are "+
						"queued in the background.",
					len(queued)+left,
					len(queued),
				),
			)
			if err := s.queueRest(ctx, MissedRest{by.Portfolio, id, m, last}); err != nil {
				return nil, err
			}
		}
		return made, s.service.record(ctx, by, "endpoint.missed_sent", id)
	})
}

// queuedPage shows deliveries that were just queued, in ascending id; more says that others
// are queued after them.
func (s *MissedEvents) queuedPage(
	ctx context.Context, in access.Portfolio, ids []string, more bool,
) (*change.Result[list.Page[Delivery]], error) {
	page := list.Of([]Delivery{}, list.Max, func(d *Delivery) string { return d.ID })
	for _, id := range ids {
		d, err := s.service.store.Delivery(ctx, in, id)
		if err != nil {
			return nil, err
		}
		d.Attempts = nil
		page.Data = append(page.Data, d)
	}
	slices.SortFunc(page.Data, func(a, b Delivery) int { return cmp.Compare(a.ID, b.ID) })
	if more {
		page.HasMore, page.NextCursor = true, new(page.Data[len(page.Data)-1].ID)
	}
	return &change.Result[list.Page[Delivery]]{After: page}, nil
}

// queueRest has the rest of what was missed queued later, or at once where nobody is there
// to do it later.
func (s *MissedEvents) queueRest(ctx context.Context, rest MissedRest) error {
	if s.service.Backlog != nil {
		return s.service.Backlog.QueueMissed(ctx, rest)
	}
	return s.QueueMissed(ctx, rest)
}

// QueueMissed queues a part of what is left in one transaction, and has the next part
// queued along with it: the work of a job. Of an endpoint that was disabled meanwhile, or
// whose portfolio is gone, nothing is queued.
func (s *MissedEvents) QueueMissed(ctx context.Context, rest MissedRest) error {
	return s.service.alone(ctx, rest.Portfolio, func(ctx context.Context, now time.Time) error {
		e, err := s.service.store.Endpoint(ctx, rest.Portfolio, rest.Endpoint)
		if fault.Is(err, fault.NoRecord) || err == nil && e.Status != Enabled {
			return nil
		}
		if err != nil {
			return err
		}
		_, last, err := s.queueMissed(ctx, rest.Portfolio, &e, rest.Span, rest.Position, missedPart, now)
		if err != nil || last == "" {
			return err
		}
		rest.Position = last
		return s.queueRest(ctx, rest)
	})
}

package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/quota"
	"portal/api/secret"
)

// Service is what can be done with webhooks. Every method takes who asks.
type Service struct {
	MissedEvents *MissedEvents
	store        Store
	box          *secret.Box
	now          clock.Clock
	loopback     bool
	Parts
	sending Sending // nil where this process sends nothing
	readers readers
}

// Parts are what some rules need besides the store.
type Parts struct {
	BaseURL string    // public address, which links begin with
	Mail    mail.Post // takes email along with the transaction; nil where none is written
	// Trail keeps what people do along with the transaction; without a store it keeps nothing.
	Trail audit.Log
	// Backlog has many missed events queued later; where it is nil they are queued at once.
	Backlog Backlog
}

// New makes the service over a store. The box seals signing secrets. Receivers on
// this very machine, over http too, are for development: loopback admits them.
func New(store Store, box *secret.Box, now clock.Clock, loopback bool) *Service {
	s := &Service{
		store:    store,
		box:      box,
		now:      now,
		loopback: loopback,
	}
	s.MissedEvents = &MissedEvents{s}
	return s
}

// Endpoints lists endpoints, disabled ones too.
func (s *Service) Endpoints(ctx context.Context, by access.Actor, q list.Query) (*list.Page[Endpoint], error) {
	rows, err := s.store.Endpoints(ctx, by.Portfolio, q)
	return list.Of(rows, q.Limit, func(e *Endpoint) string { return e.ID }), err
}

// Endpoint is one endpoint.
func (s *Service) Endpoint(ctx context.Context, by access.Actor, id string) (*Endpoint, error) {
	e, err := s.store.Endpoint(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	return &e, nil
}

// PortfolioOfEndpoint is whose an endpoint is, for operators.
func (s *Service) PortfolioOfEndpoint(ctx context.Context, id string) (access.Portfolio, error) {
	return s.store.PortfolioWith(ctx, "webhook endpoint", id)
}

// PortfolioOfDelivery is whose a delivery is, for operators.
func (s *Service) PortfolioOfDelivery(ctx context.Context, id string) (access.Portfolio, error) {
	return s.store.PortfolioWith(ctx, "delivery", id)
}

// PortfolioOfEvent is whose an event is, for operators.
func (s *Service) PortfolioOfEvent(ctx context.Context, id string) (access.Portfolio, error) {
	return s.store.PortfolioWith(ctx, "event", id)
}

// alone runs a change in one transaction that holds the portfolio, with the time at
// which its turn came.
func (s *Service) alone(
	ctx context.Context, in access.Portfolio, do func(ctx context.Context, now time.Time) error,
) error {
	return s.store.Exclusively(ctx, in, func(ctx context.Context) error { return do(ctx, s.now()) })
}

// write is alone for a change that somebody asks for, which a full demo portfolio refuses.
func (s *Service) write(
	ctx context.Context, in access.Portfolio, do func(ctx context.Context, now time.Time) error,
) error {
	return s.alone(ctx, in, func(ctx context.Context, now time.Time) error {
		if err := do(ctx, now); err != nil {
			return err
		}
		return quota.Check(ctx, s.store, in)
	})
}

// makes shows what a change has made that an actor may ask for, unless something is wrong with it. The change runs
// within write, or alone.
func makes[T any](
	ctx context.Context,
	by access.Actor,
	within func(context.Context, access.Portfolio, func(context.Context, time.Time) error) error,
	wrong []fault.Detail,
	do func(ctx context.Context, now time.Time) (*change.Result[T], error),
) (made *change.Result[T], err error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	if err := fault.Invalid(wrong); err != nil {
		return nil, err
	}
	err = within(ctx, by.Portfolio, func(ctx context.Context, now time.Time) (err error) {
		made, err = do(ctx, now)
		return err
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// record takes down what a person did. What a key does is in the log of requests.
func (s *Service) record(ctx context.Context, by access.Actor, action, target string) error {
	if s.Trail.Store == nil || !personal(ctx) {
		return nil
	}
	return s.Trail.Record(ctx, audit.Event{
		AccountID: by.AccountID,
		Action:    action,
		Target:    target,
		Details:   map[string]string{"mode": string(by.Portfolio.Mode)},
	})
}

// personal reports whether a person does what is done within a context.
func personal(ctx context.Context) bool { return audit.From(ctx).UserID != "" }

// Agent is what a delivery calls its sender.
func Agent(baseURL string) string {
	return "Portal-Webhooks/" + event.APIVersion + " (+" + baseURL + "/docs)"
}

// Store keeps endpoints, events and deliveries; see portfolio.Store for what lists and
// fault.NotFound promise.
type Store interface {
	change.Transactor
	quota.Store
	// Promptly is Atomically for a short transaction, which does not wait for a connection
	// until others have ended.
	Promptly(ctx context.Context, do func(context.Context) error) error
	// After has something done once the transaction of the context is durable.
	After(ctx context.Context, then func())
	// Exclusively is Atomically for a change that no other change of the portfolio may come
	// between.
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error

	Endpoints(ctx context.Context, in access.Portfolio, q list.Query) ([]Endpoint, error)
	Endpoint(ctx context.Context, in access.Portfolio, id string) (Endpoint, error)
	// EnabledEndpoints are all that are enabled, in ascending id.
	EnabledEndpoints(ctx context.Context, in access.Portfolio) ([]Endpoint, error)
	AddEndpoint(ctx context.Context, in access.Portfolio, e Endpoint, sealed []byte) error
	// SaveEndpoint leaves alone what a delivery notes: when it was last sent to.
	SaveEndpoint(ctx context.Context, in access.Portfolio, e *Endpoint) error
	// EnableEndpoint is SaveEndpoint, and forgets since when it has failed.
	EnableEndpoint(ctx context.Context, in access.Portfolio, e *Endpoint) error
	// RotateEndpoint is SaveEndpoint with a new secret. The secret before it stays
	// where PreviousSecretExpiresAt is set; the one before that is gone.
	RotateEndpoint(ctx context.Context, in access.Portfolio, e *Endpoint, sealed []byte) error
	// FailingSince is since when nothing but failures has come of an endpoint, nil where the
	// last thing that came was none.
	FailingSince(ctx context.Context, in access.Portfolio, endpointID string) (*clock.Time, error)

	AddEvent(ctx context.Context, in access.Portfolio, e *Event) error
	Event(ctx context.Context, in access.Portfolio, id string) (Event, error)
	// Events come the newest first, without their bytes.
	Events(ctx context.Context, in access.Portfolio, f EventFilter) ([]Event, error)
	// EventsAfter are events behind a position, in ascending id.
	EventsAfter(ctx context.Context, in access.Portfolio, position string, most int) ([]Event, error)
	// SentEvents are events behind a position whose bytes are kept, of a type where one is
	// named, in ascending id.
	SentEvents(ctx context.Context, in access.Portfolio, position string, kind event.Type, most int) ([]Event, error)
	// NoteStreamed keeps when the first event of a portfolio was streamed.
	NoteStreamed(ctx context.Context, in access.Portfolio, at clock.Time) error

	// AddDeliveries queues deliveries for an attempt at once.
	AddDeliveries(ctx context.Context, in access.Portfolio, all []Delivery) error
	// Deliveries come in the order that the filter asks for, without their attempts.
	Deliveries(ctx context.Context, in access.Portfolio, f DeliveryFilter) ([]Delivery, error)
	// DeliveryCounts counts by status what passes a filter, whatever status that asks for.
	DeliveryCounts(ctx context.Context, in access.Portfolio, f DeliveryFilter) (list.Counts[DeliveryStatus], error)
	Delivery(ctx context.Context, in access.Portfolio, id string) (Delivery, error)
	// Redeliver queues a delivery on which no attempt runs, with a schedule that begins
	// anew; false where one runs.
	Redeliver(ctx context.Context, in access.Portfolio, id string, at clock.Time) (bool, error)
	// CancelDeliveries cancels what is queued for an endpoint and keeps it as history.
	CancelDeliveries(ctx context.Context, in access.Portfolio, endpointID string, at clock.Time) error

	// Missed are events of a time that an endpoint chose and has not been sent, nor will
	// be, in ascending id behind a position.
	Missed(ctx context.Context, in access.Portfolio, e *Endpoint, m Span, position string, most int) ([]Missed, error)
	// CountMissed counts what Missed would read in all.
	CountMissed(ctx context.Context, in access.Portfolio, e *Endpoint, m Span) (int, error)
	// MissedLately counts what Missed would read since each of several moments, up to before another one, as far as
	// the newest list.Most events of the portfolio tell.
	MissedLately(
		ctx context.Context, in access.Portfolio, e *Endpoint, since []clock.Time, to clock.Time,
	) ([]list.Count, error)

	// Landlord reads whose portfolio it is.
	Landlord(ctx context.Context, in access.Portfolio) (portfolio.Landlord, error)
	// PortfolioWith finds whose a "webhook endpoint", a "delivery" or an "event" is, or fault.NotFound.
	PortfolioWith(ctx context.Context, noun, id string) (access.Portfolio, error)
	// PortfoliosOf are the portfolios of an account.
	PortfoliosOf(ctx context.Context, accountID string) ([]access.Portfolio, error)

	// EndpointHealth comes in the order of the endpoints' ids.
	EndpointHealth(ctx context.Context, in access.Portfolio, endpoints []string) ([]Health, error)
	// EndpointHours come in the order of the endpoints' ids and the time.
	EndpointHours(ctx context.Context, in access.Portfolio, endpoints []string, since clock.Time) ([]Hour, error)
	// AttemptSpans are those in which there was an attempt, in no order.
	AttemptSpans(
		ctx context.Context, in access.Portfolio, endpoints []string, since clock.Time, span time.Duration,
	) ([]AttemptSpan, error)

	// Claimants are the processes that have claims at an endpoint.
	Claimants(ctx context.Context, at EndpointRef) ([]string, error)
	// Due lets attempts start that waited for their time.
	Due(ctx context.Context, portfolio int64, deliveries []string) error
	// TakeOver ends claims that have run out at a moment and those of processes that are
	// gone, each with an attempt that says so, and lets retries start that should have
	// started by another moment: at most so many. It tells how many there were.
	TakeOver(ctx context.Context, now, overdue clock.Time, most int) (int, error)

	// UnnoticedFailures are enabled endpoints whose spell began at a moment or before
	// it, of which the owners were not told, and that were last sent to after another
	// moment: at most so many.
	UnnoticedFailures(ctx context.Context, began, sent clock.Time, most int) ([]EndpointRef, error)
	// ClaimFailureNotice notes that the owners are told of a spell that began at a moment or before
	// it, and tells when it began; nil where there is none or they were told already.
	ClaimFailureNotice(ctx context.Context, at EndpointRef, began clock.Time) (*clock.Time, error)
	// LastFailure is the latest failed attempt of the newest deliveries to an endpoint, nil
	// where none of them has failed.
	LastFailure(ctx context.Context, in access.Portfolio, endpointID string) (*Attempt, error)
}

package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/secret"
)

// Store keeps the endpoints of each portfolio; see portfolio.Store for what its
// lists and its fault.NotFound promise.
type Store interface {
	reads
	writes
	outbox
	history
	leftovers
	claimants
	spells
	transactions
}

// transactions are how changes come to be together.
type transactions interface {
	Atomically(ctx context.Context, do func(context.Context) error) error
	// Promptly is Atomically for a short transaction, which does not wait for a connection
	// until others have ended.
	Promptly(ctx context.Context, do func(context.Context) error) error
	// After has something done once the transaction of the context is durable.
	After(ctx context.Context, then func())
	// Exclusively is Atomically for a change that no other change of the portfolio may come
	// between.
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
}

type reads interface {
	Endpoints(ctx context.Context, in access.Portfolio, q list.Query) ([]Endpoint, error)
	Endpoint(ctx context.Context, in access.Portfolio, id string) (Endpoint, error)
	// EnabledEndpoints are all that are enabled, in ascending id.
	EnabledEndpoints(ctx context.Context, in access.Portfolio) ([]Endpoint, error)
}

type writes interface {
	AddEndpoint(ctx context.Context, in access.Portfolio, e Endpoint, sealed []byte) error
	// SaveEndpoint leaves alone what a delivery notes: when it was last sent to.
	SaveEndpoint(ctx context.Context, in access.Portfolio, e *Endpoint) error
	// EnableEndpoint is SaveEndpoint, and forgets since when it has failed.
	EnableEndpoint(ctx context.Context, in access.Portfolio, e *Endpoint) error
	// RotateEndpoint is SaveEndpoint with a new secret. The secret before it stays
	// where PreviousSecretExpiresAt is set; the one before that is gone.
	RotateEndpoint(ctx context.Context, in access.Portfolio, e *Endpoint, sealed []byte) error
	// CancelDeliveries cancels what is queued for an endpoint and keeps it as history.
	CancelDeliveries(ctx context.Context, in access.Portfolio, endpointID string, at clock.Time) error
}

// outbox is what is told and to whom.
type outbox interface {
	AddEvent(ctx context.Context, in access.Portfolio, e *Event) error
	Event(ctx context.Context, in access.Portfolio, id string) (Event, error)
	// Events come the newest first, without their bytes.
	Events(ctx context.Context, in access.Portfolio, f EventFilter) ([]Event, error)
	// EventsAfter are events behind a position, in ascending id.
	EventsAfter(ctx context.Context, in access.Portfolio, position string, most int) ([]Event, error)
	// AddDeliveries queues deliveries for an attempt at once.
	AddDeliveries(ctx context.Context, in access.Portfolio, all []Delivery) error
	// SentEvents are events behind a position whose bytes are kept, of a type where one is
	// named, in ascending id.
	SentEvents(ctx context.Context, in access.Portfolio, position string, kind EventType, most int) ([]Event, error)
	// Redeliver queues a delivery on which no attempt runs, with a schedule that begins
	// anew; false where one runs.
	Redeliver(ctx context.Context, in access.Portfolio, id string, at clock.Time) (bool, error)
	// CountMissed counts what history's Missed would read in all.
	CountMissed(ctx context.Context, in access.Portfolio, e *Endpoint, m Span) (int, error)
}

// history is what became of what was told.
type history interface {
	// Deliveries come in the order that the filter asks for, without their attempts.
	Deliveries(ctx context.Context, in access.Portfolio, f DeliveryFilter) ([]Delivery, error)
	Delivery(ctx context.Context, in access.Portfolio, id string) (Delivery, error)
	// Missed are events of a time that an endpoint chose and has not been sent, nor will
	// be, in ascending id behind a position.
	Missed(ctx context.Context, in access.Portfolio, e *Endpoint, m Span, position string, most int) ([]Missed, error)
	// FailingSince is since when nothing but failures has come of an endpoint, nil where the
	// last thing that came was none.
	FailingSince(ctx context.Context, in access.Portfolio, endpointID string) (*clock.Time, error)
	// Landlord reads whose portfolio it is.
	Landlord(ctx context.Context, in access.Portfolio) (portfolio.Landlord, error)
	// EndpointHours come in the order of the endpoints' ids and the time.
	EndpointHours(ctx context.Context, in access.Portfolio, endpoints []string, since clock.Time) ([]Hour, error)
	// EndpointHealth comes in the order of the endpoints' ids.
	EndpointHealth(ctx context.Context, in access.Portfolio, endpoints []string) ([]Health, error)
	// PortfolioWith finds whose a "webhook endpoint", a "delivery" or an "event" is, or fault.NotFound.
	PortfolioWith(ctx context.Context, noun, id string) (access.Portfolio, error)
}

// Service is what can be done with webhooks. Every method takes who asks.
type Service struct {
	MissedEvents *MissedEvents
	store        Store
	vault        *secret.Box
	now          clock.Clock
	loopback     bool
	Parts
	sending Sending // nil where this process sends nothing
	readers readers
}

// Parts are what some rules need besides the store.
type Parts struct {
	BaseURL string // public address, which links begin with
	Mail    Mailer // takes email along with the transaction; nil where none is written
	Trail   Trail  // keeps what people do along with the transaction; nil where nobody does
	// Backlog has many missed events queued later; where it is nil they are queued at once.
	Backlog Backlog
}

// Trail is told what people did.
type Trail interface {
	Record(ctx context.Context, e audit.Event) error
}

// New makes the service over a store. The vault seals signing secrets. Receivers on
// this very machine, over http too, are for development: loopback admits them.
func New(store Store, box *secret.Box, now clock.Clock, loopback bool) *Service {
	s := &Service{store: store, vault: box, now: now, loopback: loopback}
	s.MissedEvents = &MissedEvents{s, store}
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
	return &e, err
}

// PortfolioOfEndpoint is whose an endpoint is, for whoever looks after the service.
func (s *Service) PortfolioOfEndpoint(ctx context.Context, id string) (access.Portfolio, error) {
	return s.store.PortfolioWith(ctx, "webhook endpoint", id)
}

// PortfolioOfDelivery is whose a delivery is, for whoever looks after the service.
func (s *Service) PortfolioOfDelivery(ctx context.Context, id string) (access.Portfolio, error) {
	return s.store.PortfolioWith(ctx, "delivery", id)
}

// PortfolioOfEvent is whose an event is, for whoever looks after the service.
func (s *Service) PortfolioOfEvent(ctx context.Context, id string) (access.Portfolio, error) {
	return s.store.PortfolioWith(ctx, "event", id)
}

// alone runs a change in one transaction that holds the portfolio, with the time at
// which its turn came.
func (s *Service) alone(ctx context.Context, in access.Portfolio, do func(ctx context.Context, now time.Time) error) error {
	return s.store.Exclusively(ctx, in, func(ctx context.Context) error { return do(ctx, s.now()) })
}

// record takes down what a person did. What a key does is in the log of requests.
func (s *Service) record(ctx context.Context, by access.Actor, action, target string) error {
	if s.Trail == nil || !personal(ctx) {
		return nil
	}
	return s.Trail.Record(ctx, audit.Event{AccountID: by.AccountID, Action: action, Target: target, Details: map[string]string{"mode": string(by.Portfolio.Mode)}})
}

// personal tells whether a person does what is done within a context.
func personal(ctx context.Context) bool { return audit.From(ctx).UserID != "" }

package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/quota"
	"portal/api/secret"
)

// transactions are how changes come to be together.
type transactions interface {
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
}

// Service is what can be done with webhooks. Every method takes who asks.
type Service struct {
	MissedEvents *MissedEvents
	stores       Stores
	box          *secret.Box
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

// New makes the service over its stores. The vault seals signing secrets. Receivers on
// this very machine, over http too, are for development: loopback admits them.
func New(stores Stores, box *secret.Box, now clock.Clock, loopback bool) *Service {
	s := &Service{
		stores:   stores,
		box:      box,
		now:      now,
		loopback: loopback,
	}
	s.MissedEvents = &MissedEvents{s, stores.Missed}
	return s
}

// Endpoints lists endpoints, disabled ones too.
func (s *Service) Endpoints(ctx context.Context, by access.Actor, q list.Query) (*list.Page[Endpoint], error) {
	rows, err := s.stores.Endpoints.Endpoints(ctx, by.Portfolio, q)
	return list.Of(rows, q.Limit, func(e *Endpoint) string { return e.ID }), err
}

// Endpoint is one endpoint.
func (s *Service) Endpoint(ctx context.Context, by access.Actor, id string) (*Endpoint, error) {
	e, err := s.stores.Endpoints.Endpoint(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	return &e, nil
}

// PortfolioOfEndpoint is whose an endpoint is, for operators.
func (s *Service) PortfolioOfEndpoint(ctx context.Context, id string) (access.Portfolio, error) {
	return s.stores.Owners.PortfolioWith(ctx, "webhook endpoint", id)
}

// PortfolioOfDelivery is whose a delivery is, for operators.
func (s *Service) PortfolioOfDelivery(ctx context.Context, id string) (access.Portfolio, error) {
	return s.stores.Owners.PortfolioWith(ctx, "delivery", id)
}

// PortfolioOfEvent is whose an event is, for operators.
func (s *Service) PortfolioOfEvent(ctx context.Context, id string) (access.Portfolio, error) {
	return s.stores.Owners.PortfolioWith(ctx, "event", id)
}

// alone runs a change in one transaction that holds the portfolio, with the time at
// which its turn came.
func (s *Service) alone(
	ctx context.Context, in access.Portfolio, do func(ctx context.Context, now time.Time) error,
) error {
	return s.stores.Transactions.Exclusively(ctx, in, func(ctx context.Context) error { return do(ctx, s.now()) })
}

// write is alone for a change that somebody asks for, which a full demo portfolio refuses.
func (s *Service) write(
	ctx context.Context, in access.Portfolio, do func(ctx context.Context, now time.Time) error,
) error {
	return s.alone(ctx, in, func(ctx context.Context, now time.Time) error {
		if err := do(ctx, now); err != nil {
			return err
		}
		return quota.Check(ctx, s.stores.Transactions, in)
	})
}

// record takes down what a person did. What a key does is in the log of requests.
func (s *Service) record(ctx context.Context, by access.Actor, action, target string) error {
	if s.Trail == nil || !personal(ctx) {
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

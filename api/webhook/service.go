package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/list"
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
	BaseURL string // public address, which links begin with
	Mail    Mailer // takes email along with the transaction; nil where none is written
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

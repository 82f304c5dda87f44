package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/vault"
)

// Store keeps the endpoints of each portfolio; see portfolio.Store for what its
// lists and its fault.NotFound promise.
type Store interface {
	reads
	writes
	Atomically(ctx context.Context, do func(context.Context) error) error
	// Hold keeps others that hold the portfolio waiting until the transaction ends.
	Hold(ctx context.Context, in access.Portfolio) error
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
	// RotateEndpoint is SaveEndpoint with a new secret. The secret before it stays
	// where PreviousSecretExpiresAt is set; the one before that is gone.
	RotateEndpoint(ctx context.Context, in access.Portfolio, e *Endpoint, sealed []byte) error
	// CancelDeliveries cancels what is queued for an endpoint and keeps it as history.
	CancelDeliveries(ctx context.Context, in access.Portfolio, endpointID string) error
}

// Service is what can be done with webhooks. Every method takes who asks.
type Service struct {
	store    Store
	vault    *vault.Box
	now      clock.Clock
	loopback bool
}

// New makes the service over a store. The vault seals signing secrets. Receivers on
// this very machine, over http too, are for development: loopback admits them.
func New(store Store, box *vault.Box, now clock.Clock, loopback bool) *Service {
	return &Service{store, box, now, loopback}
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

// alone runs a change in one transaction that holds the portfolio, with the time at
// which its turn came.
func (s *Service) alone(ctx context.Context, in access.Portfolio, do func(ctx context.Context, now time.Time) error) error {
	return s.store.Atomically(ctx, func(ctx context.Context) error {
		if err := s.store.Hold(ctx, in); err != nil {
			return err
		}
		return do(ctx, s.now())
	})
}

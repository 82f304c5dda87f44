// Package webhook is how a portfolio tells the outside what happened in it: the
// endpoints that events are sent to.
//
// It knows nothing of HTTP handlers, SQL, queues or pages.
package webhook

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
)

// Endpoint is an address that events are sent to.
type Endpoint struct {
	portfolio.Record        `object:"webhook_endpoint" prefix:"we"`
	URL                     string          `json:"url" format:"uri" maxlen:"2000" example:"https://hooks.example.com/portal" doc:"Where events are sent; https only."`
	Events                  []Kind          `json:"events" doc:"The kinds of event that are sent; * is all of them."`
	Description             *string         `json:"description" maxlen:"255" example:"Accounting" doc:"What it is for."`
	Status                  EndpointStatus  `json:"status" example:"enabled" doc:"Nothing is sent to a disabled endpoint."`
	DisabledAt              *clock.Time     `json:"disabled_at" doc:"When it was disabled."`
	DisabledReason          *DisabledReason `json:"disabled_reason" doc:"Who or what disabled it."`
	SecretPrefix            string          `json:"secret_prefix" example:"whsec_MfKQ" doc:"First characters of the signing secret."`
	PreviousSecretExpiresAt *clock.Time     `json:"previous_secret_expires_at" doc:"Until when the secret before the last rotation still signs too."`
	LastDeliveryAt          *clock.Time     `json:"last_delivery_at" doc:"When something was last sent."`
	LastSuccessAt           *clock.Time     `json:"last_success_at" doc:"When something sent was last acknowledged."`
}

// Kind is a kind of event.
type Kind string

// The kinds of event (service.md, Events).
const (
	LeaseSigned        Kind = "lease.signed"
	PaymentSucceeded   Kind = "payment.succeeded"
	MaintenanceCreated Kind = "maintenance.created"
	EveryKind          Kind = "*"
)

// Values are all kinds of event, and the one that stands for all.
func (Kind) Values() []string {
	return []string{string(LeaseSigned), string(PaymentSucceeded), string(MaintenanceCreated), string(EveryKind)}
}

// EndpointStatus tells whether events are sent to an endpoint.
type EndpointStatus string

// The statuses of an endpoint.
const (
	Enabled  EndpointStatus = "enabled"
	Disabled EndpointStatus = "disabled"
)

// Values are all statuses of an endpoint.
func (EndpointStatus) Values() []string { return []string{"enabled", "disabled"} }

// DisabledReason is who or what disabled an endpoint.
type DisabledReason string

// The reasons.
const (
	ByAPI       DisabledReason = "api"
	ByDashboard DisabledReason = "dashboard"
	ByFailures  DisabledReason = "failures"
)

// Values are all reasons.
func (DisabledReason) Values() []string { return []string{"api", "dashboard", "failures"} }

// Store keeps the endpoints of each portfolio; see portfolio.Store for what its
// lists and its fault.NotFound promise.
type Store interface {
	Endpoints(ctx context.Context, in access.Portfolio, q list.Query) ([]Endpoint, error)
	Endpoint(ctx context.Context, in access.Portfolio, id string) (Endpoint, error)
}

// Service is what can be done with webhooks. Every method takes who asks.
type Service struct{ store Store }

// New makes the service over a store.
func New(store Store) *Service { return &Service{store} }

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

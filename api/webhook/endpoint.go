// Package webhook is how a portfolio tells the outside what happened in it: the
// endpoints that events are sent to.
//
// It knows nothing of HTTP handlers, SQL, queues or pages.
package webhook

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/portfolio"
)

// Endpoint is an address that events are sent to.
type Endpoint struct {
	portfolio.Record `object:"webhook_endpoint" prefix:"we"`
	// Where events are sent; https only.
	URL string `json:"url" format:"uri" maxlen:"2000" secret:"true" example:"https://hooks.example.com/portal"`
	// The event types to send; * means all types.
	Events []Kind `json:"events"`
	// What it is for.
	Description *string `json:"description" maxlen:"255" example:"Accounting"`
	// Nothing is sent to a disabled endpoint.
	Status EndpointStatus `json:"status" example:"enabled"`
	// When it was disabled.
	DisabledAt *clock.Time `json:"disabled_at"`
	// Who or what disabled it.
	DisabledReason *DisabledReason `json:"disabled_reason"`
	// The signing secret, only in the responses that create the endpoint or rotate the secret, and
	// not in a preview.
	Secret *string `json:"secret,omitempty" format:"password" secret:"true"`
	// First characters of the signing secret.
	SecretPrefix string `json:"secret_prefix" example:"whsec_MfKQ"`
	// Until when the previous secret still signs too.
	PreviousSecretExpiresAt *clock.Time `json:"previous_secret_expires_at"`
	// When something was last sent.
	LastDeliveryAt *clock.Time `json:"last_delivery_at"`
	// When a delivery last succeeded.
	LastSuccessAt *clock.Time `json:"last_success_at"`
}

// DisplayName is where the endpoint is; nobody outside the account wrote it.
func (e Endpoint) DisplayName() (name string, outside bool) { return e.URL, false }

// Host is the name that the address leads to.
func (e *Endpoint) Host() string {
	u, err := url.Parse(e.URL)
	if err != nil || u.Host == "" {
		return e.URL
	}
	return u.Host
}

// exampleEnds are the names that are kept for examples, RFC 2606. Nothing runs below them.
var exampleEnds = []string{"example.com", "example.net", "example.org", "example"}

// Sample reports whether the address is one of an example, which leads nowhere. So do those of the
// endpoints that a new account has.
func (e *Endpoint) Sample() bool {
	u, err := url.Parse(e.URL)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	return slices.ContainsFunc(exampleEnds, func(end string) bool {
		return host == end || strings.HasSuffix(host, "."+end)
	})
}

// changed notes a change: the version grows by one.
func (e *Endpoint) changed(at clock.Time) {
	e.Version++
	e.UpdatedAt = at
}

// Kind is a kind of event.
type Kind string

// EveryKind stands for all events, those of the future too.
const EveryKind Kind = "*"

// SchemaName is the name of the OpenAPI component.
func (Kind) SchemaName() string { return "EventSubscription" }

// Values are all kinds of event, and the one that stands for all.
func (Kind) Values() []string { return append(event.Types(), string(EveryKind)) }

// EndpointStatus reports whether events are sent to an endpoint.
type EndpointStatus string

// The statuses of an endpoint.
const (
	Enabled  EndpointStatus = "enabled"
	Disabled EndpointStatus = "disabled"
)

// SchemaName is the name of the OpenAPI component.
func (EndpointStatus) SchemaName() string { return "WebhookEndpointStatus" }

// Values are all statuses of an endpoint.
func (EndpointStatus) Values() []string { return []string{"enabled", "disabled"} }

// DisabledReason tells by whom or what an endpoint was disabled.
type DisabledReason string

// The reasons.
const (
	ByAPI       DisabledReason = "api"
	ByDashboard DisabledReason = "dashboard"
	ByFailures  DisabledReason = "failures"
)

// SchemaName is the name of the OpenAPI component.
func (DisabledReason) SchemaName() string { return "WebhookDisabledReason" }

// Values are all reasons.
func (DisabledReason) Values() []string { return []string{"api", "dashboard", "failures"} }

// MostRetrying is how many deliveries that are retried are counted at an endpoint.
const MostRetrying = 100

// Health is how an endpoint fares.
type Health struct {
	EndpointID     string
	FailingSince   *clock.Time // since when all attempts have failed, nil if they have not
	LastStatusCode *int        // of the last attempt that ended, nil if there was no response
	// LastError says what went wrong in the last attempt: a code, a colon and a sentence. It is nil
	// if the attempt was acknowledged.
	LastError *string
	Retrying  int // deliveries that failed and will be tried again, at most MostRetrying
}

// HealthOf is how one of several endpoints fares.
func HealthOf(all []Health, endpoint string) Health {
	for _, h := range all {
		if h.EndpointID == endpoint {
			return h
		}
	}
	return Health{EndpointID: endpoint}
}

// Health tells how endpoints fare, in ascending id.
func (s *Service) Health(ctx context.Context, by access.Actor, endpoints []string) ([]Health, error) {
	return s.store.EndpointHealth(ctx, by.Portfolio, endpoints)
}

// Hour is what came of the attempts at an endpoint that started within an hour.
type Hour struct {
	EndpointID string     `json:"endpoint_id"`
	At         clock.Time `json:"at"` // the start of the hour, in UTC
	Attempts   int        `json:"attempts"`
	Failed     int        `json:"failed"`
	DurationMS int64      `json:"duration_ms"` // of all together
	SlowestMS  int64      `json:"slowest_ms"`
}

// Hours are what came of the attempts at endpoints since a moment, in the order of the
// endpoints' ids and the time. Hours without an attempt are left out.
func (s *Service) Hours(ctx context.Context, by access.Actor, endpoints []string, since clock.Time) ([]Hour, error) {
	return s.store.EndpointHours(ctx, by.Portfolio, endpoints, since)
}

// AttemptSpan is what came of the attempts at an endpoint within some time.
type AttemptSpan struct {
	EndpointID       string
	Index            int // of the span, the first of which is 0
	Attempts, Failed int
}

// AttemptSpans are what came of the attempts at endpoints since the hour (UTC) in which a
// moment is, by spans of time from it on. Those without an attempt are left out.
func (s *Service) AttemptSpans(
	ctx context.Context, by access.Actor, endpoints []string, since clock.Time, span time.Duration,
) ([]AttemptSpan, error) {
	from := clock.At(since.Std().Truncate(time.Hour))
	return s.store.AttemptSpans(ctx, by.Portfolio, endpoints, from, span)
}

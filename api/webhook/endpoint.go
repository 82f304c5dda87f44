// Package webhook is how a portfolio tells the outside what happened in it: the
// endpoints that events are sent to.
//
// It knows nothing of HTTP handlers, SQL, queues or pages.
package webhook

import (
	"net/url"
	"slices"
	"strings"

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

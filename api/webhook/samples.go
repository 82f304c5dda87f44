package webhook

import (
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/portfolio"
)

// Samples are the endpoints of a demo portfolio as they stand at a time. Nobody made them, so each
// says that it is a sample and is disabled: nothing is sent to an address that is not the
// account's own. Their secrets are set where they are stored.
func Samples(now time.Time) []Endpoint {
	day := 24 * time.Hour
	sample := func(age time.Duration, url, what string, kinds ...Kind) Endpoint {
		made := now.Add(-age)
		return Endpoint{
			Record: portfolio.Record{
				ID:        id.New(id.Endpoint, made),
				Object:    "webhook_endpoint",
				Mode:      access.Test,
				Version:   1,
				CreatedAt: clock.At(made),
				UpdatedAt: clock.At(made),
			},
			URL:         url,
			Events:      kinds,
			Description: new("Sample: " + what),
			Status:      Enabled,
		}
	}
	disable := func(e Endpoint, ago time.Duration, why DisabledReason) Endpoint {
		at := clock.At(now.Add(-ago))
		e.Status, e.DisabledAt, e.DisabledReason, e.UpdatedAt, e.Version = Disabled, &at, &why, at, 2
		return e
	}
	return []Endpoint{
		disable(
			sample(
				300*day,
				"https://old-books.example.com/hooks/rent",
				"accounting, until last year",
				event.PaymentSucceeded,
			),
			120*day,
			ByAPI,
		),
		disable(
			sample(200*day, "https://alerts.example.net/portal", "on-call alerts", event.MaintenanceCreated),
			31*day,
			ByFailures,
		),
		disable(
			sample(
				118*day,
				"https://books.example.com/webhooks/portal",
				"accounting",
				event.PaymentSucceeded,
				event.LeaseSigned,
			),
			2*day,
			ByDashboard,
		),
		disable(
			sample(30*day, "https://crm.example.org/inbound/portal", "all events, for a CRM", EveryKind),
			2*day,
			ByDashboard,
		),
	}
}

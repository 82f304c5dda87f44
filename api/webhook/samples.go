package webhook

import (
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/portfolio"
)

// Samples are the endpoints of a demo portfolio as they stand at a time: one that
// works, one that somebody disabled and one that failures did. Their secrets are
// set where they are stored.
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
			Description: &what,
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
				"The bookkeeping before this one",
				event.PaymentSucceeded,
			),
			120*day,
			ByAPI,
		),
		disable(
			sample(200*day, "https://alerts.example.net/portal", "Night pager", event.MaintenanceCreated),
			31*day,
			ByFailures,
		),
		sample(
			118*day,
			"https://books.example.com/webhooks/portal",
			"Bookkeeping",
			event.PaymentSucceeded,
			event.LeaseSigned,
		),
		sample(
			30*day,
			"https://crm.example.org/inbound/portal",
			"Everything, for the dashboard in the office",
			EveryKind,
		),
	}
}

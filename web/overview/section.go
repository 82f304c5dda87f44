// Package overview is the first pages of who has signed in: the steps to an integration that works,
// and then a portfolio and what is built on it at a glance.
//
// It knows no other section and no SQL.
package overview

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/list"
	"portal/api/portfolio/ledger/report"
	"portal/api/webhook"
	"portal/web/live"
	"portal/web/page"
)

// Steps tells how far an account has come.
type Steps interface {
	Progress(ctx context.Context, by developer.Member, portfolios ...access.Portfolio) (developer.Progress, error)
}

// RequestLog is what programs asked of the API, and the keys they asked with.
type RequestLog interface {
	KeysOf(ctx context.Context, accountID string) ([]developer.Key, error)
	RequestSpans(
		ctx context.Context, by access.Actor, since clock.Time, span time.Duration,
	) ([]developer.RequestSpan, error)
}

// Endpoints are where webhooks are sent.
type Endpoints interface {
	Endpoints(ctx context.Context, by access.Actor, q list.Query) (*list.Page[webhook.Endpoint], error)
}

// Deliveries are what was told, and how sending it goes.
type Deliveries interface {
	Events(ctx context.Context, by access.Actor, f webhook.EventFilter) ([]webhook.Event, error)
	Health(ctx context.Context, by access.Actor, endpoints []string) ([]webhook.Health, error)
	AttemptSpans(
		ctx context.Context, by access.Actor, endpoints []string, since clock.Time, span time.Duration,
	) ([]webhook.AttemptSpan, error)
}

// Config is what the overview needs.
type Config struct {
	Steps      Steps
	Summaries  *report.Reports
	RequestLog RequestLog
	Endpoints  Endpoints
	Deliveries Deliveries
	Streams    *live.Streams // tell open pages what happens
}

// Section is the first steps, and the overview of each mode.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	return []page.Route{
		page.Get("/overview", page.SignedIn, p.overview),
		page.Get("/{mode}/overview", page.Member, p.dashboard),
		page.Get("/overview/stream", page.Member, p.streamSteps),
	}
}

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
	views "portal/views/overview"
	"portal/web/frame"
	"portal/web/live"
	"portal/web/page"
)

// overview shows what to do first. Who has done it all is led to the overview of the mode that
// they looked at last.
func (p *Section) overview(v *page.Request) error {
	a := v.Person.Account
	switch {
	case a == nil && v.IsStaff():
		return v.SeeOther("/staff/requests")
	case a == nil:
		return v.Show(views.NoAccountPage(v.Frame("No account")))
	}
	way, err := p.Steps.Progress(v.Ctx(), v.Member(), a.Test, a.Live)
	if err != nil {
		return err
	}
	if way.Done() {
		return v.SeeOther("/" + string(frame.LastMode(v)) + "/overview")
	}
	view := views.Overview{Frame: v.Frame("First steps").Live(), Name: a.Name}
	view.FirstSteps = p.firstSteps(v, &way)
	if way.Approved && way.Request.Status != developer.Approved {
		view.Notice = "API access is no longer approved."
	}
	return v.Show(views.OverviewPage(view))
}

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

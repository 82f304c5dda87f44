// Package overview is the first pages of who has signed in: the steps to an integration that works,
// and then a portfolio and what is built on it at a glance.
//
// It knows no other section and no SQL.
package overview

import (
	"portal/api/developer"
	"portal/api/portfolio/ledger/report"
	"portal/api/webhook"
	views "portal/views/overview"
	"portal/web/frame"
	"portal/web/live"
	"portal/web/page"
)

// overview shows what to do first. Who has done it all is led to the overview of the mode that
// they looked at last, and who has records of their own to these.
func (p *Section) overview(v *page.Request) error {
	a := v.Person.Account
	switch {
	case a == nil && v.IsStaff():
		return v.SeeOther("/staff/requests")
	case a == nil:
		return v.Show(views.NoAccountPage(v.Frame("No account")))
	}
	way, err := p.Developer.Progress(v.Ctx(), v.Member(), a.Test, a.Live)
	if err != nil {
		return err
	}
	if way.Done() {
		return v.SeeOther("/" + string(frame.LastMode(v)) + "/overview")
	}
	empty, err := p.empty(v)
	if err != nil {
		return err
	}
	if !empty { // the steps are below the figures
		return v.SeeOther("/live/overview")
	}
	view := views.Overview{
		Frame: v.Frame("First steps").Live(), Name: a.Name, FirstSteps: firstSteps(v, nextSteps(v, &way)),
	}
	if way.Approved && way.Request.Status != developer.Approved {
		view.Notice = "API access is no longer approved."
	}
	return v.Show(views.OverviewPage(view))
}

// Config is what the overview needs.
type Config struct {
	Developer *developer.Service
	Summaries *report.Reports
	Webhook   *webhook.Service
	Streams   *live.Streams // tell open pages what happens
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

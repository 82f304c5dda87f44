package developer

import (
	"context"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/portfolio/ledger/report"
	views "portal/views/developer"
	"portal/web/frame"
	"portal/web/page"
)

// Summaries are portfolios in a few numbers.
type Summaries interface {
	Summary(ctx context.Context, by access.Actor) (*report.Summary, error)
	Overview(ctx context.Context, by access.Actor, months int) (*report.Overview, error)
}

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
	if len(nextSteps(v, &way)) == 0 {
		return v.SeeOther("/" + string(frame.LastMode(v)) + "/overview")
	}
	view := views.Overview{Frame: v.Frame("First steps").Live(), Name: a.Name}
	view.FirstSteps = p.firstSteps(v, &way)
	if way.Approved && way.Request.Status != developer.Approved {
		view.Notice = "API access is not approved any more."
	}
	return v.Show(views.OverviewPage(view))
}

package overview

import (
	"portal/api/developer"
	views "portal/views/overview"
	"portal/web/frame"
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

package web

import "portal/views"

// overview is where signing in leads to.
func (p *Pages) overview(v *visit) error {
	page := views.Overview{Frame: v.frame("Overview"), Staff: v.isStaff()}
	if a := v.person.Account; a != nil {
		page.Account = a.Name
	}
	return v.show(views.OverviewPage(page))
}

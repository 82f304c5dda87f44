package lease

import (
	"portal/api/portfolio/lease/application"
	"portal/views/kit"
	"portal/web/page"
)

// applicantActions are what can be done about an applicant.
func (p *applicationPages) applicantActions(v *page.Request, a *application.Applicant, r *kit.Record) {
	at := v.In("/applications/" + a.Invitation.ID)
	switch {
	case a.Status() == application.ToDecide:
		r.Primary = kit.Action{Name: "Accept application", Path: at + "/accept", Icon: "check", How: kit.Asks}
		r.Menu = []kit.Action{{Name: "Decline…", Path: at + "/decline", How: kit.Asks, Bad: true}}
	case a.Open():
		r.Menu = []kit.Action{{Name: "Cancel invitation…", Path: at + "/cancel", How: kit.Asks, Bad: true}}
	}
	if a.Application != nil && a.Application.TenantID != nil {
		to := p.recordLink(v, "/tenants/", *a.Application.TenantID)
		r.Primary = kit.Action{Name: "View tenant", Path: to, Icon: "users"}
	}
}

// invitationFacts are what is known of an invitation.
func (p *applicationPages) invitationFacts(v *page.Request, a *application.Applicant) []kit.Facts {
	i := &a.Invitation
	all := []kit.Term{
		{Name: "Sent to", Text: i.Email},
		{Name: "Email", Status: mailStanding(v, i.EmailStatus)},
		{Name: "Home", Text: a.Street(), Path: p.recordLink(v, "/properties/", i.PropertyID)},
		{Name: "Phone", Text: page.OrEmpty(i.Phone)},
		{Name: "Rent offered", Text: page.DollarsOr(i.OfferedRent)},
		{Name: "Move-in", Text: page.DateOr(i.DesiredMoveInDate)},
		{Name: "Invited", Time: v.Time(i.CreatedAt)},
		{Name: "Link works until", Time: v.Time(i.ExpiresAt)},
	}
	if a.Application != nil && a.Application.DecidedAt != nil {
		all = append(all, kit.Term{Name: "Decided", Time: v.Time(*a.Application.DecidedAt)})
	}
	return []kit.Facts{
		{Title: "Invitation", Terms: all},
		{Title: "Details", Terms: []kit.Term{{Name: "ID", Text: i.ID, ID: true}}},
	}
}

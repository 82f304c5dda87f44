package lease

import (
	"net/http"

	"portal/api/access"
	"portal/api/change"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
	"portal/web/related"
)

var tenantInvite = page.ContractOf[application.TenantInvite, application.Invitation]("invite_tenant")

// newInvitation asks for a unit, unless the address says it, and then who is invited.
func (p *applicationPages) newInvitation(v *page.Request) error {
	unit := v.Form().ID("unit_id", id.Unit)
	if v.Request().Method != http.MethodPost && !id.Valid(id.Unit, unit) {
		heading := kit.Heading{Title: "Invite applicant", About: "Choose the home.", Back: toApplications(v)}
		return related.UnitPicker{Portfolio: p.Portfolio}.Pick(v, heading, "/applications/new")
	}
	at, err := p.Portfolio.Homes.Site(v.Ctx(), v.Actor(), "", unit)
	if err != nil {
		return err
	}
	words := "They get an email with their own link, which works for 30 days."
	if v.Mode() == access.Test {
		words = "In test mode the email with the link isn’t sent: you can read it under Mail."
	}
	heading := kit.Heading{
		Title: "Invite applicant",
		About: homeOf(at) + " · " + page.UnitStandings[at.Unit.Status].Text,
		Back:  kit.Link{Name: "Another home", Path: v.In("/applications/new")},
	}
	form := tenantInvite.Form(kit.Form{
		Action: v.In("/applications/new"),
		Submit: "Invite them",
		Cancel: v.In("/applications"),
		Groups: invitationGroups(v, at),
	})
	f := v.Form()
	if v.Request().Method == http.MethodPost {
		if in := tenantInvite.BindForm(v, f, form.Groups...); !f.Rejected() {
			made, err := p.Applications.Invitations.InviteTenant(v.Ctx(), v.Actor(), in)
			if !f.Refused(err) {
				return p.invited(v, at, made, err)
			}
		}
	}
	return f.Show(v, heading, form, words)
}

func toApplications(v *page.Request) kit.Link {
	return kit.Link{Name: "Applications", Path: v.In("/applications")}
}

// invited shows the link of an invitation, this one time.
func (p *applicationPages) invited(
	v *page.Request, at *portfolio.Site, made *change.Result[application.Invitation], err error,
) error {
	if err != nil {
		return err
	}
	v.SeenAt(
		v.In("/applications/"+made.After.ID),
		"That form was sent before, and this is its invitation. To invite them once more, open the form again.",
	)
	view := views.InvitedApplicant{
		Frame:   v.Frame("Invitation created"),
		Heading: kit.Heading{Title: "Invitation created", About: homeOf(at), Back: toApplications(v)},
		Mail:    mailed(v, made.After),
		Secret: kit.Secret{
			Title: "Link to apply",
			Value: *made.After.ApplyURL,
			Words: "It’s shown only once, and it’s for " + made.After.Email +
				" alone. Anyone with the link can apply, without an account.",
		},
		Path: v.In("/applications/" + made.After.ID),
	}
	if v.Mode() == access.Test && p.Served("/{mode}/mail") {
		view.Kept = v.In("/mail")
	}
	for _, w := range made.Warnings {
		view.Warnings = append(view.Warnings, w.Message)
	}
	return v.Show(views.InvitedApplicantPage(view))
}

// mailed says where the email of an invitation is, "" where none was written.
func mailed(v *page.Request, i *application.Invitation) string {
	switch {
	case i.EmailStatus == application.EmailFailed:
		return ""
	case v.Mode() == access.Test:
		return "In test mode the email to " + i.Email + " isn’t sent: you can read it under Mail."
	}
	return "The email to " + i.Email + " is on its way."
}

// homeOf is a unit in a line, as people call it.
func homeOf(at *portfolio.Site) string {
	l := application.Lead{Property: at.Property.Property, Unit: *at.Unit}
	return l.Address()
}

// invitationGroups ask who is invited, and what the email says.
func invitationGroups(v *page.Request, at *portfolio.Site) []kit.FieldGroup {
	return []kit.FieldGroup{{Fields: []kit.Field{
		{Name: "unit_id", Kind: "hidden", Value: at.Unit.ID},
		{Name: "email", Label: "Email", Kind: "email", Complete: "off"},
		{Name: "first_name", Label: "First name", Optional: true, Complete: "off"},
		{Name: "last_name", Label: "Last name", Optional: true, Complete: "off"},
		{Name: "phone", Label: "Phone", Kind: "tel", Optional: true, Complete: "off"},
		{
			Name:     "offered_rent",
			Label:    "Monthly rent you offer",
			Optional: true,
			Short:    true,
			Mode:     "decimal",
			Hint:     "In dollars, for example 1,450. The email names it.",
		},
		{
			Name:     "desired_move_in_date",
			Label:    "Preferred move-in date",
			Kind:     "date",
			Optional: true,
			Least:    v.Today().String(),
		},
		{Name: "message", Label: "Message in the email", Lines: 4, Optional: true},
	}}}
}

package account

import (
	"strconv"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

// leaseDetailsAt is the address of the page within a mode.
const leaseDetailsAt = "/settings/leases"

var leaseDetailsUpdate = page.ContractOf[agreement.DetailsUpdate, agreement.Details]("update_lease_details")

func (p *settingsPages) saveLeaseDetails(v *page.Request) error {
	f := v.Form()
	now, err := p.LeaseDetails.Details(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	u := leaseDetailsUpdate.BindForm(v, f, leaseDetailsGroups(v, now)...)
	if f.Rejected() {
		return p.leaseDetailsForm(v, f)
	}
	made, err := p.LeaseDetails.UpdateDetails(v.Ctx(), v.Actor(), change.Target{Version: f.Version()}, u)
	if f.Conflict(err, strconv.FormatInt(now.Version, 10)) || f.Refused(err) {
		return p.leaseDetailsForm(v, f)
	}
	if err != nil {
		return err
	}
	said := "Saved. New documents use these details."
	if made.Before.Version == made.After.Version {
		said = page.Unchanged
	}
	return v.Done(v.In(leaseDetailsAt), said)
}

func (p *settingsPages) leaseDetailsForm(v *page.Request, f *page.Form) error {
	d, err := p.LeaseDetails.Details(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	of := map[access.Mode]string{access.Test: "the demo portfolio", access.Live: "the live portfolio"}[v.Mode()]
	form := f.Fill(leaseDetailsUpdate.Form(kit.Form{
		Action: v.In(leaseDetailsAt),
		Submit: "Save",
		Cancel: "/settings",
		Groups: leaseDetailsGroups(v, d),
	}))
	return v.ShowAs(f.Status, views.LeaseDetailsPage(views.Settings{
		Frame: v.Frame("Lease details"),
		Tabs:  settingsTabs(v, "/"+string(access.Live)+leaseDetailsAt),
		About: "How you appear in generated leases of " + of + ".",
		Form:  &form,
	}))
}

// leaseDetailsGroups are the fields of the details, with what they say.
func leaseDetailsGroups(v *page.Request, d *agreement.Details) []kit.FieldGroup {
	return []kit.FieldGroup{
		{Fields: []kit.Field{
			{
				Name:     "name",
				Label:    "Landlord",
				Value:    page.OrEmpty(d.Name),
				Complete: "organization",
				Hint: "The person or company that owns or manages the homes. If empty, it’s " +
					v.Person.Account.Name + ".",
			},
			{
				Name:  "address",
				Label: "Address for notices",
				Value: page.OrEmpty(d.Address),
				Hint: "Street, city, state, and ZIP code. Notices and legal papers go there. You can’t generate a " +
					"lease without it.",
			},
			{
				Name:     "phone",
				Label:    "Phone",
				Kind:     "tel",
				Value:    page.OrEmpty(d.Phone),
				Complete: "tel",
			},
		}},
		{Title: "Who signs", Fields: []kit.Field{
			{
				Name:     "signer",
				Label:    "Name",
				Value:    page.OrEmpty(d.Signer),
				Complete: "name",
			},
			{Name: "version", Kind: "hidden", Value: strconv.FormatInt(d.Version, 10)},
			{
				Name:     "title",
				Label:    "Title",
				Value:    page.OrEmpty(d.Title),
				Complete: "organization-title",
				Hint:     "For example Owner or Property manager.",
			},
		}},
	}
}

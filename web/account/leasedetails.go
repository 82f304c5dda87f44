package account

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/views/kit"
	"portal/web/page"
)

// LeaseDetails are what leases say of the landlord.
type LeaseDetails interface {
	Details(ctx context.Context, accountID string) (agreement.Details, error)
	SetDetails(ctx context.Context, by access.Actor, d agreement.Details) error
}

const leaseDetailsAt = "/settings/leases"

var leaseDetailsInput = page.InputOf[agreement.Details]("set_lease_details")

func (p *settingsPages) leaseDetails(v *page.Request) error { return p.leaseDetailsForm(v, v.Form()) }

func (p *settingsPages) saveLeaseDetails(v *page.Request) error {
	f := v.Form()
	d := leaseDetailsInput.Bind(v, f, "name", "address", "phone", "signer", "title")
	if f.Rejected() {
		return p.leaseDetailsForm(v, f)
	}
	err := p.LeaseDetails.SetDetails(v.Ctx(), v.Actor(), d)
	if f.Refused(err) {
		return p.leaseDetailsForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.Done(leaseDetailsAt, "Saved. Documents that are made from now on say it.")
}

func (p *settingsPages) leaseDetailsForm(v *page.Request, f *page.Form) error {
	d, err := p.LeaseDetails.Details(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{Frame: v.Frame("Lease details"), Heading: kit.Heading{Title: "Lease details", About: "What generated leases say of the landlord.", Back: kit.Link{Name: "Settings", Path: "/settings"}},
		Form: f.Fill(leaseDetailsInput.Form(kit.Form{Action: leaseDetailsAt, Submit: "Save", Cancel: "/settings", Groups: []kit.FieldGroup{
			{Fields: []kit.Field{
				{Name: "name", Label: "Landlord", Value: page.OrEmpty(d.Name), Complete: "organization", Hint: "The person or company that owns or manages the homes. Left out, it is " + v.Person.Account.Name + "."},
				{Name: "address", Label: "Address for notices", Value: page.OrEmpty(d.Address), Complete: "street-address", Hint: "Street, city, state and ZIP code. Notices and legal papers go there, so a lease should have one."},
				{Name: "phone", Label: "Phone", Kind: "tel", Value: page.OrEmpty(d.Phone), Complete: "tel"},
			}},
			{Title: "Who signs", Fields: []kit.Field{
				{Name: "signer", Label: "Name", Value: page.OrEmpty(d.Signer), Complete: "name"},
				{Name: "title", Label: "Title", Value: page.OrEmpty(d.Title), Complete: "organization-title", Hint: "For example Owner or Property manager."},
			}},
		}}))}))
}

package lease

import (
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio/lease/condition"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

func (p *conditionPages) askSign(v *page.Request, c *leaseCondition) error {
	return p.signForm(v, c, v.Form())
}

// signForm shows an owner what a report says and asks them to sign it.
func (p *conditionPages) signForm(v *page.Request, c *leaseCondition, f *page.Form) error {
	switch {
	case c.LandlordSignature() != nil:
		return v.RefuseAt(c.at, "The landlord has signed the report already.")
	case c.Items() == 0:
		return v.RefuseAt(c.at, "The report has no items. Add what was looked at.")
	case c.Unjudged() > 0:
		return v.RefuseAt(c.at, "Only "+conditionProgress(c.Items(), c.Unjudged())+". Choose one for each item.")
	}
	areas, err := p.areas(v, c)
	if err != nil {
		return err
	}
	for i := range areas {
		areas[i].Actions = nil
	}
	title := "Sign " + c.title
	return v.ShowAs(f.Status, views.ConditionSignPage(views.ConditionSign{
		Frame:   v.Frame(title),
		Heading: kit.Heading{Title: title, About: c.lease.RentalAddress, Back: c.back()},
		Areas:   areas,
		Form: f.Fill(kit.Form{
			Action: c.at + "/sign",
			Submit: "Sign report",
			Cancel: c.at,
			Failed: "Not signed yet",
			Groups: []kit.FieldGroup{{Fields: []kit.Field{
				{Name: "seen", Kind: "hidden", Value: c.SHA256()},
				{
					Name:     "name",
					Label:    "Type your full name",
					Complete: "name",
					Longest:  condition.MostTypedName,
					Hint: "By signing you say that the home was in this condition. Then you can’t change the report, and the " +
						"tenants see it and sign it too. We record the time, the IP address and browser, and the fingerprint of " +
						"the report.",
				},
			}}},
		}),
	}))
}

func (p *conditionPages) sign(v *page.Request, c *leaseCondition) error {
	f, from := v.Form(), v.From()
	_, err := p.Portfolio.Conditions.SignAsLandlord(v.Ctx(), v.Actor(), c.LeaseID, c.Kind, condition.Signing{
		Name: f.Printable("name"), Seen: f.Text("seen"), Address: from.IP(), Browser: from.Agent(),
	})
	switch {
	case fault.Is(err, fault.InvalidTransition):
		return v.RefuseAt(c.at, fault.From(err).Message)
	case fault.Is(err, fault.StaleWrite):
		f.Reject("name", "The report has changed. Read it again below before you sign.")
		f.Values.Set("seen", c.SHA256())
		return p.signForm(v, c, f)
	case f.Refused(err):
		return p.signForm(v, c, f)
	case err != nil:
		return err
	}
	return v.Done(c.at, "You have signed the report.")
}

// reopen asks whether the landlord's signature is to be taken back, and takes it back.
func (p *conditionPages) reopen(v *page.Request, c *leaseCondition) error {
	if !c.CanReopen() {
		return v.RefuseAt(c.at, "There is no signature that can be taken back.")
	}
	return page.Question{
		Title: "Take the signature back?",
		Words: []string{
			"You can change the report then, and have to sign it again before the tenants can. They go on seeing it.",
		},
		Form:   kit.Form{Submit: "Take signature back", Danger: true},
		Back:   c.at,
		Record: &c.Record,
		Do: func(*page.Form, change.Target) error {
			if _, err := p.Portfolio.Conditions.Reopen(v.Ctx(), v.Actor(), c.LeaseID, c.Kind); err != nil {
				return err
			}
			return v.Done(c.at, "The signature is taken back.")
		},
	}.Serve(v)
}

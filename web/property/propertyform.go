package property

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/api/portfolio/property/verification"
	"portal/views/kit"
	"portal/web/page"
)

var (
	propertyCreate = page.ContractOf[property.Create, portfolio.PropertyWithUnits]("create_property")
	propertyUpdate = page.ContractOf[property.Update, portfolio.Property]("update_property")
)

func (p *Section) newProperty(v *page.Request) error {
	groups := append(propertyGroups(), kit.FieldGroup{Title: "First unit", Fields: unitFields("unit.")})
	groups[2].Fields[0].Value = "1"
	other, err := p.unitRequest(v, 1)
	if err != nil {
		return err
	}
	return page.RecordForm[property.Create]{
		Contract: propertyCreate, Title: "Add property",
		Back: kit.Link{Name: "Properties", Path: v.In("/properties")},
		Words: []string{
			"A property has at least one unit: the house itself, or the first of several. You can add more units " +
				"on its page.",
		},
		Submit: "Add property", Groups: groups, Holds: portfolio.Property{PropertyType: "single_family"}, Other: other,
		Do: func(f *page.Form, in property.Create, _ change.Target) error {
			made, err := p.Portfolio.Properties.CreateProperty(v.Ctx(), v.Actor(), in)
			if p.short(v, f, 1, err) {
				return nil
			}
			if err != nil {
				return err
			}
			return v.Done(v.In("/properties/"+made.After.ID), "Property added.")
		},
	}.Serve(v)
}

// propertyGroups are the fields of a property.
func propertyGroups() []kit.FieldGroup {
	return []kit.FieldGroup{
		{Title: "Address", Fields: page.AddressFields()},
		{Title: "Building", Fields: []kit.Field{
			{Name: "name", Label: "Name", Hint: "What you call it, such as Maple Court."},
			{Name: "property_type", Label: "Type", Beside: true, Choices: page.Named(page.PropertyTypes, "")},
			{
				Name: "year_built", Label: "Built in",
				Hint: "The year. Leases for homes built before 1978 include the lead-paint disclosure.",
			},
		}},
	}
}

func (p *Section) editProperty(v *page.Request, x *portfolio.Property) error {
	at := v.In("/properties/" + x.ID)
	return page.RecordForm[property.Update]{
		Contract: propertyUpdate, Title: "Edit property", About: page.Street(x) + ", " + page.Town(x),
		Back:   kit.Link{Name: "The property", Path: at},
		Words:  []string{"Existing leases keep their address."},
		Submit: "Save property", Groups: propertyGroups(), Holds: x, Record: &x.Record,
		Do: func(_ *page.Form, u property.Update, t change.Target) error {
			made, err := p.Portfolio.Properties.UpdateProperty(v.Ctx(), v.Actor(), t, u)
			return page.Saved(v, at, "Property saved.", made, err)
		},
	}.Serve(v)
}

func (p *Section) archive(v *page.Request, x *portfolio.Property) error {
	archive := p.Portfolio.Properties.ArchiveProperty
	return p.ask(v, x, "/archive", "The property is archived.", 0, archive, page.Question{
		Title: "Archive the property?",
		Form:  kit.Form{Submit: "Archive property"},
		Words: []string{
			"It leaves your lists, and its units stop counting toward your plan’s limit. You can still read it " +
				"here and over the API, with its leases, tickets, and payments.",
			"You can’t archive a property that has an active lease or one out for signature. You can restore it at " +
				"any time.",
		},
	})
}

func (p *Section) restore(v *page.Request, x *portfolio.Property) error {
	q := page.Question{
		Title: "Restore the property?",
		Form:  kit.Form{Submit: "Restore property"},
		Words: []string{"It’s in use again, and its units count toward your plan’s limit of live units."},
	}
	if x.UnitCount > 0 && x.Status == portfolio.PropertyArchived {
		var err error
		if q.Other, err = p.unitRequest(v, x.UnitCount); err != nil {
			return err
		}
	}
	restore := p.Portfolio.Properties.RestoreProperty
	return p.ask(v, x, "/restore", "The property is restored.", x.UnitCount, restore, q)
}

func (p *Section) verify(v *page.Request, x *portfolio.Property) error {
	said := "The property is verified."
	q := page.Question{
		Title: "Verify the property?",
		Form:  kit.Form{Submit: "Verify property"},
		Words: []string{
			"In live mode our staff check that you own or manage the property. The demo portfolio isn’t real, so " +
				"here it’s verified immediately.",
		},
	}
	if v.Mode() == access.Live {
		said = "Verification requested. This page shows the result."
		q.Title, q.Form.Submit = "Have the property verified?", "Ask for verification"
		q.Words = []string{
			"Our staff check that you own or manage the property. Until then its ownership is In review.",
		}
		length := fault.Between("", new(verification.ShortestNote), new(verification.LongestNote))
		q.Form.Groups = []kit.FieldGroup{{Fields: []kit.Field{{
			Name: "note", Label: "What shows it", Lines: 5,
			Hint: "Where the deed is recorded and in whose name, or who the management agreement is with. " + length +
				" characters. Only our staff read it.",
		}}}}
	}
	verify := func(ctx context.Context, by access.Actor, t change.Target) (*change.Result[portfolio.Property], error) {
		return p.Verifications.AskVerification(ctx, by, t, page.Lines(v.Form(), "note"))
	}
	return p.ask(v, x, "/verify", said, 0, verify, q)
}

// ask asks about a property at a path below its page, and does what was asked about, which adds so many units to those
// that are in use.
func (p *Section) ask(
	v *page.Request, x *portfolio.Property, path, said string, adds int,
	do func(context.Context, access.Actor, change.Target) (*change.Result[portfolio.Property], error), q page.Question,
) error {
	q.Back, q.Record = v.In("/properties/"+x.ID), &x.Record
	q.Form.Action, q.Words = q.Back+path, slices.Insert(q.Words, 0, page.Street(x)+", "+page.Town(x)+".")
	q.Do = func(f *page.Form, t change.Target) error {
		made, err := do(v.Ctx(), v.Actor(), t)
		if p.short(v, f, adds, err) {
			return nil
		}
		return page.Saved(v, q.Back, said, made, err)
	}
	return q.Serve(v)
}

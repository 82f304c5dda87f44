package records

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/leaserules"
	"portal/views/kit"
	"portal/web/page"
)

// Agreements generates leases.
type Agreements interface {
	Generate(ctx context.Context, by access.Actor, g agreement.LeaseGenerate) (*change.Result[agreement.LeaseWithTerms], error)
	// Preview is the document that Generate would make, as PDF.
	Preview(ctx context.Context, by access.Actor, g agreement.LeaseGenerate) ([]byte, error)
}

// generatePages is the pages on which a lease is generated.
type generatePages struct{ *Section }

func (p *generatePages) routes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/leases/new", page.Member, p.newLease),
		page.Post("/{mode}/leases/new", page.Member, p.generateLease).Once(),
		page.Post("/{mode}/leases/new/preview", page.Member, p.previewLease).Previews(),
	}
}

var leaseGenerate = page.ContractOf[agreement.LeaseGenerate, agreement.LeaseWithTerms]("generate_lease")

// newLease asks for a unit, unless the address says it, and then for the terms.
func (p *generatePages) newLease(v *page.Request) error {
	f := v.Form()
	if !id.Valid(id.Unit, f.Text("unit_id")) {
		return (&searchPages{p.Section}).pick(v, kit.Heading{Title: "Generate a lease", About: "For which home?", Back: toLeases(v)}, "/leases/new")
	}
	at, err := p.Homes.Place(v.Ctx(), v.Actor(), "", f.Text("unit_id"))
	if err != nil {
		return err
	}
	return p.generateForm(v, f, at)
}

func toLeases(v *page.Request) kit.Link { return kit.Link{Name: "Leases", Path: v.In("/leases")} }

func (p *generatePages) generateLease(v *page.Request) error {
	return p.asked(v, func(g agreement.LeaseGenerate) error {
		made, err := p.Agreements.Generate(v.Ctx(), v.Actor(), g)
		if err != nil {
			return err
		}
		tone, said := page.Noted("The lease is generated. Its document can be opened below.", made.Warnings)
		v.Say(tone, said)
		return v.SeeOther(v.In("/leases/" + made.After.ID))
	})
}

// previewLease shows the document, and saves nothing.
func (p *generatePages) previewLease(v *page.Request) error {
	return p.asked(v, func(g agreement.LeaseGenerate) error {
		content, err := p.Agreements.Preview(v.Ctx(), v.Actor(), g)
		if err != nil {
			return err
		}
		return v.ServePDF("preview", content)
	})
}

// asked reads the form, and shows it again with what is wrong with it.
func (p *generatePages) asked(v *page.Request, do func(agreement.LeaseGenerate) error) error {
	f := v.Form()
	at, err := p.Homes.Place(v.Ctx(), v.Actor(), "", f.ID("unit_id", id.Unit))
	if err != nil {
		return err
	}
	f.Values.Set("property_id", at.Property.ID)
	if err := p.parties(v, f); err != nil {
		return err
	}
	g := leaseGenerate.Bind(v, f, "property_id", "unit_id", "tenant_id", "additional_tenant_ids", "lease_type", "start_date", "end_date", "monthly_rent", "security_deposit", "rent_due_day",
		"late_fee_amount", "late_fee_grace_days", "expires_in_days", "clauses.pets", "clauses.smoking", "clauses.parking", "clauses.utilities")
	if f.Rejected() {
		return p.generateForm(v, f, at)
	}
	if err := do(g); !f.Refused(err) {
		return err
	}
	return p.generateForm(v, f, at)
}

// parties finds the tenants who are named, and puts their ids into the form.
func (p *generatePages) parties(v *page.Request, f *page.Form) error {
	tenant, err := p.named(v, f, "tenant", f.Text("tenant"))
	if err != nil {
		return err
	}
	f.Values.Set("tenant_id", tenant)
	f.Values.Del("additional_tenant_ids")
	for line := range strings.SplitSeq(page.Lines(f, "others"), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		other, err := p.named(v, f, "others", line)
		if err != nil {
			return err
		}
		f.Values.Add("additional_tenant_ids", other)
	}
	return nil
}

// named is the id of the one tenant with a name or an email address, as it is written or in other cases, or
// remembers why there is none. A part of a name stands for nobody.
func (p *generatePages) named(v *page.Request, f *page.Form, field, words string) (string, error) {
	words = strings.TrimSpace(words)
	if words == "" {
		f.Reject(field, "This is required.")
		return "", nil
	}
	filter := portfolio.TenantFilter{Query: list.Query{Limit: 100}, Search: page.Clip(words, 100)}
	if strings.Contains(words, "@") {
		filter.Search, filter.Email = "", page.Clip(words, 254)
	}
	found, err := p.Tenants.Tenants(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return "", err
	}
	found.Data = slices.DeleteFunc(found.Data, func(t portfolio.Tenant) bool {
		return !strings.EqualFold(t.Name, words) && (t.Email == nil || !strings.EqualFold(*t.Email, words))
	})
	switch {
	case len(found.Data) == 1:
		return found.Data[0].ID, nil
	case len(found.Data) == 0:
		f.Reject(field, "No tenant is called “"+words+"”. A tenant is made when an application is accepted.")
	default:
		f.Reject(field, "Several tenants fit “"+words+"”. Enter the email address.")
	}
	return "", nil
}

func (p *generatePages) generateForm(v *page.Request, f *page.Form, at *portfolio.Place) error {
	f.Move("tenant_id", "tenant")
	f.Move("additional_tenant_ids", "others")
	rules := leaserules.Of(at.Property.State)
	rent := ""
	if at.Unit.MarketRent != nil {
		rent = at.Unit.MarketRent.String()
	}
	home := at.Property.StreetAddress + ", " + page.UnitName(at.Unit.UnitNumber) + ", " + at.Property.City
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{Frame: v.Frame("Generate a lease"), Heading: kit.Heading{Title: "Generate a lease", About: home, Back: toLeases(v)},
		Words: []string{"A draft with a PDF that follows the rules of " + rules.Name + ". It is not legal advice: have a lawyer read it. Signing online is on its way; until then it can be printed and signed on paper."},
		Form: f.Fill(leaseGenerate.Form(kit.Form{Action: v.In("/leases/new"), Submit: "Generate the lease", Preview: kit.Link{Name: "Preview the PDF", Path: v.In("/leases/new/preview")}, Cancel: v.In("/leases"), Groups: []kit.FieldGroup{
			{Title: "Who signs", Fields: []kit.Field{
				{Name: "unit_id", Kind: "hidden", Value: at.Unit.ID},
				{Name: "tenant", Label: "Tenant", Complete: "off", Hint: "The whole name or the email address, as under Tenants."},
				{Name: "others", Label: "Other tenants", Lines: 2, Optional: true, Hint: "Up to four, one on each line."},
			}},
			{Title: "Term", Fields: []kit.Field{
				{Name: "lease_type", Label: "Type", Kind: "select", Choices: leaseTypeChoices()},
				{Name: "start_date", Label: "First day", Kind: "date", Value: v.Today().String()},
				{Name: "end_date", Label: "Last day", Kind: "date", Hint: "Left out, the lease runs for a year. A month-to-month lease has none."},
			}},
			{Title: "Money", About: rules.MoneyLimits(), Fields: []kit.Field{
				{Name: "monthly_rent", Label: "Monthly rent", Mode: "decimal", Short: true, Complete: "off", Value: rent, Hint: "In dollars, like the others."},
				{Name: "rent_due_day", Label: "Due on day", Mode: "numeric", Short: true, Complete: "off", Value: "1", Hint: "Of the month, 1 to 28."},
				{Name: "security_deposit", Label: "Deposit", Mode: "decimal", Short: true, Complete: "off", Value: "0"},
				{Name: "late_fee_amount", Label: "Late fee", Mode: "decimal", Short: true, Complete: "off"},
				{Name: "late_fee_grace_days", Label: "Days of grace", Mode: "numeric", Short: true, Complete: "off"},
			}},
			{Title: "In your own words", About: "What you leave empty, the document says in words of its own.", Fields: []kit.Field{
				{Name: "clauses.pets", Label: "Pets", Lines: 2, Optional: true},
				{Name: "clauses.smoking", Label: "Smoking", Lines: 2, Optional: true},
				{Name: "clauses.parking", Label: "Parking", Lines: 2, Optional: true},
				{Name: "clauses.utilities", Label: "Utilities", Lines: 2, Optional: true},
			}},
			{Title: "Draft", Fields: []kit.Field{
				{Name: "expires_in_days", Label: "Good for", Mode: "numeric", Short: true, Complete: "off", Value: "14", Hint: "Days until the draft is void, 1 to 90."},
			}},
		}}))}))
}

func leaseTypeChoices() (all []kit.Choice) {
	for _, t := range portfolio.LeaseType("").Values() {
		all = append(all, kit.Choice{Value: t, Label: leaseTypes[portfolio.LeaseType(t)], Chosen: t == string(portfolio.Fixed)})
	}
	return all
}

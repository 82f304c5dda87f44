// Package agreement makes leases to be signed: it holds their terms against the rules of the state, and
// keeps the document that the parties read.
package agreement

import (
	"context"
	"fmt"
	"strconv"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/leaserules"
	"portal/api/portfolio/leaseterms"
)

// LeaseGenerate is what a lease is generated from (records.md).
type LeaseGenerate struct {
	PropertyID          string              `json:"property_id" format:"ref" prefix:"prop" doc:"The property."`
	TenantID            string              `json:"tenant_id" format:"ref" prefix:"ten" doc:"The primary tenant."`
	StartDate           clock.Date          `json:"start_date" example:"2026-12-01" doc:"First day."`
	MonthlyRent         money.Cents         `json:"monthly_rent" min:"1" example:"1450.00" doc:"Monthly rent, in dollars."`
	RenewsLeaseID       *string             `json:"renews_lease_id" format:"ref" prefix:"lea" doc:"The signed or active lease of the unit that this one renews."`
	UnitID              *string             `json:"unit_id" format:"ref" prefix:"unit" doc:"The unit of the property. Left out: the tenant's unit there, else its only unit, else its only vacant one."`
	EndDate             *clock.Date         `json:"end_date" doc:"Last day; instead of term_months."`
	TermMonths          *int                `json:"term_months" min:"1" max:"120" example:"12" doc:"Length in months, 12 where neither it nor end_date is given."`
	LeaseType           portfolio.LeaseType `json:"lease_type" default:"fixed" doc:"What happens at the end; a month_to_month lease has none."`
	SecurityDeposit     money.Cents         `json:"security_deposit" default:"0" example:"1450.00" doc:"Deposit in dollars, 0 for none."`
	RentDueDay          int                 `json:"rent_due_day" min:"1" max:"28" default:"1" doc:"Day of the month on which rent is due."`
	LateFeeAmount       *money.Cents        `json:"late_fee_amount" doc:"Fee for late rent, in dollars."`
	LateFeeGraceDays    *int                `json:"late_fee_grace_days" min:"0" max:"60" doc:"Days after the due date before the fee applies. The document gives the days of grace of the state where they are more."`
	AdditionalTenantIDs *[]string           `json:"additional_tenant_ids" format:"ref" prefix:"ten" maxlen:"4" doc:"Other tenants who sign."`
	ExpiresInDays       int                 `json:"expires_in_days" min:"1" max:"90" default:"14" doc:"Days until a document that is not signed by all is void."`
	Clauses             *leaseterms.Clauses `json:"clauses" doc:"The landlord's own words about some subjects."`
}

// SchemaName is the name of the OpenAPI component.
func (LeaseGenerate) SchemaName() string { return "LeaseGenerate" }

// Check finds what no tag says.
func (g LeaseGenerate) Check(clock.Date) (all []fault.Detail) {
	monthly := g.LeaseType == portfolio.MonthToMonth
	switch {
	case g.EndDate != nil && monthly:
		all = append(all, fault.Wrong("end_date", "must be left out: a month_to_month lease has no last day."))
	case g.EndDate != nil && g.TermMonths != nil:
		all = append(all, fault.Wrong("term_months", "must be left out where end_date is given."))
	case g.TermMonths != nil && monthly:
		all = append(all, fault.Wrong("term_months", "must be left out: a month_to_month lease has no term."))
	case g.EndDate != nil && *g.EndDate <= g.StartDate:
		all = append(all, fault.Detail{Param: "end_date", Code: fault.DateOrder, Message: fmt.Sprintf("end_date must be after start_date, %s; not %s.", g.StartDate, *g.EndDate)})
	}
	for i, t := range g.additional() {
		if t == g.TenantID {
			all = append(all, fault.Wrong("additional_tenant_ids."+strconv.Itoa(i), "is the primary tenant; name each one once."))
		}
	}
	return all
}

func (g LeaseGenerate) additional() []string {
	if g.AdditionalTenantIDs == nil {
		return nil
	}
	return *g.AdditionalTenantIDs
}

// end is the last day, nil for a month-to-month lease.
func (g LeaseGenerate) end() *clock.Date {
	switch {
	case g.LeaseType == portfolio.MonthToMonth:
		return nil
	case g.EndDate != nil:
		return g.EndDate
	case g.TermMonths != nil:
		return new(g.StartDate.AddMonths(*g.TermMonths) - 1)
	}
	return new(g.StartDate.AddMonths(12) - 1)
}

// Generated is a lease with what its document was made from.
type Generated struct {
	portfolio.Lease
	Jurisdiction Jurisdiction          `json:"jurisdiction" doc:"Whose rules the document follows."`
	Disclosures  []document.Disclosure `json:"disclosures" doc:"What the law asks the landlord to tell or hand over with the lease."`
	Signers      []Signer              `json:"signers" doc:"Who signs, the primary tenant first and the landlord last."`
}

// SchemaName is the name of the OpenAPI component.
func (Generated) SchemaName() string { return "GeneratedLeaseOut" }

// Jurisdiction is the state whose rules a document follows.
type Jurisdiction struct {
	State     contact.State `json:"state" example:"TX" doc:"USPS code of the state or DC."`
	RulesAsOf *string       `json:"rules_as_of" example:"2026" doc:"Year of the newest source that has a date; null when none has one."`
}

// SchemaName is the name of the OpenAPI component.
func (Jurisdiction) SchemaName() string { return "LeaseJurisdiction" }

// Signer is a party that signs a lease.
type Signer struct {
	Role   SignerRole   `json:"role" example:"tenant" doc:"What the party is in the lease."`
	Name   string       `json:"name" by:"tenant" maxlen:"255" example:"Dana Whitfield" doc:"The party's name in the document."`
	Status SignerStatus `json:"status" example:"awaiting_signature" doc:"How far the party is."`
}

// SchemaName is the name of the OpenAPI component.
func (Signer) SchemaName() string { return "LeaseSigner" }

// Generate makes a draft of a lease with its document. Its terms are held against the rules of the
// property's state first.
func (s *Service) Generate(ctx context.Context, by access.Actor, g LeaseGenerate) (*change.Result[Generated], error) {
	if err := fault.Invalid(g.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Generated], error) {
		m := &change.Result[Generated]{After: &Generated{}}
		t, err := s.terms(ctx, by, &g, m)
		if err != nil {
			return nil, err
		}
		if err := s.check(ctx, by, t, m); err != nil {
			return nil, err
		}
		rules := leaserules.Of(t.Property.State)
		m.After.Lease, m.After.Jurisdiction = *t.Lease, Jurisdiction{rules.State, rules.AsOf}
		m.After.Disclosures, m.After.Signers = t.Disclosures(), signers(t.Lease, t.Landlord.Signer)
		return m, s.add(ctx, by, t, m)
	})
}

// Preview is the document that Generate would make of the same terms. Nothing is saved.
func (s *Service) Preview(ctx context.Context, by access.Actor, g LeaseGenerate) ([]byte, error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	if err := fault.Invalid(g.Check(s.Today(by))); err != nil {
		return nil, err
	}
	m := &change.Result[Generated]{After: &Generated{}}
	t, err := s.terms(ctx, by, &g, m)
	if err != nil {
		return nil, err
	}
	if err := s.check(ctx, by, t, m); err != nil {
		return nil, err
	}
	d := document.Compose(t)
	d.Title, d.Number = d.Title+" (preview)", "Preview, not saved"
	return pdf.Render(d, s.Now())
}

// add writes the lease and its document. A preview has no link: it would open nothing.
func (s *Service) add(ctx context.Context, by access.Actor, t *document.Terms, m *change.Result[Generated]) error {
	d := &Document{ID: id.New(id.Document, s.Now()), LeaseID: t.Lease.ID, Clauses: clausesText(t.Lease.Terms.Clauses)}
	t.Lease.DocumentID = &d.ID
	if err := s.render(d, t); err != nil {
		return err
	}
	if err := s.store.AddPeople(ctx, by.Portfolio, &portfolio.Book{Leases: []portfolio.Lease{*t.Lease}}); err != nil {
		return err
	}
	if !change.IsDryRun(ctx) {
		m.After.DocumentURL = new(s.Link(d.ID))
	}
	return s.documents.AddDocument(ctx, by.Portfolio, d)
}

// terms finds the records that a lease is generated from, and makes it of them.
func (s *Service) terms(ctx context.Context, by access.Actor, g *LeaseGenerate, m *change.Result[Generated]) (*document.Terms, error) {
	in := by.Portfolio
	property, err := portfolio.Find(ctx, in, id.Property, g.PropertyID, "property", s.store.Property)
	if err != nil {
		return nil, err
	}
	parties, emails, err := s.parties(ctx, in, g)
	if err != nil {
		return nil, err
	}
	unit, err := s.unit(ctx, in, g, parties[0].ID)
	if err != nil {
		return nil, err
	}
	if err := s.renews(ctx, in, g, unit); err != nil {
		return nil, err
	}
	landlord, err := s.landlord(ctx, in)
	if err != nil {
		return nil, err
	}
	if property.Status == portfolio.PropertyArchived {
		m.Warn("property_archived", "The property is archived. Restore it before somebody moves in.")
	}
	l := &portfolio.Lease{
		Record: s.NewRecord(by, id.Lease, "lease"), Status: portfolio.LeaseDraft, PropertyID: property.ID, UnitID: unit.ID, Tenants: parties,
		RentalAddress: portfolio.Address(&property, unit), LeaseType: g.LeaseType, StartDate: g.StartDate, EndDate: g.end(), MonthlyRent: g.MonthlyRent, SecurityDeposit: g.SecurityDeposit,
		Currency: portfolio.Currency, RentDueDay: g.RentDueDay, LateFeeAmount: g.LateFeeAmount, LateFeeGraceDays: g.LateFeeGraceDays, RenewedFromLeaseID: g.RenewsLeaseID,
	}
	l.ExpiresAt = new(l.CreatedAt + clock.Time(g.ExpiresInDays)*24*60*60*1000)
	for _, p := range parties {
		l.TenantIDs = append(l.TenantIDs, p.ID)
	}
	t := &document.Terms{Lease: l, Property: &property, Unit: unit, Landlord: landlord, Emails: emails, Day: s.Today(by)}
	if g.Clauses != nil {
		l.Terms.Clauses = *g.Clauses
	}
	return t, nil
}

// parties are the tenants who sign, with their email addresses.
func (s *Service) parties(ctx context.Context, in access.Portfolio, g *LeaseGenerate) (all []portfolio.Party, emails []string, err error) {
	for i, tenantID := range append([]string{g.TenantID}, g.additional()...) {
		t, err := portfolio.Find(ctx, in, id.Tenant, tenantID, "tenant", s.store.Tenant)
		if i > 0 && fault.Is(err, fault.NoRecord) {
			err = fault.From(err).At("additional_tenant_ids." + strconv.Itoa(i-1))
		}
		if err != nil {
			return nil, nil, err
		}
		role, email := portfolio.PartyCoTenant, ""
		if i == 0 {
			role = portfolio.PartyPrimary
		}
		if t.Email != nil {
			email = *t.Email
		}
		all, emails = append(all, portfolio.Party{ID: t.ID, Name: t.Name, Role: role}), append(emails, email)
	}
	return all, emails, nil
}

func or(given *string, otherwise string) string {
	if given == nil {
		return otherwise
	}
	return *given
}

// landlord is the party that lets the home.
func (s *Service) landlord(ctx context.Context, in access.Portfolio) (document.Landlord, error) {
	l, err := s.store.Landlord(ctx, in)
	if err != nil {
		return document.Landlord{}, err
	}
	d, err := s.Details(ctx, l.AccountID)
	if err != nil {
		return document.Landlord{}, err
	}
	of := document.Landlord{Name: l.Name, Address: or(d.Address, ""), Phone: or(d.Phone, ""), Title: or(d.Title, "")}
	of.Name = or(d.Name, of.Name)
	of.Signer = or(d.Signer, of.Name)
	for _, r := range l.Readers {
		if r.Role == access.Owner {
			of.Email = r.Email
			break
		}
	}
	return of, nil
}

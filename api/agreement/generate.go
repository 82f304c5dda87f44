// Package agreement makes leases to be signed: it holds their terms against the rules of the state, and
// keeps the document that the parties read.
//
// It knows nothing of HTTP or SQL.
package agreement

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/evidence"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
)

// LeaseGenerate is what a lease is generated from (docs/site/records.md).
type LeaseGenerate struct {
	// The property.
	PropertyID string `json:"property_id" format:"ref" prefix:"prop"`
	// The primary tenant.
	TenantID string `json:"tenant_id" format:"ref" prefix:"ten"`
	// What gives the lease the terms that are left out here, and attachments.
	TemplateID *string `json:"template_id" format:"ref" prefix:"tpl"`
	// standard prints our lease; own prints a first page before a PDF of yours. standard without it.
	Document *terms.Document `json:"document" example:"standard"`
	// First day, within 10 years of today.
	StartDate clock.Date `json:"start_date" example:"2026-11-01"`
	// Monthly rent, in dollars.
	MonthlyRent money.Cents `json:"monthly_rent" min:"1" example:"1450.00"`
	// The lease of the unit that this one renews.
	RenewsLeaseID *string `json:"renews_lease_id" format:"ref" prefix:"lea"`
	// The unit; without it, the tenant's in the property, or its only or only vacant one.
	UnitID *string `json:"unit_id" format:"ref" prefix:"unit"`
	// Last day, at most 120 months after the first; instead of term_months.
	EndDate *clock.Date `json:"end_date"`
	// Length in months; 12 without this, end_date and a template's.
	TermMonths *int `json:"term_months" min:"1" max:"120" example:"12"`
	// What happens at the end; a month_to_month lease has none. fixed without this and a template's.
	LeaseType *portfolio.LeaseType `json:"lease_type" example:"fixed"`
	// Deposit in dollars, 0 for none.
	SecurityDeposit money.Cents `json:"security_deposit" default:"0" example:"1450.00"`
	// Day of the month on which rent is due; 1 without this and a template's.
	RentDueDay *int `json:"rent_due_day" min:"1" max:"28" example:"1"`
	// Fee for late rent, in dollars.
	LateFeeAmount *money.Cents `json:"late_fee_amount"`
	// Whether the fee is owed once for each late payment, or for each day; once without this and a template's.
	LateFeeFrequency *terms.Frequency `json:"late_fee_frequency" example:"once"`
	// Days of grace after the due date; saved as at least the state's minimum.
	LateFeeGraceDays *int `json:"late_fee_grace_days" min:"0" max:"60"`
	// Fee in dollars for a returned payment.
	ReturnedPaymentFee *money.Cents `json:"returned_payment_fee"`
	// Other tenants who sign.
	AdditionalTenantIDs *[]string `json:"additional_tenant_ids" format:"ref" prefix:"ten" maxlen:"4"`
	// Who answers for what the tenants owe: they sign a guaranty, and become tenants with the role guarantor.
	Guarantors *[]lease.Guarantor `json:"guarantors" maxlen:"2"`
	// Others who own the home and sign as landlords.
	CoOwners *[]terms.CoOwner `json:"co_owners" maxlen:"3"`
	// Names of others who live in the home.
	Occupants *[]string `json:"occupants" maxlen:"10" itemminlen:"1" itemmaxlen:"127"`
	// Animals that may live in the home.
	Pets *[]terms.Pet `json:"pets" maxlen:"5"`
	// Vehicles of the tenants.
	Vehicles *[]terms.Vehicle `json:"vehicles" maxlen:"4"`
	// Who pays for which utility.
	Utilities *[]terms.Utility `json:"utilities" maxlen:"12"`
	// false leaves a draft, which POST /leases/{id}/send sends for signature; true without it.
	Send *bool `json:"send"`
	// Days until the document is void unless all sign.
	ExpiresInDays int `json:"expires_in_days" min:"1" max:"90" default:"14"`
	// The landlord's own words.
	Clauses *terms.Clauses `json:"clauses"`
	// Charges beside rent and deposit.
	Fees *[]terms.Fee `json:"fees" maxlen:"10"`
	// Answers about disclosures of the state.
	Disclosures *[]terms.Answer `json:"disclosures" maxlen:"60"`
	// What is stated about lead-based paint, for homes built before 1978 or nobody knows when.
	LeadPaint *terms.LeadPaint `json:"lead_paint"`
}

// SchemaName is the name of the OpenAPI component.
func (LeaseGenerate) SchemaName() string { return "LeaseGenerate" }

// Check finds what no tag says.
func (g LeaseGenerate) Check(today clock.Date) (all []fault.Detail) {
	monthly := g.leaseType() == portfolio.MonthToMonth
	switch {
	case g.EndDate != nil && monthly:
		all = append(all, fault.Wrong("end_date", "must be left out: a month_to_month lease has no last day."))
	case g.EndDate != nil && g.TermMonths != nil:
		all = append(all, fault.Wrong("term_months", "must be left out where end_date is given."))
	case g.TermMonths != nil && monthly:
		all = append(all, fault.Wrong("term_months", "must be left out: a month_to_month lease has no term."))
	case g.EndDate != nil && *g.EndDate <= g.StartDate:
		all = append(all, fault.Detail{
			Param:   "end_date",
			Code:    fault.DateOrder,
			Message: fmt.Sprintf("end_date must be after start_date, %s; not %s.", g.StartDate, *g.EndDate),
		})
	}
	if g.EndDate == nil || !monthly {
		all = append(all, termBounds(g.StartDate, g.EndDate, today)...)
	}
	for i, t := range valueOf(g.AdditionalTenantIDs) {
		if t == g.TenantID {
			all = append(all, fault.Wrong(
				"additional_tenant_ids."+strconv.Itoa(i),
				"is the primary tenant; name each one once.",
			))
		}
	}
	return all
}

// Bounds of the dates of a lease that is generated, in months. Leases that were agreed on elsewhere may have others.
const (
	startMonths = 120 // from today to the first day, in the past or in the future
	termMonths  = 120 // from the first day to the last
)

// EarliestStart and LatestStart are between which days a lease that is generated on a day starts.
func EarliestStart(today clock.Date) clock.Date { return today.AddMonths(-startMonths) }

// LatestStart is the last such day.
func LatestStart(today clock.Date) clock.Date { return today.AddMonths(startMonths) }

// termBounds finds a start or an end that is far from what anybody agrees on, such as a year with a digit that is
// wrong.
func termBounds(start clock.Date, end *clock.Date, today clock.Date) (all []fault.Detail) {
	if first, last := EarliestStart(today), LatestStart(today); start < first || start > last {
		return append(all, fault.Wrong("start_date", fmt.Sprintf("must be from %s to %s, not %s.", first, last, start)))
	}
	if end == nil {
		return nil
	}
	if last, _ := start.LastOfTerm(termMonths); *end > last {
		all = append(all, fault.Wrong("end_date", fmt.Sprintf("must be at most %d months after start_date: %s at the "+
			"latest, not %s. For a lease without an end, use the lease_type month_to_month.", termMonths, last, *end)))
	}
	return all
}

// valueOf is a list, empty where none is given.
func valueOf[T any](list *[]T) []T {
	if list == nil {
		return nil
	}
	return *list
}

// defaultTerm is the length of a lease in months that has neither an end nor a term.
const defaultTerm = 12

// leaseType is what happens at the end.
func (g *LeaseGenerate) leaseType() portfolio.LeaseType { return or(g.LeaseType, portfolio.Fixed) }

// end is the last day, nil for a month-to-month lease.
func (g LeaseGenerate) end() *clock.Date {
	switch {
	case g.leaseType() == portfolio.MonthToMonth:
		return nil
	case g.EndDate != nil:
		return g.EndDate
	}
	day, _ := g.StartDate.LastOfTerm(or(g.TermMonths, defaultTerm))
	return &day
}

// terms are the terms that the document says beside dates and money.
func (g *LeaseGenerate) terms() terms.Terms {
	t := terms.Terms{
		Document:           g.Document,
		LateFeeFrequency:   or(g.LateFeeFrequency, terms.Once),
		ReturnedPaymentFee: g.ReturnedPaymentFee,
		Occupants:          valueOf(g.Occupants),
		CoOwners:           valueOf(g.CoOwners),
		Pets:               valueOf(g.Pets),
		Vehicles:           valueOf(g.Vehicles),
		Utilities:          valueOf(g.Utilities),
		Fees:               valueOf(g.Fees),
		Answers:            valueOf(g.Disclosures),
		LeadPaint:          g.LeadPaint,
	}
	if g.Clauses != nil {
		t.Clauses = *g.Clauses
	}
	t.Tidy()
	return t
}

// Generate makes a draft of a lease with its document.
func (s *Service) Generate(
	ctx context.Context, by access.Actor, g LeaseGenerate,
) (*change.Result[LeaseWithTerms], error) {
	if err := fault.Invalid(g.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[LeaseWithTerms], error) {
		m := &change.Result[LeaseWithTerms]{}
		t, err := s.checked(ctx, by, &g, m.Warn)
		if err != nil {
			return nil, err
		}
		m.After = show(t.Terms)
		m.After.Attachments = append(m.After.Attachments, t.attachments...)
		if m.After.BlockedBy, err = s.blockers(ctx, by.Portfolio, t.Terms); err != nil {
			return nil, err
		}
		return m, s.add(ctx, by, t, m.After, or(g.Send, true))
	})
}

// Preview is the document that Generate would make of the same terms, as PDF. Nothing is saved.
func (s *Service) Preview(ctx context.Context, by access.Actor, g LeaseGenerate) ([]byte, error) {
	d, err := s.PreviewDocument(ctx, by, g)
	if err != nil {
		return nil, err
	}
	r, err := s.render(ctx, by.Portfolio, d, preparing{})
	return r.content, err
}

// PreviewDocument is what Preview renders.
func (s *Service) PreviewDocument(ctx context.Context, by access.Actor, g LeaseGenerate) (*document.Document, error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	if err := fault.Invalid(g.Check(s.Today(by))); err != nil {
		return nil, err
	}
	t, err := s.checked(ctx, by, &g, func(string, string) {})
	if err != nil {
		return nil, err
	}
	d := document.Compose(t.Terms)
	d.Title, d.Number = d.Title+" (preview)", "Preview, not saved"
	return d, nil
}

// Review is what the parties of a draft read as it stands, and what it is warned of. What the law refuses by now is
// a warning, too.
func (s *Service) Review(
	ctx context.Context, by access.Actor, leaseID string,
) (*document.Document, []change.Warning, error) {
	l, err := s.leases.Lease(ctx, by, leaseID)
	if err != nil {
		return nil, nil, err
	}
	if l.DocumentID == nil {
		return nil, nil, fault.NotFound("document")
	}
	_, d, err := s.store.Document(ctx, *l.DocumentID)
	if err != nil {
		return nil, nil, err
	}
	t := &document.Terms{Lease: l, Day: s.Today(by), Version: d.Number}
	if err := s.fill(ctx, by.Portfolio, t); err != nil {
		return nil, nil, err
	}
	read, before := document.Compose(t), *l
	m := &change.Result[portfolio.Lease]{}
	err = s.check(ctx, by, &review{Terms: t, before: &before, warn: m.Warn})
	if said := fault.From(err); err != nil && said.Code.Entry().Status < http.StatusInternalServerError {
		m.Warn(string(said.Code), said.Message)
		err = nil
	}
	return read, m.Warnings, err
}

// checked is the lease that is asked for, with nothing that forbids it.
func (s *Service) checked(
	ctx context.Context, by access.Actor, g *LeaseGenerate, warn func(code, message string),
) (*draft, error) {
	template, err := s.template(ctx, by.Portfolio, g.TemplateID)
	if err != nil {
		return nil, err
	}
	full, taken := g.from(&template)
	if err := fault.Invalid(full.Check(s.Today(by))); err != nil {
		return nil, explained(err, &template, taken)
	}
	t, err := s.terms(ctx, by, &full)
	if err != nil {
		return nil, err
	}
	if err := template.forState(t.Property.State); err != nil {
		return nil, err
	}
	d := &draft{Terms: t, template: template}
	if d.library, err = s.askedFor(ctx, by.Portfolio, t); err != nil {
		return nil, err
	}
	if d.copy(); len(d.library) > 0 {
		if err := fitTogether(d.attachments); err != nil {
			return nil, err
		}
	}
	if g.TemplateID != nil {
		t.Lease.Terms.Template = &terms.Template{ID: template.ID, Version: template.Version}
	}
	if t.Property.Status == portfolio.PropertyArchived {
		warn("property_archived", "The property is archived. Restore it before somebody moves in.")
	}
	if err := s.check(ctx, by, &review{Terms: t, warn: warn}); err != nil {
		return nil, explained(err, &template, taken)
	}
	return d, s.draftLimit(ctx, by.Portfolio, t.Lease)
}

// add writes the lease and its document. A preview has no link: it would open nothing.
func (s *Service) add(
	ctx context.Context, by access.Actor, t *draft, shown *LeaseWithTerms, send bool,
) error {
	if change.IsDryRun(ctx) {
		return nil
	}
	made := &newLease{t.Lease.Record, *t.Lease.DocumentID, newLogKey(ctx)}
	rendered, err := s.rendered(
		ctx,
		by.Portfolio,
		preparing{lease: made},
		[]*document.Document{document.Compose(t.Terms)},
	)
	if err != nil {
		return err
	}
	if err := s.store.AddLease(ctx, by.Portfolio, t.Lease); err != nil {
		return err
	}
	if err := s.leases.NoteJoined(ctx, by, t.Lease); err != nil {
		return err
	}
	if err := s.attachCopies(ctx, by.Portfolio, t); err != nil {
		return err
	}
	if err := s.store.SaveSigners(ctx, by.Portfolio, t.Lease.ID, signerStates(t.Terms)); err != nil {
		return err
	}
	t.Lease.Landlord.TenantEmail = t.Emails[0] != ""
	shown.DocumentURL = new(s.Link(*t.Lease.DocumentID))
	d := &Document{
		ID:      *t.Lease.DocumentID,
		LeaseID: t.Lease.ID,
		Version: rendered[0].version(1),
		logKey:  made.logKey,
	}
	entries := []evidence.Entry{generated(d)}
	if send {
		entries = append(entries, s.giveLinks(by, t.Terms, shown, d)...)
	}
	log, err := s.append(d, entries...)
	if err != nil {
		return err
	}
	if err := s.store.AddDocument(ctx, by.Portfolio, d, log); err != nil {
		return err
	}
	if send {
		if err := s.requestSending(ctx, by.Portfolio, d.ID); err != nil {
			return err
		}
		if err := s.SendWaiting(ctx, by.Portfolio, t.Lease.ID); err != nil {
			return err
		}
	}
	shown.Sending, err = s.store.Sending(ctx, by.Portfolio, d.ID)
	shown.SentAt = shown.Sending.SentAt
	return err
}

// newLease is what a lease that is generated is called, in each run of its write.
type newLease struct {
	portfolio.Record
	documentID string
	logKey     []byte
}

// newLogKey is the key of the log of a document that is generated. It is the same in each run of its write,
// where the lease may be executed too: the hashes of the log stand in the signed document.
func newLogKey(ctx context.Context) []byte {
	if made := preparedIn(ctx).lease; made != nil {
		return made.logKey
	}
	return randomKey()
}

func (s *Service) newLease(ctx context.Context, by access.Actor) *newLease {
	if n := preparedIn(ctx).lease; n != nil {
		return n
	}
	return &newLease{
		Record:     s.NewRecord(by, id.Lease, "lease"),
		documentID: id.New(id.Document, s.Now(by.Portfolio)),
	}
}

// terms finds the records that a lease is generated from, and makes it of them.
func (s *Service) terms(ctx context.Context, by access.Actor, g *LeaseGenerate) (*document.Terms, error) {
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
	landlord, err := s.Landlord(ctx, in)
	if err != nil {
		return nil, err
	}
	made := s.newLease(ctx, by)
	l := &portfolio.Lease{
		Record:             made.Record,
		Status:             portfolio.LeaseDraft,
		PropertyID:         property.ID,
		UnitID:             unit.ID,
		Tenants:            parties,
		Landlord:           &portfolio.LandlordSignature{CoOwners: make([]*clock.Time, len(valueOf(g.CoOwners)))},
		DocumentID:         &made.documentID,
		RentalAddress:      portfolio.Address(&property, unit),
		LeaseType:          g.leaseType(),
		StartDate:          g.StartDate,
		EndDate:            g.end(),
		MonthlyRent:        g.MonthlyRent,
		SecurityDeposit:    g.SecurityDeposit,
		Currency:           portfolio.Currency,
		RentDueDay:         or(g.RentDueDay, 1),
		LateFeeAmount:      g.LateFeeAmount,
		LateFeeGraceDays:   g.LateFeeGraceDays,
		RenewedFromLeaseID: g.RenewsLeaseID,
		Terms:              g.terms(),
	}
	l.ExpiresAt = new(l.CreatedAt.Later(in.Ahead + g.ExpiresInDays))
	if l.AutoCharge, err = s.store.AutoCharges(ctx, in); err != nil {
		return nil, err
	}
	for _, p := range parties {
		l.TenantIDs = append(l.TenantIDs, p.ID)
	}
	t := &document.Terms{
		Lease:    l,
		Property: &property,
		Unit:     unit,
		Landlord: landlord,
		Emails:   emails,
		Day:      s.Today(by),
		Version:  1,
	}
	if len(valueOf(g.Guarantors)) == 0 {
		return t, s.leases.CheckCoOwners(ctx, by, l)
	}
	if err := s.leases.Guarantee(ctx, by, l, *g.Guarantors); err != nil {
		return nil, err
	}
	if t.Guarantors, err = s.guarantors(ctx, in, l); err != nil {
		return nil, err
	}
	for i := range t.Guarantors {
		t.Emails = append(t.Emails, or(t.Guarantors[i].Email, ""))
	}
	return t, s.leases.CheckCoOwners(ctx, by, l)
}

// guarantors are the records of the guarantors of a lease, in their order.
func (s *Service) guarantors(
	ctx context.Context, in access.Portfolio, l *portfolio.Lease,
) (all []portfolio.Tenant, err error) {
	for _, tenantID := range l.GuarantorIDs() {
		t, err := s.party(ctx, in, l, tenantID)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// party is the record of a party, who may yet have to be stored.
func (s *Service) party(
	ctx context.Context, in access.Portfolio, l *portfolio.Lease, tenantID string,
) (portfolio.Tenant, error) {
	i := slices.IndexFunc(l.Joining, func(t portfolio.Tenant) bool { return t.ID == tenantID })
	if i >= 0 {
		return l.Joining[i], nil
	}
	return s.store.Tenant(ctx, in, tenantID)
}

// parties are the tenants who sign, with their email addresses.
func (s *Service) parties(
	ctx context.Context, in access.Portfolio, g *LeaseGenerate,
) (all []portfolio.Party, emails []string, err error) {
	for i, tenantID := range append([]string{g.TenantID}, valueOf(g.AdditionalTenantIDs)...) {
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

func or[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}

// Landlord is the party that lets the homes of a portfolio, as its leases say it.
func (s *Service) Landlord(ctx context.Context, in access.Portfolio) (document.Landlord, error) {
	l, err := s.store.Landlord(ctx, in)
	if err != nil {
		return document.Landlord{}, err
	}
	d, err := s.details(ctx, in)
	if err != nil {
		return document.Landlord{}, err
	}
	of := document.Landlord{
		Name:    l.Name,
		Address: or(d.Address, ""),
		Phone:   or(d.Phone, ""),
		Title:   or(d.Title, ""),

		LeadWarning: d.LeadWarning,
	}
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

package agreement

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// LeaseTemplate is what the landlord keeps for leases that are generated (docs/site/records.md). A lease takes a copy
// of it: no lease changes with its template.
type LeaseTemplate struct {
	portfolio.Record `object:"lease_template" prefix:"tpl"`
	// What it is called; no two templates of a portfolio have the same name.
	Name string `json:"name" example:"Texas, one year"`
	// The state whose leases it is for, as USPS code; null for any.
	State *contact.State `json:"state" example:"TX"`
	TemplateTerms
	// PDFs that become attachments of each lease generated with the template, in their order.
	Attachments []Attachment `json:"attachments"`
}

// SchemaName is the name of the OpenAPI component.
func (LeaseTemplate) SchemaName() string { return "LeaseTemplateOut" }

// TemplateTerms are the terms of a template. A lease takes those that the request for it leaves out; null, or an empty
// list, gives it none.
type TemplateTerms struct {
	// What happens at the end.
	LeaseType *portfolio.LeaseType `json:"lease_type" example:"fixed"`
	// Length in months, of a lease that ends.
	TermMonths *int `json:"term_months" example:"12"`
	// Day of the month on which rent is due.
	RentDueDay *int `json:"rent_due_day" example:"1"`
	// Fee for late rent, in dollars.
	LateFeeAmount *money.Cents `json:"late_fee_amount" example:"50.00"`
	// Whether the fee is owed once for each late payment, or for each day.
	LateFeeFrequency *terms.Frequency `json:"late_fee_frequency" example:"once"`
	// Days of grace after the due date.
	LateFeeGraceDays *int `json:"late_fee_grace_days" example:"5"`
	// Fee in dollars for a returned payment.
	ReturnedPaymentFee *money.Cents `json:"returned_payment_fee" example:"25.00"`
	// Who pays for which utility.
	Utilities []terms.Utility `json:"utilities"`
	// The landlord's own words.
	Clauses terms.Clauses `json:"clauses"`
	// Charges beside rent and deposit.
	Fees []terms.Fee `json:"fees"`
}

// TemplateInput is what a template is made of, or what it becomes: a change replaces all of it but its attachments.
type TemplateInput struct {
	// What it is called.
	Name string `json:"name" minlen:"1" maxlen:"80" example:"Texas, one year"`
	// The state whose leases it is for, as USPS code; any without it.
	State *contact.State `json:"state" example:"TX"`
	// What happens at the end.
	LeaseType *portfolio.LeaseType `json:"lease_type"`
	// Length in months, of a lease that ends.
	TermMonths *int `json:"term_months" min:"1" max:"120"`
	// Day of the month on which rent is due.
	RentDueDay *int `json:"rent_due_day" min:"1" max:"28"`
	// Fee for late rent, in dollars.
	LateFeeAmount *money.Cents `json:"late_fee_amount"`
	// Whether the fee is owed once for each late payment, or for each day.
	LateFeeFrequency *terms.Frequency `json:"late_fee_frequency"`
	// Days of grace after the due date.
	LateFeeGraceDays *int `json:"late_fee_grace_days" min:"0" max:"60"`
	// Fee in dollars for a returned payment.
	ReturnedPaymentFee *money.Cents `json:"returned_payment_fee"`
	// Who pays for which utility.
	Utilities *[]terms.Utility `json:"utilities" maxlen:"12"`
	// The landlord's own words.
	Clauses *terms.Clauses `json:"clauses"`
	// Charges beside rent and deposit.
	Fees *[]terms.Fee `json:"fees" maxlen:"10"`
}

// SchemaName is the name of the schema.
func (TemplateInput) SchemaName() string { return "LeaseTemplateInput" }

// Check finds what no tag says: a term without an end, and texts that no document can show.
func (in TemplateInput) Check(clock.Date) (all []fault.Detail) {
	if in.TermMonths != nil && in.LeaseType != nil && *in.LeaseType == portfolio.MonthToMonth {
		all = append(all, fault.Wrong("term_months", "must be left out: a month_to_month lease has no term."))
	}
	t := in.terms()
	written := clauseTexts(&t.Clauses)
	for i := range t.Utilities {
		written = append(written, text{fmt.Sprintf("utilities.%d.name", i), &t.Utilities[i].Name})
	}
	for i := range t.Fees {
		written = append(written, text{fmt.Sprintf("fees.%d.name", i), &t.Fees[i].Name})
	}
	for _, w := range written {
		if w.text == nil {
			continue
		}
		if runes := pdf.Missing(*w.text); len(runes) > 0 {
			all = append(all, fault.Wrong(w.param, CannotShow(runes)))
		}
	}
	return all
}

// terms are the terms as a template has them: what is not there is null or an empty list.
func (in *TemplateInput) terms() TemplateTerms {
	t := TemplateTerms{
		LeaseType:          in.LeaseType,
		TermMonths:         in.TermMonths,
		RentDueDay:         in.RentDueDay,
		LateFeeAmount:      in.LateFeeAmount,
		LateFeeFrequency:   in.LateFeeFrequency,
		LateFeeGraceDays:   in.LateFeeGraceDays,
		ReturnedPaymentFee: in.ReturnedPaymentFee,
		Utilities:          slices.Concat([]terms.Utility{}, valueOf(in.Utilities)),
		Fees:               slices.Concat([]terms.Fee{}, valueOf(in.Fees)),
	}
	if in.Clauses != nil {
		t.Clauses = *in.Clauses
	}
	return t
}

// mostTemplates is how many templates a portfolio has at most: each has attachments.
const mostTemplates = 100

// templateNoun is a template in a sentence.
const templateNoun = "lease template"

// DemoTemplate is the template that a demo portfolio begins with.
func DemoTemplate(in access.Portfolio, now time.Time) *LeaseTemplate {
	return &LeaseTemplate{
		Record: portfolio.Record{
			ID:        id.New(id.Template, now),
			Object:    "lease_template",
			Mode:      in.Mode,
			Version:   1,
			CreatedAt: clock.At(now),
			UpdatedAt: clock.At(now),
		},
		Name: "Standard lease",
		TemplateTerms: TemplateTerms{
			LeaseType:  new(portfolio.Fixed),
			TermMonths: new(defaultTerm),
			RentDueDay: new(1),
			Utilities: []terms.Utility{
				{Name: "Water", PaidBy: terms.Landlord}, {Name: "Electricity", PaidBy: terms.Tenant},
			},
			Clauses: terms.Clauses{Smoking: new("Nobody smokes in the home.")},
			Fees:    []terms.Fee{},
		},
		Attachments: []Attachment{},
	}
}

// TemplateNameKey is the same for names that are not told apart: whatever their case and the spaces in them.
func TemplateNameKey(name string) string { return strings.ToLower(tidyName(name)) }

func tidyName(name string) string { return strings.Join(strings.Fields(norm.NFC.String(name)), " ") }

// TemplateFilter narrows the list of templates.
type TemplateFilter struct{ list.Query }

// Templates is a page of the templates of the portfolio.
func (s *Service) Templates(
	ctx context.Context, by access.Actor, f TemplateFilter,
) (*list.Page[LeaseTemplate], error) {
	all, err := s.store.Templates(ctx, by.Portfolio, f)
	if err != nil {
		return nil, err
	}
	return list.Of(all, f.Limit, func(t *LeaseTemplate) string { return t.ID }), nil
}

// Template is one template, or fault.NotFound.
func (s *Service) Template(ctx context.Context, by access.Actor, templateID string) (*LeaseTemplate, error) {
	t, err := s.store.Template(ctx, by.Portfolio, templateID)
	if err != nil {
		return nil, err
	}
	return &t, nil
}

// AddTemplate makes a template. It has no attachments yet.
func (s *Service) AddTemplate(
	ctx context.Context, by access.Actor, in TemplateInput,
) (*change.Result[LeaseTemplate], error) {
	if err := fault.Invalid(in.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[LeaseTemplate], error) {
		n, err := s.store.CountTemplates(ctx, by.Portfolio)
		if err != nil {
			return nil, err
		}
		if n >= mostTemplates {
			return nil, fault.New(
				fault.InvalidField,
				"There are %d templates, and %d is the most. Delete one that is no "+
					"longer needed.",
				n,
				mostTemplates,
			)
		}
		t := &LeaseTemplate{
			Record:        s.NewRecord(by, id.Template, "lease_template"),
			Name:          tidyName(in.Name),
			State:         in.State,
			TemplateTerms: in.terms(),
			Attachments:   []Attachment{},
		}
		if err := s.nameIsFree(ctx, by, t); err != nil {
			return nil, err
		}
		return &change.Result[LeaseTemplate]{After: t}, s.store.AddTemplate(ctx, by.Portfolio, t)
	})
}

// ChangeTemplate replaces all that a template says but its attachments. Leases that were generated with it stay as they
// are.
func (s *Service) ChangeTemplate(
	ctx context.Context, by access.Actor, t change.Target, in TemplateInput,
) (*change.Result[LeaseTemplate], error) {
	if err := fault.Invalid(in.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[LeaseTemplate]{
		Noun: templateNoun,
		Load: s.store.Template,
		Apply: func(ctx context.Context, after *LeaseTemplate, _ *change.Result[LeaseTemplate]) error {
			after.Name, after.State, after.TemplateTerms = tidyName(in.Name), in.State, in.terms()
			return s.nameIsFree(ctx, by, after)
		},
		Save:    s.store.SaveTemplate,
		Compute: func(*LeaseTemplate) {},
	})
}

// DeleteTemplate removes a template with its attachments, for good. Leases that were generated with it stay as they
// are, and go on to name it.
func (s *Service) DeleteTemplate(
	ctx context.Context, by access.Actor, target change.Target,
) (*change.Result[LeaseTemplate], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[LeaseTemplate], error) {
		t, err := s.store.Template(ctx, by.Portfolio, target.ID)
		if err != nil {
			return nil, err
		}
		if err := target.Check(templateNoun, t.Version); err != nil {
			return nil, err
		}
		if err := s.store.DeleteTemplate(ctx, by.Portfolio, t.ID); err != nil {
			return nil, err
		}
		m := &change.Result[LeaseTemplate]{Before: &t, After: &t}
		return m, s.RecordDone(ctx, by, "lease_template.deleted", t.ID, map[string]string{
			"name": t.Name, "version": strconv.FormatInt(t.Version, 10),
		})
	})
}

// Trace adds to the details of the trail what the template is called.
func (t *LeaseTemplate) Trace(details map[string]string) { details["name"] = t.Name }

// nameIsFree refuses a name that another template has.
func (s *Service) nameIsFree(ctx context.Context, by access.Actor, t *LeaseTemplate) error {
	other, err := s.store.TemplateNamed(ctx, by.Portfolio, TemplateNameKey(t.Name))
	switch {
	case fault.Is(err, fault.NoRecord):
		return nil
	case err == nil && other != t.ID:
		return fault.Invalid([]fault.Detail{fault.Wrong("name", "is the name of another template.")})
	}
	return err
}

// AttachToTemplate adds a PDF, which Clean has made, to a template. Leases that are generated from then on get it.
func (s *Service) AttachToTemplate(
	ctx context.Context, by access.Actor, templateID string, f *AttachmentFile,
) (*change.Result[LeaseTemplate], error) {
	return s.revised(ctx, by, templateID, "attached", f.id, func(ctx context.Context, t *LeaseTemplate) error {
		if err := fits("template", t.Attachments, f); err != nil {
			return err
		}
		a := f.attachment(t.Attachments)
		t.Attachments = append(slices.Clip(t.Attachments), *a)
		return s.store.AddTemplateAttachment(ctx, by.Portfolio, t.ID, a, f.Content)
	})
}

// DetachFromTemplate takes a PDF off a template. Leases that have it keep it.
func (s *Service) DetachFromTemplate(
	ctx context.Context, by access.Actor, templateID, attachmentID string,
) (*change.Result[LeaseTemplate], error) {
	return s.revised(ctx, by, templateID, "removed", attachmentID, func(ctx context.Context, t *LeaseTemplate) error {
		i := slices.IndexFunc(t.Attachments, func(a Attachment) bool { return a.ID == attachmentID })
		if i < 0 {
			return fault.NotFound("attachment")
		}
		t.Attachments = slices.Delete(slices.Clone(t.Attachments), i, i+1)
		return s.store.RemoveTemplateAttachment(ctx, by.Portfolio, t.ID, attachmentID)
	})
}

// revised changes the attachments of a template, which makes another version of it. The trail says what happened to
// which attachment.
func (s *Service) revised(
	ctx context.Context, by access.Actor, templateID, what, attachmentID string,
	do func(context.Context, *LeaseTemplate) error,
) (*change.Result[LeaseTemplate], error) {
	ctx = portfolio.WithDetails(ctx, map[string]string{what: attachmentID})
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[LeaseTemplate], error) {
		before, err := s.store.Template(ctx, by.Portfolio, templateID)
		if err != nil {
			return nil, err
		}
		after := before
		if err := do(ctx, &after); err != nil {
			return nil, err
		}
		after.Revise(clock.At(s.Now(by.Portfolio)))
		m := &change.Result[LeaseTemplate]{Before: &before, After: &after}
		return m, s.store.SaveTemplate(ctx, by.Portfolio, &after)
	})
}

// TemplateAttachment is the PDF of an attachment of a template, or fault.NotFound.
func (s *Service) TemplateAttachment(
	ctx context.Context, by access.Actor, templateID, attachmentID string,
) (Attachment, []byte, error) {
	return s.store.TemplateAttachment(ctx, by.Portfolio, templateID, attachmentID)
}

// template is the template that a lease is to be generated with: an empty one where none is named.
func (s *Service) template(ctx context.Context, in access.Portfolio, templateID *string) (t LeaseTemplate, err error) {
	if templateID == nil {
		return t, nil
	}
	err = fault.NotFound(templateNoun)
	if id.Valid(id.Template, *templateID) {
		t, err = s.store.Template(ctx, in, *templateID)
	}
	if fault.Is(err, fault.NoRecord) {
		err = fault.From(err).At("template_id")
	}
	return t, err
}

// forState refuses a template that is for leases of another state.
func (t *LeaseTemplate) forState(state contact.State) error {
	if t.State == nil || *t.State == state {
		return nil
	}
	return fault.Invalid([]fault.Detail{fault.Wrong("template_id", fmt.Sprintf(
		"is a template for %s, and the home is in %s. Choose a template for %s, or one for any state.",
		*t.State, state, state,
	))})
}

// from is what a lease is generated from with a template: what the request leaves out is the template's. Taken are the
// fields that are.
func (g LeaseGenerate) from(t *LeaseTemplate) (full LeaseGenerate, taken []string) {
	fill(&taken, "lease_type", &g.LeaseType, t.LeaseType)
	if g.EndDate == nil && or(g.LeaseType, portfolio.Fixed) != portfolio.MonthToMonth {
		fill(&taken, "term_months", &g.TermMonths, t.TermMonths)
	}
	fill(&taken, "rent_due_day", &g.RentDueDay, t.RentDueDay)
	fill(&taken, "late_fee_amount", &g.LateFeeAmount, t.LateFeeAmount)
	fill(&taken, "late_fee_frequency", &g.LateFeeFrequency, t.LateFeeFrequency)
	fill(&taken, "late_fee_grace_days", &g.LateFeeGraceDays, t.LateFeeGraceDays)
	fill(&taken, "returned_payment_fee", &g.ReturnedPaymentFee, t.ReturnedPaymentFee)
	if len(t.Utilities) > 0 {
		fill(&taken, "utilities", &g.Utilities, &t.Utilities)
	}
	if len(t.Fees) > 0 {
		fill(&taken, "fees", &g.Fees, &t.Fees)
	}
	if g.Document != nil && *g.Document == terms.Own { // whose text is not made of clauses
		return g, taken
	}
	clauses := or(g.Clauses, terms.Clauses{})
	fill(&taken, "clauses.pets", &clauses.Pets, t.Clauses.Pets)
	fill(&taken, "clauses.smoking", &clauses.Smoking, t.Clauses.Smoking)
	fill(&taken, "clauses.parking", &clauses.Parking, t.Clauses.Parking)
	fill(&taken, "clauses.utilities", &clauses.Utilities, t.Clauses.Utilities)
	g.Clauses = &clauses
	return g, taken
}

// fill takes a field that was not given from a template that has it.
func fill[T any](taken *[]string, name string, field **T, kept *T) {
	if *field == nil && kept != nil {
		*field, *taken = kept, append(*taken, name)
	}
}

// explained tells of fields at fault that they were taken from a template.
func explained(err error, t *LeaseTemplate, taken []string) error {
	said, is := errors.AsType[*fault.Error](err)
	if !is || len(taken) == 0 {
		return err
	}
	of := func(param, message string) string {
		for _, name := range taken {
			if param == name || strings.HasPrefix(param, name+".") {
				return fmt.Sprintf(
					"%s The template “%s” has it: change the template, or give another value.",
					message,
					t.Name,
				)
			}
		}
		return message
	}
	e := *said
	e.Message, e.Details = of(e.Param, e.Message), slices.Clone(e.Details)
	for i := range e.Details {
		e.Details[i].Message = of(e.Details[i].Param, e.Details[i].Message)
	}
	return &e
}

// draft is a lease that is to be generated, with what its template and the library give it.
type draft struct {
	*document.Terms
	template    LeaseTemplate // an empty one for none
	library     []LibraryDocument
	attachments []Attachment // copies of the template's, and behind them of the library's
}

// copy makes the attachments of a lease of those of its template and of the library. They are the same in each run of
// its write.
func (d *draft) copy() {
	d.attachments = slices.Clone(d.template.Attachments)
	for i := range d.library {
		a := d.library[i].File
		a.FileName = attachedName(a.FileName, d.attachments)
		d.attachments = append(d.attachments, a)
	}
	made := d.Lease.CreatedAt
	for i, copyID := range id.Numbered(id.Attachment, made.Std(), d.Lease.ID, len(d.attachments)) {
		d.attachments[i].ID, d.attachments[i].UploadedAt = copyID, made
	}
	d.Attachments = namedIn(d.attachments)
}

// attachCopies gives the lease its copies.
func (s *Service) attachCopies(ctx context.Context, in access.Portfolio, d *draft) (err error) {
	for i, from := 0, len(d.template.Attachments); i < len(d.attachments) && err == nil; i++ {
		if to := &d.attachments[i]; i < from {
			err = s.store.CopyTemplateAttachment(
				ctx, in, d.template.ID, d.template.Attachments[i].ID, d.Lease.ID, to,
			)
		} else {
			err = s.store.CopyFromLibrary(ctx, in, d.library[i-from].ID, d.Lease.ID, to)
		}
	}
	return err
}

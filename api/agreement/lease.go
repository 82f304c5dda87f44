package agreement

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
)

// LeaseWithTerms is a lease with what its document is made from. A lease that was not generated here has
// no jurisdiction, no disclosures and no signers.
type LeaseWithTerms struct {
	portfolio.Lease
	terms.Terms
	// Who answers for what the tenants owe, as their records have them today.
	Guarantors []Guarantor `json:"guarantors"`
	// When the tenants agreed, on paper or by email, to end it before it started.
	TenantsAgreedOn *clock.Date `json:"tenants_agreed_on"`
	// Whose rules the document follows; null for a lease without one.
	Jurisdiction *Jurisdiction `json:"jurisdiction"`
	// What the law asks the landlord to tell or hand over with the lease.
	Disclosures []document.Disclosure `json:"disclosures"`
	// Who signs, the primary tenant first and the landlord last, behind co-owners.
	Signers []Signer `json:"signers"`
	// PDFs of the landlord's that are part of the lease, in the order in which they follow it.
	Attachments []Attachment `json:"attachments"`
	// The template that the lease was generated with, which may be gone; null for one without.
	TemplateID *string `json:"template_id" format:"id" prefix:"tpl"`
	// The version of the template then.
	TemplateVersion *int64 `json:"template_version" example:"3"`
	// When the links were emailed; null for a draft that is not sent, or while something blocks a signature.
	SentAt *clock.Time `json:"sent_at"`
	// What keeps the lease from being signed. Once nothing does, a lease that was sent is emailed.
	BlockedBy []Blocker `json:"blocked_by"`

	Sending Sending `json:"-"`
}

// SchemaName is the name of the OpenAPI component.
func (LeaseWithTerms) SchemaName() string { return "LeaseWithTermsOut" }

// Guarantor is who answers for what the tenants of a lease owe.
type Guarantor struct {
	// Given name.
	FirstName string `json:"first_name" by:"tenant" maxlen:"127" example:"Robin"`
	// Family name.
	LastName string `json:"last_name" by:"tenant" maxlen:"127" example:"Whitfield"`
	// Email address; null if the record has none any more.
	Email *string `json:"email" by:"tenant" format:"email" maxlen:"254" example:"robin.whitfield@example.com"`
}

// SchemaName is the name of the OpenAPI component.
func (Guarantor) SchemaName() string { return "LeaseGuarantorOut" }

// PamphletMissing reports whether the tenants are to get the pamphlet about lead on paper, and no day is noted on
// which they did.
func (l *LeaseWithTerms) PamphletMissing() bool {
	return slices.ContainsFunc(
		l.Disclosures,
		func(d document.Disclosure) bool { return d.Code == document.LeadPaint },
	) &&
		(l.Terms.LeadPaint == nil || l.Terms.LeadPaint.PamphletGivenOn == nil)
}

// TextMissing reports whether the text of the lease is a PDF of the landlord's that is yet to be added.
func (l *LeaseWithTerms) TextMissing() bool {
	return l.Terms.Own() && !slices.ContainsFunc(l.Attachments, func(a Attachment) bool { return a.IsLease })
}

// Jurisdiction is the state whose rules a document follows.
type Jurisdiction struct {
	// USPS code of the state or DC.
	State contact.State `json:"state" example:"TX"`
	// Year of the newest source that has a date; where none has one, the day on which the table was last
	// looked at.
	RulesAsOf string `json:"rules_as_of" example:"2026"`
}

// SchemaName is the name of the OpenAPI component.
func (Jurisdiction) SchemaName() string { return "LeaseJurisdiction" }

// Lease is one lease with its terms.
func (s *Service) Lease(ctx context.Context, by access.Actor, leaseID string) (*LeaseWithTerms, error) {
	l, err := s.leases.Lease(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	return s.withTerms(ctx, by, l)
}

// UpdateLease is that of package portfolio; its answer has the terms as well.
func (s *Service) UpdateLease(
	ctx context.Context, by access.Actor, t change.Target, u lease.Update,
) (*change.Result[LeaseWithTerms], error) {
	made, err := s.leases.UpdateLease(ctx, by, t, u)
	if err != nil {
		return nil, err
	}
	m := &change.Result[LeaseWithTerms]{Warnings: made.Warnings}
	if m.Before, err = s.withTerms(ctx, by, made.Before); err != nil {
		return nil, err
	}
	m.After, err = s.withTerms(ctx, by, made.After)
	return m, err
}

// withTerms is a lease as REST shows it alone.
func (s *Service) withTerms(ctx context.Context, by access.Actor, l *portfolio.Lease) (*LeaseWithTerms, error) {
	if l.DocumentID == nil {
		all, err := s.guarantors(ctx, by.Portfolio, l)
		return show(&document.Terms{Lease: l, Guarantors: all}), err
	}
	attached, err := s.store.Attachments(ctx, by.Portfolio, l.ID)
	if err != nil {
		return nil, err
	}
	t := &document.Terms{Lease: l, Day: s.Today(by), Attachments: namedIn(attached)}
	if err := s.fillRecords(ctx, by.Portfolio, t); err != nil {
		return nil, err
	}
	of := show(t)
	of.Attachments = append(of.Attachments, attached...)
	all, version, err := s.store.Signers(ctx, by.Portfolio, l.ID)
	if err == nil && version > 0 { // a document of an earlier release has no signers of its own yet
		of.Signers = signers(all, version)
	}
	if err != nil {
		return nil, err
	}
	if of.Sending, err = s.store.Sending(ctx, by.Portfolio, *l.DocumentID); err != nil {
		return nil, err
	}
	of.SentAt = of.Sending.SentAt
	if len(of.Signers) == len(all) && of.Sending.RequestedAt != nil {
		s.withLinks(by, l, of.Signers, all)
	}
	of.BlockedBy, err = s.blockers(ctx, by.Portfolio, t)
	return of, err
}

// show is a lease with its terms; one without a document has no property here.
func show(t *document.Terms) *LeaseWithTerms {
	of := &LeaseWithTerms{
		Lease: *t.Lease,
		Terms: t.Lease.Terms,

		TenantsAgreedOn: t.Lease.Terms.TenantsAgreedOn,

		Guarantors:  []Guarantor{},
		Disclosures: []document.Disclosure{},
		Signers:     []Signer{},
		Attachments: []Attachment{},
		BlockedBy:   []Blocker{},
	}
	if of.LateFeeFrequency == "" {
		of.LateFeeFrequency = terms.Once
	}
	if of.Occupants == nil {
		of.Occupants = []string{}
	}
	if of.Document == nil && of.DocumentID != nil {
		of.Document = new(terms.Standard)
	}
	of.CoOwners = slices.Concat([]terms.CoOwner{}, of.CoOwners)
	of.Pets = slices.Concat([]terms.Pet{}, of.Pets)
	of.Vehicles = slices.Concat([]terms.Vehicle{}, of.Vehicles)
	of.Utilities = slices.Concat([]terms.Utility{}, of.Utilities)
	if of.Fees == nil {
		of.Fees = []terms.Fee{}
	}
	if used := t.Lease.Terms.Template; used != nil {
		of.TemplateID, of.TemplateVersion = &used.ID, &used.Version
	}
	for i := range t.Guarantors {
		g := &t.Guarantors[i]
		of.Guarantors = append(of.Guarantors, Guarantor{g.FirstName, g.LastName, g.Email})
	}
	if t.Property == nil {
		return of
	}
	rules := law.Of(t.Property.State)
	of.Jurisdiction = &Jurisdiction{rules.State, rules.AsOf}
	of.Disclosures, of.Signers = append(of.Disclosures, t.Disclosures()...), signers(signerStates(t), 0)
	return of
}

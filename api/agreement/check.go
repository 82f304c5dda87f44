package agreement

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
)

// review is one check of a lease as it would be.
type review struct {
	*document.Terms
	before  *portfolio.Lease // nil for a lease that is being generated
	signing bool             // a signature is about to count
	rules   *law.Rules
	warn    func(code, message string)
}

// Check implements portfolio.Documents.
func (s *Service) Check(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	return s.checkRecorded(ctx, by, m, false)
}

// CheckSigning implements portfolio.Documents.
func (s *Service) CheckSigning(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	return s.checkRecorded(ctx, by, m, true)
}

func (s *Service) checkRecorded(
	ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease], signing bool,
) error {
	t := &document.Terms{Lease: m.After, Day: s.Today(by)}
	if err := s.fill(ctx, by.Portfolio, t); err != nil {
		return err
	}
	if err := s.sentParties(ctx, by, m); err != nil {
		return err
	}
	return s.check(ctx, by, &review{Terms: t, before: m.Before, signing: signing, warn: m.Warn})
}

// sentParties refuses other guarantors or co-owners of a lease that was sent: each signer has a link by then.
func (s *Service) sentParties(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	field := lease.PartiesChanged(m.After, m.Before)
	if field == "" || m.After.DocumentID == nil {
		return nil
	}
	sending, err := s.store.Sending(ctx, by.Portfolio, *m.After.DocumentID)
	if err == nil && sending.RequestedAt != nil {
		err = fault.New(fault.InvalidTransition, "%s cannot change: the lease was sent for signature, and each party "+
			"has a link to sign. Void it, and generate a lease with other parties.", field).At(field)
	}
	return err
}

// check is the one check of a lease as it would be: generation, preview, an update and each signature
// hold it against the law of its state, what its document can show, the lease that it renews and other
// leases of the unit. It records the state's days of grace where those are more.
func (s *Service) check(ctx context.Context, by access.Actor, r *review) error {
	r.rules = law.Of(r.Property.State)
	r.raiseGrace()
	if !r.frozen() && r.Landlord.Address == "" {
		return fault.Of(fault.LandlordAddressRequired)
	}
	if err := fault.Invalid(slices.Concat(r.dates(), r.law(), r.own(), r.answers(), r.unshown())); err != nil {
		return err
	}
	if err := r.unshownNames(); err != nil {
		return err
	}
	if err := s.renewal(ctx, by.Portfolio, r); err != nil {
		return err
	}
	if r.signing && r.leadUnanswered() {
		return fault.New(
			fault.LeadPaintUnanswered,
			"No one can sign yet: the landlord has not stated what is known about lead-based paint in the home.",
		).At("lead_paint")
	}
	if r.signing && r.ownMissing() {
		return fault.New(
			fault.OwnDocumentMissing,
			"No one can sign yet: the landlord has not added the document that is the text of the lease.",
		)
	}
	if !r.imported() {
		r.warnings()
	}
	return s.overlap(ctx, by.Portfolio, r)
}

// dates finds dates of a draft that change to what no lease is generated with.
func (r *review) dates() []fault.Detail {
	l, b := r.Lease, r.before
	if b == nil || r.imported() || r.signing || r.runs() ||
		l.StartDate == b.StartDate && or(l.EndDate, 0) == or(b.EndDate, 0) {
		return nil
	}
	return termBounds(l.StartDate, l.EndDate, r.Day)
}

// imported reports whether the lease was agreed on elsewhere: it has no document of ours.
func (r *review) imported() bool { return r.before != nil && r.Lease.DocumentID == nil }

// frozen reports whether what the document says of names and addresses is agreed on: elsewhere, or because
// somebody has signed it. What the records say of them today does not matter any more.
func (r *review) frozen() bool {
	return r.imported() || r.signing && r.before.Status == portfolio.LeasePendingSignature
}

// runs reports whether all have signed the lease already.
func (r *review) runs() bool { return r.before != nil && !r.before.Open() }

// lateFeeChanges reports whether the change is about the late fee, or about the rent that it is a share of.
func (r *review) lateFeeChanges() bool {
	if r.before == nil {
		return true
	}
	l, b := r.Lease, r.before
	return or(l.LateFeeAmount, 0) != or(b.LateFeeAmount, 0) || l.Terms.LateFeeFrequency != b.Terms.LateFeeFrequency ||
		or(l.LateFeeGraceDays, 0) != or(b.LateFeeGraceDays, 0) || l.MonthlyRent != b.MonthlyRent
}

// raiseGrace records the days of grace that hold: the state's, where they are more. What somebody has
// signed stays as it is.
func (r *review) raiseGrace() {
	l := r.Lease
	if l.LateFeeAmount == nil || *l.LateFeeAmount == 0 || r.signing || r.runs() && !r.lateFeeChanges() {
		return
	}
	given := l.LateFeeGraceDays
	if given != nil && *given >= r.rules.GraceDays {
		return
	}
	l.LateFeeGraceDays = new(r.rules.GraceDays)
	if given != nil {
		r.warn("grace_days_raised",
			fmt.Sprintf("%s gives %d days of grace, so late_fee_grace_days is %d; not %d.",
				r.rules.Name, r.rules.GraceDays, r.rules.GraceDays, *given))
	}
}

// law finds terms above every limit that the law could allow, and warns of those above a limit that a
// condition may lift. Under a lease that runs only what the change is about is refused: the deposit was
// paid before.
func (r *review) law() (refused []fault.Detail) {
	for _, f := range r.rules.Check(r.legalTerms()) {
		if f.Above && r.asked(f.Field) {
			refused = append(refused, portfolio.FieldFault(
				f.Field, cmp.Or(legalLimits[f.Field], fault.InvalidField), f.Message,
			))
			continue
		}
		r.warn(f.Code, f.Subject+" "+f.Message)
	}
	return refused
}

// legalLimits are the codes for terms that are above a limit of the law. A fee that may not be charged at all is an
// invalid field.
var legalLimits = map[string]fault.Code{
	"security_deposit": fault.DepositAboveMaximum,
	"fees":             fault.DepositAboveMaximum,
	"late_fee_amount":  fault.LateFeeAboveMaximum,
}

// legalTerms are what limits of the law depend on.
func (r *review) legalTerms() law.Terms {
	l := r.Lease
	t := law.Terms{
		Rent:            l.MonthlyRent,
		Deposit:         l.SecurityDeposit,
		LateFee:         l.LateFeeAmount,
		Frequency:       l.Terms.LateFeeFrequency,
		ReturnedPayment: l.Terms.ReturnedPaymentFee,
		Fees:            l.Terms.Fees,
		Commercial:      r.Property.Commercial(),
		Start:           l.StartDate,
		End:             l.EndDate,
	}
	if l.LeaseType == portfolio.MonthToMonth {
		t.End = nil
	}
	return t
}

// asked reports whether a term above a limit is refused.
func (r *review) asked(field string) bool {
	switch {
	case !r.runs():
		return true
	case field == "late_fee_amount":
		return r.lateFeeChanges()
	case strings.HasPrefix(field, "fees."): // which change only while the lease is a draft
		return false
	}
	return r.before.SecurityDeposit != r.Lease.SecurityDeposit
}

// answers finds answers about disclosures that the state does not ask for, and statements about lead
// paint that lack something.
func (r *review) answers() (all []fault.Detail) {
	for i, a := range r.Lease.Terms.Answers {
		param := fmt.Sprintf("disclosures.%d.code", i)
		same := func(o terms.Answer) bool { return o.Code == a.Code }
		switch {
		case !slices.ContainsFunc(r.rules.Disclosures, func(d law.Disclosure) bool { return d.Code == a.Code }):
			all = append(all, fault.Wrong(param, fmt.Sprintf(
				"%q is no disclosure of %s; GET /lease_rules/%s lists them.", a.Code, r.rules.Name,
				r.rules.State)))
		case slices.IndexFunc(r.Lease.Terms.Answers, same) < i:
			all = append(all, fault.Wrong(param, "is answered before; answer each disclosure once."))
		}
	}
	lead := r.Lease.Terms.LeadPaint
	if lead != nil && lead.Hazards == terms.KnownHazards && or(lead.Details, "") == "" {
		all = append(all, portfolio.FieldFault(
			"lead_paint.details",
			fault.MissingField,
			"is required where hazards are known.",
		))
	}
	return slices.Concat(all, r.denied(), r.pamphletDay())
}

// denied finds answers that say no about disclosures that this lease needs, whatever the landlord says. What the
// parties have read already stays.
func (r *review) denied() (all []fault.Detail) {
	if r.signing || r.runs() {
		return nil
	}
	for _, d := range r.Disclosures() {
		if d.Conditional || d.Applies == nil || *d.Applies {
			continue
		}
		i := slices.IndexFunc(r.Lease.Terms.Answers, func(a terms.Answer) bool { return a.Code == d.Code })
		all = append(
			all,
			portfolio.FieldFault(fmt.Sprintf("disclosures.%d.applies", i), fault.InvalidField, fmt.Sprintf(
				"cannot be false: a lease of this home in %s always has the disclosure %s. %s Set it to true, or leave the "+
					"answer out.",
				r.rules.NameInSentence(),
				d.Code,
				d.Reason,
			)),
		)
	}
	return all
}

// firstPamphlet is the year in which the pamphlet about lead came out.
const firstPamphlet = 1995

// pamphletDay finds a day on which nobody can have handed over the pamphlet about lead. Whoever signs may live
// in another time zone than the landlord, who noted it.
func (r *review) pamphletDay() []fault.Detail {
	lead := r.Lease.Terms.LeadPaint
	if lead == nil || lead.PamphletGivenOn == nil || r.signing || r.runs() {
		return nil
	}
	var why string
	switch on := *lead.PamphletGivenOn; {
	case on > r.Day:
		why = fmt.Sprintf(
			"must not be in the future: note the day after you have handed the pamphlet over; not %s.",
			on,
		)
	case on.Std().Year() < firstPamphlet:
		why = fmt.Sprintf("must not be before %d, when the pamphlet came out; not %s.", firstPamphlet, on)
	default:
		return nil
	}
	return []fault.Detail{portfolio.FieldFault("lead_paint.pamphlet_given_on", fault.InvalidField, why)}
}

// leadUnanswered reports whether the document lacks what federal law has it say of lead paint. Whether a text of the
// landlord's own says it, nobody knows.
func (r *review) leadUnanswered() bool {
	return r.Lease.DocumentID != nil && r.MayHoldLead() && r.Lease.Terms.LeadPaint == nil && !r.Lease.Terms.Own()
}

// ownMissing reports whether the text of the lease is yet to be added.
func (r *review) ownMissing() bool { return r.Lease.Terms.Own() && r.OwnDocument() == nil }

// own finds terms that the document does not say where its text is the landlord's own.
func (r *review) own() (all []fault.Detail) {
	if !r.Lease.Terms.Own() || r.signing || r.runs() {
		return nil
	}
	refuse := func(param string) {
		all = append(all, fault.Wrong(param, "must be left out: the text of the lease, your own document, says it."))
	}
	for _, c := range r.clauses() {
		if c.text != nil {
			refuse(c.param)
		}
	}
	if len(r.Lease.Terms.Answers) > 0 {
		refuse("disclosures")
	}
	return all
}

// warnings tell what the landlord has yet to do or to look at.
func (r *review) warnings() {
	if r.Lease.Terms.Own() {
		r.ownWarnings()
	}
	var open []string
	for _, d := range r.Disclosures() {
		if d.Conditional && d.Applies == nil {
			open = append(open, d.Code)
		}
	}
	if len(open) > 0 && !r.Lease.Terms.Own() {
		r.warn("disclosure_unanswered",
			"Until you answer them in disclosures, the document states these as conditions: "+
				strings.Join(open, ", ")+".")
	}
	if r.leadUnanswered() {
		r.warn("lead_paint_unanswered", "No one can sign until lead_paint says what you know about lead-based paint.")
	}
	lead := r.Lease.Terms.LeadPaint
	if r.MayHoldLead() && r.Attached(document.LeadPaint) == nil && (lead == nil || lead.PamphletGivenOn == nil) {
		r.warn("lead_pamphlet_on_paper", "Hand the tenants the pamphlet “Protect Your Family From Lead in Your Home” "+
			"on paper before they sign: it is not sent with the lease. Then note the day in "+
			"lead_paint.pamphlet_given_on.")
	}
	for _, said := range r.rules.ResearchWarnings() {
		r.warn("rules_unverified", said)
	}
	for i, p := range r.Lease.Tenants {
		if r.Emails[i] == "" {
			r.warn("tenant_email_missing",
				fmt.Sprintf("%s (%s) has no email address, to which the link for signing goes.", p.Name, p.ID))
		}
	}
	for _, c := range r.clauses() {
		if c.text != nil && amount.MatchString(*c.text) {
			r.warn("fee_in_clause",
				c.param+
					" names a sum or a deposit. Put what the tenants owe into fees or security_deposit, which are "+
					"held against the law and shown on the first page.")
		}
		if c.text == nil {
			continue
		}
		for _, said := range r.Contradictions(*c.text) {
			against := "nothing else in the lease gives up such a right"
			if said.Sentence != "" {
				against = "the lease says “" + strings.TrimSuffix(said.Sentence, ".") + "”"
			}
			r.warn("clause_needs_review", fmt.Sprintf("%s says “%s”, but %s. Have a lawyer read the clause.",
				c.param, said.Words, against))
		}
	}
}

// ownWarnings tell what a text of the landlord's own has to say, which nobody reads here.
func (r *review) ownWarnings() {
	if r.OwnDocument() == nil {
		r.warn(string(fault.OwnDocumentMissing), "No one can sign until you have added the PDF that is the text of "+
			"the lease, with is_lease.")
	}
	var asked []string
	for _, d := range r.Disclosures() {
		if d.Code != document.LeadPaint || r.Lease.Terms.LeadPaint == nil {
			asked = append(asked, d.Code)
		}
	}
	if len(asked) > 0 {
		r.warn("own_document_disclosures", "The law of "+r.rules.NameInSentence()+" asks for these disclosures, which "+
			"your document has to make where they apply: "+strings.Join(asked, ", ")+".")
	}
}

// amount finds an amount of money or a deposit in a clause.
var amount = regexp.MustCompile(`(?i)\$\s?[0-9]|[0-9] ?(?:dollars|usd)\b|\bdeposits?\b`)

// maxDrafts is how many drafts of leases of a unit may be open: each stores a document.
const maxDrafts = 5

// DraftTime is how long the document of a draft that nobody signed is kept after the draft has ended.
const DraftTime = 30 * 24 * time.Hour

// draftLimit refuses a draft of a unit that has as many as it may. A draft that has expired counts no
// longer, even before it is voided.
func (s *Service) draftLimit(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
	drafts, err := s.store.Leases(ctx, in, portfolio.LeaseFilter{
		Query:  portfolio.AllLeases,
		UnitID: l.UnitID,
		Status: portfolio.LeaseDraft,
	})
	now := s.BusinessNow(in)
	drafts = slices.DeleteFunc(drafts, func(d portfolio.Lease) bool { return d.Lapsed(now) })
	if open := len(drafts); err == nil && open >= maxDrafts {
		err = fault.New(
			fault.DraftLimitReached,
			"The unit has %d open drafts of leases, and %d is the most. Void one that is no longer needed.",
			open,
			maxDrafts,
		)
	}
	return err
}

// overlap looks for leases of the unit in the same dates: a draft is warned of them, and where they would
// bind at once, the lease is refused.
func (s *Service) overlap(ctx context.Context, in access.Portfolio, r *review) error {
	l := r.Lease
	if r.runs() && l.StartDate == r.before.StartDate && or(l.EndDate, 0) == or(r.before.EndDate, 0) {
		return nil
	}
	ids, err := s.overlapping(ctx, in, l)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return nil
	}
	said := fmt.Sprintf("The unit has another open lease in these dates: %s.", strings.Join(ids, ", "))
	switch {
	case r.runs():
		return fault.New(fault.LeaseDatesOverlap, "%s Choose other dates, or end the other lease first.",
			said).At("end_date")
	case !l.Open():
		return fault.New(fault.LeaseDatesOverlap,
			"%s End that one first, or void this one and make one with other dates.", said)
	}
	r.warn(string(fault.LeaseDatesOverlap), said+" It cannot be signed by all while that is so.")
	return nil
}

// text is a text of the document with the field that it comes from, "" for one that is not in a body.
type text struct {
	param string
	text  *string
}

func (r *review) clauses() []text { return clauseTexts(&r.Lease.Terms.Clauses) }

func clauseTexts(c *terms.Clauses) []text {
	return []text{
		{"clauses.pets", c.Pets},
		{"clauses.smoking", c.Smoking},
		{"clauses.parking", c.Parking},
		{"clauses.utilities", c.Utilities},
	}
}

// unshown finds fields with characters for which the document's font has no glyph.
func (r *review) unshown() (all []fault.Detail) {
	if r.frozen() {
		return nil
	}
	for _, t := range r.texts() {
		if t.text == nil {
			continue
		}
		if runes := pdf.Missing(*t.text); t.param != "" && len(runes) > 0 {
			all = append(all, fault.Wrong(t.param, CannotShow(runes)))
		}
	}
	return all
}

// unshownNames refuses names and addresses with such characters that are in no body.
func (r *review) unshownNames() error {
	if r.frozen() {
		return nil
	}
	for _, t := range r.texts() {
		if t.param != "" || t.text == nil {
			continue
		}
		if runes := pdf.Missing(*t.text); len(runes) > 0 {
			return fault.New(fault.InvalidField, "The name or address “%s” %s", *t.text, CannotShow(runes))
		}
	}
	return nil
}

// texts are all texts of the document that people have written.
func (r *review) texts() []text {
	l, generated := r.Lease, r.before == nil
	all := []text{{inBody(generated, "property_id"), &l.RentalAddress}}
	renters := len(l.Renters())
	for i := range l.Tenants {
		p := &l.Tenants[i]
		param, given := "tenant_id", generated
		if i >= renters {
			joins := func(t portfolio.Tenant) bool { return t.ID == p.ID }
			param = fmt.Sprintf("guarantors.%d.first_name", i-renters)
			given = generated || slices.ContainsFunc(l.Joining, joins)
		} else if i > 0 {
			param = "additional_tenant_ids." + strconv.Itoa(i-1)
		}
		all = append(all, text{inBody(given, param), &p.Name})
	}
	for i := range l.Terms.Occupants {
		all = append(all, text{"occupants." + strconv.Itoa(i), &l.Terms.Occupants[i]})
	}
	for i := range l.Terms.CoOwners {
		o, at := &l.Terms.CoOwners[i], fmt.Sprintf("co_owners.%d.", i)
		all = append(all, text{at + "name", &o.Name}, text{at + "title", o.Title})
	}
	for i := range l.Terms.Pets {
		p, at := &l.Terms.Pets[i], fmt.Sprintf("pets.%d.", i)
		all = append(all, text{at + "kind", &p.Kind}, text{at + "name", p.Name})
	}
	for i := range l.Terms.Vehicles {
		v, at := &l.Terms.Vehicles[i], fmt.Sprintf("vehicles.%d.", i)
		all = append(all, text{at + "make", &v.Make}, text{at + "model", v.Model}, text{at + "plate", v.Plate})
	}
	for i := range l.Terms.Utilities {
		all = append(all, text{fmt.Sprintf("utilities.%d.name", i), &l.Terms.Utilities[i].Name})
	}
	for i := range l.Terms.Fees {
		all = append(all, text{fmt.Sprintf("fees.%d.name", i), &l.Terms.Fees[i].Name})
	}
	for i := range l.Terms.Answers {
		all = append(all, text{fmt.Sprintf("disclosures.%d.text", i), l.Terms.Answers[i].Text})
	}
	if lead := l.Terms.LeadPaint; lead != nil {
		all = append(all, text{"lead_paint.details", lead.Details})
	}
	all = append(all, r.clauses()...)
	of := &r.Landlord
	for _, s := range []string{of.Name, of.Address, of.Signer, of.Title, of.Email, strings.Join(r.Emails, " ")} {
		all = append(all, text{"", &s})
	}
	return all
}

func inBody(is bool, param string) string {
	if is {
		return param
	}
	return ""
}

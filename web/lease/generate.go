package lease

import (
	"slices"
	"strings"

	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/id"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
	"portal/views/kit"
	"portal/web/page"
)

var leaseGenerate = page.ContractOf[agreement.LeaseGenerate, agreement.LeaseWithTerms]("generate_lease")

// generation are the pages that generate a lease. The first step makes the draft: with the home and the tenants,
// whom nobody can change later, and with the first day and the rent that are likely. The steps after it change
// the draft (drafts.go).
func (p *Section) generation() []page.Route {
	return []page.Route{
		page.Get("/{mode}/leases/generate", page.Member, p.newLease),
		page.Post("/{mode}/leases/generate", page.Member, p.generateLease).Once(),
		page.Post("/{mode}/leases/generate/signers", page.Member, p.people),
		page.Post("/{mode}/leases/generate/preview", page.Member, p.previewLease).Previews(),
		page.Post("/{mode}/leases/generate/beside", page.Member, p.showLease).Previews().Framed(),
	}
}

// newLease asks who signs a lease of a unit. Without a unit it leads to where one is picked.
func (p *Section) newLease(v *page.Request) error {
	f := v.Form()
	f.Resume(v.In("/leases/generate"))
	if !id.Valid(id.Unit, f.Text("unit_id")) {
		return v.SeeOther(v.In("/leases/new"))
	}
	s, err := p.formOf(v, f)
	if err != nil {
		return err
	}
	if err := s.renew(v); err != nil {
		return err
	}
	if err := s.startOver(v); err != nil {
		return err
	}
	s.begin(v)
	if err := s.knownTenants(v); err != nil {
		return err
	}
	return s.show(v)
}

func (p *Section) generateLease(v *page.Request) error {
	return p.asked(v, func(g agreement.LeaseGenerate) error {
		g.Send = new(false) // the lease's page says to whom it goes, and sends it
		made, err := p.Agreements.Generate(v.Ctx(), v.Actor(), g)
		if err != nil {
			return err
		}
		fresh, err := p.fresh(v, made.After.ID, made.Warnings)
		if err != nil {
			return err
		}
		return v.Warned(
			v.In("/leases/"+made.After.ID+"/money"), "Draft saved. Nothing has been sent.", fresh,
		)
	})
}

// previewLease shows the document, and saves nothing.
func (p *Section) previewLease(v *page.Request) error {
	return p.asked(v, func(g agreement.LeaseGenerate) error {
		content, err := p.Agreements.Preview(v.Ctx(), v.Actor(), g)
		if err != nil {
			return err
		}
		return v.Send.OwnPDF("preview", content)
	})
}

// showLease shows what the document says in a frame beside the form, and saves nothing.
func (p *Section) showLease(v *page.Request) error {
	var d *document.Document
	s, err := p.try(v, func(g agreement.LeaseGenerate) (err error) {
		d, err = p.Agreements.PreviewDocument(v.Ctx(), v.Actor(), g)
		return err
	})
	if err != nil {
		return err
	}
	frame := v.Frame("Preview of the lease")
	if d == nil {
		frame.Title = "The lease can’t be shown yet"
		return v.ShowAs(s.form.Status, kit.FramedErrors(frame, s.filled(v)))
	}
	return v.Show(kit.FramedDocument(frame, page.DocumentView(d)))
}

// asked reads the form, and shows it again with what is wrong with it.
func (p *Section) asked(v *page.Request, do func(agreement.LeaseGenerate) error) error {
	s, err := p.try(v, do)
	if err != nil || !s.form.Rejected() {
		return err
	}
	return s.show(v)
}

// try reads the form and does something with it, of which nothing is kept where it previews. The form is rejected
// where anything is wrong with it.
func (p *Section) try(v *page.Request, do func(agreement.LeaseGenerate) error) (*generateForm, error) {
	s, err := p.formOf(v, v.Form())
	if err != nil {
		return nil, err
	}
	if !s.joins() {
		return s, s.do(v, do)
	}
	defer s.apart()
	if v.TakesOnce() {
		return s, s.do(v, do)
	}
	return s, undone(v, func() error { return s.do(v, do) })
}

func (s *generateForm) do(v *page.Request, do func(agreement.LeaseGenerate) error) error {
	if err := s.parties(v); err != nil {
		return err
	}
	g := s.bind(v)
	if s.form.Rejected() {
		return nil
	}
	if err := do(g); err != nil && !s.form.Refused(err) {
		return err
	}
	s.placeTemplate()
	return nil
}

// boundFields are the fields of every form, as the contract calls them.
var boundFields = slices.Concat([]string{
	"property_id", "unit_id", "template_id", "tenant_id", "document", "renews_lease_id",
	"lease_type", "start_date", "end_date", "term_months",
	"monthly_rent", "security_deposit", "rent_due_day", "late_fee_amount", "late_fee_frequency", "late_fee_grace_days",
	"returned_payment_fee", "occupants", "expires_in_days",
}, otherTenants, partyFields(), feeFields(), livingFields())

// clauseFields are the landlord's own words in the standard document.
var clauseFields = []string{"clauses.pets", "clauses.smoking", "clauses.parking", "clauses.utilities"}

// leadFields are those of a home that may hold lead-based paint.
var leadFields = []string{
	"lead_paint.hazards", "lead_paint.details", "lead_paint.records", "lead_paint.pamphlet_given_on",
}

// bind makes the input of what was typed. Lines and answers are put into the form as the contract has them
// for that long.
func (s *generateForm) bind(v *page.Request) agreement.LeaseGenerate {
	f := s.form
	if typed, sent := f.Values["occupants"]; sent {
		f.Values["occupants"] = lines(f, "occupants")
		defer func() { f.Values["occupants"] = typed }()
	}
	f.Values.Set("property_id", s.at.Property.ID)
	names := slices.Clone(boundFields)
	if !s.own() { // whose text says it
		names = slices.Concat(names, clauseFields, s.answers())
	}
	if s.mayHoldLead() {
		names = append(names, leadFields...)
	}
	return leaseGenerate.Bind(v, f, names...)
}

// lines are the lines of a field that have text.
func lines(f *page.Form, name string) (all []string) {
	for line := range strings.SplitSeq(page.Lines(f, name), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// answers puts what was chosen about disclosures into the form as the contract has it, and names those
// fields. A text without a choice is not taken.
func (s *generateForm) answers() (names []string) {
	f := s.form
	for _, d := range s.conditional() {
		at := answerField(d.Code)
		f.Values.Del(at + ".code")
		f.Values.Del(at + ".applies")
		switch f.Text(at) {
		case applies:
			f.Values.Set(at+".applies", "on")
		case appliesNot:
		default:
			if f.Text(at+".text") != "" {
				f.Reject(at, "Choose whether it applies.")
			}
			continue
		}
		f.Values.Set(at+".code", d.Code)
		names = append(names, at+".code", at+".applies", at+".text")
	}
	return names
}

// What a landlord answers about a disclosure.
const (
	applies    = "yes"
	appliesNot = "no"
)

func answerField(code string) string { return "disclosures." + code }

// conditional are the disclosures of which only the landlord knows whether they apply.
func (s *generateForm) conditional() (all []law.Disclosure) {
	for _, d := range s.rules.Disclosures {
		if d.Condition != "" {
			all = append(all, d)
		}
	}
	return all
}

// own reports whether the text of the lease is a PDF of the landlord's.
func (s *generateForm) own() bool { return s.form.Text("document") == string(terms.Own) }

func (s *generateForm) mayHoldLead() bool {
	return (&document.Terms{Property: &s.at.Property.Property}).MayHoldLead()
}

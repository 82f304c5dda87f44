package lease

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// generateForm is the form for one unit, with what it is filled from.
type generateForm struct {
	section *Section
	form    *page.Form
	at      *portfolio.Site
	rules   *law.Rules
	renewed []portfolio.Lease // that may be renewed
	drafts  []portfolio.Lease // of the unit, which may be continued
	names   map[string]string // of tenants who sign, with their email addresses, by id
	offered []portfolio.Tenant
	more    bool        // tenants pass the search than are offered
	deposit money.Cents // that is held from the lease that a draft renews
	// templates are those that may be chosen for a home in its state.
	templates []agreement.LeaseTemplate
}

// formOf finds what the form of a unit is filled from.
func (p *Section) formOf(v *page.Request, f *page.Form) (*generateForm, error) {
	at, err := p.Portfolio.Homes.Site(v.Ctx(), v.Actor(), "", f.ID("unit_id", id.Unit))
	if err != nil {
		return nil, err
	}
	s := &generateForm{
		section: p,
		form:    f,
		at:      at,
		rules:   law.Of(at.Property.State),
	}
	for _, status := range portfolio.AgreedLeases() {
		found, err := p.leasesOf(v, at.Unit.ID, status)
		if err != nil {
			return nil, err
		}
		s.renewed = append(s.renewed, found...)
	}
	if s.drafts, err = p.leasesOf(v, at.Unit.ID, portfolio.LeaseDraft); err != nil {
		return nil, err
	}
	s.templates, err = p.allTemplates(v)
	s.templates = slices.DeleteFunc(s.templates, func(t agreement.LeaseTemplate) bool {
		return t.State != nil && *t.State != at.Property.State
	})
	return s, err
}

// leasesOf are the leases of a unit that have a status, the newest first.
func (p *Section) leasesOf(v *page.Request, unit string, status portfolio.LeaseStatus) ([]portfolio.Lease, error) {
	filter := portfolio.LeaseFilter{Query: list.Query{Limit: 100, Newest: true}, UnitID: unit, Status: status}
	found, err := p.Portfolio.Leases.Leases(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return nil, err
	}
	return found.Data, nil
}

// show shows the form with what was typed and what is wrong with it.
func (s *generateForm) show(v *page.Request) error {
	page.HoldsFrame(v)
	if err := s.offer(v); err != nil {
		return err
	}
	return v.ShowAs(s.form.Status, kit.FormPage(kit.FormView{
		Frame: v.Frame("Create lease"),
		Heading: kit.Heading{
			Title: "Create lease",
			About: s.home(),
			Back:  kit.Link{Name: "Leases", Path: v.In("/leases")},
		},
		Stages: steps(v, "", 0),
		Words: []string{"A draft with a PDF that follows the rules of " + s.rules.Name + ". It’s not legal advice: " +
			"have a lawyer read it. Each step is saved as a draft, and nobody gets anything before you send it."},
		Form: s.filled(v),
	}))
}

// home is where the unit is.
func (s *generateForm) home() string {
	h := &s.at.Property.Property
	return page.Street(h) + ", " + page.UnitName(s.at.Unit.UnitNumber) + ", " + h.City
}

// filled is the first step with what was typed and what is wrong with it.
func (s *generateForm) filled(v *page.Request) kit.Form {
	groups := slices.Concat(
		[]kit.FieldGroup{s.chosenHome(v)},
		s.withTemplate(),
		[]kit.FieldGroup{s.document()},
		s.signers(v),
		[]kit.FieldGroup{occupants(), s.guarantors(0), s.coOwners(0)},
		s.living(&terms.Terms{}),
	)
	if s.at.Unit.MarketRent == nil && s.form.ID("renews_lease_id", id.Lease) == "" {
		groups = append(groups, kit.FieldGroup{Title: "Rent", Fields: []kit.Field{{
			Name: "monthly_rent", Label: "Monthly rent",
			Hint: "In dollars. The unit has no asking rent to begin with. You can change it in the next step.",
		}}})
	}
	return s.form.Fill(leaseGenerate.FormOf(nil, kit.Form{
		Action:  v.In("/leases/generate"),
		Submit:  "Save and continue",
		Cancel:  v.In("/leases"),
		Groups:  append(groups, s.later(v, groups)...),
		Preview: kit.Link{Name: "Open as PDF", Path: v.In("/leases/generate/preview")},
		Beside: kit.Beside{
			Path:   v.In("/leases/generate/beside"),
			Title:  "Preview of the lease",
			Button: "Preview",
			Words:  "Select Preview below the form to see the lease here. Nothing is saved.",
		},
	}))
}

// chosenHome says which home the lease is for, and leads to the drafts that it has already.
func (s *generateForm) chosenHome(v *page.Request) kit.FieldGroup {
	other := v.In("/leases/new")
	if tenant := s.form.Text("tenant_id"); tenant != "" {
		other += "?" + url.Values{"tenant_id": {tenant}}.Encode()
	}
	g := kit.FieldGroup{Title: "Home", Fields: []kit.Field{
		{Name: "unit_id", Kind: "hidden", Value: s.at.Unit.ID},
		{Name: "home", Kind: "picked", Shown: s.home(), Optional: true, Acts: []kit.FieldAct{
			{Name: "Choose another home", Path: other},
		}},
	}}
	for i := range s.drafts {
		l := &s.drafts[i]
		g.Fields = append(g.Fields, kit.Field{
			Name: "draft." + l.ID, Kind: "picked", Label: "Open draft of this home", Optional: true,
			Shown: tenantNames(l) + ", from " + page.Date(l.StartDate),
			Acts: []kit.FieldAct{{
				Name: "Continue draft", Label: "Continue draft of " + tenantNames(l), Path: continued(v, l),
			}},
		})
	}
	if len(s.renewed) > 0 {
		g.Fields = append(g.Fields, kit.Field{
			Name: "renews_lease_id", Label: "Renews", Choices: s.renewals(),
			Hint: "A renewal needs a tenant of that lease and a later first day." + s.held(),
		})
	}
	return g
}

// document asks whether the text of the lease is the standard one.
func (s *generateForm) document() kit.FieldGroup {
	return kit.FieldGroup{Title: "Text of the lease", Fields: []kit.Field{{
		Name: "document", Label: "Document", Optional: true,
		Hint: "Your own PDF is added to the draft. A first page before it names the parties, dates and amounts.",
		Choices: []kit.Choice{
			{Value: string(terms.Standard), Label: "Standard lease for " + s.rules.NameInSentence()},
			{Value: string(terms.Own), Label: "My own PDF"},
		},
	}}}
}

// later is what the steps after the first one ask: hidden where it is known already, from the unit or from an
// earlier lease, and shown where something is wrong with it.
func (s *generateForm) later(v *page.Request, shown []kit.FieldGroup) (groups []kit.FieldGroup) {
	asked := map[string]bool{}
	for _, g := range shown {
		for i := range g.Fields {
			asked[g.Fields[i].Name] = true
		}
	}
	var known kit.FieldGroup
	for _, g := range s.questions(v) {
		g.Fields = slices.DeleteFunc(g.Fields, func(f kit.Field) bool { return asked[f.Name] })
		wrong := func(f kit.Field) bool { return s.form.FieldErrors[f.Name] != "" }
		if slices.ContainsFunc(g.Fields, wrong) {
			if g.Folded = false; s.form.Text("template_id") != "" {
				s.leftToTemplate(g.Fields)
			}
			groups = append(groups, g)
			continue
		}
		for i := range g.Fields {
			if name := g.Fields[i].Name; s.form.Values.Get(name) != "" {
				known.Fields = append(known.Fields, kit.Field{Name: name, Kind: "hidden"})
			}
		}
	}
	return append(groups, known)
}

// questions are what the steps after the first one ask.
func (s *generateForm) questions(v *page.Request) []kit.FieldGroup {
	groups := []kit.FieldGroup{s.term(v), s.money(), s.fees(), clauses()}
	if s.mayHoldLead() {
		groups = append(groups, leadPaint(v.Today()))
	}
	return append(
		append(groups, s.disclosures(func(string) bool { return false })...),
		kit.FieldGroup{Title: "Draft", Fields: []kit.Field{{
			Name: "expires_in_days", Label: "Good for", Hint: "Days until the draft is void, 1 to 90.",
		}}},
	)
}

func (s *generateForm) term(v *page.Request) kit.FieldGroup {
	fields := []kit.Field{
		{
			Name: "lease_type", Label: "Type",
			Choices: page.Named(page.LeaseTypes, ""),
		},
		{
			Name: "start_date", Label: "First day",
			Least: agreement.EarliestStart(v.Today()).String(), Most: agreement.LatestStart(v.Today()).String(),
		},
		{Name: "end_date", Label: "Last day", Beside: true},
		{
			Name:     "term_months",
			Label:    "Length in months",
			Mode:     "numeric",
			Short:    true,
			Complete: "off",
			Optional: true,
			Beside:   true,
			Hint:     "Sets the last day instead.",
		},
	}
	return kit.FieldGroup{Title: "Term", Fields: fields}
}

// renewals are the leases that may be renewed: Dana Whitfield, until Dec 31, 2027.
func (s *generateForm) renewals() []kit.Choice {
	all := []kit.Choice{{Label: "No lease"}}
	for i := range s.renewed {
		l := &s.renewed[i]
		var words []string
		for _, t := range l.Tenants {
			if t.Name != "" {
				words = append(words, t.Name)
			}
		}
		if l.EndDate == nil {
			words = append(words, "month to month")
		} else {
			words = append(words, "until "+page.Date(*l.EndDate))
		}
		all = append(all, kit.Choice{Value: l.ID, Label: strings.Join(words, ", ")})
	}
	return all
}

func (s *generateForm) money() kit.FieldGroup {
	return kit.FieldGroup{Title: "Money", Fields: s.demands(moneyFields(s.held()))}
}

// moneyFields ask for rent, deposit and fees for late and returned payments. What is held of the deposit already is
// said in the hint of it.
func moneyFields(held string) []kit.Field {
	return []kit.Field{
		{
			Name: "monthly_rent", Label: "Monthly rent",
			Hint: "In dollars, like the other amounts.",
		},
		{Name: "rent_due_day", Label: "Due on day", Beside: true, Hint: "Of the month, 1 to 28."},
		{Name: "security_deposit", Label: "Deposit", Hint: "0 for none." + held},
		{Name: "late_fee_amount", Label: "Late fee"},
		{Name: "late_fee_grace_days", Label: "Days of grace", Beside: true},
		{Name: "late_fee_frequency", Label: "Late fee is owed", Beside: true, Choices: []kit.Choice{
			{Value: string(terms.Once), Label: lateFeeFrequencies[terms.Once]},
			{Value: string(terms.Daily), Label: lateFeeFrequencies[terms.Daily]},
		}},
		{
			Name: "returned_payment_fee", Label: "Returned payment fee",
			Hint: "For a payment that the bank returns.",
		},
	}
}

// lateFeeFrequencies are how often a late fee is owed, as pages say it.
var lateFeeFrequencies = map[terms.Frequency]string{
	terms.Once:  "Once per payment",
	terms.Daily: "Each day it’s late",
}

// held says what of the deposit the landlord holds already, where the lease renews one.
func (s *generateForm) held() string {
	if s.deposit > 0 {
		return heldBefore(s.deposit)
	}
	name := s.form.ID("renews_lease_id", id.Lease)
	for i := range s.renewed {
		if l := &s.renewed[i]; l.ID == name && l.SecurityDeposit > 0 {
			return heldBefore(l.SecurityDeposit)
		}
	}
	return ""
}

func heldBefore(deposit money.Cents) string {
	return " " + deposit.Dollars() + " is held from the earlier lease: only what is above it is due."
}

// demands puts what the state asks of a field into its hint.
func (s *generateForm) demands(fields []kit.Field) []kit.Field {
	asked := map[string]string{
		"security_deposit": s.rules.DepositLimits(), "late_fee_amount": s.rules.LateFeeLimits(),
		"late_fee_grace_days": s.rules.GraceLimit(),
	}
	for i := range fields {
		f := &fields[i]
		f.Hint = strings.TrimSpace(f.Hint + " " + asked[f.Name])
	}
	return fields
}

// disclosures asks about those that only the landlord can answer, those without an answer first, and names the others
// in a fold.
func (s *generateForm) disclosures(answered func(code string) bool) (groups []kit.FieldGroup) {
	s.placeAnswers()
	var open, done []kit.Field
	for _, d := range s.conditional() {
		if fields := disclosureFields(&d); answered(d.Code) {
			done = append(done, fields...)
		} else {
			open = append(open, fields...)
		}
	}
	name := "Disclosures of " + s.rules.Name
	about := slices.Concat([]string{
		"Only you know whether these apply. The lease states those without an answer as conditions.",
	}, s.rules.ResearchWarnings())
	if len(open) > 0 {
		groups = append(groups, kit.FieldGroup{
			Title: fmt.Sprintf("%s: %d to answer", name, len(open)/2), About: strings.Join(about, " "), Fields: open,
		})
		name, about = "Answered disclosures", nil
	}
	if len(done) > 0 {
		groups = append(groups, kit.FieldGroup{Title: name, About: strings.Join(about, " "), Fields: done})
	}
	if all := s.unconditional(); len(all) > 0 {
		groups = append(groups, kit.FieldGroup{
			Title:  views.AlwaysIncluded(len(all)),
			About:  strings.Join(all, "; ") + ".",
			Folded: true,
		})
	}
	return groups
}

// disclosureFields ask whether a disclosure applies, and what the tenants are told of it.
func disclosureFields(d *law.Disclosure) []kit.Field {
	at := answerField(d.Code)
	return []kit.Field{
		{
			Name:     at,
			Label:    d.Title,
			Kind:     "radios",
			Optional: true,
			Unmarked: true,
			Hint:     strings.TrimSpace(*d.When + " " + page.OrEmpty(d.Authority)),
			Choices: []kit.Choice{
				{Value: applies, Label: "Applies", Asks: true},
				{Value: appliesNot, Label: "Does not apply"},
				{Label: "Not answered"},
			},
		},
		{
			Name: at + ".text", Label: d.Title + ": what the tenants are told", Lines: 2, Optional: true, Asked: true,
			Hint: "Where it applies.",
		},
	}
}

// placeAnswers says what is wrong with an answer beside the choice.
func (s *generateForm) placeAnswers() {
	for _, d := range s.conditional() {
		at := answerField(d.Code)
		s.form.Move(at+".code", at)
		s.form.Move(at+".applies", at)
	}
}

// unconditional names the disclosures that nobody is asked about.
func (s *generateForm) unconditional() (all []string) {
	for _, d := range s.rules.Disclosures {
		if d.Condition != "" {
			continue
		}
		about := slices.DeleteFunc([]string{
			strings.TrimSuffix(page.OrEmpty(d.When), "."), page.OrEmpty(d.Authority),
		}, func(s string) bool { return s == "" })
		words := d.Title
		if len(about) > 0 {
			words += " (" + strings.Join(about, "; ") + ")"
		}
		all = append(all, words)
	}
	return all
}

// A form takes as many fees as a lease has at most, and shows some of their rows.
const (
	feeRows  = 10
	feesSeen = 3
)

// feeFields are the fields of all fees.
func feeFields() (names []string) {
	for i := range feeRows {
		for _, part := range []string{"name", "amount", "frequency", "refundable"} {
			names = append(names, fmt.Sprintf("fees.%d.%s", i, part))
		}
	}
	return names
}

// fees asks for the fees that were typed, and for some more.
func (s *generateForm) fees() kit.FieldGroup {
	s.placeFees()
	return s.feesOf(s.feesTyped())
}

// feesTyped is how many fees are shown: those that were typed, and some more.
func (s *generateForm) feesTyped() int {
	seen := feesSeen
	for i := range feeRows {
		if s.form.Text(fmt.Sprintf("fees.%d.name", i)) != "" {
			seen = max(seen, min(i+2, feeRows))
		}
	}
	return seen
}

// placeFees says what is wrong with all fees beside the last one.
func (s *generateForm) placeFees() {
	for i := range feeRows {
		if first := fmt.Sprintf("fees.%d.name", i); s.form.Text(first) != "" {
			s.form.Move("fees", first)
		}
	}
}

func (s *generateForm) feesOf(seen int) kit.FieldGroup {
	g := kit.FieldGroup{
		Title:  "Fees",
		About:  "Charges besides rent and deposit, such as parking or keys. Empty fees are left out.",
		Folded: true,
	}
	for i := range seen {
		at, label := fmt.Sprintf("fees.%d.", i), fmt.Sprintf("Fee %d", i+1)
		g.Fields = append(g.Fields,
			kit.Field{Name: at + "name", Label: label, Optional: true, Unmarked: true},
			kit.Field{Name: at + "amount", Label: label + ": amount", Beside: true, Optional: true, Unmarked: true},
			kit.Field{
				Name: at + "frequency", Label: label + ": owed", Beside: true, Optional: true, Unmarked: true,
				Choices: []kit.Choice{
					{Label: "Choose"},
					{Value: string(terms.OneTime), Label: "Once, at move-in"},
					{Value: string(terms.Monthly), Label: "Each month"},
				},
			},
			kit.Field{Name: at + "refundable", Label: label + ": the tenant gets it back"})
	}
	return g
}

func occupants() kit.FieldGroup {
	return kit.FieldGroup{Title: "Who else lives there", Folded: true, Fields: []kit.Field{{
		Name: "occupants", Label: "Other occupants", Lines: 3, Optional: true,
		Hint: "People who live in the home but don’t sign: up to 10 names, one on each line.",
	}}}
}

func clauses() kit.FieldGroup {
	return kit.FieldGroup{Title: "In your own words", Folded: true,
		About: "The document uses standard wording for fields that you leave empty.", Fields: []kit.Field{
			{Name: "clauses.pets", Label: "Pets", Lines: 2, Optional: true},
			{Name: "clauses.smoking", Label: "Smoking", Lines: 2, Optional: true},
			{Name: "clauses.parking", Label: "Parking", Lines: 2, Optional: true},
			{Name: "clauses.utilities", Label: "Utilities", Lines: 2, Optional: true},
		}}
}

func leadPaint(today clock.Date) kit.FieldGroup {
	return kit.FieldGroup{Title: "Lead-based paint",
		About: "The home was built before 1978, or nobody knows when. No one can sign until you answer this " +
			"(40 CFR 745.113).",
		Fields: []kit.Field{
			{
				Name:     "lead_paint.hazards",
				Label:    "Lead-based paint or its hazards",
				Unmarked: true,
				Choices: []kit.Choice{
					{Label: "Not stated yet"},
					{Value: string(terms.NoHazards), Label: "None known"},
					{Value: string(terms.KnownHazards), Label: "Known", Asks: true},
				},
			},
			{
				Name: "lead_paint.details", Label: "What is known, and how", Lines: 2, Optional: true, Asked: true,
				Hint: "Required where hazards are known.",
			},
			{Name: "lead_paint.records", Label: "Records and reports about it", Unmarked: true, Choices: []kit.Choice{
				{Label: "Not stated yet"},
				{Value: string(terms.NoRecords), Label: "There are none"},
				{Value: string(terms.RecordsProvided), Label: "Given to the tenants"},
			}},
			{
				Name:     "lead_paint.pamphlet_given_on",
				Label:    "Pamphlet handed over on",
				Most:     today.String(),
				Optional: true,
				Hint: "The lease doesn’t deliver “Protect Your Family From Lead in Your Home”. Hand it to the tenants " +
					"on paper before they sign, and note the day here.",
			},
		}}
}

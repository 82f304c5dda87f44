package lease

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/schedule"
	"portal/static"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// stepNames are the steps in which a lease is made, and the ends of their addresses behind that of the draft.
var stepNames = []struct{ name, path string }{
	{
		"Home and people",
		"/people",
	},
	{"Dates and money", "/money"},
	{"Law and clauses", "/law"},
	{"Read and send", "/review"},
}

// steps are the steps of a draft, of which one is shown. Without a draft none of the others can be opened.
func steps(v *page.Request, leaseID string, now int) (all []kit.Stage) {
	for i, s := range stepNames {
		step := kit.Stage{Name: s.name, Done: i < now, Now: i == now}
		if leaseID != "" && i != now {
			step.Path = v.In("/leases/" + leaseID + s.path)
		}
		all = append(all, step)
	}
	return all
}

// isDraft reports whether a lease is a draft that the steps can change.
func isDraft(l *portfolio.Lease) bool { return l.Status == portfolio.LeaseDraft && l.DocumentID != nil }

// continued is the step at which a draft is continued: dates and money where only the first one was saved.
func continued(v *page.Request, l *portfolio.Lease) string {
	if l.Version == 1 {
		return v.In("/leases/" + l.ID + "/money")
	}
	return v.In("/leases/" + l.ID + "/review")
}

// draft is a form of one step of a draft.
type draft struct {
	*generateForm
	pages *leasePages
	lease *portfolio.Lease
	now   int // the step
}

// draftOf is the form of a step. It is nil where the request was answered: the lease is no draft any more.
func (p *leasePages) draftOf(v *page.Request, l *portfolio.Lease, now int) (*draft, error) {
	if !isDraft(l) {
		return nil, v.RefuseAt(v.In("/leases/"+l.ID), "Only a draft can be changed in these steps.")
	}
	at, err := p.Portfolio.Homes.Site(v.Ctx(), v.Actor(), "", l.UnitID)
	if err != nil {
		return nil, err
	}
	s := &generateForm{section: p.Section, form: v.Form(), at: at, rules: law.Of(at.Property.State)}
	if before := l.Terms.HeldDeposit; before != nil {
		s.deposit = *before
	}
	return &draft{s, p, l, now}, nil
}

// serve shows the step, or saves it and leads to the next one. The summary may be nil.
func (d *draft) serve(
	v *page.Request, groups []kit.FieldGroup, summary *kit.Summary, other page.Other, bind func() lease.Update,
) error {
	next := v.In("/leases/" + d.lease.ID + stepNames[d.now+1].path)
	hold(groups, d.held())
	return page.RecordForm[lease.Update]{
		Contract: leaseUpdate, Title: stepNames[d.now].name, About: d.home(),
		Back:   kit.Link{Name: "The lease", Path: v.In("/leases/" + d.lease.ID)},
		Stages: steps(v, d.lease.ID, d.now), Summary: summary, Other: other,
		Submit: "Save and continue", Groups: groups, Record: &d.lease.Record,
		Bind: func(f *page.Form) lease.Update {
			d.form = f
			return bind()
		},
		Place: func(f *page.Form) {
			d.form = f
			d.placeFees()
			d.placeAnswers()
		},
		Do: func(_ *page.Form, u lease.Update, t change.Target) error {
			made, err := d.pages.Portfolio.Leases.UpdateLease(v.Ctx(), v.Actor(), t, u)
			if err != nil {
				return err
			}
			fresh, err := d.pages.fresh(v, made.After.ID, made.Warnings)
			if err != nil {
				return err
			}
			return v.Warned(next, "Draft saved.", fresh)
		},
	}.Serve(v)
}

// held is what the draft says, as one types it.
func (d *draft) held() url.Values {
	said := &generateForm{form: page.Blank(url.Values{})}
	said.sameDates(d.lease)
	said.sameTerms(d.lease, true)
	said.known("late_fee_frequency", string(terms.Once))
	return said.form.Values
}

// hold has the fields show what the draft says.
func hold(groups []kit.FieldGroup, said url.Values) {
	for _, g := range groups {
		for i := range g.Fields {
			f := &g.Fields[i]
			value := said.Get(f.Name)
			switch {
			case f.Kind == "picked" || f.Kind == "hidden":
			case len(f.Choices) > 0:
				for j := range f.Choices {
					f.Choices[j].Chosen = f.Choices[j].Value == value
				}
			case value == "on":
				f.Checked = true
			default:
				f.Value = cmp.Or(value, f.Value)
			}
		}
	}
}

// draftPeople is the first step of a draft: its home and tenants, whom nobody can change any more, and who else
// lives there.
func (p *leasePages) draftPeople(v *page.Request, l *portfolio.Lease) error {
	d, err := p.draftOf(v, l, 0)
	if d == nil || err != nil {
		return err
	}
	home := kit.FieldGroup{Title: "Home", Fields: []kit.Field{
		{Name: "home", Kind: "picked", Shown: d.home(), Optional: true},
	}}
	used, err := p.usedTemplate(v, l)
	if err != nil {
		return err
	}
	if used != "" {
		home.Fields = append(home.Fields, kit.Field{
			Name: "template", Kind: "picked", Label: "Template", Shown: used, Optional: true,
		})
	}
	people := kit.FieldGroup{
		Title: "Tenants who sign",
		About: "The home and the tenants of a draft can’t be changed. To name others, start over.",
	}
	renters := l.Renters()
	for i, tenantID := range renters {
		t, err := p.Portfolio.Tenants.Tenant(v.Ctx(), v.Actor(), tenantID)
		if err != nil {
			return err
		}
		label := signerLabel(min(i, len(signerFields)-1))
		if i == 0 && len(renters) > 1 {
			label += ", primary"
		}
		people.Fields = append(people.Fields, kit.Field{
			Name:     "signer." + strconv.Itoa(i),
			Kind:     "picked",
			Label:    label,
			Shown:    reached(t),
			Optional: true,
			Acts: []kit.FieldAct{
				{Name: "Edit tenant", Label: "Edit tenant " + t.Name, Path: v.In("/tenants/" + t.ID + "/edit")},
			},
		})
	}
	people.Fields = append(people.Fields, kit.Field{
		Name: "restart", Kind: "picked", Shown: "Wrong home or tenant?", Optional: true,
		Acts: []kit.FieldAct{{Name: "Start over", Path: v.In("/leases/" + l.ID + "/restart")}},
	})
	guarantors := d.guarantors(len(l.GuarantorIDs()))
	said := &generateForm{section: p.Section, form: page.Blank(url.Values{})}
	if err := said.sameGuarantors(v, l); err != nil {
		return err
	}
	coOwners := d.coOwners(len(l.Terms.CoOwners))
	said.sameCoOwners(l)
	for _, g := range []kit.FieldGroup{guarantors, coOwners} {
		for i := range g.Fields {
			g.Fields[i].Value = said.form.Text(g.Fields[i].Name)
		}
	}
	groups := append([]kit.FieldGroup{home, people, occupants(), guarantors, coOwners}, d.living(&l.Terms)...)
	return d.serve(v, groups, nil, page.Other{}, func() lease.Update {
		typed := d.form.Values["occupants"]
		d.form.Values["occupants"] = lines(d.form, "occupants") // each line is a value for that long
		defer func() { d.form.Values["occupants"] = typed }()
		u := leaseUpdate.Bind(v, d.form, slices.Concat(livingFields(), partyFields(), []string{"occupants"})...)
		if !u.Guarantors.Given {
			u.Guarantors = change.To([]lease.Guarantor{})
		}
		if !u.CoOwners.Given {
			u.CoOwners = change.To([]terms.CoOwner{})
		}
		if !u.Pets.Given {
			u.Pets = change.To([]terms.Pet{})
		}
		if !u.Vehicles.Given {
			u.Vehicles = change.To([]terms.Vehicle{})
		}
		if !u.Utilities.Given {
			u.Utilities = change.To([]terms.Utility{})
		}
		return u
	})
}

// draftMoney is the second step of a draft.
func (p *leasePages) draftMoney(v *page.Request, l *portfolio.Lease) error {
	d, err := p.draftOf(v, l, 1)
	if d == nil || err != nil {
		return err
	}
	seen := min(max(feesSeen, len(l.Terms.Fees)+1), feeRows)
	groups := []kit.FieldGroup{d.term(v), d.money(), d.feesOf(seen)}
	summary := amounts(l)
	summary.Words = "As saved. Update totals shows them for what you type."
	update := page.Other{Button: "Update totals", Do: func(f *page.Form) (string, error) {
		u := d.bindMoney(v, f)
		if f.Rejected() {
			return "", nil
		}
		would, err := d.would(v, u)
		if err != nil {
			return "", err
		}
		f.Values.Set("term_months", "") // the last day says it
		*summary = *amounts(would)
		summary.Words = "For what you typed. It isn’t saved yet."
		return "Totals updated. Nothing is saved yet.", nil
	}}
	return d.serve(v, groups, summary, update, func() lease.Update { return d.bindMoney(v, d.form) })
}

// would is the draft as an update would leave it.
func (d *draft) would(v *page.Request, u lease.Update) (after *portfolio.Lease, err error) {
	err = undone(v, func() error {
		target := change.Target{ID: d.lease.ID}
		made, err := d.pages.Portfolio.Leases.UpdateLease(change.WithDryRun(v.Ctx()), v.Actor(), target, u)
		if err == nil {
			after = made.After
		}
		return err
	})
	return after, err
}

// amounts are what a lease has the tenants pay: at the start, each month, and in all.
func amounts(l *portfolio.Lease) *kit.Summary {
	start := kit.Sum{Name: "Due at move-in"}
	if l.RenewedFromLeaseID != nil {
		start.Name = "Due at the start"
	}
	month := kit.Sum{Name: "Due each month"}
	var first, whole money.Cents
	last := l.LastDay()
	for c := range schedule.Charges(l, last) {
		if whole += c.Amount; c.AtStart {
			first += c.Amount
			at := len(start.Parts)
			if c.Type == portfolio.PaymentRent {
				at = 0
			}
			start.Parts = slices.Insert(start.Parts, at, partOf(&c, l))
			continue
		}
		if month.Note == "" {
			month.Note = "from " + page.Date(c.DueDate)
		}
		if last == nil {
			break
		}
	}
	start.Total = first.Dollars()
	monthly := l.MonthlyRent
	month.Parts = append(month.Parts, kit.SumPart{Name: "Rent", Amount: monthly.Dollars()})
	for _, f := range l.Terms.Fees {
		if f.Frequency == terms.Monthly {
			monthly += f.Amount
			month.Parts = append(month.Parts, kit.SumPart{Name: f.Name, Amount: f.Amount.Dollars()})
		}
	}
	month.Total = monthly.Dollars()
	s := &kit.Summary{Title: "What the tenants pay", Sums: []kit.Sum{start, month}}
	if last != nil {
		s.Sums = append(s.Sums, kit.Sum{Name: "Whole term", Note: "to " + page.Date(*last), Total: whole.Dollars()})
	}
	if l.LateFeeAmount != nil || l.Terms.ReturnedPaymentFee != nil {
		s.After = "Fees for late and returned payments come on top."
	}
	return s
}

// partOf is a charge at the start as a part of what is due then.
func partOf(c *schedule.Charge, l *portfolio.Lease) kit.SumPart {
	part := kit.SumPart{Name: page.OrEmpty(c.Description), Amount: c.Amount.Dollars()}
	switch {
	case c.Type == portfolio.PaymentDeposit && schedule.Held(l) > 0:
		part.Name = "Rest of the deposit"
	case c.Type == portfolio.PaymentDeposit:
		part.Name = "Deposit"
	case c.Type == portfolio.PaymentRent:
		part.Name = "Rent"
	}
	if c.PeriodStart != nil && c.PeriodEnd != nil {
		part.Note = page.Date(*c.PeriodStart) + " to " + page.Date(*c.PeriodEnd)
	}
	return part
}

func (d *draft) bindMoney(v *page.Request, f *page.Form) lease.Update {
	l := d.lease
	monthly := f.Text("lease_type") == string(portfolio.MonthToMonth)
	same := l.EndDate != nil && f.Text("end_date") == l.EndDate.String()
	months := 0
	if f.Text("term_months") != "" {
		months, _ = f.Between("term_months", 1, 120, "Must be a whole number between 1 and 120.")
	}
	switch {
	case monthly && months > 0:
		f.Reject("term_months", "Must be left out: a lease from month to month has no length.")
	case months > 0 && f.Text("end_date") != "" && !same:
		f.Reject("term_months", "Must be left out where you change the last day.")
	case months > 0:
		if first := f.Day("start_date"); first != nil {
			last, _ := first.LastOfTerm(months)
			f.Values.Set("end_date", last.String())
		}
	case monthly && same:
		f.Values.Set("end_date", "")
	case !monthly && f.Text("end_date") == "":
		f.Reject("end_date", "Enter the last day, or a length in months.")
	}
	u := leaseUpdate.Bind(v, f, slices.Concat([]string{
		"lease_type", "start_date", "end_date", "monthly_rent", "rent_due_day", "security_deposit", "late_fee_amount",
		"late_fee_grace_days", "late_fee_frequency", "returned_payment_fee",
	}, feeFields())...)
	if !u.Fees.Given {
		u.Fees = change.To([]terms.Fee{})
	}
	return u
}

// draftLaw is the third step of a draft.
func (p *leasePages) draftLaw(v *page.Request, l *portfolio.Lease) error {
	d, err := p.draftOf(v, l, 2)
	if d == nil || err != nil {
		return err
	}
	var groups []kit.FieldGroup
	if d.mayHoldLead() {
		groups = append(groups, leadPaint(v.Today()))
	}
	if l.Terms.Own() {
		if len(groups) > 0 {
			groups[0].About = "The home was built before 1978, or nobody knows when. Leave this empty if your document has " +
				"the disclosure (40 CFR 745.113). What you state here becomes an addendum of the lease."
		}
		groups = append(groups, d.ownText())
		return d.serve(v, groups, nil, page.Other{}, func() lease.Update { return d.bindLaw(v, d.form) })
	}
	own := clauses()
	own.Folded = false
	answered := func(code string) bool { return l.Terms.AnswerTo(code) != nil }
	groups = append(append(groups, d.disclosures(answered)...), own)
	return d.serve(v, groups, d.left(answered), page.Other{}, func() lease.Update { return d.bindLaw(v, d.form) })
}

// ownText says what the landlord's own document has to say, and asks for nothing.
func (d *draft) ownText() kit.FieldGroup {
	var asked []string
	for _, x := range (&document.Terms{Lease: d.lease, Property: &d.at.Property.Property}).Disclosures() {
		if x.Code != document.LeadPaint || d.lease.Terms.LeadPaint == nil {
			asked = append(asked, x.Title)
		}
	}
	what := "no disclosure"
	if len(asked) > 0 {
		what = "these disclosures, where they apply: " + strings.Join(asked, ", ")
	}
	return kit.FieldGroup{
		Title: "Your own document",
		About: "The lease says what your document says. The law of " + d.rules.NameInSentence() + " asks for " + what + ".",
	}
}

// left names what the step has left to answer.
func (d *draft) left(answered func(code string) bool) *kit.Summary {
	s := &kit.Summary{}
	if d.mayHoldLead() && d.lease.Terms.LeadPaint == nil {
		s.Words = "No one can sign before lead-based paint is answered."
		s.Left = append(s.Left, kit.Link{Name: "Lead-based paint", Path: "#field-lead_paint.hazards"})
	}
	for _, x := range d.conditional() {
		if !answered(x.Code) {
			s.Left = append(s.Left, kit.Link{Name: x.Title, Path: "#field-" + answerField(x.Code) + "-0"})
		}
	}
	if s.Title = page.Counted(len(s.Left), "question") + " to answer"; len(s.Left) == 0 {
		s.Title, s.Words = "All questions are answered", "You can still change each answer."
	}
	return s
}

func (d *draft) bindLaw(v *page.Request, f *page.Form) lease.Update {
	var names []string
	if !d.lease.Terms.Own() {
		names = slices.Concat(d.answers(), clauseFields)
	}
	if d.mayHoldLead() {
		names = append(names, leadFields...)
	}
	u := leaseUpdate.Bind(v, f, names...)
	answers := slices.Clone(u.Disclosures.Value)
	for _, a := range d.lease.Terms.Answers { // those that the form does not ask about stay
		asked := func(x law.Disclosure) bool { return x.Code == a.Code }
		if !slices.ContainsFunc(d.conditional(), asked) {
			answers = append(answers, a)
		}
	}
	u.Disclosures = change.To(answers)
	return u
}

// draftReview is the last step: the lease as a whole, what blocks a signature, and the button that sends it.
func (p *leasePages) draftReview(v *page.Request, l *portfolio.Lease) error {
	d, err := p.draftOf(v, l, 3)
	if d == nil || err != nil {
		return err
	}
	at := v.In("/leases/" + l.ID)
	frame := v.Frame(stepNames[3].name)
	frame.Styles = append(frame.Styles, static.URL("contract.css"), static.URL("steps.css"))
	view := views.Review{
		Frame: frame,
		Heading: kit.Heading{
			Title: stepNames[3].name, About: d.home(), Back: kit.Link{Name: "The lease", Path: at},
		},
		Stages: steps(v, l.ID, 3),
		Done:   at,
		PDF:    page.OrEmpty(l.DocumentURL),
	}
	of, err := p.Agreements.Lease(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	read, warnings, err := p.Agreements.Review(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	missing, err := p.missingTexts(v, l.ID)
	if err != nil {
		return err
	}
	view.Warnings = append(warned(of, warnings, at+stepNames[2].path), missing...)
	view.Document, view.Attachments = page.DocumentView(read), attachmentsOf(v, of)
	if err := p.reviewSending(v, of, &view); err != nil {
		return err
	}
	return v.Show(views.ReviewPage(view))
}

// fresh are the warnings of a change that the last step does not say.
func (p *Section) fresh(v *page.Request, leaseID string, all []change.Warning) ([]change.Warning, error) {
	if len(all) == 0 {
		return nil, nil
	}
	_, said, err := p.Agreements.Review(v.Ctx(), v.Actor(), leaseID)
	return slices.DeleteFunc(slices.Clone(all), func(w change.Warning) bool { return slices.Contains(said, w) }), err
}

// warned is what a draft is warned of, in words of the pages. What the page says elsewhere is left out: what
// blocks a signature, and who has no email address.
// They are answered at an address.
func warned(of *agreement.LeaseWithTerms, all []change.Warning, answers string) (todo []views.Todo) {
	for _, w := range all {
		switch w.Code {
		case "lead_paint_unanswered", "tenant_email_missing", "own_document_missing":
		case "lead_pamphlet_on_paper":
			todo = append(todo, views.Todo{
				Words: "Hand “Protect Your Family From Lead in Your Home” to the tenants on paper before they sign. It " +
					"isn’t sent with the lease.",
				Note: kit.Link{Name: "Note the day", Path: answers},
			})
		case "own_document_disclosures":
			todo = append(todo, views.Todo{
				Words: "Nobody but you reads whether your document says what the law asks for.",
				Note:  kit.Link{Name: "See what the law asks for", Path: answers},
			})
		case "disclosure_unanswered":
			var open []string
			for _, d := range of.Disclosures {
				if d.Conditional && d.Applies == nil {
					open = append(open, d.Title)
				}
			}
			todo = append(todo, views.Todo{
				Words: "You haven’t answered these disclosures, so the lease states them as conditions: " +
					strings.Join(open, ", ") + ".",
				Note: kit.Link{Name: "Answer disclosures", Path: answers},
			})
		default:
			todo = append(todo, views.Todo{Words: page.Warning(w)})
		}
	}
	return todo
}

// reviewSending says to whom the draft goes and what blocks a signature, where leases are signed here.
func (p *leasePages) reviewSending(v *page.Request, of *agreement.LeaseWithTerms, view *views.Review) error {
	if p.Signings == nil {
		return nil
	}
	s, _, err := p.sendingOf(v, of, stepNames[2].path)
	if err != nil {
		return err
	}
	if s.Primary = true; of.SentAt == nil {
		view.Sending = s
	}
	return nil
}

// restart voids a draft and leads to a new form that is filled with what it said.
func (p *leasePages) restart(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	if !isDraft(l) {
		return v.RefuseAt(at, "Only a draft can be started over.")
	}
	return page.Question{
		Title: "Start over?",
		Words: []string{
			l.RentalAddress + ", " + page.TermOf(l) + ".",
			"This draft is voided, and the form opens again with all that it says. You can choose other tenants there, or " +
				"another home.",
		},
		Form: kit.Form{Submit: "Void draft and start over", Danger: true}, Back: at + "/people", Record: &l.Record,
		Do: func(_ *page.Form, t change.Target) error {
			u := lease.Update{Status: change.To(portfolio.LeaseVoided)}
			made, err := p.Portfolio.Leases.UpdateLease(v.Ctx(), v.Actor(), t, u)
			if err != nil {
				return err
			}
			if made.Before.Status == made.After.Status {
				return fault.New(fault.InvalidTransition, "The draft is void already.")
			}
			to := generateAt(v, l.UnitID, url.Values{"like": {l.ID}})
			return v.Done(to, "The draft is voided. Save this step to make a new one.")
		},
	}.Serve(v)
}

// knownTenants leaves out of the address what is no tenant of the portfolio.
func (s *generateForm) knownTenants(v *page.Request) error {
	var known []signer
	for _, x := range s.signs() {
		if x.person != nil {
			known = append(known, x)
			continue
		}
		if !id.Valid(id.Tenant, x.id) {
			continue
		}
		_, err := s.section.Portfolio.Tenants.Tenant(v.Ctx(), v.Actor(), x.id)
		if err != nil && !fault.Is(err, fault.NoRecord) {
			return err
		}
		if err == nil {
			known = append(known, x)
		}
	}
	s.setSigns(known)
	return nil
}

package lease

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

var leaseTemplate = page.InputOf[agreement.TemplateInput]("lease_template")

// templatesAt is the address of the list of templates in a mode.
const templatesAt = "/leases/templates"

// mostTemplates is at least as many templates as a portfolio can have: they are all on one page.
const mostTemplates = 100

// templatePages is the pages of what leases are generated with.
type templatePages struct{ *Section }

func (p *templatePages) routes() []page.Route {
	const at = "/{mode}" + templatesAt
	of := page.With(id.Template, p.read)
	return []page.Route{
		page.Get(at, page.Member, p.templates),
		page.Get(at+"/new", page.Member, p.newTemplate),
		page.Post(at+"/new", page.Member, p.newTemplate).Once(),
		page.Get(at+"/:id", page.Member, of(p.template)),
		page.Get(at+"/:id/edit", page.Member, of(p.editTemplate)),
		page.Post(at+"/:id/edit", page.Member, of(p.editTemplate)),
		page.Get(at+"/:id/delete", page.Member, of(p.deleteTemplate)),
		page.Post(at+"/:id/delete", page.Member, of(p.deleteTemplate)),
		page.Get(at+"/:id/attachments/new", page.Member, of(p.askAttachment)),
		page.PostFiles(at+"/:id/attachments/new", page.Member, mostAttachmentForm, of(p.addAttachment)).
			After(p.cleanAttachment).Once().Oversized(of(p.oversizedAttachment)),
		page.Get(at+"/:id/attachments/:attachment", page.Member, of(p.attachment)),
		page.Post(at+"/:id/attachments/:attachment/remove", page.Member, of(p.removeAttachment)),
	}
}

// read reads a template of the portfolio.
func (p *templatePages) read(
	ctx context.Context, by access.Actor, templateID string,
) (*agreement.LeaseTemplate, error) {
	return p.Agreements.Template(ctx, by, templateID)
}

// allTemplates are the templates of the portfolio by their names.
func (p *Section) allTemplates(v *page.Request) ([]agreement.LeaseTemplate, error) {
	found, err := p.Agreements.Templates(v.Ctx(), v.Actor(), agreement.TemplateFilter{
		Query: list.Query{Limit: mostTemplates},
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found.Data, func(a, b agreement.LeaseTemplate) int {
		return strings.Compare(agreement.TemplateNameKey(a.Name), agreement.TemplateNameKey(b.Name))
	})
	return found.Data, nil
}

func (p *templatePages) templates(v *page.Request) error {
	all, err := p.allTemplates(v)
	if err != nil {
		return err
	}
	add := v.In(templatesAt + "/new")
	view := kit.Listing{
		Frame: v.Frame("Lease templates"),
		Heading: kit.Heading{
			Title: "Lease templates",
			About: "What you give most leases, kept once.",
			Back:  kit.Link{Name: "Leases", Path: v.In("/leases")},
		},
		Grid: kit.GridOf(kit.Table{
			Caption: "Lease templates",
			Empty: kit.Empty{
				Title: "No templates yet",
				Words: "A template keeps clauses, fees, terms, and PDFs that you give most leases. Choose it when you " +
					"create a lease, and the lease gets a copy of all of it.",
				Action: kit.Link{Name: "New template", Path: add},
			},
			Columns: []kit.Column{
				{Name: "Name"},
				{Name: "State", Width: kit.Medium},
				{Name: "Sets", Card: kit.CardDetail},
				{Name: "Attachments", Right: true, Width: kit.Medium},
				{Name: "Changed", Right: true, Width: kit.Date, Card: kit.CardHidden},
			},
		}, all, func(t *agreement.LeaseTemplate) []kit.Cell {
			return []kit.Cell{
				{Text: t.Name, Path: v.In(templatesAt + "/" + t.ID), Cut: true},
				{Text: stateOf(t)},
				{Text: setsInShort(&t.TemplateTerms), Cut: true, None: "Nothing yet"},
				{Text: strconv.Itoa(len(t.Attachments)), Off: len(t.Attachments) == 0},
				{Time: v.Time(t.UpdatedAt)},
			}
		}),
	}
	if len(all) > 0 {
		view.Primary = kit.Action{Name: "New template", Path: add, Icon: "plus"}
	}
	return v.Show(kit.ListingPage(view))
}

// stateOf is the state whose leases a template is for.
func stateOf(t *agreement.LeaseTemplate) string {
	if t.State == nil {
		return "Any state"
	}
	return law.Of(*t.State).Name
}

// inState is stateOf within a sentence.
func inState(t *agreement.LeaseTemplate) string {
	if t.State == nil {
		return "any state"
	}
	return stateOf(t)
}

// setsInShort is what a template sets in a line, "" for nothing.
func setsInShort(t *agreement.TemplateTerms) string {
	var all []string
	if t.LeaseType != nil && *t.LeaseType == portfolio.MonthToMonth {
		all = append(all, "month to month")
	}
	if t.TermMonths != nil {
		all = append(all, page.Counted(*t.TermMonths, "month"))
	}
	if t.RentDueDay != nil {
		all = append(all, "due on the "+page.Ordinal(*t.RentDueDay))
	}
	if t.LateFeeAmount != nil {
		all = append(all, "late fee "+t.LateFeeAmount.Dollars())
	}
	for _, c := range []struct {
		count int
		noun  string
	}{{clauseCount(&t.Clauses), "clause"}, {len(t.Fees), "fee"}} {
		if c.count > 0 {
			all = append(all, page.Counted(c.count, c.noun))
		}
	}
	if len(t.Utilities) > 0 {
		all = append(all, "utilities")
	}
	if len(all) == 0 && len(templateTerms(t)) > 0 {
		return "Other terms"
	}
	line := strings.Join(all, ", ")
	return strings.ToUpper(line[:min(1, len(line))]) + line[min(1, len(line)):]
}

// ownClauses are the clauses by what they are about.
func ownClauses(c *terms.Clauses) []kit.Term {
	return slices.DeleteFunc([]kit.Term{
		{Name: "Clause about pets", Text: page.OrEmpty(c.Pets)},
		{Name: "Clause about smoking", Text: page.OrEmpty(c.Smoking)},
		{Name: "Clause about parking", Text: page.OrEmpty(c.Parking)},
		{Name: "Clause about utilities", Text: page.OrEmpty(c.Utilities)},
	}, func(t kit.Term) bool { return t.Text == "" })
}

func clauseCount(c *terms.Clauses) int { return len(ownClauses(c)) }

// templateTerms is all that a template sets.
func templateTerms(t *agreement.TemplateTerms) (all []kit.Term) {
	add := func(name, text string) {
		if text != "" {
			all = append(all, kit.Term{Name: name, Text: text})
		}
	}
	if t.LeaseType != nil {
		add("Type", page.LeaseTypes[*t.LeaseType])
	}
	if t.TermMonths != nil {
		add("Length", page.Counted(*t.TermMonths, "month"))
	}
	if t.RentDueDay != nil {
		add("Rent is due", "On the "+page.Ordinal(*t.RentDueDay)+" of the month")
	}
	if t.LateFeeAmount != nil {
		add("Late fee", t.LateFeeAmount.Dollars())
	}
	if t.LateFeeFrequency != nil {
		add("Late fee is owed", lateFeeFrequencies[*t.LateFeeFrequency])
	}
	if t.LateFeeGraceDays != nil {
		add("Days of grace", page.Counted(*t.LateFeeGraceDays, "day"))
	}
	said := terms.Terms{Fees: t.Fees, ReturnedPaymentFee: t.ReturnedPaymentFee, Utilities: t.Utilities}
	for _, line := range said.Lines() {
		add(line.Name, line.Text)
	}
	return append(all, ownClauses(&t.Clauses)...)
}

func (p *templatePages) template(v *page.Request, t *agreement.LeaseTemplate) error {
	at := v.In(templatesAt + "/" + t.ID)
	attached := attachmentList(at+"/attachments", t.Attachments, true)
	attached.Words = "House rules, an addendum, a pamphlet: attach a PDF, and each lease that is created with the " +
		"template gets a copy of it."
	return v.Show(views.TemplatePage(views.Template{
		Record: kit.Record{
			Frame: v.Frame(t.Name),
			Heading: kit.Heading{
				Title: t.Name,
				About: "A template for leases in " + inState(t) + ".",
			},
			Edit: at + "/edit",
			Menu: []kit.Action{{Name: "Delete template…", Path: at + "/delete", How: kit.Asks, Bad: true}},
			Facts: []kit.Facts{
				{Title: "Template", Terms: []kit.Term{
					{Name: "State", Text: stateOf(t)},
					{Name: "All templates", Text: "Lease templates", Path: v.In(templatesAt)},
				}},
				page.RecordFacts(v, &t.Record),
			},
		},
		Sets:        templateTerms(&t.TemplateTerms),
		Attachments: attached,
	}))
}

func (p *templatePages) newTemplate(v *page.Request) error {
	form := templateForm(v, &agreement.LeaseTemplate{})
	form.Title, form.Submit = "New template", "Save template"
	form.Back = kit.Link{Name: "Lease templates", Path: v.In(templatesAt)}
	form.Do = func(_ *page.Form, in agreement.TemplateInput, _ change.Target) error {
		made, err := p.Agreements.AddTemplate(v.Ctx(), v.Actor(), in)
		if err != nil {
			return err
		}
		return v.Done(v.In(templatesAt+"/"+made.After.ID), "Template saved. You can attach PDFs to it here.")
	}
	return form.Serve(v)
}

func (p *templatePages) editTemplate(v *page.Request, t *agreement.LeaseTemplate) error {
	at := v.In(templatesAt + "/" + t.ID)
	form := templateForm(v, t)
	form.Title, form.About, form.Submit, form.Record = "Edit template", t.Name, "Save template", &t.Record
	form.Back = kit.Link{Name: "The template", Path: at}
	form.Do = func(_ *page.Form, in agreement.TemplateInput, target change.Target) error {
		made, err := p.Agreements.ChangeTemplate(v.Ctx(), v.Actor(), target, in)
		return page.Saved(v, at, "Template saved.", made, err)
	}
	return form.Serve(v)
}

// templateForm is the form of a template: its own fields and those of the steps of a draft that it can set.
func templateForm(v *page.Request, t *agreement.LeaseTemplate) page.RecordForm[agreement.TemplateInput] {
	s := &generateForm{form: v.Form(), rules: &law.Rules{}}
	groups := templateGroups(s, v, t)
	hold(groups, heldByTemplate(t))
	return page.RecordForm[agreement.TemplateInput]{
		Contract: leaseTemplate,
		Words: []string{
			"Leave empty what the template doesn’t set. Leases that exist keep what they took: a change is for leases " +
				"that you create from now on.",
		},
		Groups: groups,
		Place: func(f *page.Form) {
			s.form = f
			s.placeFees()
		},
	}
}

func templateGroups(s *generateForm, v *page.Request, t *agreement.LeaseTemplate) []kit.FieldGroup {
	term := kit.FieldGroup{
		Title: "Term",
		Fields: chosen(
			[]kit.FieldGroup{s.term(v), {Fields: moneyFields("")}},
			"lease_type",
			"term_months",
			"rent_due_day",
		),
	}
	late := kit.FieldGroup{
		Title: "Late and returned payments",
		About: "The limits of the home’s state hold for each lease.",
		Fields: chosen([]kit.FieldGroup{{Fields: moneyFields("")}},
			"late_fee_amount", "late_fee_grace_days", "late_fee_frequency", "returned_payment_fee"),
	}
	for _, g := range []kit.FieldGroup{term, late} {
		for i := range g.Fields {
			f := &g.Fields[i]
			switch f.Name {
			case "lease_type", "late_fee_frequency":
				f.Choices = append([]kit.Choice{{Label: "Not set"}}, f.Choices...)
			case "term_months":
				f.Hint = "Of a lease that ends, 1 to 120."
			case "late_fee_amount":
				f.Hint = "In dollars, 0 for none."
			}
			f.Unmarked = true
		}
	}
	return []kit.FieldGroup{
		{Title: "Template", Fields: []kit.Field{
			{Name: "name", Label: "Name", Hint: "What you call it, such as Texas, one year."},
			{
				Name: "state", Label: "State", Choices: page.StateChoices("Any state"), Unmarked: true, Complete: "off",
				Hint: "It can be chosen for homes in this state alone.",
			},
		}},
		term,
		late,
		s.utilities(len(t.Utilities)),
		clauses(),
		s.feesOf(max(s.feesTyped(), min(len(t.Fees)+1, feeRows))),
	}
}

// chosen are the fields of groups that have the names, in the order of the names.
func chosen(groups []kit.FieldGroup, names ...string) (all []kit.Field) {
	for _, name := range names {
		for _, g := range groups {
			for i := range g.Fields {
				if g.Fields[i].Name == name {
					all = append(all, g.Fields[i])
				}
			}
		}
	}
	return all
}

// heldByTemplate is what a template says, as one types it.
func heldByTemplate(t *agreement.LeaseTemplate) url.Values {
	said := &generateForm{form: page.Blank(url.Values{})}
	said.known("name", t.Name)
	if t.State != nil {
		said.known("state", string(*t.State))
	}
	if t.LeaseType != nil {
		said.known("lease_type", string(*t.LeaseType))
	}
	said.known("term_months", page.WholeOr(t.TermMonths))
	said.known("rent_due_day", page.WholeOr(t.RentDueDay))
	said.knownAmount("late_fee_amount", t.LateFeeAmount)
	if t.LateFeeFrequency != nil {
		said.known("late_fee_frequency", string(*t.LateFeeFrequency))
	}
	said.known("late_fee_grace_days", page.WholeOr(t.LateFeeGraceDays))
	said.knownAmount("returned_payment_fee", t.ReturnedPaymentFee)
	said.sameUtilities(t.Utilities)
	said.sameClauses(&t.Clauses)
	said.sameFees(t.Fees)
	return said.form.Values
}

func (p *templatePages) deleteTemplate(v *page.Request, t *agreement.LeaseTemplate) error {
	words := []string{t.Name + ", for leases in " + inState(t) + "."}
	said := "It’s deleted for good. Leases that were created with it keep what they took from it."
	if n := len(t.Attachments); n > 0 {
		said = "It’s deleted for good, with its " + page.Counted(
			n,
			"attachment",
		) + ". Leases that were created with it " +
			"keep what they took from it, and their own copies of the PDFs."
	}
	return page.Question{
		Title:  "Delete the template?",
		Words:  append(words, said),
		Form:   kit.Form{Submit: "Delete template", Danger: true},
		Back:   v.In(templatesAt + "/" + t.ID),
		Record: &t.Record,
		Do: func(_ *page.Form, target change.Target) error {
			if _, err := p.Agreements.DeleteTemplate(v.Ctx(), v.Actor(), target); err != nil {
				return err
			}
			return v.Done(v.In(templatesAt), "The template is deleted.")
		},
	}.Serve(v)
}

func (p *templatePages) askAttachment(v *page.Request, t *agreement.LeaseTemplate) error {
	return p.attachmentForm(v, t, v.Form())
}

func (p *templatePages) attachmentForm(v *page.Request, t *agreement.LeaseTemplate, f *page.Form) error {
	at := v.In(templatesAt + "/" + t.ID)
	return showAttach(v, f, kit.Heading{About: t.Name, Back: kit.Link{Name: "The template", Path: at}}, kit.FieldGroup{
		Title: "Copied to each lease",
		About: "Each lease that is created with the template gets a copy of the PDF: everybody who signs reads it " +
			"first, and it stands behind the signed lease, under the same seal. Leases that exist stay as they are. " +
			cleaned,
	})
}

func (p *templatePages) oversizedAttachment(v *page.Request, t *agreement.LeaseTemplate) error {
	return p.attachmentForm(v, t, oversized())
}

func (p *templatePages) cleanAttachment(v *page.Request) error {
	return (&leasePages{p.Section}).cleanAttachment(v)
}

func (p *templatePages) addAttachment(v *page.Request, t *agreement.LeaseTemplate) error {
	if f, refused := v.Prepared.(*page.Form); refused {
		return p.attachmentForm(v, t, f)
	}
	f, file := v.Form(), v.Prepared.(*agreement.AttachmentFile)
	_, err := p.Agreements.AttachToTemplate(v.Ctx(), v.Actor(), t.ID, file)
	switch {
	case f.Refused(err):
		return p.attachmentForm(v, t, f)
	case err != nil:
		return err
	}
	return v.Done(v.In(templatesAt+"/"+t.ID), "The PDF is attached.")
}

// attachment shows a PDF that a template has.
func (p *templatePages) attachment(v *page.Request, t *agreement.LeaseTemplate) error {
	_, content, err := p.Agreements.TemplateAttachment(v.Ctx(), v.Actor(), t.ID, v.Param("attachment"))
	if err != nil {
		return err
	}
	return v.Send.OwnPDF("attachment", content)
}

func (p *templatePages) removeAttachment(v *page.Request, t *agreement.LeaseTemplate) error {
	if _, err := p.Agreements.DetachFromTemplate(v.Ctx(), v.Actor(), t.ID, v.Param("attachment")); err != nil {
		return err
	}
	return v.Done(v.In(templatesAt+"/"+t.ID), "The attachment was removed.")
}

// withTemplate asks with which template a lease is generated, where there is one for the state of the home.
func (s *generateForm) withTemplate() []kit.FieldGroup {
	if len(s.templates) == 0 && s.form.FieldErrors["template_id"] == "" {
		return nil
	}
	f := kit.Field{
		Name:     "template_id",
		Label:    "Template",
		Unmarked: true,
		Choices:  []kit.Choice{{Label: "No template"}},
		Hint: "Fills in terms, fees, and clauses that aren’t entered yet, and attaches its PDFs. You can change all of " +
			"it in the next steps.",
	}
	if s.form.Text("rent_due_day") != "" {
		f.Hint += " What is taken over from an earlier lease stays."
	}
	for i := range s.templates {
		f.Choices = append(f.Choices, kit.Choice{Value: s.templates[i].ID, Label: s.templates[i].Name})
	}
	return []kit.FieldGroup{{Title: "Template", Fields: []kit.Field{f}}}
}

// leftToTemplate lets the choices of fields be left to the template that is chosen.
func (s *generateForm) leftToTemplate(fields []kit.Field) {
	for i := range fields {
		if f := &fields[i]; f.Name == "lease_type" || f.Name == "late_fee_frequency" {
			f.Choices = append([]kit.Choice{{Label: "As in the template"}}, f.Choices...)
		}
	}
}

// placeTemplate says what is wrong with the template that was chosen.
func (s *generateForm) placeTemplate() {
	if s.form.FieldErrors["template_id"] != "" && s.form.Status == http.StatusNotFound {
		s.form.FieldErrors["template_id"] = "There is no such template. Choose another one, or none."
	}
}

// usedTemplate is the name of the template that a lease was generated with, "" for none and for one that is deleted.
func (p *leasePages) usedTemplate(v *page.Request, l *portfolio.Lease) (string, error) {
	if l.Terms.Template == nil {
		return "", nil
	}
	t, err := p.Agreements.Template(v.Ctx(), v.Actor(), l.Terms.Template.ID)
	switch {
	case fault.Is(err, fault.NoRecord):
		return "", nil
	case err != nil:
		return "", err
	}
	return t.Name, nil
}

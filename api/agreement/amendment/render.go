package amendment

import (
	"cmp"
	"strings"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/texts"
)

// Preview is what an amendment says as PDF, without a seal, as far as it is signed: of a draft that cannot be sent now
// it is nothing.
func Preview(a *Amendment) ([]byte, error) {
	if a.Content == nil {
		return nil, nil
	}
	return pdf.Render(compose(a), a.UpdatedAt.Std())
}

// FileName is that of the document without an ending.
func (a *Amendment) FileName() string { return "lease-amendment-" + a.EffectiveOn.String() }

func long(d clock.Date) string { return d.Std().Format("January 2, 2006") }

func moment(t clock.Time) string { return t.Std().Format("January 2, 2006, 15:04:05") + " UTC" }

// roles are what the parties are called.
var roles = map[portfolio.PartyRole]string{
	portfolio.PartyPrimary:   "Tenant",
	portfolio.PartyCoTenant:  "Tenant",
	portfolio.PartyGuarantor: "Guarantor",
}

// compose is the document of an amendment with the signatures that it has.
func compose(a *Amendment) *document.Document {
	c := a.Content
	term := "From " + long(c.StartDate) + ", month to month"
	if c.EndDate != nil {
		term = long(c.StartDate) + " to " + long(*c.EndDate)
	}
	d := &document.Document{
		Title:    "Amendment to the lease",
		About:    pdf.Printable(c.Home),
		Number:   a.ID,
		Language: "en-US",
		Author:   pdf.Printable(c.Landlord),
		Words:    &document.Words{Terms: "Parties and lease", Charges: "What changes", Page: "Page %d of %d"},
		Note: "It changes the lease as all its parties have agreed. It is not legal advice. Some states and cities limit " +
			"how much a rent may rise.",
		Terms: []document.Row{
			{Name: "Landlord", Value: pdf.Printable(c.Landlord + ", " + c.Address)},
			{Name: "Tenants", Value: pdf.Printable(c.names(func(r portfolio.PartyRole) bool {
				return r != portfolio.PartyGuarantor
			}))},
		},
		Charges: document.Table{Head: []string{"What", "Before", "From " + long(c.EffectiveOn)}, Rows: c.rows()},
	}
	if names := c.names(func(r portfolio.PartyRole) bool { return r == portfolio.PartyGuarantor }); names != "" {
		d.Terms = append(d.Terms, document.Row{Name: "Guarantors", Value: pdf.Printable(names)})
	}
	d.Terms = append(
		d.Terms,
		document.Row{Name: "Home", Value: pdf.Printable(c.Home)},
		document.Row{Name: "Lease", Value: a.LeaseID},
		document.Row{Name: "Term of the lease", Value: term},
		document.Row{Name: "First day of the change", Value: long(c.EffectiveOn)},
	)
	d.Sections = []document.Section{c.agreement(), a.signed()}
	if a.Mode == access.Test {
		d.MarkTest()
	}
	return d
}

// names are those of the parties of a role.
func (c *Content) names(is func(portfolio.PartyRole) bool) string {
	var all []string
	for _, p := range c.Parties {
		if is(p.Role) {
			all = append(all, p.Name)
		}
	}
	return strings.Join(all, ", ")
}

// rows are what changes of the record of the lease, before and after.
func (c *Content) rows() (all [][]string) {
	add := func(what, before, after string) {
		if before != after {
			all = append(
				all,
				[]string{what, pdf.Printable(cmp.Or(before, "None")), pdf.Printable(cmp.Or(after, "None"))},
			)
		}
	}
	add("Rent a month", exact(c.Before.MonthlyRent), exact(c.After.MonthlyRent))
	add("Others who live in the home", strings.Join(c.Before.Occupants, ", "), strings.Join(c.After.Occupants, ", "))
	add("Pets", animals(c.Before.Pets), animals(c.After.Pets))
	if c.Clause != "" {
		all = append(all, []string{"A clause", "None", "As written below"})
	}
	return all
}

func animals(pets []terms.Pet) string {
	t := terms.Terms{Pets: pets}
	return strings.Join(t.AnimalNames(), ", ")
}

// agreement is the section in which the parties agree.
func (c *Content) agreement() document.Section {
	s := document.Section{Title: "What the parties agree"}
	say := func(text string) {
		s.Blocks = append(s.Blocks, document.Block{Paragraph: &document.Paragraph{Text: pdf.Printable(text)}})
	}
	say("From " + long(c.EffectiveOn) + " on the lease of the home changes as listed above.")
	if c.After.MonthlyRent != c.Before.MonthlyRent {
		say(
			"The rent is " + exact(
				c.After.MonthlyRent,
			) + " a month for the months from that day on. Rent for the time " +
				"before stays " + exact(
				c.Before.MonthlyRent,
			) + " a month.",
		)
	}
	if c.Clause != "" {
		say("The parties also agree:")
		for line := range strings.SplitSeq(c.Clause, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				say(line)
			}
		}
	}
	say("All else in the lease stays as it is.")
	return s
}

// signed is the section of the signatures.
func (a *Amendment) signed() document.Section {
	c := a.Content
	s := document.Section{Title: "Signatures"}
	line := func(by *Signature, sign document.Signature) {
		if by != nil {
			sign.Typed, sign.At = pdf.Printable(by.Name), moment(by.SignedAt)
		}
		s.Blocks = append(s.Blocks, document.Block{Signature: &sign})
	}
	line(a.SignatureOf(""), document.Signature{
		Name: pdf.Printable(c.Signer), Role: "Landlord", Title: pdf.Printable(c.Title),
	})
	for _, p := range c.Parties {
		line(a.SignatureOf(p.TenantID), document.Signature{Name: pdf.Printable(p.Name), Role: roles[p.Role]})
	}
	if len(a.Signatures) == 0 {
		return s
	}
	say := func(text string) {
		s.Blocks = append(s.Blocks, document.Block{Paragraph: &document.Paragraph{Text: pdf.Printable(text)}})
	}
	table := document.Table{Head: []string{"Party", "Typed", "Signed", "From"}}
	for i := range a.Signatures {
		by := &a.Signatures[i]
		who := c.Signer + " (landlord)"
		if by.TenantID != nil {
			p := c.party(*by.TenantID)
			who = p.Name + " (" + strings.ToLower(roles[p.Role]) + ")"
		}
		table.Rows = append(table.Rows, []string{
			pdf.Printable(
				who,
			),
			pdf.Printable(by.Name),
			moment(by.SignedAt),
			cmp.Or(pdf.Printable(by.Address), "Not known"),
		})
	}
	say("The parties signed electronically, each by typing their name:")
	s.Blocks = append(s.Blocks, document.Block{Table: &table})
	for i := range a.Signatures {
		if by := &a.Signatures[i]; by.Browser != "" {
			say(by.Name + " signed with this browser: " + texts.Clip(by.Browser, mostBrowserShown))
		}
	}
	say("What each of them signed, without the signatures, has the SHA-256 " + a.SHA256() + ".")
	return s
}

// mostBrowserShown is how much of a browser's name the document shows, in characters.
const mostBrowserShown = 200

// exact is an amount with its cents.
func exact(c money.Cents) string {
	said := c.Words()
	if !strings.Contains(said, ".") {
		said += ".00"
	}
	return said
}

package document

import (
	"strconv"

	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
)

// Codes of disclosures of which the records of a lease decide whether they are made.
const (
	depositBank       = "deposit_bank"
	depositReceipt    = "deposit_receipt"
	depositTerms      = "deposit_terms"
	nonrefundableFees = "nonrefundable_fees"
	saferHomes        = "safer_homes_summary"
	rentCapJustCause  = "rent_cap_just_cause"
)

// LeadPaint is the code of the disclosure that federal law asks for.
const LeadPaint = "lead_paint"

// Disclosure is what the law asks a landlord to tell or to hand over.
type Disclosure struct {
	// Code of the disclosure.
	Code string `json:"code" example:"lead_paint"`
	// What it is about.
	Title string `json:"title" example:"Lead-based paint"`
	// Why the document names it.
	Reason string `json:"reason" example:"The home was built in 1974, before 1978."`
	// The law that requires it; null when the table of rules knows none.
	Authority *string `json:"authority" example:"42 U.S.C. 4852d; 24 CFR 35; 40 CFR 745"`
	// Whether it depends on what only the landlord knows.
	Conditional bool `json:"conditional" example:"false"`
	// What the landlord has answered; null while nothing is answered.
	Applies *bool `json:"applies" example:"true"`
	// The official text to attach; null where none is known.
	OfficialText *law.OfficialText `json:"official_text"`
}

// SchemaName is the name of the OpenAPI component.
func (Disclosure) SchemaName() string { return "GeneratedLeaseDisclosure" }

// Disclosures are those that the document names, each with why it does. One whose condition the landlord
// has said does not hold is left out.
func (t *Terms) Disclosures() (all []Disclosure) {
	for _, rule := range law.Of(t.Property.State).Disclosures {
		d := Disclosure{
			Code:         rule.Code,
			Title:        rule.Title,
			Authority:    rule.Authority,
			Conditional:  rule.Condition != "",
			OfficialText: rule.OfficialText,
		}
		answer := t.Lease.Terms.AnswerTo(rule.Code)
		if answer != nil {
			d.Applies = &answer.Applies
		}
		if d.Reason = t.reason(&rule, answer); d.Reason != "" {
			all = append(all, d)
		}
	}
	return all
}

// reason is why a disclosure is made, "" for one that is not. A condition that the landlord has not
// answered stays a condition.
func (t *Terms) reason(d *law.Disclosure, answer *terms.Answer) string {
	switch {
	case d.Condition == "":
		return t.recorded(d.Code)
	case answer == nil:
		return "If " + d.Condition + "."
	case answer.Applies:
		return "The landlord states that this applies."
	}
	return ""
}

// recorded is why a disclosure is made without a condition that the landlord answers, "" where the
// records say that it is not made.
func (t *Terms) recorded(code string) string {
	switch code {
	case LeadPaint:
		return t.leadReason()
	case depositBank, depositReceipt, depositTerms:
		if t.Lease.SecurityDeposit == 0 {
			return ""
		}
		return "This lease takes a deposit."
	case nonrefundableFees:
		for _, f := range t.Lease.Terms.Fees {
			if !f.Refundable {
				return "A fee of this lease is not refundable."
			}
		}
		return ""
	}
	return "State law requires it."
}

func (t *Terms) leadReason() string {
	switch built := t.Property.YearBuilt; {
	case built == nil:
		return "The year in which the home was built is not known."
	case t.MayHoldLead():
		return "The home was built in " + strconv.Itoa(*built) + ", before 1978."
	}
	return ""
}

func (c *composer) disclosures() {
	c.section("Disclosures")
	all := c.Terms.Disclosures()
	if len(all) == 0 {
		c.say("The rules in this service’s table require no disclosure for this home.")
		return
	}
	c.say("The law requires the landlord to disclose or hand over the following before [the tenants sign|the tenant " +
		"signs]. A row that begins with “If” applies only if its condition is true. Where the law prescribes the " +
		"wording, the official text must be attached to this lease: it is not printed here.")
	t := Table{Head: []string{"Disclosure", "Why", "Law"}}
	for _, d := range all {
		cited := "—" // no law is known of this rule alone
		if d.Authority != nil {
			cited = *d.Authority
		}
		t.Rows = append(t.Rows, []string{d.Title, d.Reason, cited})
	}
	c.add(Block{Table: &t})
	var official []string
	for _, d := range all {
		if d.OfficialText != nil {
			from := d.Title + ": “" + d.OfficialText.Title + "”, from " + d.OfficialText.Agency
			if a := c.Attached(d.Code); a != nil {
				from += "; attached to this lease as " + a.Name
			}
			official = append(official, from+".")
		}
	}
	if len(official) > 0 {
		c.say("These agencies provide the official texts:")
		c.list(official...)
	}
	for _, d := range all { // what the landlord tells the tenants of it, under its title
		if a := c.Lease.Terms.AnswerTo(d.Code); a != nil && a.Applies && a.Text != nil {
			c.headed(d.Title+":", *a.Text)
		}
	}
	c.say("By signing, [the tenants confirm|the tenant confirms] only what is written next to [their " +
		"signatures|the signature], and not that anything else on this list was handed over.")
}

// headed says a text that somebody has typed behind a heading: one line with it, more as points below.
func (c *composer) headed(heading, text string) {
	switch all := lines(text); len(all) {
	case 0:
	case 1:
		c.say("%s %s", heading, all[0])
	default:
		c.say("%s", heading)
		c.list(all...)
	}
}

// safer is the page that Illinois asks for before all others (765 ILCS 750). Its wording is official, and
// is attached.
func (c *composer) safer() {
	s := Section{Title: "Summary of rights: Safer Homes Act (765 ILCS 750)"}
	for _, text := range []string{
		"The official summary of rights under the Safer Homes Act is attached to this lease as its first page. Its " +
			"text is not printed here.",
		"[Each tenant signs|The tenant signs] this page for the summary of rights.",
	} {
		s.Blocks = append(s.Blocks, Block{Paragraph: &Paragraph{Text: c.count(text)}})
	}
	for i, p := range c.Lease.Tenants {
		if tenant(p.Role) {
			s.Blocks = append(s.Blocks, Block{Signature: &Signature{Name: p.Name, Role: roles[p.Role], Party: i}})
		}
	}
	c.d.Front = append(c.d.Front, s)
}

// pamphlet is what a landlord hands out before a home is let that may hold lead (40 CFR 745.107(a)(1)).
const pamphlet = "the pamphlet “Protect Your Family From Lead in Your Home”"

// lead is the addendum for homes that may have been built before 1978, on a page of its own.
func (c *composer) lead() {
	c.d.Sections = append(c.d.Sections, Section{Number: "A", Title: "Lead-based paint addendum", NewPage: true})
	built := "The year in which the building was built is not known."
	if y := c.Property.YearBuilt; y != nil {
		built = "The building was built in " + strconv.Itoa(*y) + "."
	}
	c.say("%s Federal law (42 U.S.C. 4852d; 40 CFR 745.107 and 745.113; 24 CFR 35) requires this addendum before a "+
		"home built before 1978 is rented.", built)
	if c.Landlord.LeadWarning != "" {
		c.say("Lead Warning Statement (40 CFR 745.113(b)(1)): %s", c.Landlord.LeadWarning)
	} else {
		c.say("The Lead Warning Statement in the words of 40 CFR 745.113(b)(1) must be attached. Its official text " +
			"is not printed here.")
	}
	c.leadStatement(c.Lease.Terms.LeadPaint)
	c.leadPamphlet(c.Lease.Terms.LeadPaint)
	c.say("What [the tenants confirm|the tenant confirms] about lead-based paint by signing is written next to " +
		"[their signatures|the signature].")
	c.say("The landlord keeps this addendum for at least 3 years.")
}

// leadStatement is what the landlord states, nil for nothing yet.
func (c *composer) leadStatement(l *terms.LeadPaint) {
	if l == nil {
		c.say("The landlord has not yet stated what is known about lead-based paint in the home. The lease cannot be " +
			"signed until this is answered.")
		return
	}
	if l.Hazards == terms.KnownHazards {
		c.say("The landlord knows of lead-based paint or of lead-based paint hazards in the home.")
		if l.Details != nil {
			c.headed("What is known:", *l.Details)
		}
	} else {
		c.say("The landlord knows of no lead-based paint and no lead-based paint hazards in the home.")
	}
	if l.Records == terms.RecordsProvided {
		c.say("The landlord has given the [tenants|tenant] all records and reports that the landlord has about " +
			"lead-based paint or lead-based paint hazards in the home.")
	} else {
		c.say("The landlord has no records or reports about lead-based paint or lead-based paint hazards in the home.")
	}
}

// leadPamphlet says how the tenants get the pamphlet: with the lease, where it is attached, or on paper. Nobody
// confirms it by signing.
func (c *composer) leadPamphlet(l *terms.LeadPaint) {
	if a := c.Attached(LeadPaint); a != nil {
		c.say("[The tenants receive|The tenant receives] %s with this lease, before signing it: it is attached as %s.",
			pamphlet, a.Name)
		return
	}
	if l == nil || l.PamphletGivenOn == nil {
		c.say("Before [the tenants sign|the tenant signs], the landlord hands over %s on paper.", pamphlet)
		return
	}
	c.say("The landlord noted that %s was handed over on paper on %s.", pamphlet, long(*l.PamphletGivenOn))
}

// leadReceived is what the tenants confirm by signing where the addendum is part of the lease
// (40 CFR 745.113(b)(4)), "" where it is not. The addendum is part of what they have read; the pamphlet is not.
func (c *composer) leadReceived() string {
	if !c.leadAddendum() {
		return ""
	}
	got := "what the landlord states in addendum A"
	if l := c.Lease.Terms.LeadPaint; l != nil && l.Records == terms.RecordsProvided {
		got += " and the records and reports named there"
	}
	return c.count("By signing, the [tenants confirm that they have|tenant confirms having] received ") + got + "."
}

// leadCertified is what the landlord confirms by signing (40 CFR 745.113(b)(6)), "" for nothing.
func (c *composer) leadCertified() string {
	if !c.leadAddendum() || c.Lease.Terms.LeadPaint == nil {
		return ""
	}
	return "By signing, the landlord certifies that what the landlord states in addendum A is accurate to the best " +
		"of the landlord’s knowledge."
}

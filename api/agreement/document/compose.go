package document

import (
	"fmt"
	"strconv"
	"strings"

	"portal/api/contact"
	"portal/api/portfolio"
	"portal/api/portfolio/leaserules"
	"portal/api/texts"
)

// composer writes the sections of a document one after the other.
type composer struct {
	*Terms
	rules *leaserules.Rules
	d     *Document
}

// Compose writes the lease that the terms describe.
func Compose(t *Terms) *Document {
	c := &composer{Terms: t, rules: leaserules.Of(t.Property.State)}
	c.d = &Document{Title: "Residential lease", About: t.Lease.RentalAddress, Language: "en-US", Author: t.Landlord.Name,
		Number: t.Lease.ID + ", version " + strconv.FormatInt(t.Lease.Version, 10), Terms: c.keyTerms(), Charges: c.charges(), Note: c.note()}
	for _, write := range []func(){
		c.parties, c.home, c.term, c.rent, c.lateFees, c.deposit, c.pets, c.utilities, c.use, c.condition, c.repairs, c.entry, c.alterations, c.sublet,
		c.remedies, c.leaving, c.belongings, c.damage, c.notices, c.disclosures, c.together, c.insurance, c.fairness, c.law, c.electronic,
	} {
		write()
	}
	if t.mayHoldLead() {
		c.lead()
	}
	c.signatures()
	return c.d
}

// section begins a section, which is numbered.
func (c *composer) section(title string) {
	c.d.Sections = append(c.d.Sections, Section{Number: strconv.Itoa(len(c.d.Sections) + 1), Title: title})
}

// say adds a paragraph, which is numbered.
func (c *composer) say(format string, args ...any) {
	s, n := c.last(), 1
	for _, b := range s.Blocks {
		if b.Paragraph != nil {
			n++
		}
	}
	p := Paragraph{s.Number + "." + strconv.Itoa(n), fmt.Sprintf(format, args...)}
	c.add(Block{Paragraph: &p})
}

// list adds points.
func (c *composer) list(points ...string) { c.add(Block{Points: points}) }

func (c *composer) add(b Block) { c.last().Blocks = append(c.last().Blocks, b) }

func (c *composer) last() *Section { return &c.d.Sections[len(c.d.Sections)-1] }

// own says the landlord's own words where there are some, each line a paragraph, or else the
// document's.
func (c *composer) own(words *string, otherwise ...string) {
	if words != nil {
		otherwise = strings.FieldsFunc(*words, func(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' })
	}
	for _, s := range otherwise {
		c.say("%s", strings.ReplaceAll(s, "\t", " "))
	}
}

// cited is a citation in parentheses, "" where there is none.
func (c *composer) cited(topic leaserules.Topic) string {
	for _, a := range c.rules.Authorities {
		if a.Topic == topic && a.Citation != nil {
			return " (" + *a.Citation + ")"
		}
	}
	return ""
}

func (c *composer) keyTerms() []Row {
	l := c.Lease
	all := []Row{{"Landlord", c.Landlord.Name}, {"Tenants", listed(c.names(tenant))}}
	if g := c.names(guarantor); len(g) > 0 {
		all = append(all, Row{"Guarantors", listed(g)})
	}
	return append(all,
		Row{"Home", l.RentalAddress},
		Row{"Term", c.termWords()},
		Row{"Rent", l.MonthlyRent.Words() + " a month, due on the " + ordinal(l.RentDueDay)},
		Row{"Security deposit", amountOr(l.SecurityDeposit.Words(), l.SecurityDeposit == 0)},
		Row{"Late fee", c.lateFeeWords()},
	)
}

func amountOr(words string, none bool) string {
	if none {
		return "None"
	}
	return words
}

// termWords is from when to when the lease runs.
func (c *composer) termWords() string {
	l := c.Lease
	switch {
	case l.EndDate == nil:
		return "From " + long(l.StartDate) + ", month to month"
	case l.LeaseType == portfolio.FixedWithRollover:
		return long(l.StartDate) + " to " + long(*l.EndDate) + ", then month to month"
	}
	return long(l.StartDate) + " to " + long(*l.EndDate)
}

func (c *composer) lateFeeWords() string {
	fee := c.Lease.LateFeeAmount
	if fee == nil || *fee == 0 {
		return "None"
	}
	return fee.Words() + " once rent is " + c.late()
}

// late is how late rent is when a fee for it is owed.
func (c *composer) late() string {
	if c.graceDays() == 0 {
		return "late"
	}
	return "more than " + counted(c.graceDays(), "day") + " late"
}

// charges is every amount that the lease asks for. Some states want it on the first page.
func (c *composer) charges() Table {
	l := c.Lease
	t := Table{Head: []string{"Charge", "Amount", "When", "Refundable"}}
	t.Rows = append(t.Rows, []string{"Rent", l.MonthlyRent.Words(), "Each month, on the " + ordinal(l.RentDueDay), "No"})
	if l.SecurityDeposit > 0 {
		t.Rows = append(t.Rows, []string{"Security deposit", l.SecurityDeposit.Words(), "Once, before moving in", "Yes, as section 6 says"})
	}
	if fee := l.LateFeeAmount; fee != nil && *fee > 0 {
		t.Rows = append(t.Rows, []string{"Late fee", fee.Words(), "For each rent payment that is " + c.late(), "No"})
	}
	return t
}

// note says what the document was made from.
func (c *composer) note() string {
	year := ""
	if c.rules.AsOf != nil {
		year = " as of " + *c.rules.AsOf
	}
	n := "This document was made on " + long(c.Day) + " by software, from what the landlord entered and from a table of " + c.rules.Name + "’s rules" + year +
		". It is not legal advice. Rules of cities and counties are not in the table and may add to it."
	if len(c.rules.Unverified) > 0 {
		var names []string
		for _, t := range c.rules.Unverified {
			names = append(names, strings.ReplaceAll(string(t), "_", " "))
		}
		n += " No source was seen for these rules of the table: " + listed(names) + "."
	}
	return n
}

func (c *composer) parties() {
	c.section("Parties")
	c.say("The landlord is %s. The landlord is meant by “the landlord”, and so is whoever acts for the landlord.", c.Landlord.Name)
	c.say("The tenants are %s. Each of them is meant by “the tenants”.", listed(c.names(tenant)))
	if g := c.names(guarantor); len(g) > 0 {
		c.say("%s guarantee what the tenants owe under this lease: if the tenants do not pay, the guarantors do. Guarantors have no right to live in the home.", listed(g))
	}
	at := c.Landlord.Address
	if at == "" {
		at = "an address that the landlord gives to the tenants in writing before they sign"
	}
	c.say("Notices and legal papers for the landlord go to %s, at %s.", c.Landlord.Name, at)
	c.say("For everyday matters the landlord can be reached at %s.", c.landlordReach())
	if reach := c.tenantReach(); len(reach) > 0 {
		c.say("For everyday matters the tenants can be reached at these addresses: %s.", strings.Join(reach, "; "))
	}
}

func (c *composer) landlordReach() string {
	if c.Landlord.Phone == "" {
		return c.Landlord.Email
	}
	return c.Landlord.Email + " or " + c.Landlord.Phone
}

func (c *composer) tenantReach() (all []string) {
	for i, p := range c.Lease.Tenants {
		if i < len(c.Emails) && c.Emails[i] != "" {
			all = append(all, p.Name+", "+c.Emails[i])
		}
	}
	return all
}

// kinds are types of building within a sentence.
var kinds = map[portfolio.PropertyType]string{
	"single_family": "a single-family house", "multi_family": "a multi-family house", "apartment": "an apartment building", "condo": "a condominium",
	"townhouse": "a townhouse", "duplex": "a duplex", "mobile_home": "a mobile home", "commercial": "a commercial building", "other": "a building",
}

func (c *composer) home() {
	c.section("The home")
	c.say("The landlord lets this home to the tenants: %s. It is in %s.", c.Lease.RentalAddress, kinds[c.Property.PropertyType])
	var facts []string
	if b := c.Unit.Bedrooms; b != nil {
		facts = append(facts, bedrooms(*b))
	}
	if b := c.Unit.Bathrooms; b != nil {
		facts = append(facts, string(b.AppendJSON(nil))+" bathrooms")
	}
	if f := c.Unit.SquareFeet; f != nil {
		facts = append(facts, "about "+texts.Number(*f)+" square feet")
	}
	if len(facts) > 0 {
		c.say("It has %s.", listed(facts))
	}
	if y := c.Property.YearBuilt; y != nil {
		c.say("The building was built in %d.", *y)
	} else {
		c.say("The year in which the building was built is not known.")
	}
	c.say("The tenants get the keys on the first day of the term, unless the landlord and the tenants agree on another day in writing.")
}

func bedrooms(n int) string {
	if n == 0 {
		return "no separate bedroom"
	}
	return counted(n, "bedroom")
}

func (c *composer) term() {
	l, name := c.Lease, c.rules.Name
	c.section("Term")
	switch {
	case l.EndDate == nil:
		c.say("The lease starts on %s and runs from month to month.", long(l.StartDate))
		c.monthToMonth()
	case l.LeaseType == portfolio.FixedWithRollover:
		c.say("The lease starts on %s and ends on %s. If nobody ends it by then, it goes on from month to month on the same terms.", long(l.StartDate), long(*l.EndDate))
		c.monthToMonth()
	default:
		c.say("The lease starts on %s and ends on %s. The landlord and the tenants may agree on a new lease or on a longer term in writing.", long(l.StartDate), long(*l.EndDate))
		if justCause[c.Property.State] {
			c.say("At the end of the term the landlord may end the tenancy only for a reason, and with the notice, that the law of %s allows.", name)
		} else {
			c.say("Where the law of %s asks for notice before a fixed term ends, that notice is given.", name)
		}
	}
	c.say("If the tenants stay after the lease has ended without the landlord’s consent, they owe rent for each day at the rate of this lease, and what else the law of %s allows.", name)
}

// justCause are the states where a landlord needs a reason that the law lists to end at least some
// tenancies.
var justCause = map[contact.State]bool{"CA": true, "CO": true, "DC": true, "NJ": true, "NY": true, "OR": true, "WA": true}

// tenantsSide are the states for which the table has the notice that tenants give.
var tenantsSide = map[contact.State]bool{"DC": true, "WA": true}

func (c *composer) monthToMonth() {
	days, name, s := c.rules.Notice.MonthToMonthDays, c.rules.Name, c.Property.State
	switch {
	case days == nil:
		c.say("While it runs from month to month, the landlord or the tenants may end it with written notice of at least one month, or longer where the law of %s asks for more.", name)
	case tenantsSide[s]:
		c.say("While it runs from month to month, the tenants may end it with written notice of at least %s.", counted(*days, "day"))
	default:
		c.say("While it runs from month to month, it is ended by written notice of at least %s, or longer where the law of %s asks for more.", counted(*days, "day"), name)
	}
	if justCause[s] {
		c.say("The landlord may end it only for a reason, and with the notice, that the law of %s allows.", name)
	}
}

func (c *composer) rent() {
	l := c.Lease
	c.section("Rent")
	c.say("The tenants pay %s a month. Rent is due in advance on the %s of each month.", l.MonthlyRent.Words(), ordinal(l.RentDueDay))
	c.say("For a part of a month at the start or at the end of the term, the tenants owe a share: the monthly rent divided by the days of that month, for each day of the term.")
	c.say("Rent can always be paid by check or money order to the landlord at no charge. The landlord may offer other ways to pay, and no tenant has to pay by electronic means.")
	c.say("The landlord gives a receipt for each payment on request. A payment is counted toward the oldest rent that is owed first.")
	c.say("The rent does not change during a fixed term. While the lease runs from month to month, the landlord may change it with written notice of at least one month, or longer where the law asks for more, and not above what the law allows.")
}

func (c *composer) lateFees() {
	l, name := c.Lease, c.rules.Name
	c.section("Late fees")
	if l.LateFeeAmount == nil || *l.LateFeeAmount == 0 {
		c.say("No late fee is charged under this lease.")
		return
	}
	when := "If rent is not paid on its due date"
	switch n := c.graceDays(); n {
	case 0:
	case 1:
		when = "If rent is still not paid when 1 day has passed after its due date"
	default:
		when = "If rent is still not paid when " + counted(n, "day") + " have passed after its due date"
	}
	c.say("%s, the tenants owe a late fee of %s for that payment.", when, l.LateFeeAmount.Words())
	c.say("There is one late fee for each late payment. It does not grow, no fee is charged on a fee, and it is not taken out of rent that is paid later.")
	if c.rules.LateFee.Kind == leaserules.Limited {
		c.say("The late fee is never more than the law of %s allows%s:", name, c.cited(leaserules.LateFees))
		c.list(c.feeLimits()...)
		return
	}
	c.say("The late fee is never more than the law of %s allows%s, and never more than is reasonable for what a late payment costs the landlord.", name, c.cited(leaserules.LateFees))
}

func (c *composer) feeLimits() (all Points) {
	for _, l := range c.rules.LateFee.Limits {
		text := l.Text
		if l.When != nil {
			text = strings.TrimSuffix(*l.When, ".") + ": " + text
		}
		all = append(all, text)
	}
	return all
}

func (c *composer) deposit() {
	l, d, name := c.Lease, c.rules.Deposit, c.rules.Name
	c.section("Security deposit")
	if l.SecurityDeposit == 0 {
		c.say("No security deposit is taken under this lease.")
		return
	}
	c.say("The tenants pay a security deposit of %s before they move in. It is not rent, and not the rent of the last month.", l.SecurityDeposit.Words())
	c.say("From the deposit the landlord may take only what the law of %s allows, such as:", name)
	c.list("rent and other amounts that the tenants owe under this lease;", "the cost of damage beyond ordinary wear and tear that the tenants or their guests have caused;", "the cost of cleaning the home to the condition in which it was when the tenants moved in.")
	c.say("Ordinary wear and tear is never taken from it.")
	c.say("When the tenancy has ended, the tenants give the landlord an address in writing. The landlord sends what is left of the deposit there, with an itemized list of everything that was taken from it, within %s%s.", counted(d.ReturnDays, "day"), c.cited(leaserules.DepositReturn))
	switch d.Interest {
	case "yes":
		c.say("The deposit bears interest for the tenants as the law of %s says.", name)
	case "conditional":
		c.say("The deposit bears interest for the tenants where the law of %s asks for it.", name)
	default:
		c.say("The law of %s asks for no interest on the deposit, and none is paid.", name)
	}
	c.say("The landlord keeps the deposit as the law of %s asks, and names the bank that holds it where the law asks for that. If the home is sold, the deposit goes to the new owner, who then owes it to the tenants.", name)
}

func (c *composer) pets() {
	c.section("Pets")
	c.own(c.Lease.Terms.Clauses.Pets, "No pet is kept in the home without the landlord’s consent in writing.")
	c.say("Assistance animals are not pets. No fee, rent or deposit is charged for one.")
}

func (c *composer) utilities() {
	c.section("Utilities and services")
	c.own(c.Lease.Terms.Clauses.Utilities, "The tenants arrange and pay for the utilities that are metered for the home alone. The landlord pays for all others.")
	c.say("Where a meter serves more than this home, the landlord tells the tenants in writing how its cost is split before they sign. Neither side may have a utility of the home shut off to make the other leave.")
}

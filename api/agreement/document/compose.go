package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/texts"
)

// composer writes the sections of a document one after the other.
type composer struct {
	*Terms
	rules *law.Rules
	state string // name of the state within a sentence
	alone bool   // whether there is one tenant
	d     *Document
}

// Compose writes the lease that the terms describe.
func Compose(t *Terms) *Document {
	c := &composer{Terms: t, rules: law.Of(t.Property.State)}
	c.state, c.alone = c.rules.Name, len(t.names(tenant)) == 1
	if t.Property.State == "DC" {
		c.state = "the " + c.state
	}
	c.d = &Document{
		Title:    "Residential lease",
		About:    t.Lease.RentalAddress,
		Language: "en-US",
		Author:   t.Landlord.Name,
		Number:   t.Lease.ID + ", version " + strconv.Itoa(t.Version),
		Terms:    c.keyTerms(),
		Charges:  c.charges(),
		Totals:   c.totals(),
		Note:     c.note(),
		Spanish:  c.spanish(),

		Attachments: t.Attachments,
	}
	if t.Lease.Mode == access.Test {
		c.d.MarkTest()
	}
	if c.asks(saferHomes) {
		c.safer()
	}
	sections := []func(){
		c.parties, c.home, c.term, c.rent, c.lateFees, c.deposit, c.pets, c.utilities, c.use,
		c.condition, c.repairs, c.entry, c.alterations, c.sublet, c.remedies, c.leaving,
		c.belongings, c.damage, c.notices, c.disclosures, c.together, c.insurance, c.fairness,
		c.law, c.electronic, c.attachments, c.guaranty,
	}
	if t.Lease.Terms.Own() {
		sections = []func(){c.ownText, c.electronic, c.attachments, c.guaranty}
	}
	for _, write := range sections {
		write()
	}
	if t.leadAddendum() {
		c.lead()
	}
	c.signatures()
	return c.d
}

// asks reports whether the state asks for a disclosure.
func (c *composer) asks(code string) bool {
	return slices.ContainsFunc(c.rules.Disclosures, func(d law.Disclosure) bool { return d.Code == code })
}

// section begins a section, which is numbered.
func (c *composer) section(title string) {
	c.d.Sections = append(c.d.Sections, Section{Number: strconv.Itoa(len(c.d.Sections) + 1), Title: title})
}

// say adds a paragraph, which is numbered. The format may hold alternatives: see count.
func (c *composer) say(format string, args ...any) {
	s, n := c.last(), 1
	for _, b := range s.Blocks {
		if b.Paragraph != nil {
			n++
		}
	}
	p := Paragraph{s.Number + "." + strconv.Itoa(n), fmt.Sprintf(c.count(format), args...)}
	c.add(Block{Paragraph: &p})
}

// list adds points.
func (c *composer) list(points ...string) { c.add(Block{Points: points}) }

func (c *composer) add(b Block) { c.last().Blocks = append(c.last().Blocks, b) }

func (c *composer) last() *Section { return &c.d.Sections[len(c.d.Sections)-1] }

// own says the landlord's own words where there are some, each line a paragraph, or else the
// document's.
func (c *composer) own(words *string, otherwise string) {
	if words == nil {
		c.say(otherwise)
		return
	}
	for _, line := range lines(*words) {
		c.say("%s", line)
	}
}

// cited is a citation in parentheses, "" where there is none. A remark in place of one, or behind it, is
// not printed.
func (c *composer) cited(topic law.Topic) string {
	for _, a := range c.rules.Authorities {
		if a.Topic != topic || a.Citation == nil {
			continue
		}
		cite, _, _ := strings.Cut(*a.Citation, " (")
		if cite != "" && cite != "none" && !strings.HasPrefix(cite, "none ") && !strings.HasPrefix(cite, "no ") {
			return " (" + cite + ")"
		}
	}
	return ""
}

func (c *composer) parties() {
	c.section("Parties")
	c.say("The landlord is %s. “The landlord” also means anyone who acts for the landlord.",
		c.Landlord.Name)
	c.coOwners()
	if tenants := c.names(tenant); len(tenants) == 1 {
		c.say("The tenant is %s.", tenants[0])
	} else {
		c.say("The tenants are %s. “The tenants” means each of them.", texts.List(tenants, " and "))
	}
	c.guarantors()
	c.say("Notices and legal papers for the landlord go to %s%s.", c.Landlord.Name, c.Landlord.at(", at "))
	c.say("For everyday matters the landlord can be reached at %s.", c.Landlord.Reach())
	if reach := c.tenantReach(); len(reach) > 0 {
		c.say("For everyday matters the [tenants|tenant] can be reached at [these addresses|this address]: %s.",
			strings.Join(reach, "; "))
	}
}

func (c *composer) coOwners() {
	switch all := c.Lease.Terms.CoOwnerNames(); len(all) {
	case 0:
	case 1:
		c.say("%s owns the home with the landlord, signs this lease as a landlord, and has the duties of the landlord "+
			"under it. Notices to the landlord, and payments, count for both.", all[0])
	default:
		c.say("%s own the home with the landlord, sign this lease as landlords, and have the duties of the landlord "+
			"under it. Notices to the landlord, and payments, count for all of them.", texts.List(all, " and "))
	}
}

func (c *composer) guarantors() {
	switch all := c.names(guarantor); len(all) {
	case 0:
	case 1:
		c.say("%s guarantees what the [tenants owe|tenant owes] under this lease: the guarantor pays what the "+
			"[tenants do|tenant does] not pay. A guarantor has no right to live in the home.", all[0])
	default:
		c.say("%s guarantee what the [tenants owe|tenant owes] under this lease: the guarantors pay what the "+
			"[tenants do|tenant does] not pay. Guarantors have no right to live in the home.", texts.List(all, " and "))
	}
}

// at is the address for notices behind a word, "" in drafts from before each lease had one.
func (l *Landlord) at(word string) string {
	if l.Address == "" {
		return ""
	}
	return word + l.Address
}

// Reach is how the landlord is reached for everyday matters.
func (l *Landlord) Reach() string {
	if l.Phone == "" {
		return l.Email
	}
	return l.Email + " or " + phone(l.Phone)
}

// tenantReach are the tenants who have an email address, each with it.
func (t *Terms) tenantReach() (all []string) {
	for i, p := range t.Lease.Tenants {
		if tenant(p.Role) && i < len(t.Emails) && t.Emails[i] != "" {
			all = append(all, p.Name+", "+t.Emails[i])
		}
	}
	return all
}

// kinds are types of building within a sentence.
var kinds = map[portfolio.PropertyType]string{
	"single_family": "a single-family house",
	"multi_family":  "a multi-family house",
	"apartment":     "an apartment building",
	"condo":         "a condominium",
	"townhouse":     "a townhouse",
	"duplex":        "a duplex",
	"mobile_home":   "a mobile home",
	"commercial":    "a commercial building",
	"other":         "a building",
}

func (c *composer) home() {
	c.section("The home")
	c.say("The landlord rents this home to the [tenants|tenant]: %s. It is in %s.", c.Lease.RentalAddress,
		kinds[c.Property.PropertyType])
	var facts []string
	if b := c.Unit.Bedrooms; b != nil {
		facts = append(facts, bedrooms(*b))
	}
	if b := c.Unit.Bathrooms; b != nil {
		facts = append(facts, bathrooms(*b))
	}
	if f := c.Unit.SquareFeet; f != nil {
		facts = append(facts, "about "+texts.Number(*f)+" square feet")
	}
	if len(facts) > 0 {
		c.say("It has %s.", texts.List(facts, " and "))
	}
	if y := c.Property.YearBuilt; y != nil {
		c.say("The building was built in %d.", *y)
	} else {
		c.say("The year in which the building was built is not known.")
	}
	if c.Lease.RenewedFromLeaseID != nil {
		c.say("The [tenants live|tenant lives] in the home already. The keys that were handed over under the earlier " +
			"lease stay with the [tenants|tenant].")
		return
	}
	c.say(
		"The landlord hands over the keys on the first day of the term, unless the landlord and the [tenants|tenant] " +
			"agree on something else in writing.",
	)
}

func bedrooms(n int) string {
	if n == 0 {
		return "no separate bedroom"
	}
	return texts.Counted(n, "bedroom")
}

func (c *composer) term() {
	l, name := c.Lease, c.state
	c.section("Term")
	if l.RenewedFromLeaseID != nil {
		c.say("This lease renews the earlier lease of the home, and replaces it from %s on.", long(l.StartDate))
	}
	switch {
	case l.EndDate == nil:
		c.say("The lease starts on %s and runs from month to month.", long(l.StartDate))
		c.monthToMonth()
	case l.LeaseType == portfolio.FixedWithRollover:
		c.say("The lease starts on %s and ends on %s. If nobody ends it by then, it continues from month to month on "+
			"the same terms.", long(l.StartDate), long(*l.EndDate))
		c.monthToMonth()
	default:
		c.say("The lease starts on %s and ends on %s. The landlord and the [tenants|tenant] may agree on a new lease "+
			"or on a longer term in writing.", long(l.StartDate), long(*l.EndDate))
		if c.rules.JustCause() {
			c.cause("At the end of the term the landlord may end the tenancy only for a reason, and with the notice, " +
				"that the law of %s allows.")
		} else {
			c.say("Where the law of %s requires notice before a fixed term ends, that notice is given.", name)
		}
	}
	c.say("If the [tenants stay|tenant stays] after the lease has ended without the landlord’s consent, the [tenants "+
		"owe|tenant owes] rent for each day at the rate of this lease, and whatever else the law of %s allows.", name)
}

// tenantsSide are the states for which the table has the notice that tenants give.
var tenantsSide = map[contact.State]bool{"DC": true, "WA": true}

func (c *composer) monthToMonth() {
	n, name, s := &c.rules.Notice, c.state, c.Property.State
	switch days := n.MonthToMonthDays; {
	case days == nil:
		c.say("While it runs from month to month, the landlord or the [tenants|tenant] may end it with written "+
			"notice of at least one month, or longer where the law of %s requires more.", name)
	case tenantsSide[s]:
		c.say("While it runs from month to month, the [tenants|tenant] may end it with written notice of at least %s.",
			texts.Counted(*days, "day"))
	case n.TenantDays != nil:
		c.say(
			"While it runs from month to month, the landlord may end it with written notice of at least %s, or longer "+
				"where the law of %s asks for more, and the [tenants|tenant] with written notice of at least %s (%s).",
			texts.Counted(*days, "day"),
			name,
			texts.Counted(*n.TenantDays, "day"),
			*n.TenantCitation,
		)
	default:
		c.say("While it runs from month to month, it can be ended with written notice of at least %s, or longer where "+
			"the law of %s requires more.", texts.Counted(*days, "day"), name)
	}
	for _, other := range n.MonthToMonthCases {
		c.say("%s, the notice of the landlord is at least %s (%s).", strings.TrimSuffix(other.When, "."),
			texts.Counted(other.Days, "day"), other.Citation)
	}
	if s == "CT" {
		c.say(
			"To have the [tenants|tenant] leave when it has ended, the landlord gives the notice to quit that the law of " +
				"Connecticut asks for as well, of at least 3 days.",
		)
	}
	if c.rules.JustCause() {
		c.cause("The landlord may end it only for a reason, and with the notice, that the law of %s allows.")
	}
}

// cause says that the landlord needs a reason to end the tenancy. In California some homes are exempt: the landlord
// says so in the answer about the disclosure, and until then it is a condition.
func (c *composer) cause(sentence string) {
	i := slices.IndexFunc(c.rules.Disclosures, func(d law.Disclosure) bool { return d.Code == rentCapJustCause })
	if i < 0 {
		c.say(sentence, c.state)
		return
	}
	law := *c.rules.Disclosures[i].Authority
	switch answer := c.Lease.Terms.AnswerTo(rentCapJustCause); {
	case answer == nil:
		c.say("Unless the home is exempt (%s): "+strings.ToLower(sentence[:1])+sentence[1:], law, c.state)
	case answer.Applies:
		c.say(sentence, c.state)
	default:
		c.say(
			"The landlord states that the home is exempt from the rent cap and from just cause (%s). The notice of the "+
				"exemption in the words of the law is to be attached: it is not printed here.",
			law,
		)
	}
}

func (c *composer) keyTerms() []Row {
	l := c.Lease
	all := []Row{{"Landlord", c.Landlord.Name}}
	if o := l.Terms.CoOwnerNames(); len(o) == 1 {
		all = append(all, Row{"Co-owner", o[0]})
	} else if len(o) > 1 {
		all = append(all, Row{"Co-owners", texts.List(o, " and ")})
	}
	all = append(all, Row{c.count("[Tenants|Tenant]"), texts.List(c.names(tenant), " and ")})
	if g := c.names(guarantor); len(g) == 1 {
		all = append(all, Row{"Guarantor", g[0]})
	} else if len(g) > 1 {
		all = append(all, Row{"Guarantors", texts.List(g, " and ")})
	}
	if len(l.Terms.Occupants) > 0 {
		all = append(all, Row{"Other occupants", texts.List(l.Terms.Occupants, " and ")})
	}
	if pets := l.Terms.AnimalNames(); len(pets) > 0 {
		all = append(all, Row{"Pets", texts.List(pets, " and ")})
	}
	if vehicles := l.Terms.VehicleNames(); len(vehicles) > 0 {
		all = append(all, Row{"Vehicles", texts.List(vehicles, " and ")})
	}
	all = append(all,
		Row{"Home", l.RentalAddress},
		Row{"Term", termWords(c.Lease)},
		Row{"Rent", c.rentWords()},
		Row{"Security deposit", c.depositWords()},
		Row{"Late fee", c.lateFeeWords()},
	)
	if l.Terms.Own() {
		if utilities := c.utilityWords(); utilities != "" {
			all = append(all, Row{"Utilities", utilities})
		}
		all = append(all, Row{"Text of the lease", c.ownTextWords()})
	}
	if attached := c.attachmentNames(); len(attached) > 0 {
		all = append(all, Row{"Attachments", texts.List(attached, " and ")})
	}
	return all
}

// rentWords is how much rent is, and when it is due.
func (c *composer) rentWords() string {
	return c.Lease.MonthlyRent.Words() + " a month, due on the " + ordinal(c.Lease.RentDueDay)
}

// termWords is from when to when the lease runs.
func termWords(l *portfolio.Lease) string {
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
	switch {
	case !owed(fee):
		return "None"
	case c.daily():
		return fee.Words() + " for each day once rent is " + c.late()
	}
	return fee.Words() + " once rent is " + c.late()
}

// late is how late rent is when a fee for it is owed.
func (c *composer) late() string {
	if c.graceDays() == 0 {
		return "late"
	}
	return "more than " + texts.Counted(c.graceDays(), "day") + " late"
}

// note says what the document was made from.
func (c *composer) note() string {
	when := c.rules.AsOf
	if day, err := clock.ParseDate(when); err == nil {
		when = long(day)
	}
	if c.Lease.Terms.Own() {
		return "This page was made on " + long(c.Day) + " by software, from what the landlord entered. Its amounts " +
			"were held against a table of " + c.state + "’s rules as of " + when + ". The text of the lease is the " +
			"landlord’s own: nobody but the landlord has looked at it."
	}
	return "This document was made on " + long(c.Day) + " by software, from what the landlord entered and from a " +
		"table of " +
		c.state + "’s rules as of " + when + ". It is not legal advice. Rules of cities and counties are not in the " +
		"table " +
		"and may add to it."
}

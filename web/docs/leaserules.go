package docs

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/portfolio/lease/law"
	"portal/static"
	views "portal/views/docs"
	"portal/views/kit"
	"portal/web/page"
)

// leaseRulesAt is the page of all states; the page of each is below it.
const leaseRulesAt = "/docs/lease-rules"

// leaseRulesText compares the states.
func leaseRulesText() string {
	var p markdown
	p.line("# Lease rules by state\n")
	p.line(
		"Limits, notice periods, and disclosures for residential leases in the 50 states and DC. City and county " +
			"rules aren’t included. This is data for software, not legal advice. `GET /lease_rules/TX` returns the " +
			"rules of a state as JSON, with the source of each.",
	)
	p.part("All states")
	p.line("| State | %s |\n|---|%s", strings.Join(ruleNames, " | "), strings.Repeat("---|", len(ruleNames)))
	for _, r := range byName() {
		p.line("| [%s](%s) | %s |", r.Name, stateAt(r), strings.Join(rulesInBrief(r), " | "))
	}
	p.part("How leases are checked")
	p.line(
		"When a lease is generated or changed, a deposit or late fee above every limit that the law of the state " +
			"could allow is refused, with " +
			"[`deposit_above_legal_maximum`](/docs/errors#deposit_above_legal_maximum) or " +
			"[`late_fee_above_legal_maximum`](/docs/errors#late_fee_above_legal_maximum). Where a condition may " +
			"allow it (the size of the landlord’s business, furniture, a pet), the answer has a warning that names " +
			"the condition. Fees that are owed once count toward the deposit where the state says so. A late fee " +
			"for each day is held against what the law allows on the first day. In a state without a figure the " +
			"answer has a warning when a late fee is above 5%% of the monthly rent.",
	)
	return p.String()
}

// ruleNames are the rules by which states are compared.
var ruleNames = []string{
	"Deposit, months of rent",
	"Returned within, days",
	"Late fee",
	"Grace, days",
	"Entry notice, hours",
	"Pay or quit, days",
	"Month-to-month notice, days",
}

// rulesInBrief are the rules of a state in the order of ruleNames.
func rulesInBrief(r *law.Rules) []string {
	all := []string{
		depositCap(r),
		strconv.Itoa(r.Deposit.ReturnDays),
		feeInWords(r),
		positive(r.GraceDays),
		orNone(r.Notice.EntryHours),
		positive(r.Notice.NonpaymentDays),
		orNone(r.Notice.MonthToMonthDays),
	}
	for i, said := range all {
		all[i] = strings.ToUpper(said[:1]) + said[1:]
	}
	return all
}

// figuresOf are the rules of a state that are a number, for the top of its page.
func figuresOf(r *law.Rules) []kit.Term {
	limit := "None"
	if r.Deposit.CapMonths != nil {
		limit = counted(*r.Deposit.CapMonths, "month") + " of rent"
	}
	days := func(n int) string { return counted(float64(n), "day") }
	returns := []string{days(r.Deposit.ReturnDays)}
	for _, other := range r.Deposit.ReturnCases {
		when := strings.ToLower(other.When[:1]) + strings.TrimSuffix(other.When[1:], ".")
		returns = append(returns, days(other.Days)+" "+when)
	}
	returned := strings.Join(returns, "; ")
	grace, entry, pay := "None", "No number", "No fixed period"
	if r.GraceDays > 0 {
		grace = days(r.GraceDays)
	}
	if r.Notice.EntryHours != nil {
		entry = counted(float64(*r.Notice.EntryHours), "hour")
	}
	if r.Notice.NonpaymentDays > 0 {
		pay = days(r.Notice.NonpaymentDays)
	}
	return []kit.Term{
		{Name: "Deposit limit", Text: limit},
		{Name: "Deposit returned in", Text: returned},
		{Name: "Late fee grace", Text: grace},
		{Name: "Notice to enter", Text: entry},
		{Name: "Notice to pay or leave", Text: pay},
	}
}

// counted is a number of things.
func counted(n float64, of string) string {
	if n != 1 {
		of += "s"
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + " " + of
}

// byName are the rules of all states, sorted as people look for them: Idaho before Iowa.
func byName() []*law.Rules {
	return slices.SortedFunc(slices.Values(law.All()), func(a, b *law.Rules) int {
		return strings.Compare(a.Name, b.Name)
	})
}

// leaseRulesOf answers with the page of a state. In other letters its address leads to the usual one.
func (p *Section) leaseRulesOf(v *page.Request) error {
	at := v.Request().URL.Path
	usual := strings.ToLower(at)
	if _, there := p.rendered().at[strings.TrimSuffix(usual, ".md")]; there && usual != at {
		return v.Redirect(http.StatusMovedPermanently, usual)
	}
	return p.doc(v)
}

// stateText tells the rules of one state.
func stateText(r *law.Rules) string {
	var p markdown
	p.line("# Lease rules in %s\n", r.Name)
	p.line(
		"Data for software, not legal advice.%s See a [sample lease](%s) (PDF) that follows them.",
		asOf(r),
		stateAt(r)+"/sample.pdf",
	)
	p.limits(r)
	if r.Note != nil {
		p.part("Conditions and open questions")
		p.line(
			"What the figures above depend on, and where sources differ or are missing. " +
				"Check the law itself before you rely on a figure.\n",
		)
		for note := range strings.SplitSeq(*r.Note, "; ") {
			p.line("- %s", strings.ToUpper(note[:1])+note[1:])
		}
	}
	p.disclosures(r)
	p.authorities(r)
	p.line("\n[All states](%s)", leaseRulesAt)
	return p.String()
}

// limits are what a deposit, a late fee and a notice may be.
func (p *markdown) limits(r *law.Rules) {
	p.part("Deposit")
	p.line("- Limit: %s", deposit(r))
	p.line("- Fees that count toward the limit: %s", countedFees(r))
	if r.Deposit.Note != nil {
		p.line("- Note: %s.", *r.Deposit.Note)
	}
	p.line("- Returned with an itemized list within %d days", r.Deposit.ReturnDays)
	p.cases(r.Deposit.ReturnCases)
	p.line("- Interest: %s", map[law.Interest]string{
		"yes":         "required",
		"no":          "not required",
		"conditional": "required under conditions",
	}[r.Deposit.Interest])
	p.part("Late fee")
	p.line("- Limit: %s", feeInWords(r))
	p.line("- Days of grace: %d", r.GraceDays)
	p.part("Other fees")
	p.line("- Returned payment: %s", returnedPayment(r))
	for _, said := range r.FeeRules() {
		p.line("- %s", said)
	}
	p.part("Notice")
	p.line(
		"- To enter the home: %s",
		period(r.Notice.EntryHours, "hours", "no number in the statute; give reasonable notice"),
	)
	p.line("- To pay or leave: %s", period(someDays(r.Notice.NonpaymentDays), "days", "no fixed period"))
	p.line("- To end a month-to-month lease: %s", period(r.Notice.MonthToMonthDays, "days", "no statute"))
	p.cases(r.Notice.MonthToMonthCases)
	if r.Notice.TenantDays != nil {
		p.line(
			"- Tenants end a month-to-month lease with: %d days (%s; %s)",
			*r.Notice.TenantDays,
			*r.Notice.TenantCitation,
			readOrKnown(*r.Notice.TenantVerified),
		)
	}
	if r.ConditionDays != nil {
		p.part("Condition of the home")
		p.line("- Tenants may add to its list within: %d days (%s)", *r.ConditionDays, *r.ConditionCitation)
	}
}

// cases are second figures of a rule, each below the first.
func (p *markdown) cases(all []law.Case) {
	for _, c := range all {
		p.line("- %s: %d days (%s; %s)", strings.TrimSuffix(c.When, "."), c.Days, c.Citation, readOrKnown(c.Verified))
	}
}

// readOrKnown tells whether a figure was read in a source.
func readOrKnown(v law.Reading) string {
	if v == "yes" {
		return "read in a source"
	}
	return "from knowledge"
}

// disclosures are what a lease has to say, and when.
func (p *markdown) disclosures(r *law.Rules) {
	p.part("Disclosures")
	p.line(
		"Where the law fixes the wording, attach the official text: it is not part of these rules. The list need " +
			"not be complete. A dash stands where the table knows no law for this rule alone.\n",
	)
	p.line("| Disclosure | When | Law | Seen in |\n|---|---|---|---|")
	for _, d := range r.Disclosures {
		when := "Always"
		if d.When != nil {
			when = *d.When
		}
		cited, source := "—", "—"
		if d.Authority != nil {
			cited, source = *d.Authority, readings[*d.Verified]
		}
		p.line("| %s (`%s`) | %s | %s | %s |", d.Title, d.Code, when, cited, source)
	}
	for i, d := range r.Disclosures {
		if d.OfficialText == nil {
			continue
		}
		if !slices.ContainsFunc(r.Disclosures[:i], func(o law.Disclosure) bool { return o.OfficialText != nil }) {
			p.line("\nOfficial texts, and who gives them out:\n")
		}
		p.line("- %s: “%s”, %s", d.Title, d.OfficialText.Title, d.OfficialText.Agency)
	}
}

// authorities are the laws that the rules are from, and where they were read.
func (p *markdown) authorities(r *law.Rules) {
	p.part("Authorities")
	for _, warning := range r.ResearchWarnings() {
		p.line("%s\n", warning)
	}
	p.line("| Rule | Law | Note | Seen in |\n|---|---|---|---|")
	for _, a := range r.Authorities {
		p.line(
			"| %s | %s | %s | %s |",
			topics[a.Topic],
			cmp.Or(page.OrEmpty(a.Citation), "none"),
			page.OrEmpty(a.Note),
			seen(a),
		)
	}
	p.part("Sources")
	p.line("A statute is the text of a law, a regulation or a bill, or what a court or an agency writes about it. A " +
		"guide is what somebody else writes about it, and may quote it.\n")
	for _, s := range r.Sources {
		kind := "Guide"
		if law.IsStatute(s) {
			kind = "Statute"
		}
		p.line("- %s: <%s>", kind, s)
	}
}

// topics are the rules that have a source, in words.
var topics = map[law.Topic]string{
	law.DepositCap:      "Limit of the deposit",
	law.DepositReturn:   "Return of the deposit",
	law.DepositInterest: "Interest on the deposit",
	law.LateFees:        "Late fee",
	law.Grace:           "Days of grace",
	law.Entry:           "Notice to enter",
	law.Nonpayment:      "Notice to pay or leave",
	law.MonthToMonth:    "End of a month-to-month lease",
	law.Disclosures:     "Disclosures",
}

func stateAt(r *law.Rules) string {
	return leaseRulesAt + "/" + strings.ToLower(string(r.State))
}

func asOf(r *law.Rules) string {
	if day, err := clock.ParseDate(r.AsOf); err == nil {
		return " The sources carry no date; the table was last looked at on " + page.Date(day) + "."
	}
	return " As of " + r.AsOf + "."
}

// depositCap is the limit of the deposit in months of rent.
func depositCap(r *law.Rules) string {
	if r.Deposit.CapMonths == nil {
		return "none"
	}
	return strconv.FormatFloat(*r.Deposit.CapMonths, 'f', -1, 64)
}

func deposit(r *law.Rules) string {
	said := "none"
	if r.Deposit.CapMonths != nil {
		said = counted(*r.Deposit.CapMonths, "month") + " of rent"
	}
	if r.Deposit.Condition != nil {
		said += ". " + *r.Deposit.Condition
	}
	return said
}

// countedFees says which fees count toward the limit of the deposit.
func countedFees(r *law.Rules) string {
	said := map[law.FeesCounted]string{
		law.NoFees:         "none",
		law.RefundableFees: "those that are owed once and paid back",
		law.AllFees:        "all that are owed once",
	}[r.Deposit.FeesCounted]
	if r.Deposit.FeesCitation != nil {
		said += " (" + *r.Deposit.FeesCitation + ")"
	}
	return said
}

func feeInWords(r *law.Rules) string {
	switch r.LateFee.Kind {
	case law.NoLimit:
		return "no limit known"
	case law.Reasonable:
		return "reasonable"
	}
	var all []string
	for _, l := range r.LateFee.Limits {
		said := strings.TrimSuffix(l.Text, ".")
		if l.When != nil {
			said = strings.TrimSuffix(*l.When, ".") + ": " + said
		}
		all = append(all, said)
	}
	return strings.Join(all, "; ")
}

// readings are where a law was read, in words.
var readings = map[law.Reading]string{"yes": "the law", "knowledge": "not verified"}

// returnedPayment says what the fee for a payment that the bank returns may be.
func returnedPayment(r *law.Rules) string {
	said := "no figure in the law"
	if r.ReturnedPayment.Limit != nil {
		said = "usually at most " + r.ReturnedPayment.Limit.Words()
	}
	if r.ReturnedPayment.Note != nil {
		said += "; " + *r.ReturnedPayment.Note
	}
	return said + " (" + readings[r.ReturnedPayment.Verified] + ")"
}

func orNone(n *int) string { return period(n, "", "none") }

func positive(n int) string { return orNone(someDays(n)) }

// someDays is a number of days, nil for 0.
func someDays(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func period(n *int, unit, none string) string {
	if n == nil {
		return none
	}
	return strings.TrimSpace(strconv.Itoa(*n) + " " + unit)
}

func seen(a law.Authority) string {
	switch {
	case a.LawText:
		return "the law"
	case a.Verified:
		return "a guide"
	}
	return "not verified"
}

// states are the pages of single states, which the navigation does not list.
func states() (all []*bound) {
	for _, r := range byName() {
		all = append(all, &bound{address: stateAt(r), name: r.Name, text: stateText(r), facts: figuresOf(r)})
	}
	return all
}

// leaseRules answers with the page of all states, with a map.
func (p *Section) leaseRules(v *page.Request) error {
	if prefersMarkdown(v.Request()) {
		return p.doc(v)
	}
	v.Response().Header().Add("Vary", "Accept")
	view := p.docView(v, p.rendered().at[leaseRulesAt])
	view.Styles = append(view.Styles, static.URL("map.css"))
	rules := views.LeaseRules{Doc: view, Rules: ruleNames}
	for _, r := range byName() {
		rules.States = append(rules.States, views.State{
			Code:  string(r.State),
			Name:  r.Name,
			Path:  stateAt(r),
			Rules: rulesInBrief(r),
			Step:  stepOf(r.Deposit.CapMonths),
		})
	}
	return v.Show(views.LeaseRulesPage(rules))
}

// stepOf is where a limit of months of rent stands on the scale of the map.
func stepOf(months *float64) views.Step {
	switch {
	case months == nil:
		return views.NoLimit
	case *months <= 1:
		return views.OneMonth
	case *months <= 1.5:
		return views.MonthAndHalf
	case *months <= 2:
		return views.TwoMonths
	}
	return views.MoreMonths
}

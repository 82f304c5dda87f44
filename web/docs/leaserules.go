package docs

import (
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
	return written("lease-rules.md", map[string]any{"Rules": ruleNames, "States": stateViews()})
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

// notesOf are the sentences of a note.
func notesOf(note *string) []string {
	all := strings.Split(*note, "; ")
	for i, said := range all {
		all[i] = strings.ToUpper(said[:1]) + said[1:]
	}
	return all
}

// readOrKnown tells whether a figure was read in a source.
func readOrKnown(v law.Reading) string {
	if v == "yes" {
		return "read in a source"
	}
	return "from knowledge"
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

// orNone is a number, or the word for none.
func orNone(n *int) string {
	if n == nil {
		return "none"
	}
	return strconv.Itoa(*n)
}

func positive(n int) string {
	if n == 0 {
		return "none"
	}
	return strconv.Itoa(n)
}

// states are the pages of single states, which the navigation does not list.
func states() (all []*bound) {
	for _, r := range byName() {
		all = append(all, &bound{Address: stateAt(r), Name: r.Name, text: written("state.md", r), facts: figuresOf(r)})
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
	return v.Show(views.LeaseRulesPage(views.LeaseRules{Doc: view, Rules: ruleNames, States: stateViews()}))
}

// stateViews are the states with the rules by which they are compared.
func stateViews() (all []views.State) {
	for _, r := range byName() {
		all = append(all, views.State{
			Code:  string(r.State),
			Name:  r.Name,
			Path:  stateAt(r),
			Rules: rulesInBrief(r),
			Step:  stepOf(r.Deposit.CapMonths),
		})
	}
	return all
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

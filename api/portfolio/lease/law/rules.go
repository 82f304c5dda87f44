// Package law has the rules of the 50 states and DC for residential leases, as a table
// with sources and dates. They are facts for software, not legal advice: a rule that no source
// was seen for says so, and those of cities and counties are not in it.
//
// It knows no HTTP, no SQL and no lease.
package law

import (
	"slices"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio/lease/terms"
	"portal/api/texts"
)

// Rules are those of one state.
type Rules struct {
	// Always lease_rules.
	Object string `json:"object" const:"lease_rules"`
	// USPS code of the state or DC.
	State contact.State `json:"state" example:"CO"`
	// Name of the state.
	Name string `json:"name" example:"Colorado"`
	// Year of the newest source that has a date; where none has one, the day on which the table was last
	// looked at.
	AsOf string `json:"rules_as_of" example:"2026"`
	// Rules of the security deposit.
	Deposit Deposit `json:"deposit"`
	// Rules of the fee for late rent.
	LateFee LateFee `json:"late_fee"`
	// Rules of the fee for a payment that the bank returns.
	ReturnedPayment ReturnedPayment `json:"returned_payment_fee"`
	// Days after the due date without a late fee; 0 if no statute requires any.
	GraceDays int `json:"grace_days" min:"0" example:"7"`
	// Periods of notice that the landlord must give.
	Notice Notice `json:"notice"`
	// Days in which tenants may add to the list of the home's condition; null when the table has no figure.
	ConditionDays *int `json:"condition_list_days" min:"0" example:"15"`
	// The law that gives them; null without condition_list_days.
	ConditionCitation *string `json:"condition_list_citation" example:"M.G.L. c. 186, s. 15B(2)(c)"`
	// Conditions, longer periods and sources that disagree; null when there are none.
	Note *string `json:"note" example:"The percentage is of the amount past due."`
	// Disclosures that a lease must carry. The list need not be complete.
	Disclosures []Disclosure `json:"disclosures"`
	// Where each rule comes from, and whether we saw a source for it.
	Authorities []Authority `json:"authorities"`
	// Rules that have not been checked against a source, in whole or in part.
	Unverified []Topic `json:"unverified"`
	// Addresses of the pages that were read.
	Sources []string `json:"sources"`
	// For whom these rules are.
	Disclaimer string `json:"disclaimer" example:"Not legal advice."`
	Statute    string `json:"-"` // the act that the rules are part of
	// CleaningDeducted is whether the law is known to let the cost of cleaning be taken from the deposit.
	CleaningDeducted bool           `json:"-"`
	depositLimits    []depositLimit `json:"-"`
	lateFeeLimits    []feeLimit     `json:"-"`
	depositStatute   string         `json:"-"`
	lateFeeStatute   *string        `json:"-"`
	partly           bool           `json:"-"` // whether some disclosures were found in a source
	onlyIn           string         `json:"-"` // where alone most of the rules hold, "" for everywhere
	feeRules         []feeRule      `json:"-"`
	feesApart        []string       `json:"-"` // what the names of fees hold that never count toward the deposit
}

// NameInSentence is the name of the state as it stands within a sentence.
func (r *Rules) NameInSentence() string {
	if r.State == "DC" {
		return "the " + r.Name
	}
	return r.Name
}

// SchemaName is the name of the OpenAPI component.
func (Rules) SchemaName() string { return "LeaseRulesOut" }

// Grace are the days after the due date before a late fee applies: those that a lease records, nil
// for none, or those of the state where they are more. Longer tells that the state gives more days
// than are recorded.
func (r *Rules) Grace(recorded *int) (days int, longer bool) {
	if recorded == nil {
		return r.GraceDays, false
	}
	return max(r.GraceDays, *recorded), r.GraceDays > *recorded
}

// Deposit is what a state says of security deposits.
type Deposit struct {
	// Limit in months of rent for an ordinary home that is not furnished; null when the state has
	// none.
	CapMonths *float64 `json:"cap_months" min:"0" example:"2"`
	// Limit in months of rent under the conditions that allow the most; null when there is none.
	HighestMonths *float64 `json:"highest_cap_months" min:"0" example:"2"`
	// Which one-time fees count toward the limit; none if there is no limit.
	FeesCounted FeesCounted `json:"fees_counted" example:"refundable"`
	// The law by which they count; null when none do.
	FeesCitation *string `json:"fees_citation" example:"C.R.S. 38-12-102.5"`
	// What allows more or less than cap_months; null when nothing does.
	Condition *string `json:"condition" example:"A pet allows $300 more."`
	// What the table says of the limit; null when it says nothing.
	Note *string `json:"note" example:"pet deposit at most $300"`
	// Days after the end of the tenancy by which the rest of the deposit and an itemized list of
	// deductions are due.
	ReturnDays int `json:"return_days" min:"0" example:"30"`
	// Other deadlines for some cases, such as when nothing is kept.
	ReturnCases []Case `json:"return_cases"`
	// Whether interest is owed on it; conditional: see note of the rules.
	Interest Interest `json:"interest"`
}

// SchemaName is the name of the OpenAPI component.
func (Deposit) SchemaName() string { return "DepositRules" }

// Interest reports whether a deposit bears interest for the tenant.
type Interest string

// SchemaName is the name of the OpenAPI component.
func (Interest) SchemaName() string { return "DepositInterest" }

// Values are all answers.
func (Interest) Values() []string { return []string{"yes", "no", "conditional"} }

// LateFee is what a state says of fees for late rent.
type LateFee struct {
	// none: no known limit; reasonable: no figure, but the fee must be reasonable; limited: see
	// limits.
	Kind FeeKind `json:"kind"`
	// Limits in figures, each with its condition.
	Limits []Limit `json:"limits"`
	// What a percentage is of: the month’s rent or the amount overdue; null when no limit is a
	// percentage.
	PercentOf *Base `json:"percent_of"`
}

// SchemaName is the name of the OpenAPI component.
func (LateFee) SchemaName() string { return "LateFeeRules" }

// FeeKind tells how a state limits late fees.
type FeeKind string

// The ways to limit a fee.
const (
	NoLimit    FeeKind = "none"
	Reasonable FeeKind = "reasonable"
	Limited    FeeKind = "limited"
)

// SchemaName is the name of the OpenAPI component.
func (FeeKind) SchemaName() string { return "LateFeeLimitKind" }

// Values are all ways.
func (FeeKind) Values() []string { return []string{"none", "reasonable", "limited"} }

// Base is what a percentage is of.
type Base string

// The bases of percentages.
const (
	OfRent    Base = "rent"
	OfOverdue Base = "overdue"
)

// SchemaName is the name of the OpenAPI component.
func (Base) SchemaName() string { return "LateFeeBase" }

// Values are all bases.
func (Base) Values() []string { return []string{"rent", "overdue"} }

// Limit is one limit of a late fee in words.
type Limit struct {
	// When it holds; null for always.
	When *string `json:"when" example:"The building has at most 4 units."`
	// The limit in words.
	Text string `json:"text" example:"5% of the amount overdue or $50, whichever is greater."`
}

// SchemaName is the name of the OpenAPI component.
func (Limit) SchemaName() string { return "LateFeeLimit" }

// Notice is how long before the landlord must give notice.
type Notice struct {
	// Hours before entering the home; null when the statute gives no number.
	EntryHours *int `json:"entry_hours" min:"0" example:"24"`
	// Days to pay or leave before a suit for unpaid rent; 0 when no period is fixed.
	NonpaymentDays int `json:"nonpayment_days" min:"0" example:"10"`
	// Whether those are business days: weekends and holidays do not count.
	NonpaymentBusinessDays bool `json:"nonpayment_business_days"`
	// Days before a month-to-month lease ends, in the shortest usual case; null when no statute has
	// any.
	MonthToMonthDays *int `json:"month_to_month_days" min:"0" example:"21"`
	// Longer periods for some cases.
	MonthToMonthCases []Case `json:"month_to_month_cases"`
	// Days before the rent of a month-to-month lease rises; null when the table has no figure of its own.
	RentIncreaseDays *int `json:"rent_increase_days" min:"0" example:"60"`
	// The law that says so; null without rent_increase_days.
	RentIncreaseCitation *string `json:"rent_increase_citation" example:"C.R.S. 38-12-701"`
	// Whether that was read in a source (yes) or is from knowledge; null without rent_increase_days.
	RentIncreaseVerified *Reading `json:"rent_increase_verified" example:"knowledge"`
	// Figures for some cases of a rent increase.
	RentIncreaseCases []Case `json:"rent_increase_cases"`
	// Days of notice by which tenants end a month-to-month lease; null when the table has no figure of their own.
	TenantDays *int `json:"notice_days_tenant" min:"0" example:"30"`
	// The law by which they do; null without notice_days_tenant.
	TenantCitation *string `json:"notice_tenant_citation" example:"O.C.G.A. 44-7-7"`
	// Whether that was read in a source (yes) or is from knowledge; null without notice_days_tenant.
	TenantVerified *Reading `json:"notice_tenant_verified" example:"knowledge"`
}

// Case is a second figure of a rule.
type Case struct {
	// When it holds.
	When string `json:"when" example:"If nothing is kept."`
	// Days in that case.
	Days int `json:"days" min:"0" example:"15"`
	// The statute.
	Citation string `json:"citation" example:"Fla. Stat. 83.49(3)(a)"`
	// Whether it was read in a source (yes) or is from knowledge.
	Verified Reading `json:"verified" example:"knowledge"`
	// For a case that depends on them: how long the tenants have lived in the home, or the term is, in years, and by
	// how much the rent rises, in percent; 0 for one that does not.
	Years, Percent int `json:"-"`
}

// SchemaName is the name of the OpenAPI component.
func (Case) SchemaName() string { return "LeaseRuleCase" }

// justCause are the states where a landlord needs a reason that the law lists to end at least some tenancies.
var justCause = []contact.State{"CA", "CO", "DC", "NJ", "NY", "OR", "WA"}

// JustCause reports whether a landlord needs a reason that the law of the state lists to end at least some tenancies.
func (r *Rules) JustCause() bool { return slices.Contains(justCause, r.State) }

// SchemaName is the name of the OpenAPI component.
func (Notice) SchemaName() string { return "NoticeRules" }

// Disclosure is what a lease must tell or carry.
type Disclosure struct {
	// Code of the disclosure.
	Code string `json:"code" example:"radon"`
	// What it is about.
	Title string `json:"title" example:"Radon"`
	// When it must be made; null for always.
	When *string `json:"when" example:"If the home was built before 1978 or nobody knows when."`
	// The law that requires it; null when the table knows none.
	Authority *string `json:"authority" example:"C.R.S. 38-12-803"`
	// Whether the authority was read in a source (yes) or is from knowledge; null without an authority.
	Verified *Reading `json:"verified" example:"knowledge"`
	// The official text to attach; null where none is known.
	OfficialText *OfficialText `json:"official_text"`
	Condition    string        `json:"-"` // a clause that only the landlord can say is true: a foreclosure is pending; "" for none
}

// SchemaName is the name of the OpenAPI component.
func (Disclosure) SchemaName() string { return "LeaseDisclosure" }

// OfficialText is a text that an agency gives out, to be handed to tenants as it is.
type OfficialText struct {
	// Who gives it out.
	Agency string `json:"agency" example:"U.S. Environmental Protection Agency"`
	// Its title.
	Title string `json:"title" example:"Protect Your Family From Lead in Your Home"`
}

// SchemaName is the name of the OpenAPI component.
func (OfficialText) SchemaName() string { return "LeaseOfficialText" }

// Reading tells whether a citation was read in a source.
type Reading string

// ReadInSource is a figure that was read in a source; others are from knowledge.
const ReadInSource Reading = "yes"

// SchemaName is the name of the OpenAPI component.
func (Reading) SchemaName() string { return "LeaseDisclosureVerified" }

// Values are all answers.
func (Reading) Values() []string { return []string{"yes", "knowledge"} }

// Authority is where a rule comes from.
type Authority struct {
	// The rule.
	Topic Topic `json:"topic"`
	// The statute or regulation; null when there is none.
	Citation *string `json:"citation" example:"C.R.S. 38-12-105"`
	// What the table says of the statute; null when it says nothing.
	Note *string `json:"note" example:"The statute names no period."`
	// Whether the rule was found in a source.
	Verified bool `json:"verified"`
	// Whether the text of the law, a bill, a court or an agency was seen; otherwise the source is a
	// guide.
	LawText bool `json:"law_text"`
}

// SchemaName is the name of the OpenAPI component.
func (Authority) SchemaName() string { return "LeaseAuthority" }

// Topic is a rule that has a source of its own.
type Topic string

// The topics of a state’s rules.
const (
	DepositCap      Topic = "deposit_cap"
	DepositReturn   Topic = "deposit_return"
	DepositInterest Topic = "deposit_interest"
	LateFees        Topic = "late_fee"
	Grace           Topic = "grace"
	Entry           Topic = "entry"
	Nonpayment      Topic = "nonpayment"
	MonthToMonth    Topic = "month_to_month"
	Disclosures     Topic = "disclosures"
)

// SchemaName is the name of the OpenAPI component.
func (Topic) SchemaName() string { return "LeaseRuleTopic" }

// Values are all topics.
func (Topic) Values() []string {
	return []string{
		"deposit_cap", "deposit_return", "deposit_interest", "late_fee", "grace", "entry",
		"nonpayment", "month_to_month", "disclosures",
	}
}

// Terms are what limits depend on.
type Terms struct {
	Rent      money.Cents // a month
	Deposit   money.Cents
	LateFee   *money.Cents
	Frequency terms.Frequency // of the late fee; "" is once
	// ReturnedPayment is the fee for a payment that the bank returns.
	ReturnedPayment *money.Cents
	Fees            []terms.Fee
	Commercial      bool // whether the property is no home
	Start           clock.Date
	End             *clock.Date // nil for month-to-month
}

// longestTerm is what a longer term counts as, in months. No rule looks beyond it.
const longestTerm = 120

// months is the length of the term in whole months, 0 for month-to-month. A lease until the
// last day of its twelfth month is one of a year.
func (t Terms) months() int64 {
	if t.End == nil {
		return 0
	}
	for n := range longestTerm {
		if last, inCalendar := t.Start.LastOfTerm(n + 1); !inCalendar || last > *t.End {
			return int64(n)
		}
	}
	return longestTerm
}

// ResearchWarnings say in sentences what the table does not know of the state, and where alone its
// rules hold. That a state has no days of grace is not told of: the table claims nothing there.
func (r *Rules) ResearchWarnings() (all []string) {
	var unseen []string
	for _, t := range r.Unverified {
		if t == Grace && r.GraceDays == 0 {
			continue
		}
		words := topicWords[t]
		if t == Disclosures && r.partly {
			words = "some of the disclosures"
		}
		unseen = append(unseen, words)
	}
	if len(unseen) > 0 {
		all = append(
			all,
			"For "+r.NameInSentence()+", we haven’t checked "+texts.List(unseen, " and ")+
				" against a source. Have this checked before you rely on it.",
		)
	}
	if r.onlyIn != "" {
		all = append(all, "Most of these rules hold only "+r.onlyIn+". Make sure that the home is in one.")
	}
	return all
}

// topicWords are the topics as they stand within a sentence.
var topicWords = map[Topic]string{
	DepositCap:      "the limit of the deposit",
	DepositReturn:   "the return of the deposit",
	DepositInterest: "interest on the deposit",
	LateFees:        "the late fee",
	Grace:           "the days of grace",
	Entry:           "the notice to enter the home",
	Nonpayment:      "the notice to pay or leave",
	MonthToMonth:    "the notice that ends a month-to-month lease",
	Disclosures:     "the disclosures",
}

package notice

import (
	"fmt"
	"time"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/texts"
)

// Rule is how long before its effect a notice is given, by the table of state rules.
type Rule struct {
	Days     int    `json:"days,omitempty"`     // 0 for none
	Hours    int    `json:"hours,omitempty"`    // of an entry, 0 for none
	Business bool   `json:"business,omitempty"` // the days are business days
	Known    bool   `json:"known,omitempty"`    // the table has a figure; otherwise it is a usual one
	When     string `json:"when,omitempty"`     // the case of the rule that the figure is of, "" for none
	Citation string `json:"citation,omitempty"` // the law, "" where the table has none
	Verified bool   `json:"verified,omitempty"` // the figure was read in a source
	// Earliest is the first day of the effect, and Usual the one that is usual.
	Earliest clock.Date `json:"earliest"`
	Usual    clock.Date `json:"usual"`
	// Term reports whether Earliest is that of the lease, which has a fixed term.
	Term bool `json:"term,omitempty"`
}

// usualEntryHours are those of a notice of entry where the statute gives no number.
const usualEntryHours = 24

// RuleFor is the rule of a state for a notice that is given on a day. newRent is that of a rent increase, 0 where it
// is not known. Of several figures it is the longest one whose condition may hold.
func RuleFor(r *law.Rules, l *portfolio.Lease, kind Kind, given clock.Date, newRent money.Cents) Rule {
	var rule Rule
	switch kind {
	case Entry:
		rule = entryRule(r)
		rule.Earliest = given.AddDays((rule.Hours + 23) / 24)
		rule.Usual = rule.Earliest.AddDays(1) // whatever the time of day is
	case PayOrQuit:
		rule = ofTable(r, law.Nonpayment)
		rule.Days, rule.Business, rule.Known = r.Notice.NonpaymentDays, r.Notice.NonpaymentBusinessDays,
			r.Notice.NonpaymentDays > 0
		rule.Earliest = given.AddDays(rule.Days)
		if rule.Business {
			rule.Earliest = given.AddBusinessDays(rule.Days)
		}
		rule.Usual = rule.Earliest
	case EndOfTenancy:
		rule = endRule(r)
		rule.longest(r.Notice.MonthToMonthCases, l, given, 0)
		rule.Earliest = given.AddDays(rule.Days)
		rule.afterTerm(l, 0)
		rule.Usual = rule.Earliest
		if !rule.Term {
			rule.Usual = rule.Earliest.LastOfMonth()
		}
	case RentIncrease:
		rule = increaseRule(r)
		percent := 0.0
		if l.MonthlyRent > 0 && newRent > l.MonthlyRent {
			percent = float64(newRent-l.MonthlyRent) * 100 / float64(l.MonthlyRent)
		}
		rule.longest(r.Notice.RentIncreaseCases, l, given, percent)
		rule.Earliest = given.AddDays(rule.Days)
		rule.afterTerm(l, 1)
		if rule.Usual = rule.Earliest; rule.Usual.FirstOfMonth() != rule.Usual {
			rule.Usual = rule.Usual.LastOfMonth().AddDays(1)
		}
	}
	return rule
}

// ofTable is a rule with the authority of a topic.
func ofTable(r *law.Rules, topic law.Topic) (rule Rule) {
	for _, a := range r.Authorities {
		if a.Topic == topic {
			rule.Verified = a.Verified
			if a.Citation != nil {
				rule.Citation = *a.Citation
			}
		}
	}
	return rule
}

func entryRule(r *law.Rules) Rule {
	if r.Notice.EntryHours == nil {
		return Rule{Hours: usualEntryHours}
	}
	rule := ofTable(r, law.Entry)
	rule.Hours, rule.Known = *r.Notice.EntryHours, true
	return rule
}

// usualDays are those of a notice for which the table has no figure.
const usualDays = 30

// endRule is the rule of a notice by which the landlord ends a tenancy. Of some states the table has the tenants'
// notice alone.
func endRule(r *law.Rules) Rule {
	tenants := r.State == "DC" || r.State == "WA"
	if r.Notice.MonthToMonthDays == nil || tenants {
		return Rule{Days: usualDays}
	}
	rule := ofTable(r, law.MonthToMonth)
	rule.Days, rule.Known = *r.Notice.MonthToMonthDays, true
	return rule
}

// increaseRule is the rule of a rent increase: where the table has none, a change of a month-to-month lease takes as
// long as its end.
func increaseRule(r *law.Rules) Rule {
	n := &r.Notice
	if n.RentIncreaseDays == nil {
		rule := endRule(r)
		rule.Known = false
		return rule
	}
	return Rule{
		Days: *n.RentIncreaseDays, Known: true, Citation: *n.RentIncreaseCitation,
		Verified: *n.RentIncreaseVerified == law.ReadInSource,
	}
}

// longest takes the longest figure of the cases that may hold on a day, where it is longer than the one there is, or
// that is a usual one alone.
func (rule *Rule) longest(cases []law.Case, l *portfolio.Lease, given clock.Date, percent float64) {
	for _, c := range cases {
		if c.Days < rule.Days || c.Days == rule.Days && rule.Known || !staysFor(l, given.AddDays(c.Days), c.Years) ||
			percent < float64(c.Percent) {
			continue
		}
		rule.Days, rule.Known, rule.When = c.Days, true, c.When
		rule.Citation, rule.Verified = c.Citation, c.Verified == law.ReadInSource
	}
}

// staysFor reports whether the tenants will have lived in the home for some years by a day, or the term is as long.
func staysFor(l *portfolio.Lease, by clock.Date, years int) bool {
	since := l.StartDate
	if l.MoveInDate != nil {
		since = min(since, *l.MoveInDate)
	}
	if since.AddMonths(12*years) <= by {
		return true
	}
	return l.EndDate != nil && l.StartDate.AddMonths(12*years) <= l.EndDate.AddDays(1)
}

// afterTerm moves the effect of a notice behind the fixed term of a lease: its last day, or so many days later.
func (rule *Rule) afterTerm(l *portfolio.Lease, later int) {
	if l.EndDate == nil || l.LeaseType == portfolio.MonthToMonth {
		return
	}
	if first := l.EndDate.AddDays(later); rule.Earliest <= first {
		rule.Earliest, rule.Term = first, true
	}
}

// bounds says why a notice must take effect later than it is to, and whether it must.
func (rule *Rule) bounds(c *Create) (why string, bound bool) {
	if c.EffectiveOn >= rule.Earliest {
		return "", false
	}
	if rule.Term {
		return fmt.Sprintf("The lease has a fixed term: %s is the earliest day.", long(rule.Earliest)), true
	}
	return fmt.Sprintf("%s is the earliest day: %s after %s%s.", long(rule.Earliest), rule.Length(), long(c.GivenOn),
		rule.source()), true
}

// Length is how long before its effect the notice is given, in words.
func (rule *Rule) Length() string {
	switch {
	case rule.Hours > 0:
		return texts.Counted(rule.Hours, "hour")
	case rule.Business:
		return texts.Counted(rule.Days, "business day")
	}
	return texts.Counted(rule.Days, "day")
}

func (rule *Rule) source() string {
	switch {
	case !rule.Known:
		return ", a usual time where our table has none"
	case rule.Citation == "":
		return ""
	case !rule.Verified:
		return " (" + rule.Citation + ", not checked against a source)"
	}
	return " (" + rule.Citation + ")"
}

// Latest is until when a notice of entry has to be given, in the landlord's time.
func (n *Notice) Latest() (time.Time, bool) {
	at, err := time.Parse("15:04", n.Content.From)
	if n.Kind != Entry || err != nil {
		return time.Time{}, false
	}
	hours := time.Duration(at.Hour()-n.Content.Rule.Hours)*time.Hour + time.Duration(at.Minute())*time.Minute
	return n.EffectiveOn.Std().Add(hours), true
}

func long(d clock.Date) string { return d.Std().Format("January 2, 2006") }

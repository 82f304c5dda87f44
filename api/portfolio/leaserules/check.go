package leaserules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// depositLimit is what a security deposit may be under a condition: up to usual as a rule, and
// up to most where the other condition, which is in words, allows more.
type depositLimit struct {
	when      condition
	usual     *float64 // in months of rent, nil for no limit
	most      *float64
	extra     *sum // on top of most
	condition string
}

// feeLimit is what a late fee may be under a condition.
type feeLimit struct {
	when condition
	most sum
}

// readDeposit finds the limits of a state. One whose notes have no condition has the one of its
// row.
func (r *Rules) readDeposit(limits []row) error {
	for _, row := range limits {
		if row["state"] != string(r.State) {
			continue
		}
		l, err := row.depositLimit()
		if err != nil {
			return err
		}
		r.depositLimits = append(r.depositLimits, l)
	}
	if r.depositLimits == nil {
		r.depositLimits = []depositLimit{{usual: r.Deposit.CapMonths, most: r.Deposit.CapMonths}}
	}
	r.Deposit.HighestMonths = new(0.0)
	var words []string
	for _, l := range r.depositLimits {
		switch {
		case l.most == nil || r.Deposit.HighestMonths == nil:
			r.Deposit.HighestMonths = nil
		default:
			r.Deposit.HighestMonths = new(max(*r.Deposit.HighestMonths, *l.most))
		}
		words = append(words, l.words()...)
	}
	if len(words) > 0 {
		r.Deposit.Condition = new(strings.Join(words, " "))
	}
	return nil
}

// words say a limit that not every lease has, and what allows more or less.
func (l depositLimit) words() []string {
	var all []string
	if when := l.when.clause(); when != "" {
		limit := "there is no limit"
		if l.usual != nil {
			limit = "the limit is " + months(*l.usual)
		}
		all = append(all, "When "+when+", "+limit+".")
	}
	if l.condition != "" {
		all = append(all, l.condition)
	}
	return all
}

func (r row) depositLimit() (l depositLimit, err error) {
	n := numbers{row: r}
	if r["months"] != "none" {
		l.usual = n.decimal("months")
	}
	if r["most_months"] != "none" {
		l.most = n.decimal("most_months")
	}
	if n.err != nil {
		return l, n.err
	}
	if r["most_extra"] != "" {
		extra, err := readSum(r["most_extra"])
		if err != nil {
			return l, err
		}
		l.extra = &extra
	}
	l.condition = r["condition"]
	l.when, err = readCondition(r["when"])
	return l, err
}

// perRent are the states whose percentages are of the month's rent. In the others they are of
// the amount overdue.
var perRent = []string{"DE", "DC", "ME", "NV", "NM", "NY", "NC", "TX", "UT", "VA", "MD"}

// readLateFee reads none, reasonable, or the limits of a state with their conditions.
func (r *Rules) readLateFee(s string) error {
	r.LateFee = LateFee{Kind: FeeKind(s), Limits: []Limit{}}
	if r.LateFee.Kind == NoLimit || r.LateFee.Kind == Reasonable {
		return nil
	}
	r.LateFee.Kind = Limited
	base, words := OfOverdue, "the amount overdue"
	if slices.Contains(perRent, string(r.State)) {
		base, words = OfRent, "the monthly rent"
	}
	for _, l := range splitLimits(s) {
		when, err := readCondition(l[0])
		if err != nil {
			return err
		}
		most, err := readSum(l[1])
		if err != nil {
			return err
		}
		if slices.ContainsFunc(most.parts, func(p part) bool { return p.percent > 0 }) {
			r.LateFee.PercentOf = &base
		}
		r.lateFeeLimits = append(r.lateFeeLimits, feeLimit{when, most})
		shown := Limit{Text: most.words(words) + "."}
		if said := when.words(); said != "" {
			shown.When = &said
		}
		r.LateFee.Limits = append(r.LateFee.Limits, shown)
	}
	return nil
}

// splitLimits splits units<=4:pct:12|units>4:pct:10 into conditions and sums. What begins with no
// condition is one sum for every lease.
func splitLimits(s string) (all [][2]string) {
	if head, _, _ := strings.Cut(s, ":"); !strings.ContainsAny(head, "<>") {
		return [][2]string{{"", s}}
	}
	for limit := range strings.SplitSeq(s, "|") {
		when, most, _ := strings.Cut(limit, ":")
		all = append(all, [2]string{when, most})
	}
	return all
}

// Finding is a term of a lease that is above a limit.
type Finding struct {
	Field   string // security_deposit, late_fee_amount or late_fee_grace_days
	Above   bool   // every figure that the law could allow; otherwise some condition may allow it
	Message string // a sentence without its subject
}

// Check finds the terms that are above a limit of the state, or may be.
func (r *Rules) Check(t Terms) []Finding {
	return slices.Concat(r.checkDeposit(t), r.checkLateFee(t))
}

func (r *Rules) checkDeposit(t Terms) []Finding {
	i := slices.IndexFunc(r.depositLimits, func(l depositLimit) bool { return l.when.mayHold(t) })
	l := r.depositLimits[i] // each lease has one
	if l.most != nil {
		most := share(t.Rent, *l.most*100)
		said := monthsOfRent(*l.most)
		if l.extra != nil {
			most += l.extra.of(t.Rent)
			said += " and what a pet allows"
		}
		if t.Deposit > most {
			return []Finding{{"security_deposit", true, fmt.Sprintf("must be at most %s, %s: the limit in %s (%s); not %s.", most.Words(), said, r.Name, r.depositStatute, t.Deposit.Words())}}
		}
	}
	if l.usual != nil && t.Deposit > share(t.Rent, *l.usual*100) {
		return []Finding{{"security_deposit", false, fmt.Sprintf("is above %s, %s, which is the limit for some leases in %s (%s). %s",
			share(t.Rent, *l.usual*100).Words(), monthsOfRent(*l.usual), r.Name, r.depositStatute, l.condition)}}
	}
	return nil
}

// customary is the percentage of the rent above which a late fee is odd where the law has no
// figure.
const customary = 5

func (r *Rules) checkLateFee(t Terms) []Finding {
	if t.LateFee == nil {
		return nil
	}
	fee, may := *t.LateFee, r.feeLimitsOf(t)
	if len(may) == 0 {
		return r.checkCustomary(t)
	}
	base := "the monthly rent"
	if r.LateFee.PercentOf != nil && *r.LateFee.PercentOf == OfOverdue {
		base = "the amount overdue"
	}
	byAmount := func(a, b feeLimit) int { return cmp.Compare(a.most.of(t.Rent), b.most.of(t.Rent)) }
	least, most := slices.MinFunc(may, byAmount), slices.MaxFunc(may, byAmount)
	switch {
	case fee > most.most.of(t.Rent):
		return []Finding{{"late_fee_amount", true, fmt.Sprintf("must be at most %s, %s: the limit in %s%s; not %s.", most.most.of(t.Rent).Words(), most.most.words(base), r.Name, r.feeStatute(), fee.Words())}}
	case fee > least.most.of(t.Rent):
		return []Finding{{"late_fee_amount", false, fmt.Sprintf("is above %s, %s: the limit in %s%s when %s.",
			least.most.of(t.Rent).Words(), least.most.words(base), r.Name, r.feeStatute(), least.when.clause())}}
	}
	return nil
}

// feeLimitsOf are the limits that may be those of a lease.
func (r *Rules) feeLimitsOf(t Terms) (may []feeLimit) {
	for _, l := range r.lateFeeLimits {
		if l.when.mayHold(t) {
			may = append(may, l)
		}
	}
	return may
}

func (r *Rules) checkCustomary(t Terms) []Finding {
	usual := share(t.Rent, customary)
	if *t.LateFee <= usual {
		return nil
	}
	why := "no limit is known in " + r.Name + ", so make sure that it is reasonable"
	if r.LateFee.Kind == Reasonable {
		why = r.Name + " asks for a reasonable late fee" + r.feeStatute()
	}
	return []Finding{{"late_fee_amount", false, fmt.Sprintf("is above %s, %d%% of the monthly rent: %s.", usual.Words(), customary, why)}}
}

// feeStatute is where the rules of late fees stand, in brackets.
func (r *Rules) feeStatute() string {
	if r.lateFeeStatute == nil {
		return ""
	}
	return " (" + *r.lateFeeStatute + ")"
}

// months is a number of months as people write it.
func months(n float64) string {
	if n == 1 {
		return "1 month"
	}
	return number(n) + " months"
}

// monthsOfRent says 1 month’s rent, or 2 months’ rent.
func monthsOfRent(n float64) string {
	if n == 1 {
		return "1 month’s rent"
	}
	return months(n) + "’ rent"
}

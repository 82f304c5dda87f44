package law

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"portal/api/money"
	"portal/api/portfolio/lease/terms"
)

// feeLimit is what a late fee may be under a condition.
type feeLimit struct {
	when condition
	most sum
}

// perRent are the states whose percentages are of the month's rent. In the others they are of
// the amount overdue.
var perRent = []string{"DE", "DC", "ME", "NV", "NM", "NY", "NC", "TX", "UT", "VA", "MD"}

// perBalance are the states among them whose percentages are also of the balance that is due, if that is less: Va. Code
// 55.1-1204(E).
var perBalance = []string{"VA"}

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

// feeLimitsOf are the limits that may be those of a lease.
func (r *Rules) feeLimitsOf(t Terms) (may []feeLimit) {
	for _, l := range r.lateFeeLimits {
		if l.when.mayHold(t) {
			may = append(may, l)
		}
	}
	return may
}

func (r *Rules) checkLateFee(t Terms) []Finding {
	if t.LateFee == nil || *t.LateFee == 0 {
		return nil
	}
	message, above := r.feeMessage(t)
	if message == "" {
		return nil
	}
	return []Finding{{
		Field:   "late_fee_amount",
		Code:    "late_fee_above_usual_maximum",
		Above:   above,
		Subject: "The late fee",
		Message: message,
	}}
}

// feeMessage says what is wrong with a late fee, "" for nothing. One that is owed for each day is
// held against what the law allows on the first.
func (r *Rules) feeMessage(t Terms) (message string, above bool) {
	fee, may := *t.LateFee, r.feeLimitsOf(t)
	if len(may) == 0 {
		return r.customaryMessage(t), false
	}
	limit := func(l feeLimit) money.Cents { return l.most.of(t.Rent) }
	if t.Frequency == terms.Daily {
		limit = func(l feeLimit) money.Cents { return l.most.on(t.Rent, 1) }
	}
	byLimit := func(a, b feeLimit) int { return cmp.Compare(limit(a), limit(b)) }
	least, most := slices.MinFunc(may, byLimit), slices.MaxFunc(may, byLimit)
	switch {
	case fee > limit(most):
		return r.refusal(t, most, limit(most)), true
	case fee > limit(least):
		return fmt.Sprintf(
			"is above %s, %s: the limit in %s%s when %s.",
			limit(least).Words(),
			least.most.words(r.base()),
			r.NameInSentence(),
			r.feeStatute(),
			least.when.clause(),
		), false
	case t.Frequency == terms.Daily:
		return r.dailyMessage(t, most), false
	}
	return r.flatMessage(t, least), false
}

// LateFeeLimit is the most that a late fee for rent may come to on a day on which it is late, the first of which is 1,
// under every condition that may hold for the lease; limited is false where the law has no figure. What is overdue
// counts where the law takes a percentage of it, and else the rent that is late.
func (r *Rules) LateFeeLimit(t Terms, late, overdue money.Cents, day int64) (most money.Cents, limited bool) {
	base := min(t.Rent, late)
	ofOverdue := r.LateFee.PercentOf != nil && *r.LateFee.PercentOf == OfOverdue
	if ofOverdue || slices.Contains(perBalance, string(r.State)) {
		base = min(base, overdue)
	}
	for i, l := range r.feeLimitsOf(t) {
		if is := l.most.on(base, day); i == 0 || is < most {
			most = is
		}
		limited = true
	}
	return most, limited
}

// refusal says that a late fee is above the highest limit.
func (r *Rules) refusal(t Terms, l feeLimit, most money.Cents) string {
	words := l.most.words(r.base())
	if t.Frequency != terms.Daily {
		return fmt.Sprintf("must be at most %s, %s: the limit in %s%s; not %s.",
			most.Words(), words, r.NameInSentence(), r.feeStatute(), t.LateFee.Words())
	}
	unit := "in all"
	if l.most.allowsDaily(0) {
		unit = "a day"
	}
	return fmt.Sprintf("must be at most %s %s: the limit in %s is %s%s; not %s a day.",
		most.Words(), unit, r.NameInSentence(), words, r.feeStatute(), t.LateFee.Words())
}

// dailyMessage warns of a fee for each day where the law limits the total alone.
func (r *Rules) dailyMessage(t Terms, l feeLimit) string {
	if l.most.allowsDaily(*t.LateFee) {
		return ""
	}
	when := ""
	if clause := l.when.clause(); clause != "" {
		when = ", when " + clause
	}
	return fmt.Sprintf("is owed for each day, and in %s the total for one late payment is at most %s, %s%s%s.",
		r.NameInSentence(), l.most.of(t.Rent).Words(), l.most.words(r.base()), r.feeStatute(), when)
}

// flatMessage warns of a fee that is owed at once where the law limits it by the day.
func (r *Rules) flatMessage(t Terms, l feeLimit) string {
	day := int64(1)
	for l.most.on(t.Rent, day) < *t.LateFee {
		day++
	}
	if day == 1 {
		return ""
	}
	return fmt.Sprintf("is owed at once, and in %s the limit grows by the day: %s%s. "+
		"A fee of %s is within it only from the %s day on.",
		r.NameInSentence(), l.most.words(r.base()), r.feeStatute(), t.LateFee.Words(), ordinal(day))
}

// base is what percentages are of, in words.
func (r *Rules) base() string {
	if r.LateFee.PercentOf != nil && *r.LateFee.PercentOf == OfOverdue {
		return "the amount overdue"
	}
	return "the monthly rent"
}

// customary is the percentage of the rent above which a late fee is odd where the law has no
// figure. One that is owed for each day is held against it for as many days.
const (
	customary     = 5
	customaryDays = 30
)

func (r *Rules) customaryMessage(t Terms) string {
	fee, usual, above := *t.LateFee, share(t.Rent, customary), "is above"
	if t.Frequency == terms.Daily && fee <= usual && fee*customaryDays > usual {
		above = "is owed for each day, and from the " + ordinal(int64(usual/fee)+1) + " day on it is above"
	} else if fee <= usual {
		return ""
	}
	why := "no limit is known in " + r.NameInSentence() + ", so make sure that it is reasonable"
	if r.LateFee.Kind == Reasonable {
		why = r.NameInSentence() + " asks for a reasonable late fee" + r.feeStatute()
	}
	return fmt.Sprintf("%s %s, %d%% of the monthly rent: %s.", above, usual.Words(), customary, why)
}

// feeStatute is where the rules of late fees stand, in brackets.
func (r *Rules) feeStatute() string {
	if r.lateFeeStatute == nil {
		return ""
	}
	return " (" + *r.lateFeeStatute + ")"
}

// ordinal is a place in an order: 1st, 2nd, 3rd, 4th, 11th.
func ordinal(n int64) string {
	suffix := "th"
	if n/10%10 != 1 && n%10 >= 1 && n%10 <= 3 {
		suffix = []string{"st", "nd", "rd"}[n%10-1]
	}
	return strconv.FormatInt(n, 10) + suffix
}

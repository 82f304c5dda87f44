package law

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"portal/api/money"
	"portal/api/portfolio/lease/terms"
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

// FeesCounted tells which one-time fees count toward the limit of the deposit. Monthly fees never do.
type FeesCounted string

// The fees that may count.
const (
	NoFees         FeesCounted = "none"
	RefundableFees FeesCounted = "refundable"
	AllFees        FeesCounted = "all"
)

// SchemaName is the name of the OpenAPI component.
func (FeesCounted) SchemaName() string { return "DepositFees" }

// Values are all of them.
func (FeesCounted) Values() []string { return []string{"none", "refundable", "all"} }

// readFees finds which fees count toward the deposit.
func (r *Rules) readFees(table []row) error {
	i := slices.IndexFunc(table, func(fees row) bool { return fees["state"] == string(r.State) })
	if i < 0 {
		return errors.New("no row says which fees count toward the deposit")
	}
	fees := table[i]
	r.Deposit.FeesCounted, r.Deposit.FeesCitation = FeesCounted(fees["counts_toward_deposit"]), fees.text("source")
	if !slices.Contains(FeesCounted("").Values(), string(r.Deposit.FeesCounted)) {
		return fmt.Errorf("counts_toward_deposit is %q", r.Deposit.FeesCounted)
	}
	if fees["except"] != "" {
		r.feesApart = strings.Split(fees["except"], "|")
	}
	return nil
}

// counts reports whether a fee counts toward the deposit.
func (r *Rules) counts(f terms.Fee) bool {
	apart := func(words string) bool { return strings.Contains(strings.ToLower(f.Name), words) }
	if f.Frequency != terms.OneTime || slices.ContainsFunc(r.feesApart, apart) {
		return false
	}
	return r.Deposit.FeesCounted == AllFees || r.Deposit.FeesCounted == RefundableFees && f.Refundable
}

// secured is what is held against the limit of the deposit.
type secured struct {
	deposit, total money.Cents // without and with the fees that count
	names          []string    // of the fees, each with its amount
}

func (r *Rules) secured(t Terms) secured {
	s := secured{deposit: t.Deposit, total: t.Deposit}
	for _, f := range t.Fees {
		if r.counts(f) {
			s.total += f.Amount
			s.names = append(s.names, f.Name+" "+f.Amount.Words())
		}
	}
	return s
}

// withFees says what the deposit is with the fees, "" where none count.
func (s secured) withFees() string {
	if len(s.names) == 0 {
		return ""
	}
	return fmt.Sprintf(", and %s with the fees that count toward it (%s)", s.total.Words(), strings.Join(s.names, ", "))
}

func (r *Rules) checkDeposit(t Terms) []Finding {
	i := slices.IndexFunc(r.depositLimits, func(l depositLimit) bool { return l.when.mayHold(t) })
	l, s := r.depositLimits[i], r.secured(t) // each lease has a limit
	if l.most != nil {
		most, said := l.highest(t.Rent)
		limit := fmt.Sprintf("must be at most %s, %s: the limit in %s (%s)",
			most.Words(), said, r.NameInSentence(), r.depositStatute)
		switch {
		case s.deposit > most:
			return []Finding{depositFinding(true, limit+"; not "+s.deposit.Words()+s.withFees()+".")}
		case s.total > most:
			return []Finding{r.feesFinding(true, limit, s)}
		}
	}
	if l.usual == nil {
		return nil
	}
	usual := share(t.Rent, *l.usual*100)
	limit := fmt.Sprintf("above %s, %s, which is the limit for some leases in %s (%s)",
		usual.Words(), monthsOfRent(*l.usual), r.NameInSentence(), r.depositStatute)
	switch {
	case s.deposit > usual:
		return []Finding{depositFinding(false, joined("is "+limit+".", l.condition))}
	case s.total > usual:
		f := r.feesFinding(false, limit, s)
		f.Message = joined(f.Message, l.condition)
		return []Finding{f}
	}
	return nil
}

// highest is the most that a condition allows for a monthly rent, and what it is in words.
func (l depositLimit) highest(monthly money.Cents) (money.Cents, string) {
	most, said := share(monthly, *l.most*100), monthsOfRent(*l.most)
	if l.extra != nil {
		most += l.extra.of(monthly)
		said += " and what a pet allows"
	}
	return most, said
}

// aboveUsual is the code of a warning of the deposit.
const aboveUsual = "deposit_above_usual_maximum"

func depositFinding(above bool, message string) Finding {
	return Finding{
		Field:   "security_deposit",
		Code:    aboveUsual,
		Above:   above,
		Subject: "The deposit",
		Message: message,
	}
}

// feesFinding says that the fees alone make a deposit what its limit does not allow.
func (r *Rules) feesFinding(above bool, limit string, s secured) Finding {
	citation, names := "", strings.Join(s.names, ", ")
	if r.Deposit.FeesCitation != nil {
		citation = " (" + *r.Deposit.FeesCitation + ")"
	}
	message := fmt.Sprintf("count toward the security deposit%s, which %s; not %s with them (%s).",
		citation, limit, s.total.Words(), names)
	if !above {
		message = fmt.Sprintf("count toward the security deposit%s. With them (%s) it is %s, %s.",
			citation, names, s.total.Words(), limit)
	}
	return Finding{
		Field:   "fees",
		Code:    aboveUsual,
		Above:   above,
		Subject: "The fees",
		Message: message,
	}
}

// joined joins sentences of which the second may be "".
func joined(sentence, more string) string { return strings.TrimSpace(sentence + " " + more) }

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

package law

import (
	"strconv"
	"strings"
)

// DepositLimits says in sentences what the law asks of the deposit.
func (r *Rules) DepositLimits() string {
	words := []string{"Deposit in " + r.Name + ": no limit is known."}
	if r.Deposit.CapMonths != nil {
		words[0] = "Deposit in " + r.Name + ": at most " + months(*r.Deposit.CapMonths) + " of rent."
	}
	if r.Deposit.Condition != nil {
		words = append(words, *r.Deposit.Condition)
	}
	return strings.Join(words, " ")
}

// LateFeeLimits says in sentences what the law asks of the late fee.
func (r *Rules) LateFeeLimits() string {
	switch r.LateFee.Kind {
	case NoLimit:
		return "Late fee: no limit is known."
	case Reasonable:
		return "Late fee: no figure, but it must be reasonable."
	case Limited:
	}
	var words []string
	for _, l := range r.LateFee.Limits {
		text := "Late fee: " + l.Text
		if l.When != nil {
			text = "Late fee, where this holds: " + strings.TrimSuffix(*l.When, ".") + ": " + l.Text
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// GraceLimit says in a sentence what the law asks of the days of grace, "" for nothing.
func (r *Rules) GraceLimit() string {
	if r.GraceDays == 0 {
		return ""
	}
	return "Days of grace: at least " + days(r.GraceDays) + "."
}

func days(n int) string {
	if n == 1 {
		return "1 day"
	}
	return strconv.Itoa(n) + " days"
}

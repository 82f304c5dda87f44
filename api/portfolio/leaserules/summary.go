package leaserules

import (
	"strconv"
	"strings"
)

// MoneyLimits says in sentences what the law asks of deposit and late fee.
func (r *Rules) MoneyLimits() string {
	words := []string{"Deposit in " + r.Name + ": no limit is known."}
	if r.Deposit.CapMonths != nil {
		words[0] = "Deposit in " + r.Name + ": at most " + months(*r.Deposit.CapMonths) + " of rent."
	}
	if r.Deposit.Condition != nil {
		words = append(words, *r.Deposit.Condition)
	}
	switch r.LateFee.Kind {
	case NoLimit:
		words = append(words, "Late fee: no limit is known.")
	case Reasonable:
		words = append(words, "Late fee: no figure, but it must be reasonable.")
	case Limited:
		for _, l := range r.LateFee.Limits {
			text := "Late fee: " + l.Text
			if l.When != nil {
				text = "Late fee, where this holds: " + strings.TrimSuffix(*l.When, ".") + ": " + l.Text
			}
			words = append(words, text)
		}
	}
	if r.GraceDays > 0 {
		words = append(words, "Days of grace: at least "+days(r.GraceDays)+".")
	}
	return strings.Join(words, " ")
}

func days(n int) string {
	if n == 1 {
		return "1 day"
	}
	return strconv.Itoa(n) + " days"
}

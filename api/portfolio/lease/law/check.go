package law

import (
	"fmt"
	"slices"
	"strings"

	"portal/api/contact"
	"portal/api/texts"
)

// Finding is what the rules of a state say of the terms of a lease: one that is above a limit, or
// that the parties must know of.
type Finding struct {
	Field   string // security_deposit, fees, fees.0.amount, late_fee_amount …; "" for the lease as a whole
	Code    string // of the warning where the term is not refused
	Above   bool   // every figure that the law could allow; otherwise some condition may allow it
	Subject string // what a warning begins with: The deposit
	Message string // a sentence without its subject, which is the field where the term is refused
}

// Check finds the terms that are above a limit of the state, or may be, and what else the state
// asks of the lease. No term of a commercial property is above every figure, since the table is for
// homes.
func (r *Rules) Check(t Terms) []Finding {
	all := slices.Concat(
		r.checkDeposit(t), r.checkFees(t), r.checkLateFee(t), r.checkReturnedPayment(t), r.checkTerm(t),
	)
	if !t.Commercial {
		return all
	}
	for i := range all {
		all[i].Above = false
	}
	return slices.Insert(all, 0, Finding{
		Code:    "commercial_property",
		Subject: "The lease rules",
		Message: "cover homes only; this property is commercial.",
	})
}

// formality is what a state asks of the way in which a lease for longer than a number of months is signed.
type formality struct {
	months        int
	how, citation string
}

var formalities = map[contact.State]formality{
	"CT": {12, "signed before two witnesses and acknowledged before a notary", "Conn. Gen. Stat. 47-5, 47-19"},
	"OH": {36, "acknowledged before a notary", "Ohio Rev. Code 5301.01, 5301.08"},
	"WA": {12, "acknowledged before a notary", "RCW 59.04.010, 59.18.210"},
}

func (r *Rules) checkTerm(t Terms) []Finding {
	f, has := formalities[r.State]
	if !has || t.End == nil {
		return nil
	}
	if last, inCalendar := t.Start.LastOfTerm(f.months); !inCalendar || *t.End <= last {
		return nil
	}
	message := fmt.Sprintf("is longer than %d months. The law of %s may ask that such a lease be %s (%s), "+
		"which signing it online does not do.", f.months, r.NameInSentence(), f.how, f.citation)
	return []Finding{{
		Field:   "end_date",
		Code:    "term_needs_acknowledgment",
		Subject: "The term",
		Message: message,
	}}
}

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
		return "Late fee: no set limit, but it must be reasonable."
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
	return "Days of grace: at least " + texts.Counted(r.GraceDays, "day") + "."
}

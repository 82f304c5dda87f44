package terms

import "strings"

// Line is a term in words.
type Line struct{ Name, Text string }

// Lines are the terms in words, but for clauses, answers and the late fee.
func (t *Terms) Lines() (all []Line) {
	for _, f := range t.Fees {
		all = append(all, Line{f.Name, f.words()})
	}
	if t.ReturnedPaymentFee != nil {
		all = append(all, Line{"Returned payment fee", t.ReturnedPaymentFee.Words()})
	}
	if len(t.Occupants) > 0 {
		all = append(all, Line{"Also live there", strings.Join(t.Occupants, ", ")})
	}
	if t.LeadPaint != nil {
		all = append(all, Line{"Lead-based paint", t.LeadPaint.words()})
	}
	return all
}

func (f Fee) words() string {
	text := f.Amount.Words() + " once"
	if f.Frequency == Monthly {
		text = f.Amount.Words() + " each month"
	}
	if f.Refundable {
		text += ", refundable"
	}
	return text
}

func (l *LeadPaint) words() string {
	if l.Hazards == NoHazards || l.Details == nil {
		return "None known"
	}
	return "Known: " + *l.Details
}

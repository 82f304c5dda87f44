package ledger

import (
	"slices"

	"portal/api/payment"
	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/ledger"
	"portal/web/page"
)

// mostAttempts is how many online payments the page of a row shows, the latest ones.
const mostAttempts = 20

// online are the latest online payments that a row was part of.
func (p *Section) online(v *page.Request, row *portfolio.Payment) (all []views.Online, err error) {
	if p.Payments == nil {
		return nil, nil
	}
	found, err := p.Payments.AttemptsOfPayment(v.Ctx(), v.Actor(), row.ID, mostAttempts)
	if err != nil {
		return nil, err
	}
	for i := range found {
		a := &found[i]
		o := views.Online{
			Title:  a.Amount.Dollars() + ", started " + page.Date(a.StartedOn),
			Status: attemptStatus(a),
			Facts: []kit.Term{
				{Name: "ID", Text: a.ID, ID: true},
				{Name: "Method", Text: page.LabelOr(a.Method)},
				{Name: "For this charge", Text: shareOf(a, row.ID)},
			},
		}
		if a.Fee > 0 {
			o.Facts = append(
				o.Facts,
				kit.Term{Name: "Fee paid by the tenant", Text: a.Fee.Dollars(), Note: "not in the ledger"},
			)
		}
		if a.Problem != nil {
			o.Problem = *a.Problem
		}
		o.Facts = append(o.Facts, wentWrong(a)...)
		if a.Surplus > 0 {
			kept := kit.Term{Name: "Kept as credit", Text: a.Surplus.Dollars()}
			if kept.Path = v.PathTo("ledger", a.CreditID); a.Back != "" && a.Back != payment.Won {
				kept.Note = "taken back"
			}
			o.Facts = append(o.Facts, kept)
		}
		if a.Status == payment.Succeeded { // no other one has a refund
			refunds, err := p.Payments.Refunds(v.Ctx(), v.Actor(), a.ID)
			if err != nil {
				return nil, err
			}
			o.Facts = append(o.Facts, refundTerms(refunds, row.ID)...)
		}
		o.Facts = slices.DeleteFunc(o.Facts, func(t kit.Term) bool { return t.Text == "" })
		all = append(all, o)
	}
	return all, nil
}

// shareOf is what an attempt pays of a row, "" where that is all of it.
func shareOf(a *payment.Attempt, paymentID string) string {
	for _, share := range a.Shares {
		if share.PaymentID == paymentID && share.Amount != a.Amount {
			return share.Amount.Dollars()
		}
	}
	return ""
}

var attemptStatuses = map[payment.Status]kit.Status{
	payment.Open:       {Tone: kit.Waiting, Text: "Not finished"},
	payment.Processing: {Tone: kit.Waiting, Text: "Processing"},
	payment.Succeeded:  {Tone: kit.Done, Text: "Cleared"},
	payment.Failed:     {Tone: kit.Failed, Text: "Failed"},
	payment.Canceled:   {Tone: kit.Idle, Text: "Canceled"},
}

// attemptStatus says how an attempt stands.
func attemptStatus(a *payment.Attempt) kit.Status {
	switch a.Back {
	case payment.Returned:
		return kit.Status{Tone: kit.Failed, Text: "Returned by the bank"}
	case payment.Disputed:
		if a.DisputeStatus != nil && *a.DisputeStatus == "lost" {
			return kit.Status{Tone: kit.Failed, Text: "Dispute lost"}
		}
		return kit.Status{Tone: kit.Failed, Text: "Disputed"}
	case payment.Won:
		return kit.Status{Tone: kit.Done, Text: "Dispute won"}
	}
	return attemptStatuses[a.Status]
}

// wentWrong says why an attempt failed or went back, when, and until when a dispute can be answered.
func wentWrong(a *payment.Attempt) []kit.Term {
	terms := []kit.Term{{Name: "Reason", Text: page.OrEmpty(a.FailureMessage)}}
	if a.BackOn != nil {
		terms = append(terms, kit.Term{Name: "Went back on", Text: page.Date(*a.BackOn)})
	}
	if a.DisputeDueOn != nil && a.DisputeStatus != nil {
		switch *a.DisputeStatus {
		case "needs_response":
			terms = append(terms, kit.Term{Name: "Answer the dispute by", Text: page.Date(*a.DisputeDueOn)})
		case "under_review":
			terms = append(terms, kit.Term{Name: "Dispute", Text: "The bank is reviewing your answer"})
		}
	}
	return terms
}

var refundStatuses = map[payment.RefundStatus]string{
	payment.RefundPending: "not confirmed yet",
	payment.RefundFailed:  "failed",
}

// refundTerms are the refunds of a row.
func refundTerms(refunds []payment.Refund, paymentID string) (all []kit.Term) {
	for i := range refunds {
		if r := &refunds[i]; r.PaymentID == paymentID {
			t := kit.Term{Name: "Refund", Text: r.Amount.Dollars() + ": " + r.Reason, Note: refundStatuses[r.Status]}
			all = append(all, t)
		}
	}
	return all
}

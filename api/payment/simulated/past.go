package simulated

import (
	"time"

	"portal/api/clock"
	"portal/api/payment"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// Past are the attempts of ledger rows that a demo portfolio begins with, and what the processor knows of those that
// are under way. These clear in some days, and none before the day after the latest thing that has happened to a row.
func Past(rows []portfolio.Payment) (attempts []payment.Attempt, sent []Payment) {
	var latest clock.Time
	for i := range rows {
		latest = max(latest, rows[i].UpdatedAt)
	}
	for i := range rows {
		p := &rows[i]
		if p.PaymentID == nil {
			continue
		}
		on := clock.DateOf(p.InitiatedAt.Std(), time.UTC)
		a := payment.Attempt{
			Record: portfolio.Record{
				ID: *p.PaymentID, Version: 1, CreatedAt: *p.InitiatedAt, UpdatedAt: p.UpdatedAt,
			},
			LeaseID:        p.LeaseID,
			TenantID:       p.TenantID,
			Processor:      Name,
			Reference:      p.Reference,
			Method:         p.Method,
			Amount:         p.Amount,
			Status:         payment.Succeeded,
			StartedOn:      on,
			ExpiresAt:      *p.InitiatedAt,
			FailureCode:    p.FailureCode,
			FailureMessage: p.FailureMessage,
		}
		switch p.Status {
		case portfolio.PaymentPartiallyPaid:
			a.Amount = p.AmountPaid
		case portfolio.PaymentFailed:
			a.Status = payment.Failed
		case portfolio.PaymentRefunded:
			a.Refunded = p.Amount
		case portfolio.PaymentProcessing:
			a.Status = payment.Processing
			s := Payment{AttemptID: a.ID, Method: p.Method, Outcome: Clears, SentAt: *p.InitiatedAt, SentOn: on}
			for businessDaysAfter(s.SentOn, clearDays) <= clock.DateOf(latest.Std(), time.UTC)+1 {
				s.SentOn++
			}
			s.NextOn = s.next(s.SentOn)
			sent = append(sent, s)
		case portfolio.PaymentScheduled, portfolio.PaymentDue, portfolio.PaymentSucceeded, portfolio.PaymentVoid:
		}
		a.Shares = []ledger.Share{{PaymentID: p.ID, Amount: a.Amount}}
		attempts = append(attempts, a)
	}
	return attempts, sent
}

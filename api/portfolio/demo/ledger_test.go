package demo_test

import (
	"slices"
	"testing"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

func TestAmountPaidMatchesStatus(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, p := range s.Payments {
			if why := s.misbooked(&p); why != "" {
				t.Errorf("%s of %s, %s of %s: %s", p.Status, p.DueDate, p.AmountPaid, p.Amount, why)
			}
		}
	})
}

func (s *datedBook) misbooked(p *portfolio.Payment) string {
	due := p.Amount - p.AmountPaid
	switch p.Status {
	case portfolio.PaymentRefunded, portfolio.PaymentVoid:
		due = 0
	}
	full := p.Status == portfolio.PaymentSucceeded || p.Status == portfolio.PaymentRefunded
	byProcessor := p.Method != nil && (*p.Method == "ach" || *p.Method == "card")
	switch {
	case p.Amount <= 0 || p.BalanceDue != due:
		return "the balance is wrong"
	case p.Status == portfolio.PaymentRefunded && p.AmountPaid != 0:
		return "what was given back is not paid"
	case (p.Status == portfolio.PaymentSucceeded) != (p.AmountPaid == p.Amount) || full != (p.PaidAt != nil):
		return "only what was paid in full has a day of it"
	case (p.Status == portfolio.PaymentPartiallyPaid) != (p.AmountPaid > 0 && p.AmountPaid < p.Amount):
		return "only a part payment is in between"
	case (p.Status == portfolio.PaymentScheduled) != (p.DueDate > s.today) && p.Status != portfolio.PaymentVoid:
		return "only what is still to come is scheduled"
	case (p.Status == portfolio.PaymentFailed) != (p.FailureCode != nil) ||
		(p.FailureCode == nil) != (p.FailureMessage == nil):
		return "only a failed payment has a reason"
	case (p.InitiatedAt != nil) != byProcessor:
		return "only the processor's payments begin"
	case (p.Status == portfolio.PaymentProcessing || p.Status == portfolio.PaymentFailed) && !byProcessor:
		return "only the processor's payments are under way or fail"
	case full && p.Method == nil:
		return "it was paid in no way"
	}
	return ""
}

func TestLedgerRowTimestampsAreInOrder(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, p := range s.Payments {
			way := []clock.Time{p.CreatedAt}
			if p.InitiatedAt != nil {
				way = append(way, *p.InitiatedAt)
			}
			if p.PaidAt != nil {
				way = append(way, *p.PaidAt)
			}
			inOrder(t, "written, begun, paid, changed", append(way, p.UpdatedAt)...)
			if s.date(p.CreatedAt) > p.DueDate {
				t.Errorf("a row due on %s was written on %s", p.DueDate, s.date(p.CreatedAt))
			}
			if p.InitiatedAt != nil && s.date(*p.InitiatedAt) < p.DueDate {
				t.Errorf("a row due on %s was begun on %s", p.DueDate, s.date(*p.InitiatedAt))
			}
		}
	})
}

func TestFeeTypesAndPeriodsMatchPaymentType(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, p := range s.Payments {
			if (p.Type == portfolio.PaymentFee) != (p.FeeType != nil) {
				t.Errorf("%s has the fee type %v", p.Type, p.FeeType)
			}
			has := p.PeriodStart != nil
			if has != (p.PeriodEnd != nil) || p.Type == portfolio.PaymentRent && !has ||
				p.Type == portfolio.PaymentDeposit && has {
				t.Errorf("%s has the period %v to %v", p.Type, p.PeriodStart, p.PeriodEnd)
			}
		}
	})
}

// A deposit is charged once, under the lease with which the tenants came.
func TestDepositMatchesLease(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		seen := map[string]money.Cents{}
		for _, p := range s.Payments {
			if p.Type != portfolio.PaymentDeposit {
				continue
			}
			l := s.leases[p.LeaseID]
			_, twice := seen[l.ID]
			if twice || p.Amount != l.SecurityDeposit || l.RenewedFromLeaseID != nil || p.DueDate > l.StartDate {
				t.Errorf("%s: %s of %s, due on %s", l.RentalAddress, p.Amount, l.SecurityDeposit, p.DueDate)
			}
			seen[l.ID] = p.Amount
		}
		if len(seen) < 30 {
			t.Errorf("%d deposits", len(seen))
		}
	})
}

func TestLateFeeFollowsRentAfterGraceDays(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		fees := 0
		for _, p := range s.Payments {
			if p.FeeType == nil || *p.FeeType != "late" {
				continue
			}
			fees++
			l := s.leases[p.LeaseID]
			late := slices.ContainsFunc(s.rents[l.ID], func(r portfolio.Payment) bool {
				onTime := r.PaidAt != nil && s.date(*r.PaidAt) < p.DueDate
				return r.DueDate+clock.Date(*l.LateFeeGraceDays)+1 == p.DueDate && !onTime
			})
			if !late || p.Amount != *l.LateFeeAmount {
				t.Errorf("%s: a late fee of %s on %s", l.RentalAddress, p.Amount, p.DueDate)
			}
		}
		within(t, "late fees", fees, 20, 100)
	})
}

func TestReturnedPaymentIsFollowedByFee(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		fees := 0
		for _, p := range s.Payments {
			if p.FeeType == nil || *p.FeeType != "returned_payment" {
				continue
			}
			fees++
			if s.date(p.CreatedAt) != p.DueDate {
				t.Errorf("the fee of %s was written on %s", p.DueDate, s.date(p.CreatedAt))
			}
			found := false
			for _, r := range s.rents[p.LeaseID] {
				again := r.Version > 5 && *r.Method == "card" // after a first try
				found = found ||
					p.DueDate > r.DueDate && p.DueDate < r.DueDate+20 && (again || r.Status == portfolio.PaymentFailed)
			}
			if !found {
				t.Errorf("the fee of %s follows no returned payment", p.DueDate)
			}
		}
		if fees == 0 {
			t.Error("no payment was returned")
		}
	})
}

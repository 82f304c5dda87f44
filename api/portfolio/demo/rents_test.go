package demo_test

import (
	"testing"

	"portal/api/portfolio"
)

// A lease is charged without gaps or overlaps from the beginning of the ledger to its
// last day or the month after today's, and each month costs the rent, or the part of
// it that the days are of the month.
func TestRentCoversEveryDayOnce(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, l := range s.Leases {
			rows := s.rents[l.ID]
			charged := l.Status == portfolio.LeaseActive || l.Status == portfolio.LeaseSigned
			if charged && (len(rows) == 0 || len(rows) > 15) {
				t.Errorf("%s from %s: %d months", l.RentalAddress, l.StartDate, len(rows))
			}
			for i, p := range rows {
				checkMonth(t, &l, p)
				if l.SignedAt != nil {
					inOrder(t, "signature and charge", *l.SignedAt, p.CreatedAt)
				}
				if i > 0 && *p.PeriodStart != *rows[i-1].PeriodEnd+1 {
					t.Errorf("%s: %s follows %s", l.RentalAddress, p.PeriodStart, rows[i-1].PeriodEnd)
				}
			}
			if charged && len(rows) > 0 {
				s.checkAhead(t, &l, rows)
			}
		}
	})
}

// rents are the charges of each lease's own days, without the month after a termination.
func rents(s *datedBook) map[string][]portfolio.Payment {
	rows := make(map[string][]portfolio.Payment)
	for _, p := range s.Payments {
		ended := s.leases[p.LeaseID].TerminatedOn
		if p.Type == portfolio.PaymentRent && (ended == nil || *p.PeriodStart <= *ended) {
			rows[p.LeaseID] = append(rows[p.LeaseID], p)
		}
	}
	return rows
}

func checkMonth(t *testing.T, l *portfolio.Lease, p portfolio.Payment) {
	t.Helper()
	from, to := p.PeriodStart.Std(), p.PeriodEnd.Std()
	if from.Month() != to.Month() || to.Before(from) || p.DueDate < *p.PeriodStart || p.DueDate > *p.PeriodEnd {
		t.Errorf("%s: %s is due for %s to %s", l.RentalAddress, p.DueDate, p.PeriodStart, p.PeriodEnd)
	}
	length := from.AddDate(0, 1, -from.Day()).Day()
	days := to.Day() - from.Day() + 1
	exact := float64(l.MonthlyRent) * float64(days) / float64(length)
	if off := float64(p.Amount) - exact; off > 0.5 || off < -0.5 || p.Amount > l.MonthlyRent {
		t.Errorf("%s: %s for %d days of %d at %s", l.RentalAddress, p.Amount, days, length, l.MonthlyRent)
	}
}

// checkAhead holds that the charges reach to the first one that is still to come.
func (s *datedBook) checkAhead(t *testing.T, l *portfolio.Lease, rows []portfolio.Payment) {
	t.Helper()
	last := rows[len(rows)-1]
	ends := l.EndDate != nil && *last.PeriodEnd == *l.EndDate ||
		l.MoveOutDate != nil && *last.PeriodEnd == *l.MoveOutDate
	if !ends && last.DueDate <= s.today {
		t.Errorf("%s: the next month is not charged", l.RentalAddress)
	}
	if len(rows) > 1 && rows[len(rows)-2].DueDate > s.today && last.DueDate > s.today+30 {
		t.Errorf("%s: two months are charged ahead, until %s", l.RentalAddress, last.DueDate)
	}
	next := l.RentFrom(*last.PeriodEnd+1, nil)
	if !ends && next.DueDate <= s.today+30 {
		t.Errorf("%s: the rent that is due on %s is not charged", l.RentalAddress, next.DueDate)
	}
}

func TestRentAfterTerminationIsVoid(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		after := 0
		for _, p := range s.Payments {
			ended := s.leases[p.LeaseID].TerminatedOn
			if ended == nil || p.Type != portfolio.PaymentRent || *p.PeriodEnd <= *ended {
				continue
			}
			after++
			if p.Status != portfolio.PaymentVoid || *p.PeriodStart <= *ended {
				t.Errorf("%s to %s is charged after the end on %s", p.PeriodStart, p.PeriodEnd, ended)
			}
		}
		if after == 0 {
			t.Error("no charge is void after a termination")
		}
	})
}

func TestRentIsOverdueByDaysAndByMonths(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		days, months := 0, 0
		debts := map[string]int{} // by lease
		for _, p := range s.Payments {
			open := p.Status == portfolio.PaymentDue || p.Status == portfolio.PaymentPartiallyPaid ||
				p.Status == portfolio.PaymentFailed
			if late := s.today - p.DueDate; open && p.Type == portfolio.PaymentRent && late > 30 {
				months++
				debts[p.LeaseID]++
			} else if open && p.Type == portfolio.PaymentRent && late > 0 && late <= 10 {
				days++
			}
		}
		most := 0
		for _, n := range debts {
			most = max(most, n)
		}
		if days < 1 || months < 3 || most < 2 {
			t.Errorf("%d rows overdue for some days, %d for more than 30, %d of them under one lease",
				days, months, most)
		}
	})
}

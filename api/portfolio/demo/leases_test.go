package demo_test

import (
	"testing"

	"portal/api/money"
	"portal/api/portfolio"
)

func TestLeaseStatusMatchesDates(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, l := range s.Leases {
			if why := s.misplaced(&l); why != "" {
				t.Errorf("%s, %s from %s: %s", l.RentalAddress, l.Status, l.StartDate, why)
			}
		}
	})
}

func (s *datedBook) misplaced(l *portfolio.Lease) string {
	end := l.StartDate + 1_000_000
	if l.EndDate != nil {
		end = *l.EndDate
	}
	switch {
	case end <= l.StartDate:
		return "it ends before it starts"
	case (l.EndDate == nil) != (l.LeaseType == portfolio.MonthToMonth):
		return "only a lease from month to month has no end"
	case (l.TerminatedOn == nil) != (l.Status != portfolio.LeaseTerminated) ||
		(l.TerminationReason == nil) != (l.TerminatedOn == nil):
		return "only a terminated lease has a day and a reason of it"
	case (l.RenewedToLeaseID == nil) && l.Status == portfolio.LeaseRenewed:
		return "it was renewed to nothing"
	}
	switch l.Status {
	case portfolio.LeaseDraft, portfolio.LeasePendingSignature, portfolio.LeaseSigned:
		return unless(l.StartDate > s.today, "it has started")
	case portfolio.LeaseActive:
		return unless(l.StartDate <= s.today && s.today <= end, "today is not in it")
	case portfolio.LeaseExpired, portfolio.LeaseRenewed:
		return unless(end < s.today, "it has not ended")
	case portfolio.LeaseTerminated:
		return unless(l.StartDate < *l.TerminatedOn && *l.TerminatedOn < end &&
			*l.TerminatedOn <= s.today, "it was terminated outside its term")
	}
	return ""
}

func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

func TestNoTwoOpenLeasesOfAUnitOverlap(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		open := map[string][]portfolio.Lease{}
		followed := 0
		for _, l := range s.Leases {
			if l.Status != portfolio.LeaseSigned && l.Status != portfolio.LeaseActive {
				continue
			}
			for _, other := range open[l.UnitID] {
				followed++
				if !before(l, other) && !before(other, l) {
					t.Errorf("%s is let twice from %s and %s", l.RentalAddress, l.StartDate, other.StartDate)
				}
			}
			open[l.UnitID] = append(open[l.UnitID], l)
		}
		if followed == 0 {
			t.Error("no active lease is followed by a signed one")
		}
	})
}

func before(a, b portfolio.Lease) bool { return a.EndDate != nil && *a.EndDate < b.StartDate }

func TestRenewalsAreLinkedBothWays(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		links := 0
		for _, l := range s.Leases {
			if l.RenewedFromLeaseID != nil {
				links++
				old := s.leases[*l.RenewedFromLeaseID]
				if old == nil || old.RenewedToLeaseID == nil || *old.RenewedToLeaseID != l.ID ||
					old.UnitID != l.UnitID || *old.EndDate+1 != l.StartDate {
					t.Errorf("%s from %s does not follow what it renews", l.RentalAddress, l.StartDate)
				}
			}
			if l.RenewedToLeaseID != nil {
				links--
			}
		}
		if links != 0 {
			t.Errorf("%d more links from than to", links)
		}
	})
}

func TestSomeLeasesEndWithinWeekAndTwoMonths(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		week, months := 0, 0
		for _, l := range s.Leases {
			if l.Status == portfolio.LeaseActive && l.EndDate != nil {
				if *l.EndDate-s.today <= 7 {
					week++
				}
				if *l.EndDate-s.today <= 60 {
					months++
				}
			}
		}
		if week < 2 || months < 8 {
			t.Errorf("%d leases end within a week, %d within 60 days", week, months)
		}
	})
}

// The caps of the states that the demo is in allow a month's rent as deposit; five
// percent as late fee, in New York at most $50 (RPL 238-a), in Colorado after seven
// days (C.R.S. 38-12-105).
func TestDepositsAndLateFeesAreLegal(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, l := range s.Leases {
			if l.SecurityDeposit > l.MonthlyRent {
				t.Errorf("%s: deposit %s at a rent of %s", l.RentalAddress, l.SecurityDeposit, l.MonthlyRent)
			}
			if (l.LateFeeAmount == nil) != (l.LateFeeGraceDays == nil) {
				t.Errorf("%s: a late fee needs its days of grace", l.RentalAddress)
			}
			if l.LateFeeAmount == nil {
				continue
			}
			limit, grace := l.MonthlyRent/20, 5
			switch s.properties[l.PropertyID].State {
			case "NY":
				limit = min(limit, money.Dollars(50))
			case "CO":
				grace = 7
			}
			if *l.LateFeeAmount > limit || *l.LateFeeGraceDays < grace {
				t.Errorf("%s: late fee %s after %d days at a rent of %s", l.RentalAddress, l.LateFeeAmount,
					*l.LateFeeGraceDays, l.MonthlyRent)
			}
		}
	})
}

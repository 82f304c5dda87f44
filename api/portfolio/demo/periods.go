package demo

import (
	"portal/api/clock"
	"portal/api/portfolio"
)

// periods are the rents of a lease that fall due up to a day, and the next one.
func periods(l *portfolio.Lease, until clock.Date) []portfolio.Payment {
	var ps []portfolio.Payment
	end := lastDay(l)
	last := clock.LastDay
	if end != nil {
		last = *end
	}
	for from := l.StartDate; from <= last; from = from.LastOfMonth() + 1 {
		p := l.RentFrom(from, end)
		ps = append(ps, p)
		if p.DueDate > until {
			break
		}
	}
	return ps
}

// lastDay is the last one that is charged, nil when none is known.
func lastDay(l *portfolio.Lease) *clock.Date {
	switch {
	case l.TerminatedOn != nil:
		return l.TerminatedOn
	case l.EndDate != nil:
		return l.EndDate
	}
	return l.MoveOutDate
}

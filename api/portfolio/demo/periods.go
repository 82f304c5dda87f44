package demo

import (
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// period is a calendar month of a lease, cut to the days of the lease.
type period struct {
	from, to, due clock.Date
	rent          money.Cents
}

// periods are those of a lease that fall due up to a day, and the next one.
func periods(l *portfolio.Lease, until clock.Date) []period {
	var ps []period
	end := lastDay(l)
	for from := l.StartDate; end == nil || from <= *end; from = first(from).AddMonths(1) {
		p := cut(l, from, end)
		ps = append(ps, p)
		if p.due > until {
			break
		}
	}
	return ps
}

// cut makes the period that begins on a day. It falls due on the lease's due day, or
// on the nearest of its own days. Of an incomplete month the rent is due by the day,
// rounded to the cent.
func cut(l *portfolio.Lease, from clock.Date, end *clock.Date) period {
	month := first(from)
	to := month.AddMonths(1) - 1
	length := int64(to - month + 1)
	if end != nil {
		to = min(to, *end)
	}
	days := int64(to - from + 1)
	due := month + clock.Date(l.RentDueDay-1)
	return period{
		from: from,
		to:   to,
		due:  min(max(due, from), to),
		rent: money.Cents((int64(l.MonthlyRent)*days*2 + length) / (length * 2)),
	}
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

package portfolio

import (
	"portal/api/change"
	"portal/api/clock"
	"portal/api/money"
)

// Open reports whether parties have yet to sign.
func (l *Lease) Open() bool { return l.Status == LeaseDraft || l.Status == LeasePendingSignature }

// Lapsed reports whether the time for signatures is over, whenever that is written down.
func (l *Lease) Lapsed(now clock.Time) bool {
	return l.Open() && l.ExpiresAt != nil && *l.ExpiresAt <= now
}

// May reports whether a caller can take the lease to a status (docs/site/records.md).
func (l *Lease) May(to LeaseStatus) bool {
	return to == LeaseVoided && l.Open() || to == LeaseTerminated && l.Status == LeaseActive
}

// LastDay is the day on which a lease ends, nil where it goes on.
func (l *Lease) LastDay() *clock.Date {
	switch {
	case l.Status == LeaseTerminated:
		return l.TerminatedOn
	case l.LeaseType == FixedWithRollover:
		return nil
	}
	return l.EndDate
}

// Changeable reports whether the dates and the money of a lease can change: before anybody
// has signed it, and while it runs.
func (l *Lease) Changeable() bool { return l.Status == LeaseDraft || l.Status == LeaseActive }

// Overlaps reports whether another lease of the same unit, signed or active, shares a day
// with a lease, and neither renews the other.
func (l *Lease) Overlaps(o *Lease) bool {
	kin := o.ID == l.ID || change.Same(l.RenewedFromLeaseID, &o.ID) || change.Same(l.RenewedToLeaseID, &o.ID)
	if kin || o.UnitID != l.UnitID || o.Status != LeaseSigned && o.Status != LeaseActive {
		return false
	}
	return (l.EndDate == nil || o.StartDate <= *l.EndDate) && (o.EndDate == nil || l.StartDate <= *o.EndDate)
}

// RentFrom is the rent of the calendar month of a lease that begins on a day, cut to the
// last day that is charged, if that is known. It falls due on the lease's due day, or on the nearest of its own
// days. Of an incomplete month the rent is due by the day, rounded to the cent.
func (l *Lease) RentFrom(from clock.Date, last *clock.Date) Payment {
	month, to := from.FirstOfMonth(), from.LastOfMonth()
	length := int64(to - month + 1)
	if last != nil {
		to = min(to, *last)
	}
	days := int64(to - from + 1)
	rent := money.Cents((int64(l.MonthlyRent)*days*2 + length) / (length * 2))
	words := "Rent for "
	if rent != l.MonthlyRent {
		words = "Prorated rent for "
	}
	return Payment{
		Type:        PaymentRent,
		Description: new(words + from.Std().Format("January 2006")),
		Amount:      rent,
		DueDate:     min(max(month+clock.Date(l.RentDueDay-1), from), to),
		PeriodStart: &from,
		PeriodEnd:   &to,
	}
}

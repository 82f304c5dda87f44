package portfolio

import "slices"

// OpenTickets are the statuses of tickets whose work has not ended.
func OpenTickets() []TicketStatus {
	return []TicketStatus{TicketOpen, TicketInProgress, TicketScheduled, TicketOnHold}
}

// OccupiedUnits are the statuses of units that somebody lives in.
func OccupiedUnits() []UnitStatus { return []UnitStatus{UnitOccupied, UnitNotice} }

// UnpaidPayments are the statuses that leave a row open without money under way.
func UnpaidPayments() []PaymentStatus {
	return []PaymentStatus{PaymentDue, PaymentPartiallyPaid, PaymentFailed}
}

// PayablePayments are the statuses in which money can be taken: something is owed, be it
// ahead of its day, and nothing is under way (docs/site/records.md).
func PayablePayments() []PaymentStatus {
	return append([]PaymentStatus{PaymentScheduled}, UnpaidPayments()...)
}

// UnsignedLeases are the statuses of leases that have never bound anybody.
func UnsignedLeases() []LeaseStatus {
	return []LeaseStatus{LeaseDraft, LeasePendingSignature, LeaseDeclined, LeaseVoided}
}

// OfferedLeases are the statuses of leases that wait for signatures, or to be sent for them.
func OfferedLeases() []LeaseStatus { return []LeaseStatus{LeaseDraft, LeasePendingSignature} }

// AgreedLeases are the statuses of leases that are in force or will be.
func AgreedLeases() []LeaseStatus { return []LeaseStatus{LeaseSigned, LeaseActive} }

// BoundLeases are the statuses of leases that are in force, will be or have been.
func BoundLeases() []LeaseStatus {
	return append(AgreedLeases(), LeaseExpired, LeaseRenewed, LeaseTerminated)
}

// Final reports whether the work has ended.
func (s TicketStatus) Final() bool { return !slices.Contains(OpenTickets(), s) }

// Occupied reports whether somebody lives in the unit.
func (s UnitStatus) Occupied() bool { return slices.Contains(OccupiedUnits(), s) }

// Unpaid reports whether a row of the status is open without money under way.
func (s PaymentStatus) Unpaid() bool { return slices.Contains(UnpaidPayments(), s) }

// Payable reports whether money can be taken in the status.
func (s PaymentStatus) Payable() bool { return slices.Contains(PayablePayments(), s) }

// Binding reports whether a lease was ever in force or will be: it was signed by all,
// and not voided or declined.
func (l *Lease) Binding() bool { return !slices.Contains(UnsignedLeases(), l.Status) }

// Charged reports whether a lease charges rent: it is in force or will be.
func (l *Lease) Charged() bool { return slices.Contains(AgreedLeases(), l.Status) }

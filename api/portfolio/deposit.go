package portfolio

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
)

// DepositStatement is what became of the deposit of a lease after the tenancy. A lease has one at most, and it never
// changes.
type DepositStatement struct {
	LeaseID   string
	CreatedAt clock.Time
	CreatedBy *string // the user who made it, nil where that is not known
	EndedOn   clock.Date
	Deadline  clock.Date // of the state, 0 for none
	PaidOn    clock.Date // the day on which the rest went back
	Held      money.Cents
	Refunded  money.Cents // what went back, with credits of the lease
	Method    *PaymentMethod
	Reference *string
	Content   *DepositContent
}

// DepositContent is what else a statement says, as it was when the statement was made.
type DepositContent struct {
	Landlord string        `json:"landlord"`
	Tenants  []string      `json:"tenants"`
	Home     string        `json:"home"`
	Days     int           `json:"days"`     // that the state gives, 0 without a deadline
	Citation string        `json:"citation"` // the law that does, "" where the table has none
	Lines    []DepositLine `json:"lines"`
	// Changes is how the condition of the home has changed, nil where no reports say so.
	Changes *ConditionChanges `json:"changes,omitempty"`
}

// DepositLine is an amount that a deposit paid, or a credit that went back with it.
type DepositLine struct {
	Kind   DepositLineKind `json:"kind"`
	Text   string          `json:"text"` // in English, or as the landlord has written it
	Amount money.Cents     `json:"amount"`
	// RentFor is the first day that the rent is for which was paid, nil for anything else.
	RentFor *clock.Date `json:"rent_for,omitempty"`
}

// DepositLineKind is what a line of a statement is.
type DepositLineKind string

// The kinds of lines.
const (
	DepositDeduction DepositLineKind = "deduction" // such as a repair
	DepositOwed      DepositLineKind = "owed"      // a charge that was owed
	DepositCredit    DepositLineKind = "credit"    // a credit of the lease that goes back too
)

// Sum adds up the lines of some kinds.
func (s *DepositStatement) Sum(kinds ...DepositLineKind) (all money.Cents) {
	for _, line := range s.Content.Lines {
		for _, kind := range kinds {
			if line.Kind == kind {
				all += line.Amount
			}
		}
	}
	return all
}

// DepositNotices emails tenants what became of their deposit.
type DepositNotices interface {
	// DepositReturned emails the tenants of a lease its statement, in the transaction of the context.
	DepositReturned(ctx context.Context, by access.Actor, l *Lease, s *DepositStatement) error
}

// TenancyEnded is the last day of a tenancy that is over, or that is known to end: the day on which the tenants moved
// out, or else the last one of the lease. It is nil for a lease that goes on.
func (l *Lease) TenancyEnded() *clock.Date {
	switch {
	case l.NeverStarted():
		return l.TerminatedOn
	case l.Status != LeaseTerminated && l.Status != LeaseExpired && l.Status != LeaseActive:
		return nil
	case l.MoveOutDate != nil:
		return l.MoveOutDate
	case l.Status == LeaseActive:
		return nil
	}
	return l.LastDay()
}

// TenancyOver reports whether a tenancy is over on a day. A lease that is active is so until the tenants have moved
// out.
func (l *Lease) TenancyOver(today clock.Date) bool {
	ended := l.TenancyEnded()
	return ended != nil && (*ended < today || *ended == today && l.Status != LeaseActive)
}

// What rows say that a statement of a deposit writes.
const (
	DepositTaken    = "From the deposit: " // before what it pays
	DepositBack     = "Deposit returned"
	DepositReleased = "Deposit no longer owed"
)

// SettlesDeposit reports whether a row takes back a part of a deposit that a statement settles.
func (p *Payment) SettlesDeposit() bool {
	return p.ReversesPaymentID != nil && p.Type == PaymentDeposit && p.Description != nil &&
		(strings.HasPrefix(*p.Description, DepositTaken) || *p.Description == DepositBack ||
			*p.Description == DepositReleased)
}

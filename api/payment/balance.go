package payment

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// Bookkeeper is the part of a processor that answers disputes, and tells of a landlord's balance with it and of what it
// pays out.
type Bookkeeper interface {
	// Contest answers the dispute of an attempt with what speaks for the landlord. It can be done once.
	Contest(ctx context.Context, by access.Actor, a *Attempt, evidence string) error
	// Payouts are those that were made since a day, the latest first, with what they contain.
	Payouts(ctx context.Context, by access.Actor, account *string, since clock.Date) ([]Payout, error)
	// Movements are what has changed the balance from a moment on until before another one, in that order, without
	// payouts.
	Movements(ctx context.Context, by access.Actor, account *string, from, to clock.Time) ([]Movement, error)
}

// Movement is something that has changed a landlord's balance with a processor.
type Movement struct {
	Reference string // of the processor
	Kind      MovementKind
	Payment   *string     // what the processor calls the payment that it is of, nil for none
	Amount    money.Cents // below 0 for what left the balance
	Fee       money.Cents // of the processor, which went with it
	At        clock.Time
	Words     string // of the processor, "" for none
}

// MovementKind is what a movement is.
type MovementKind string

// The kinds of movements.
const (
	MovedPayment MovementKind = "payment"
	MovedRefund  MovementKind = "refund"
	MovedReturn  MovementKind = "return"
	MovedDispute MovementKind = "dispute" // also money that comes again
	MovedFee     MovementKind = "fee"
	MovedOther   MovementKind = "other"
)

// Values are all kinds.
func (MovementKind) Values() []string {
	return []string{"payment", "refund", "return", "dispute", "fee", "other"}
}

// Payout is money that a processor has sent to a landlord's bank.
type Payout struct {
	Reference string // of the processor
	Amount    money.Cents
	Status    PayoutStatus
	CreatedAt clock.Time
	ArrivesOn clock.Date
	Failure   string // why it failed, "" where it did not
	Movements []Movement
}

// PayoutStatus is where a payout stands.
type PayoutStatus string

// The statuses of a payout.
const (
	PayoutPending  PayoutStatus = "pending" // also on its way
	PayoutPaid     PayoutStatus = "paid"
	PayoutFailed   PayoutStatus = "failed"
	PayoutCanceled PayoutStatus = "canceled"
)

// Values are all statuses.
func (PayoutStatus) Values() []string { return []string{"pending", "paid", "failed", "canceled"} }

// Accounts are the accounts of landlords with a processor that asks for one.
type Accounts interface {
	// Create makes the account of a portfolio. Asking again makes no second one.
	Create(ctx context.Context, by access.Actor, l *portfolio.Landlord) (reference string, err error)
	// Onboard opens the page of the processor on which a landlord says what it asks for, and is its address. It leads
	// back to one address, and to another one where a new page has to be opened.
	Onboard(ctx context.Context, by access.Actor, reference, returnTo, again string) (address string, err error)
	// Account is how an account stands.
	Account(ctx context.Context, by access.Actor, reference string) (Standing, error)
}

// Standing is how a landlord's account with a processor stands.
type Standing struct {
	Submitted bool     // the landlord has said what was asked
	Charges   bool     // payments are taken
	Payouts   bool     // money is paid out
	Due       []string // what the processor asks for, in its words
}

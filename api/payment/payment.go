// Package payment takes rent through payment processors: attempts to pay ledger rows, what processors say of them, and
// how that comes into the ledger.
//
// A processor is asked for the whole state of a payment, which is compared with what the ledger has. So what it reports
// may come in any order, repeated and late, and is booked once. Money and what the attempt shows of it commit together.
//
// It knows nothing of HTTP, SQL, queues or pages, and no processor.
package payment

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// Attempt is a payment of one or more ledger rows of a lease.
type Attempt struct {
	portfolio.Record
	LeaseID   string
	TenantID  string                   // who pays
	Processor string                   // such as simulated
	Account   *string                  // of the landlord at the processor
	Session   *string                  // of the processor's page, nil where there is none
	Reference *string                  // of the payment at the processor, nil until that is known
	Method    *portfolio.PaymentMethod // nil until the tenant has chosen
	Amount    money.Cents              // of the rows, without the fee
	// Fee is what the tenant pays on top of it for the payment itself, 0 where the landlord bears that. The processor
	// takes both together.
	Fee money.Cents
	// AutopayID is what paid it, nil where the tenant did on the processor's page.
	AutopayID *string
	Status    Status
	StartedOn clock.Date // by the portfolio's clock
	// ExpiresAt is until when the rows are kept for an open attempt, in real time.
	ExpiresAt clock.Time
	Shares    []ledger.Share // the oldest due first
	// Surplus is what has cleared and no row owed any more. The row CreditID is a credit of it.
	Surplus  money.Cents
	CreditID *string
	Refunded money.Cents
	// Why it failed, or went back.
	FailureCode, FailureMessage *string
	// Back is how the money went back, "" where it did not.
	Back   Back
	BackOn *clock.Date
	// When it cleared, went back, and came again after a dispute, by the portfolio's clock.
	ClearedAt, BackAt, RestoredAt *clock.Time
	// DisputeDueOn is until when a dispute can be answered.
	DisputeDueOn  *clock.Date
	DisputeStatus *string
	// Problem is what the processor says differently from the attempt, for a person to look at.
	Problem *string
	noted   bool // by what is booked right now
	// LookAt is when the processor is asked again, nil for never. In real time.
	LookAt *clock.Time
}

// Status is where an attempt stands.
type Status string

// The statuses of an attempt.
const (
	Open       Status = "open"       // the tenant is on the processor's page
	Processing Status = "processing" // sent, and not cleared
	Succeeded  Status = "succeeded"  // cleared; it may go back later
	Failed     Status = "failed"
	Canceled   Status = "canceled" // the tenant never sent it
)

// Values are all statuses.
func (Status) Values() []string {
	return []string{"open", "processing", "succeeded", "failed", "canceled"}
}

// SchemaName is the name of the OpenAPI component.
func (Status) SchemaName() string { return "PaymentAttemptStatus" }

// Back is how money that had cleared went back.
type Back string

// The ways in which all of a payment goes back.
const (
	Returned Back = "return"  // by the bank
	Disputed Back = "dispute" // by the bank of a card, which may come again
	Won      Back = "won"     // it was disputed, and has come again
)

// Total is what the processor takes.
func (a *Attempt) Total() money.Cents { return a.Amount + a.Fee }

// Processor takes payments. What it is asked may fail or be slow, and is asked again.
type Processor interface {
	// Name is stored with each attempt.
	Name() string
	// Start opens the page on which the tenant pays an attempt, and is its address. Starting an attempt again opens the
	// same payment.
	Start(ctx context.Context, by access.Actor, a *Attempt, returnTo string) (Started, error)
	// State is what has become of an attempt, with refunds that were asked for. It changes nothing.
	State(ctx context.Context, by access.Actor, a *Attempt, refunds []Refund) (State, error)
	// Cancel has an attempt be paid no more. One that was sent goes on: State tells.
	Cancel(ctx context.Context, by access.Actor, a *Attempt) error
	// Refund gives a part of an attempt back. Asking for the same refund again gives nothing back twice.
	Refund(ctx context.Context, by access.Actor, a *Attempt, r *Refund) error
	Charger
	Bookkeeper
}

// Started is a page on which a tenant can pay.
type Started struct {
	URL       string
	Session   *string // of the page, nil where the processor has no name for it
	Reference *string // of the payment, nil where the processor has no name for it yet
}

// State is all that a processor knows of an attempt.
type State struct {
	Status    Status
	Amount    money.Cents
	Currency  string
	Reference *string
	Account   *string
	Method    portfolio.PaymentMethod // once the tenant has sent it
	At        clock.Time              // when it got the status, by the portfolio's clock
	// Why it failed.
	FailureCode, FailureMessage *string
	// Refunds are those that it knows. One that was not asked for here has no ID, and none has a row then.
	Refunds []Refund
	Back    *WentBack
}

// WentBack is all of a payment going back.
type WentBack struct {
	How           Back
	At            clock.Time // by the portfolio's clock
	Code, Message string     // why
	DueOn         *clock.Date
	Status        string // of a dispute: needs_response, under_review, won or lost
}

// Refund is a part of what an attempt has paid of a row, to be given back.
type Refund struct {
	ID        string // rfd_…
	CreatedAt clock.Time
	AttemptID string
	PaymentID string
	Amount    money.Cents
	Status    RefundStatus
	Reason    string
	Reference *string
	At        clock.Time // when it was made, in what a processor reports
}

// RefundStatus is where a refund stands.
type RefundStatus string

// The statuses of a refund.
const (
	RefundPending   RefundStatus = "pending"
	RefundSucceeded RefundStatus = "succeeded"
	RefundFailed    RefundStatus = "failed"
)

// Store keeps attempts. Each method sees one portfolio, and answers for a record of another with fault.NotFound.
type Store interface {
	portfolio.Store
	AddAttempt(ctx context.Context, in access.Portfolio, a *Attempt) error
	SaveAttempt(ctx context.Context, in access.Portfolio, a *Attempt) error
	Attempt(ctx context.Context, in access.Portfolio, id string) (Attempt, error)
	// AttemptByReference is the id of the attempt that the processor calls so, or fault.NotFound.
	AttemptByReference(ctx context.Context, in access.Portfolio, reference string) (string, error)
	// OpenAttempts are those of a lease that are open.
	OpenAttempts(ctx context.Context, in access.Portfolio, leaseID string) ([]Attempt, error)
	// AttemptsOf are the latest of some leases, the latest first, at most so many.
	AttemptsOf(ctx context.Context, in access.Portfolio, leaseIDs []string, most int) ([]Attempt, error)
	// AttemptsOfPayment are the latest that were to pay a row or a part of it, the latest first, at most so many.
	AttemptsOfPayment(ctx context.Context, in access.Portfolio, paymentID string, most int) ([]Attempt, error)
	AddAutopay(ctx context.Context, in access.Portfolio, a *Autopay) error
	SaveAutopay(ctx context.Context, in access.Portfolio, a *Autopay) error
	Autopay(ctx context.Context, in access.Portfolio, id string) (Autopay, error)
	// AutopaysOf are those of some leases, the latest first.
	AutopaysOf(ctx context.Context, in access.Portfolio, leaseIDs []string) ([]Autopay, error)
	// AutopaysToAct names active ones that have something to do by a day, in ascending id.
	AutopaysToAct(ctx context.Context, in access.Portfolio, today clock.Date) ([]string, error)
	// AutopaysToLookAt is AttemptsToLookAt for autopay.
	AutopaysToLookAt(
		ctx context.Context, at clock.Time, most int, each func(in access.Portfolio, zone, autopayID string) error,
	) error
	// AttemptsMoved are those of which something has cleared, gone back or was refunded within a span, and those that
	// the processor calls by some references.
	AttemptsMoved(
		ctx context.Context, in access.Portfolio, from, to clock.Time, references []string,
	) ([]MovedAttempt, error)
	// LatestPayout is when the latest payout that is kept was made, nil where none is.
	LatestPayout(ctx context.Context, in access.Portfolio) (*clock.Time, error)
	// SavePayouts writes payouts with what they contain, or what has become of them since.
	SavePayouts(ctx context.Context, in access.Portfolio, all []Payout) error
	// Payouts are the latest before a moment, nil for the present, the latest first, at most so many, without what they
	// contain.
	Payouts(ctx context.Context, in access.Portfolio, before *clock.Time, most int) ([]KeptPayout, error)
	// Payout is one with what it contains, and reports whether there is one.
	Payout(ctx context.Context, in access.Portfolio, reference string) (p KeptPayout, known bool, err error)
	// RowsOfPayout names the ledger rows whose money a payout contains, at most so many.
	RowsOfPayout(ctx context.Context, in access.Portfolio, reference string, most int) ([]string, error)
	AccountStore
	// OnlineFee is what tenants of a portfolio pay on top of each online payment.
	OnlineFee(ctx context.Context, in access.Portfolio) (money.Cents, error)
	SetOnlineFee(ctx context.Context, in access.Portfolio, fee money.Cents) error
	AddRefund(ctx context.Context, in access.Portfolio, r *Refund) error
	SaveRefund(ctx context.Context, in access.Portfolio, r *Refund) error
	RefundsOf(ctx context.Context, in access.Portfolio, attemptID string) ([]Refund, error)
	Payment(ctx context.Context, in access.Portfolio, id string) (portfolio.Payment, error)
	RowsOfLeases(ctx context.Context, in access.Portfolio, leaseIDs []string) (map[string][]portfolio.Payment, error)
	// OnlinePayments is which payments tenants of a lease can make online.
	OnlinePayments(ctx context.Context, in access.Portfolio, leaseID string) (Allowed, error)
	SetOnlinePayments(ctx context.Context, in access.Portfolio, leaseID string, allowed Allowed) error
	// AttemptsToLookAt calls back with attempts of open accounts of which a processor is to be asked by a moment, at
	// most so many.
	AttemptsToLookAt(
		ctx context.Context, at clock.Time, most int, each func(in access.Portfolio, zone, attemptID string) error,
	) error
}

// Allowed is which payments tenants of a lease can make online.
type Allowed string

// What a landlord allows.
const (
	AllowAll   Allowed = "all"
	AllowWhole Allowed = "whole" // whole charges, and no part of one
	AllowNone  Allowed = "none"
)

// Values are all of them.
func (Allowed) Values() []string { return []string{"all", "whole", "none"} }

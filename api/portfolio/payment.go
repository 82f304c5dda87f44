package portfolio

import (
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
)

// Payment is a row of the rent ledger: a charge and what became of it.
type Payment struct {
	Record         `object:"payment" prefix:"pay"`
	LeaseID        string         `json:"lease_id" format:"id" prefix:"lea" doc:"The lease it is charged under."`
	TenantID       string         `json:"tenant_id" format:"id" prefix:"ten" doc:"The tenant who owes it."`
	UnitID         string         `json:"unit_id" format:"id" prefix:"unit" doc:"The unit."`
	PropertyID     string         `json:"property_id" format:"id" prefix:"prop" doc:"The property."`
	Type           PaymentType    `json:"type" example:"rent" doc:"What is charged."`
	FeeType        *FeeType       `json:"fee_type" doc:"The kind of a fee; null for rent and deposits."`
	Description    *string        `json:"description" maxlen:"255" example:"Rent for November 2026" doc:"One line for people."`
	Amount         money.Cents    `json:"amount" doc:"What is owed, in dollars."`
	AmountPaid     money.Cents    `json:"amount_paid" doc:"What has been paid of it, in dollars."`
	BalanceDue     money.Cents    `json:"balance_due" doc:"What remains to be paid, in dollars; 0 once void or refunded."`
	Currency       string         `json:"currency" const:"USD" doc:"Currency of the amounts."`
	Status         PaymentStatus  `json:"status" example:"succeeded" doc:"Where the row stands."`
	Method         *PaymentMethod `json:"method" example:"ach" doc:"How it was or is being paid."`
	DueDate        clock.Date     `json:"due_date" doc:"Day on which it is due."`
	PeriodStart    *clock.Date    `json:"period_start" doc:"First day that rent covers."`
	PeriodEnd      *clock.Date    `json:"period_end" doc:"Last day that rent covers."`
	Overdue        bool           `json:"overdue" doc:"Whether it is unpaid after its due date, in the landlord's time zone."`
	DaysOverdue    int            `json:"days_overdue" min:"0" doc:"Days since the due date of an overdue row, else 0."`
	InitiatedAt    *clock.Time    `json:"initiated_at" doc:"When the latest payment was started."`
	PaidAt         *clock.Time    `json:"paid_at" doc:"When it was paid in full."`
	FailureCode    *string        `json:"failure_code" maxlen:"80" example:"insufficient_funds" doc:"Why the latest payment failed, for programs."`
	FailureMessage *string        `json:"failure_message" by:"processor" maxlen:"255" doc:"Why the latest payment failed, for people."`
	Reference      *string        `json:"reference" maxlen:"127" example:"check 1182" doc:"The landlord's or the processor's reference."`
}

// PaymentType is what a row charges.
type PaymentType string

// The types of a row.
const (
	PaymentRent    PaymentType = "rent"
	PaymentDeposit PaymentType = "deposit"
	PaymentFee     PaymentType = "fee"
)

// Values are all types of a row.
func (PaymentType) Values() []string { return []string{"rent", "deposit", "fee"} }

// FeeType is a kind of fee.
type FeeType string

// Values are all kinds of fee.
func (FeeType) Values() []string {
	return []string{"late", "returned_payment", "application", "pet", "utility", "parking", "other"}
}

// PaymentStatus is where a ledger row stands.
type PaymentStatus string

// The statuses of a ledger row.
const (
	PaymentScheduled     PaymentStatus = "scheduled"
	PaymentDue           PaymentStatus = "due"
	PaymentProcessing    PaymentStatus = "processing"
	PaymentPartiallyPaid PaymentStatus = "partially_paid"
	PaymentSucceeded     PaymentStatus = "succeeded"
	PaymentFailed        PaymentStatus = "failed"
	PaymentRefunded      PaymentStatus = "refunded"
	PaymentVoid          PaymentStatus = "void"
)

// Values are all statuses of a ledger row.
func (PaymentStatus) Values() []string {
	return []string{"scheduled", "due", "processing", "partially_paid", "succeeded", "failed", "refunded", "void"}
}

// PaymentMethod is a way to pay.
type PaymentMethod string

// The ways to pay that go through a processor.
const (
	PayByACH  PaymentMethod = "ach"
	PayByCard PaymentMethod = "card"
)

// Values are all ways to pay.
func (PaymentMethod) Values() []string {
	return []string{"ach", "card", "check", "cash", "money_order", "bank_transfer", "other"}
}

// reckon fills what is computed: the balance, and whether the row is overdue on a
// day. A row whose money is under way is not overdue.
func (p *Payment) compute(today clock.Date) {
	p.BalanceDue = max(p.Amount-p.AmountPaid, 0)
	if p.Status == PaymentVoid || p.Status == PaymentRefunded {
		p.BalanceDue = 0
	}
	p.Overdue = p.Status.unpaid() && p.DueDate < today
	p.DaysOverdue = 0
	if p.Overdue {
		p.DaysOverdue = int(today - p.DueDate)
	}
}

// PaymentFilter narrows a list of ledger rows.
type PaymentFilter struct {
	list.Query
	Status     PaymentStatus `in:"query" name:"status" doc:"Only rows of this status."`
	Type       PaymentType   `in:"query" name:"type" doc:"Only rows of this type."`
	Method     PaymentMethod `in:"query" name:"method" doc:"Only rows paid in this way."`
	LeaseID    string        `in:"query" name:"lease_id" format:"ref" prefix:"lea" doc:"Only rows of this lease."`
	TenantID   string        `in:"query" name:"tenant_id" format:"ref" prefix:"ten" doc:"Only rows of this tenant."`
	PropertyID string        `in:"query" name:"property_id" format:"ref" prefix:"prop" doc:"Only rows of this property."`
	UnitID     string        `in:"query" name:"unit_id" format:"ref" prefix:"unit" doc:"Only rows of this unit."`
	DueAfter   *clock.Date   `in:"query" name:"due_after" doc:"Only rows due after this day."`
	DueBefore  *clock.Date   `in:"query" name:"due_before" doc:"Only rows due before this day."`
	Overdue    *bool         `in:"query" name:"overdue" doc:"Only rows that are overdue, or only rows that are not."`
}

package portfolio

import (
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
)

// Payment is a row of the rent ledger: a charge and what became of it.
type Payment struct {
	Record `object:"payment" prefix:"pay"`
	// The lease it is charged under.
	LeaseID string `json:"lease_id" format:"id" prefix:"lea"`
	// The tenant who owes it.
	TenantID string `json:"tenant_id" format:"id" prefix:"ten"`
	// The unit.
	UnitID string `json:"unit_id" format:"id" prefix:"unit"`
	// The property.
	PropertyID string `json:"property_id" format:"id" prefix:"prop"`
	// What is charged.
	Type PaymentType `json:"type" example:"rent"`
	// The kind of a fee; null for rent and deposits.
	FeeType *FeeType `json:"fee_type"`
	// One line for people.
	Description *string `json:"description" maxlen:"255" example:"Rent for November 2026"`
	// What is charged, in dollars; below 0 for a row that takes a part of another one back.
	Amount money.Cents `json:"amount"`
	// What has been paid of it, or forgiven, in dollars.
	AmountPaid money.Cents `json:"amount_paid"`
	// What remains to be paid, in dollars; 0 once void or refunded, below 0 for a credit that is left.
	BalanceDue money.Cents `json:"balance_due"`
	// Currency of the amounts.
	Currency string `json:"currency" const:"USD"`
	// Where the row stands.
	Status PaymentStatus `json:"status" example:"succeeded"`
	// How it was or is being paid.
	Method *PaymentMethod `json:"method" example:"ach"`
	// Day on which it is due.
	DueDate clock.Date `json:"due_date"`
	// First day that rent covers.
	PeriodStart *clock.Date `json:"period_start"`
	// Last day that rent covers.
	PeriodEnd *clock.Date `json:"period_end"`
	// Whether it is unpaid after its due date, in the landlord's time zone.
	Overdue bool `json:"overdue"`
	// Days since the due date of an overdue row, else 0.
	DaysOverdue int `json:"days_overdue" min:"0"`
	// When the latest payment was started.
	InitiatedAt *clock.Time `json:"initiated_at"`
	// When it was paid in full: the day of the last part of it, whichever was recorded last.
	PaidAt *clock.Time `json:"paid_at"`
	// ReceivedAt is the day of the last part so far, of those that were recorded since it is kept.
	ReceivedAt *clock.Time `json:"-"`
	// Why the latest payment failed, for programs.
	FailureCode *string `json:"failure_code" maxlen:"80" example:"insufficient_funds"`
	// Why the latest payment failed, for people.
	FailureMessage *string `json:"failure_message" by:"processor" maxlen:"255"`
	// The landlord's or the processor's reference.
	Reference *string `json:"reference" maxlen:"127" example:"check 1182"`
	// The row that this one takes a part of back; null for one that charges.
	ReversesPaymentID *string `json:"reverses_payment_id" format:"id" prefix:"pay"`
	// The latest payment through a processor that it was part of; null for none.
	PaymentID *string `json:"payment_id" format:"id" prefix:"pmt"`
	// UnderWay is what is under way of it through a processor, in dollars.
	UnderWay money.Cents `json:"-"`
	// Charge names what of its lease's schedule the row charges, nil for what it charges otherwise. Of several rows of
	// one charge, each has a part of its own, from 0.
	Charge *string `json:"-"`
	Part   int     `json:"-"`
	// LateFeeOn is the day on which a late fee for the row is looked at, nil for never.
	LateFeeOn *clock.Date `json:"-"`
	// LateAfter is the day after which the days of grace count where it is later than the due date.
	LateAfter clock.Date `json:"-"`
	// MonthlyRent is the monthly rent by which rent was charged, 0 where that is not known.
	MonthlyRent money.Cents `json:"-"`
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

// The kinds of fees that rules charge.
const (
	LateFee     FeeType = "late"
	ReturnedFee FeeType = "returned_payment"
	OtherFee    FeeType = "other"
)

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

// Compute fills what is computed: the balance, and whether the row is overdue on a
// day. A row whose money is under way is not overdue.
func (p *Payment) Compute(today clock.Date) {
	p.BalanceDue = p.Amount - p.AmountPaid
	if p.Status == PaymentVoid || p.Status == PaymentRefunded {
		p.BalanceDue = 0
	}
	p.Overdue = p.Status.Unpaid() && p.DueDate < today && p.Amount > 0
	p.DaysOverdue = 0
	if p.Overdue {
		p.DaysOverdue = int(today - p.DueDate)
	}
}

// PaymentFilter narrows a list of ledger rows.
type PaymentFilter struct {
	list.Query
	// Only rows of this status.
	Status PaymentStatus `in:"query" name:"status"`
	// Only rows of this type.
	Type PaymentType `in:"query" name:"type"`
	// Only rows whose latest payment was made in this way. Parts of them may have been paid in other ways, or forgiven.
	Method PaymentMethod `in:"query" name:"method"`
	// Only rows of this lease.
	LeaseID string `in:"query" name:"lease_id" format:"ref" prefix:"lea"`
	// Only rows of this tenant.
	TenantID string `in:"query" name:"tenant_id" format:"ref" prefix:"ten"`
	// Only rows of this property.
	PropertyID string `in:"query" name:"property_id" format:"ref" prefix:"prop"`
	// Only rows of this unit.
	UnitID string `in:"query" name:"unit_id" format:"ref" prefix:"unit"`
	// Only rows due after this day.
	DueAfter *clock.Date `in:"query" name:"due_after"`
	// Only rows due before this day.
	DueBefore *clock.Date `in:"query" name:"due_before"`
	// Only rows that are overdue, or only rows that are not.
	Overdue *bool  `in:"query" name:"overdue"`
	Named   *Named `json:"-"` // only rows that name what a search has found
}

// GraceAfter is the day after which the days of grace count.
func (p *Payment) GraceAfter() clock.Date { return max(p.DueDate, p.LateAfter) }

// Voidable reports whether a row can be taken back.
func (p *Payment) Voidable() bool { return p.Payable() && p.Untouched() }

// Untouched reports whether nothing of a row has been paid and nothing is under way.
func (p *Payment) Untouched() bool { return p.AmountPaid == 0 && p.UnderWay == 0 }

// Left is what can still be paid of a row, in dollars: what is under way is not.
func (p *Payment) Left() money.Cents {
	if !p.Payable() {
		return 0
	}
	return max(0, p.Amount-p.AmountPaid-p.UnderWay)
}

// Payable reports whether money for a row can be recorded.
func (p *Payment) Payable() bool { return p.Status.Payable() && p.Amount > 0 }

// Forgiven reports whether a row takes a part of another one back that nobody owes any more.
func (p *Payment) Forgiven() bool {
	return p.ReversesPaymentID != nil && p.Charge == nil && p.Status != PaymentVoid
}

// Credit reports whether a row is owed to the tenants, and nothing is under way of it.
func (p *Payment) Credit() bool { return p.Status.Payable() && p.Amount < 0 }

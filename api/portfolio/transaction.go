package portfolio

import (
	"strconv"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
)

// Transaction is a movement of the money of a ledger row. It is added and never changed: what the row shows of payment
// follows from all of them.
type Transaction struct {
	// The transaction.
	ID string `json:"id" format:"id" prefix:"txn"`
	// What moved the money.
	Kind TransactionKind `json:"kind"`
	// How it moved; null for a correction of a charge.
	Method *PaymentMethod `json:"method"`
	// What it adds to amount_paid once it has succeeded, in dollars; below 0 for money that went back.
	Amount money.Cents `json:"amount"`
	// Whether it is under way, has moved, or failed.
	Status TransactionStatus `json:"status"`
	// The landlord's or the processor's reference.
	Reference *string `json:"reference" maxlen:"127" example:"check 1182"`
	// Why it failed, for programs.
	FailureCode *string `json:"failure_code" maxlen:"80" example:"insufficient_funds"`
	// Why it failed, for people.
	FailureMessage *string `json:"failure_message" by:"processor" maxlen:"255"`
	// When the money moved, or was sent on its way: the day that was recorded of what was paid by hand.
	OccurredAt clock.Time `json:"occurred_at"`
	// Who told of it.
	RecordedBy Recorder `json:"recorded_by"`

	// AttemptID is the payment through a processor that it is a part of, nil for none.
	AttemptID *string `json:"-"`
	// Corrects is the transaction that a correction takes back, nil for none.
	Corrects *string `json:"-"`
	// Reason is why a correction was made.
	Reason *string `json:"-"`
}

// SchemaName is the name of the OpenAPI component.
func (Transaction) SchemaName() string { return "PaymentTransaction" }

// TransactionKind is what moves money.
type TransactionKind string

// The kinds of transactions.
const (
	TransactionPayment    TransactionKind = "payment"
	TransactionReturn     TransactionKind = "return"
	TransactionRefund     TransactionKind = "refund"
	TransactionDispute    TransactionKind = "dispute"
	TransactionCorrection TransactionKind = "correction"
)

// Values are all kinds.
func (TransactionKind) Values() []string {
	return []string{"payment", "return", "refund", "dispute", "correction"}
}

// TransactionStatus is where a transaction stands.
type TransactionStatus string

// The statuses of a transaction.
const (
	TransactionProcessing TransactionStatus = "processing"
	TransactionSucceeded  TransactionStatus = "succeeded"
	TransactionFailed     TransactionStatus = "failed"
)

// Values are all statuses.
func (TransactionStatus) Values() []string { return []string{"processing", "succeeded", "failed"} }

// Recorder is who tells of a transaction.
type Recorder string

// Those who tell of transactions.
const (
	ByProcessor Recorder = "processor"
	ByDashboard Recorder = "dashboard"
	ByAPI       Recorder = "api"
)

// Values are all of them.
func (Recorder) Values() []string { return []string{"processor", "dashboard", "api"} }

// PaymentWithTransactions is a ledger row with the movements of its money.
type PaymentWithTransactions struct {
	Payment
	// Every movement of its money, in the order in which they were recorded.
	Transactions []Transaction `json:"transactions"`
}

// SchemaName is the name of the OpenAPI component.
func (PaymentWithTransactions) SchemaName() string { return "PaymentWithTransactionsOut" }

// ByHand reports whether money that moved in a way was recorded by a person, and not by a processor.
func (m PaymentMethod) ByHand() bool { return m != PayByACH && m != PayByCard }

// recorder is who tells of money that moved in a way.
func (m PaymentMethod) recorder() Recorder {
	if m.ByHand() {
		return ByDashboard
	}
	return ByProcessor
}

// Correctable reports whether a transaction of a row can be taken back as recorded in error: money that a person
// recorded, and that no other transaction takes back. What a row tells of itself may be several payments, some of them
// through a processor if one was ever started, and is not taken back then.
func (p *Payment) Correctable(t *Transaction, all []Transaction) bool {
	return t.Kind == TransactionPayment && t.Status == TransactionSucceeded && t.RecordedBy != ByProcessor &&
		!t.Corrected(all) && (p.InitiatedAt == nil || !p.Implies(t))
}

// Implies reports whether a transaction is one that the row told of itself, whose id has the time of the row's.
func (p *Payment) Implies(t *Transaction) bool {
	at, _ := id.Time(t.ID)
	row, _ := id.Time(p.ID)
	return at.Equal(row)
}

// Corrected reports whether another of all transactions of a row takes one back.
func (t *Transaction) Corrected(all []Transaction) bool {
	for i := range all {
		if all[i].Corrects != nil && *all[i].Corrects == t.ID {
			return true
		}
	}
	return false
}

// ByCredit reports whether a transaction is one of the two by which a credit pays a charge of the same lease.
func (t *Transaction) ByCredit() bool {
	return t.Kind == TransactionCorrection && t.Corrects == nil && t.Reason == nil && t.Reference != nil
}

// Derive sets what a row shows of payment by its transactions: amount_paid, what is under way, status, method,
// reference, failure, and when it was started and paid. The day decides whether a row of which nothing is paid is due.
// It is not for rows that are void.
func (p *Payment) Derive(all []Transaction, today clock.Date) {
	p.AmountPaid, p.UnderWay, p.Method, p.ReceivedAt = 0, 0, nil, nil
	p.FailureCode, p.FailureMessage = nil, nil
	known, started := text(p.PaymentID), p.InitiatedAt
	reference := p.Reference
	p.Reference = nil
	last := TransactionStatus("")
	var back TransactionKind // what money went back by last, once nothing of it is left
	var settled *clock.Time
	underWay := map[string]money.Cents{} // by the payment that it is a part of
	for i := range all {
		t := &all[i]
		if t.Status == TransactionSucceeded {
			p.AmountPaid += t.Amount
		}
		if t.Kind != TransactionPayment {
			back = t.Kind
			won := t.Kind == TransactionDispute && t.Amount > 0 // the money has come again
			if t.FailureCode != nil || won {
				p.FailureCode, p.FailureMessage = t.FailureCode, t.FailureMessage
			}
			if t.Kind == TransactionCorrection || p.Amount < 0 {
				settled = new(t.OccurredAt)
			}
			if t.Kind == TransactionRefund && p.Amount < 0 { // money that went back to the tenants
				p.Method, p.Reference = t.Method, t.Reference
			}
			continue
		}
		attempt := text(t.AttemptID)
		_, begun := underWay[attempt]
		if t.AttemptID != nil && !begun { // it was sent and decided on at once
			if p.InitiatedAt = started; attempt != known || started == nil {
				p.InitiatedAt = new(t.OccurredAt)
			}
		}
		delete(underWay, attempt)
		if t.Corrected(all) {
			continue
		}
		back, last = "", t.Status
		p.Method = t.Method
		if t.AttemptID != nil {
			p.PaymentID = t.AttemptID
		}
		switch t.Status {
		case TransactionProcessing:
			underWay[attempt] = t.Amount
			p.InitiatedAt = new(t.OccurredAt)
			if p.Reference = t.Reference; t.Reference == nil {
				p.Reference = reference
			}
			p.FailureCode, p.FailureMessage = nil, nil
		case TransactionSucceeded:
			p.Reference = t.Reference
			if p.ReceivedAt == nil || *p.ReceivedAt < t.OccurredAt {
				p.ReceivedAt = new(t.OccurredAt)
			}
			p.FailureCode, p.FailureMessage = nil, nil
		case TransactionFailed:
			p.Reference = t.Reference
			p.FailureCode, p.FailureMessage = t.FailureCode, t.FailureMessage
		}
	}
	for _, amount := range underWay {
		p.UnderWay += amount
	}
	p.Status = p.standing(last, back, today)
	switch {
	case p.Status == PaymentSucceeded:
		if p.PaidAt = p.ReceivedAt; p.PaidAt == nil || settled != nil && *settled > *p.PaidAt {
			p.PaidAt = settled
		}
	case p.Status != PaymentRefunded:
		p.PaidAt = nil
	}
}

// text is what a pointer points to, "" for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// standing is the status of a row of which so much is paid and under way, whose latest payment has a status, and of
// which money went back last by some kind of transaction. It is processing only where all that is owed is under way, so
// that another tenant can pay the rest.
func (p *Payment) standing(last TransactionStatus, back TransactionKind, today clock.Date) PaymentStatus {
	switch {
	case p.UnderWay > 0 && p.UnderWay >= p.Amount-p.AmountPaid:
		return PaymentProcessing
	case p.AmountPaid == p.Amount:
		return PaymentSucceeded
	case p.AmountPaid != 0:
		return PaymentPartiallyPaid
	case back == TransactionRefund:
		return PaymentRefunded
	case back == TransactionReturn, back == TransactionDispute, last == TransactionFailed:
		return PaymentFailed
	case p.DueDate > today:
		return PaymentScheduled
	}
	return PaymentDue
}

// Told are the transactions of a row: those that are stored, and what the row tells beside them. Rows that were written
// before transactions were kept, and what a process of the version before writes beside this one, have none stored.
func (p *Payment) Told(stored []Transaction) []Transaction {
	all := append([]Transaction{}, stored...)
	add := func(t Transaction) {
		t.ID = id.Derived(
			id.Transaction,
			p.ID,
			"version "+strconv.FormatInt(p.Version, 10)+" "+strconv.Itoa(len(all)-len(stored)),
		)
		t.Method, t.Reference = p.Method, p.Reference
		t.RecordedBy = ByDashboard
		if p.Method != nil {
			t.RecordedBy = p.Method.recorder()
		}
		if t.RecordedBy == ByProcessor {
			t.AttemptID = p.PaymentID
		}
		all = append(all, t)
	}
	shown := *p
	shown.Derive(stored, p.DueDate)
	received := p.UpdatedAt
	switch {
	case p.ReceivedAt != nil:
		received = *p.ReceivedAt
	case p.PaidAt != nil:
		received = *p.PaidAt
	}
	paid := p.AmountPaid
	if p.Status == PaymentRefunded {
		paid = p.Amount
	}
	if back := shown.Status == PaymentRefunded; paid != shown.AmountPaid && !back {
		add(Transaction{
			Kind:       TransactionPayment,
			Amount:     paid - shown.AmountPaid,
			Status:     TransactionSucceeded,
			OccurredAt: received,
		})
	}
	if p.Status == shown.Status {
		return all
	}
	switch p.Status {
	case PaymentRefunded:
		add(Transaction{
			Kind: TransactionRefund, Amount: -paid, Status: TransactionSucceeded, OccurredAt: p.UpdatedAt,
		})
	case PaymentProcessing:
		started := p.UpdatedAt
		if p.InitiatedAt != nil {
			started = *p.InitiatedAt
		}
		add(Transaction{
			Kind: TransactionPayment, Amount: p.Amount - paid, Status: TransactionProcessing, OccurredAt: started,
		})
	case PaymentFailed:
		add(Transaction{
			Kind: TransactionPayment, Amount: p.Amount - paid, Status: TransactionFailed, OccurredAt: p.UpdatedAt,
			FailureCode: p.FailureCode, FailureMessage: p.FailureMessage,
		})
	case PaymentScheduled, PaymentDue, PaymentPartiallyPaid, PaymentSucceeded, PaymentVoid: // no movement tells of it
	}
	return all
}

package ledger

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
)

// Attempt is a payment of rows of a lease through a processor, as far as the ledger knows it.
type Attempt struct {
	ID      string // pmt_…
	LeaseID string
	Method  portfolio.PaymentMethod
	// Reference is what the processor calls the payment, for people.
	Reference *string
	Shares    []Share // the oldest due first
}

// Share is the part of an attempt that pays a row.
type Share struct {
	PaymentID string
	Amount    money.Cents // more than 0
}

// Moved is what has happened to the money of an attempt.
type Moved struct {
	// At is when, by the portfolio's clock.
	At clock.Time
	// FailureCode and FailureMessage say why it failed or went back, nil where it did not.
	FailureCode, FailureMessage *string
}

// BeginAttempt notes that the money of an attempt is under way. Of a row that owes less than its share by now, the rest
// is under way.
func (s *Ledger) BeginAttempt(ctx context.Context, by access.Actor, a *Attempt, m Moved) error {
	return s.eachShare(ctx, by, a, func(r *row, share money.Cents) { a.begin(r, share, m) })
}

// ClearAttempt notes that the money of an attempt has cleared, and raises payment.succeeded for each row of rent. What
// the rows do not owe any more becomes a credit of the lease: surplus is that, and creditID its row, "" for none.
func (s *Ledger) ClearAttempt(
	ctx context.Context, by access.Actor, a *Attempt, m Moved,
) (surplus money.Cents, creditID string, err error) {
	err = s.eachShare(ctx, by, a, func(r *row, share money.Cents) { surplus += a.clear(r, share, m) })
	if err != nil || surplus == 0 {
		return 0, "", err
	}
	credit, err := s.surplusRow(ctx, by, a, portfolio.OtherFee, overpaid, -surplus)
	return surplus, credit, err
}

// FailAttempt notes that the money of an attempt did not come, and why.
func (s *Ledger) FailAttempt(ctx context.Context, by access.Actor, a *Attempt, m Moved) error {
	return s.eachShare(ctx, by, a, func(r *row, share money.Cents) { a.fail(r, share, m) })
}

// TakeAttemptBack notes that all that has cleared of an attempt, and was not refunded, has gone back: by a return of
// the bank, which brings the fee of the lease for a returned payment once, or by a dispute. A surplus that had become a
// credit is owed again.
func (s *Ledger) TakeAttemptBack(
	ctx context.Context, by access.Actor, a *Attempt, kind portfolio.TransactionKind, surplus money.Cents, m Moved,
) error {
	fee := kind == portfolio.TransactionReturn
	err := s.eachShare(ctx, by, a, func(r *row, _ money.Cents) {
		cleared, of := r.clearedBy(a.ID)
		if cleared <= 0 {
			return
		}
		back := a.movement(kind, -cleared, portfolio.TransactionSucceeded, m)
		if of != nil && of.Amount == cleared {
			back.Corrects = &of.ID
		}
		r.add(back)
		r.withoutFee, fee = !fee, false
	})
	if err != nil || surplus == 0 {
		return err
	}
	_, err = s.surplusRow(ctx, by, a, portfolio.ReturnedFee, "Returned payment: credit taken back", surplus)
	return err
}

// RestoreAttempt notes that money of an attempt that a dispute had taken back has come again, with the surplus that had
// become a credit. What the rows do not owe any more becomes one.
func (s *Ledger) RestoreAttempt(
	ctx context.Context, by access.Actor, a *Attempt, surplus money.Cents, m Moved,
) error {
	err := s.eachShare(ctx, by, a, func(r *row, _ money.Cents) {
		disputed := max(0, -r.sumOf(a.ID, portfolio.TransactionDispute))
		amount := min(disputed, r.Left())
		if surplus += disputed - amount; amount > 0 {
			r.add(a.movement(portfolio.TransactionDispute, amount, portfolio.TransactionSucceeded, m))
		}
	})
	if err != nil || surplus == 0 {
		return err
	}
	_, err = s.surplusRow(ctx, by, a, portfolio.OtherFee, overpaid, -surplus)
	return err
}

// overpaid describes the credit that a surplus becomes.
const overpaid = "Credit: paid more than was owed"

// RefundAttempt notes that so much of what an attempt has paid of a row went back to who paid it, at most what is left
// of it.
func (s *Ledger) RefundAttempt(
	ctx context.Context, by access.Actor, a *Attempt, paymentID string, amount money.Cents, m Moved,
) (refunded money.Cents, err error) {
	one := *a
	one.Shares = []Share{{paymentID, amount}}
	err = s.eachShare(ctx, by, &one, func(r *row, amount money.Cents) {
		cleared, _ := r.clearedBy(a.ID)
		if refunded = min(amount, cleared); refunded > 0 {
			r.add(a.movement(portfolio.TransactionRefund, -refunded, portfolio.TransactionSucceeded, m))
		}
	})
	return refunded, err
}

// Touch gives a row a new version, so that a form of the one before is out of date: something was asked for that the
// row does not show yet.
func (s *Ledger) Touch(ctx context.Context, by access.Actor, paymentID string) error {
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		p, err := s.store.Payment(ctx, by.Portfolio, paymentID)
		if err != nil {
			return err
		}
		stored, err := s.store.Transactions(ctx, by.Portfolio, p.ID)
		if err != nil {
			return err
		}
		all := p.Told(stored) // which has ids that follow from the version, unless it is stored
		p.Derive(all, s.Today(by))
		p.Revise(clock.At(s.Now(by.Portfolio)))
		if err := s.store.SavePayment(ctx, by.Portfolio, &p); err != nil {
			return err
		}
		return s.store.AddTransactions(ctx, by.Portfolio, p.ID, len(stored), all[len(stored):])
	})
}

// eachShare takes a step with the row of each share, in one transaction.
func (s *Ledger) eachShare(ctx context.Context, by access.Actor, a *Attempt, step func(*row, money.Cents)) error {
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		for _, share := range a.Shares {
			p, err := s.store.Payment(ctx, by.Portfolio, share.PaymentID)
			if err != nil {
				return err
			}
			if err := s.take(ctx, by, &p, func(r *row) { step(r, share.Amount) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// take takes a step of an attempt with a row, and tells the outside what has cleared of rent.
func (s *Ledger) take(ctx context.Context, by access.Actor, p *portfolio.Payment, step func(*row)) error {
	stored, err := s.store.Transactions(ctx, by.Portfolio, p.ID)
	if err != nil {
		return err
	}
	r := &row{Payment: p, all: p.Told(stored), newID: func() string {
		return id.New(id.Transaction, s.Now(by.Portfolio))
	}}
	step(r)
	if !r.added {
		return nil
	}
	p.Derive(r.all, s.Today(by))
	p.Revise(clock.At(s.Now(by.Portfolio)))
	if err := s.store.SavePayment(ctx, by.Portfolio, p); err != nil {
		return err
	}
	added := r.all[len(stored):]
	if err := s.store.AddTransactions(ctx, by.Portfolio, p.ID, len(stored), added); err != nil {
		return err
	}
	if err := s.followPayment(ctx, by, p, r.all, added, r.withoutFee); err != nil {
		return err
	}
	last := &r.all[len(r.all)-1]
	if p.Type != portfolio.PaymentRent || last.Kind != portfolio.TransactionPayment ||
		last.Status != portfolio.TransactionSucceeded {
		return nil
	}
	p.Compute(s.Today(by))
	return s.Raise(ctx, by, event.PaymentSucceeded, &event.ClearedPayment{Object: *p, Transaction: *last})
}

// begin has a share be under way, at most what the row still owes.
func (a *Attempt) begin(r *row, share money.Cents, m Moved) {
	if amount := min(share, r.Left()); amount > 0 && r.underWay(a.ID) == 0 {
		r.add(a.payment(amount, portfolio.TransactionProcessing, m))
	}
}

// clear pays a share, at most what the row owes, and is the rest.
func (a *Attempt) clear(r *row, share money.Cents, m Moved) (rest money.Cents) {
	own := r.underWay(a.ID)
	amount := min(share, r.Left()+own)
	if amount > 0 {
		r.add(a.payment(amount, portfolio.TransactionSucceeded, m))
	}
	return share - amount
}

// fail has a share not come.
func (a *Attempt) fail(r *row, share money.Cents, m Moved) {
	amount := r.underWay(a.ID)
	if amount == 0 {
		amount = min(share, r.Left())
	}
	if amount > 0 {
		r.add(a.payment(amount, portfolio.TransactionFailed, m))
	}
}

// payment is a transaction by which an attempt pays a row.
func (a *Attempt) payment(
	amount money.Cents, status portfolio.TransactionStatus, m Moved,
) portfolio.Transaction {
	return a.movement(portfolio.TransactionPayment, amount, status, m)
}

func (a *Attempt) movement(
	kind portfolio.TransactionKind, amount money.Cents, status portfolio.TransactionStatus, m Moved,
) portfolio.Transaction {
	return portfolio.Transaction{
		Kind:           kind,
		Method:         &a.Method,
		Amount:         amount,
		Status:         status,
		Reference:      a.Reference,
		FailureCode:    m.FailureCode,
		FailureMessage: m.FailureMessage,
		OccurredAt:     m.At,
		RecordedBy:     portfolio.ByProcessor,
		AttemptID:      &a.ID,
	}
}

// surplusRow is the id of a new row for money of an attempt that no row of it owes, or for such money that went back.
func (s *Ledger) surplusRow(
	ctx context.Context, by access.Actor, a *Attempt, kind portfolio.FeeType, words string, amount money.Cents,
) (rowID string, err error) {
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		l, err := s.store.Lease(ctx, by.Portfolio, a.LeaseID)
		if err != nil {
			return err
		}
		today := s.Today(by)
		auto := automatic{Ledger: s, by: by, today: today}
		row := auto.fee(&l, kind, words, amount, today)
		rowID, row.PaymentID = row.ID, &a.ID
		if err := s.store.AddPayments(ctx, by.Portfolio, []portfolio.Payment{row}); err != nil {
			return err
		}
		return s.applyCredits(ctx, by, l.ID)
	})
	return rowID, err
}

// underWay is what is under way of the row by an attempt.
func (r *row) underWay(attemptID string) (amount money.Cents) {
	for i := range r.all {
		t := &r.all[i]
		if t.AttemptID == nil || *t.AttemptID != attemptID || t.Kind != portfolio.TransactionPayment {
			continue
		}
		if amount = 0; t.Status == portfolio.TransactionProcessing {
			amount = t.Amount
		}
	}
	return amount
}

// clearedBy is what an attempt has paid of the row and did not go back, and the transaction that paid it.
func (r *row) clearedBy(attemptID string) (amount money.Cents, of *portfolio.Transaction) {
	for i := range r.all {
		t := &r.all[i]
		if t.AttemptID == nil || *t.AttemptID != attemptID || t.Status != portfolio.TransactionSucceeded {
			continue
		}
		if amount += t.Amount; t.Kind == portfolio.TransactionPayment {
			of = t
		}
	}
	return amount, of
}

// sumOf adds up the transactions of a kind of an attempt.
func (r *row) sumOf(attemptID string, kind portfolio.TransactionKind) (sum money.Cents) {
	for i := range r.all {
		if t := &r.all[i]; t.AttemptID != nil && *t.AttemptID == attemptID && t.Kind == kind {
			sum += t.Amount
		}
	}
	return sum
}

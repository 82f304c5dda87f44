package portfolio

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
)

// ChargeCreate is a fee or a deposit to be charged under a lease. Rent is charged by
// ChargeRent.
type ChargeCreate struct {
	Type        PaymentType
	FeeType     *FeeType // of a fee, nil for a deposit
	Description *string  // 255 characters at most
	Amount      money.Cents
	DueDate     clock.Date
	// Seen is the newest ledger row of the lease that the caller has seen, "" for none. A newer row
	// makes the charge a stale write. It is nil if the caller does not care.
	Seen *string
}

// descriptionLength is the most characters of a row's description.
const descriptionLength = 255

// Check finds what is wrong with a charge.
func (c ChargeCreate) Check() (all []fault.Detail) {
	fees := slices.Contains(FeeType("").Values(), feeOf(c.FeeType))
	switch {
	case c.Type != PaymentFee && c.Type != PaymentDeposit:
		all = append(all, FieldFault("type", fault.InvalidField, "must be fee or deposit."))
	case c.Type == PaymentFee && !fees:
		all = append(all, FieldFault("fee_type", fault.InvalidField, "must be one of the kinds of fee."))
	case c.Type == PaymentDeposit && c.FeeType != nil:
		all = append(all, FieldFault("fee_type", fault.InvalidField, "goes with a fee, not with a deposit."))
	}
	if c.Description != nil && len([]rune(*c.Description)) > descriptionLength {
		all = append(all, FieldFault("description", fault.InvalidField, fault.Characters(len([]rune(*c.Description)), nil, new(descriptionLength))))
	}
	if c.Amount <= 0 || c.Amount > money.Max {
		all = append(all, FieldFault("amount", fault.InvalidField, "must be more than 0 and at most 999999999.99."))
	}
	return all
}

func feeOf(f *FeeType) string {
	if f == nil {
		return ""
	}
	return string(*f)
}

// AddCharge charges a fee or a deposit to the primary tenant of a lease that all have
// signed, be it over.
func (s *Ledger) AddCharge(ctx context.Context, by access.Actor, leaseID string, c ChargeCreate) (*change.Result[Payment], error) {
	if err := fault.Invalid(c.Check()); err != nil {
		return nil, err
	}
	return Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Payment], error) {
		l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
		if err != nil {
			return nil, err
		}
		if !l.Binding() {
			return nil, fault.New(fault.InvalidTransition, "Nothing can be charged under a lease that is %s: all parties sign first.", l.Status)
		}
		if err := s.unseen(ctx, by, l.ID, c.Seen); err != nil {
			return nil, err
		}
		p := c.row(&l, s.Today(by))
		p.Record = s.NewRecord(by, id.Payment, "payment")
		p.compute(s.Today(by))
		return &change.Result[Payment]{After: &p}, s.store.AddPayment(ctx, by.Portfolio, &p)
	})
}

// row is the ledger row of a charge.
func (c ChargeCreate) row(l *Lease, today clock.Date) Payment {
	p := Payment{LeaseID: l.ID, TenantID: l.TenantIDs[0], UnitID: l.UnitID, PropertyID: l.PropertyID, Type: c.Type, FeeType: c.FeeType,
		Description: c.Description, Amount: c.Amount, Currency: Currency, Status: PaymentScheduled, DueDate: c.DueDate}
	if c.DueDate <= today {
		p.Status = PaymentDue
	}
	return p
}

// unseen refuses a charge where the ledger of the lease has got a row that the caller has
// not seen: it may be the very same charge.
func (s *Ledger) unseen(ctx context.Context, by access.Actor, leaseID string, seen *string) error {
	if seen == nil {
		return nil
	}
	newest, err := s.NewestRow(ctx, by, leaseID)
	if err == nil && newest != *seen {
		err = fault.New(fault.StaleWrite, "The ledger of the lease has got another row meanwhile. Look at it before you charge something more.")
	}
	return err
}

// NewestRow names the newest row of a lease's ledger, "" where there is none.
func (s *Ledger) NewestRow(ctx context.Context, by access.Actor, leaseID string) (string, error) {
	rows, err := s.store.Payments(ctx, by.Portfolio, PaymentFilter{Query: list.Query{Limit: 1, Newest: true}, LeaseID: leaseID}, s.Today(by))
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return rows[0].ID, nil
}

// VoidCharge takes a ledger row back of which nothing has been paid and nothing is under
// way: nobody owes it any more.
func (s *Ledger) VoidCharge(ctx context.Context, by access.Actor, t change.Target) (*change.Result[Payment], error) {
	return s.pay(ctx, by, t, (*Payment).void, false)
}

// Voidable tells whether a row can be taken back.
func (p *Payment) Voidable() bool { return p.Status.payable() && p.AmountPaid == 0 }

// Payable tells whether money for a row can be recorded.
func (p *Payment) Payable() bool { return p.Status.payable() }

func (p *Payment) void() error {
	if err := p.must(p.Status.payable(), "voided"); err != nil {
		return err
	}
	if p.AmountPaid > 0 {
		return fault.New(fault.InvalidTransition, "A charge of which %s has been paid cannot be voided; what is paid stays in the ledger.", p.AmountPaid.Words())
	}
	p.Status, p.FailureCode, p.FailureMessage = PaymentVoid, nil, nil
	return nil
}

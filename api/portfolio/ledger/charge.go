package ledger

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/schedule"
)

// ChargeCreate is a fee or a deposit to be charged under a lease. Rent is charged by
// ChargeRent.
type ChargeCreate struct {
	// The kind of a fee, or a deposit.
	Charge ChargeKind `json:"charge"`
	// How much is charged, in dollars; more than 0.
	Amount money.Cents `json:"amount"`
	// When it is due.
	DueDate clock.Date `json:"due_date"`
	// One line that the tenant can read.
	Description *string `json:"description" maxlen:"255"`
	// Seen is the newest ledger row of the lease that the caller has seen, "" for none. A newer row
	// makes the charge a stale write. It is nil if the caller does not care.
	Seen *string `json:"-"`
}

// ChargeKind is what can be charged by hand: a kind of fee, or a deposit.
type ChargeKind string

// ChargeDeposit is a deposit; every other kind is one of a fee.
const ChargeDeposit = ChargeKind(portfolio.PaymentDeposit)

// Values are all kinds, those of fees first.
func (ChargeKind) Values() []string {
	return append(portfolio.FeeType("").Values(), string(ChargeDeposit))
}

// Check refuses a charge of nothing.
func (c ChargeCreate) Check(clock.Date) []fault.Detail {
	if c.Amount > 0 {
		return nil
	}
	return []fault.Detail{portfolio.FieldFault("amount", fault.InvalidField, "must be more than 0.")}
}

var chargeCreate = operation.DefineInput[ChargeCreate]("add_charge")

// AddCharge charges a fee or a deposit to the primary tenant of a lease that all have
// signed, be it over.
func (s *Ledger) AddCharge(
	ctx context.Context, by access.Actor, leaseID string, c ChargeCreate,
) (*change.Result[portfolio.Payment], error) {
	if err := chargeCreate.Check(&c, s.Today(by)); err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[portfolio.Payment], error) {
		l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
		if err != nil {
			return nil, err
		}
		if !l.Binding() {
			return nil, fault.New(fault.InvalidTransition,
				"Nothing can be charged under a lease that is %s: all parties sign first.",
				l.Status)
		}
		if err := s.unseen(ctx, by, l.ID, c.Seen); err != nil {
			return nil, err
		}
		p := c.row(&l, s.Today(by))
		p.Record = s.NewRecord(by, id.Payment, "payment")
		return s.charged(ctx, by, p)
	})
}

// charged writes a row that a person charges. A credit that is left pays it where it is due.
func (s *Ledger) charged(
	ctx context.Context, by access.Actor, p portfolio.Payment,
) (*change.Result[portfolio.Payment], error) {
	if err := s.store.AddPayment(ctx, by.Portfolio, &p); err != nil {
		return nil, err
	}
	if err := s.applyCredits(ctx, by, p.LeaseID); err != nil {
		return nil, err
	}
	p, err := s.store.Payment(ctx, by.Portfolio, p.ID)
	p.Compute(s.Today(by))
	return &change.Result[portfolio.Payment]{After: &p}, err
}

// row is the ledger row of a charge.
func (c ChargeCreate) row(l *portfolio.Lease, today clock.Date) portfolio.Payment {
	p := portfolio.Payment{
		LeaseID:     l.ID,
		TenantID:    l.TenantIDs[0],
		UnitID:      l.UnitID,
		PropertyID:  l.PropertyID,
		Type:        portfolio.PaymentDeposit,
		Description: c.Description,
		Amount:      c.Amount,
		Currency:    portfolio.Currency,
		Status:      portfolio.PaymentScheduled,
		DueDate:     c.DueDate,
	}
	if c.Charge != ChargeDeposit {
		p.Type, p.FeeType = portfolio.PaymentFee, new(portfolio.FeeType(c.Charge))
	}
	if c.DueDate <= today {
		p.Status = portfolio.PaymentDue
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
		err = fault.New(
			fault.StaleWrite,
			"The ledger of the lease has got another row meanwhile. Look at it before you charge something more.",
		)
	}
	return err
}

// NewestRow names the newest row of a lease's ledger, "" where there is none.
func (s *Ledger) NewestRow(ctx context.Context, by access.Actor, leaseID string) (string, error) {
	rows, err := s.store.Payments(ctx, by.Portfolio, portfolio.PaymentFilter{
		Query:   list.Query{Limit: 1, Newest: true},
		LeaseID: leaseID,
	}, s.Today(by))
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return rows[0].ID, nil
}

// VoidCharge takes a ledger row back of which nothing has been paid and nothing is under
// way: nobody owes it any more.
func (s *Ledger) VoidCharge(
	ctx context.Context, by access.Actor, t change.Target,
) (*change.Result[portfolio.Payment], error) {
	return s.pay(ctx, by, t, func(r *row) error { return voidCharge(r.Payment) })
}

func voidCharge(p *portfolio.Payment) error {
	if err := mustBe(p, p.Status.Payable(), "voided"); err != nil {
		return err
	}
	if p.AmountPaid < 0 {
		return fault.New(fault.InvalidTransition,
			"A credit of which %s has been used cannot be voided; what is used stays in the ledger.",
			(-p.AmountPaid).Words())
	}
	if p.AmountPaid > 0 {
		return fault.New(fault.InvalidTransition,
			"A charge of which %s has been paid cannot be voided; what is paid stays in the ledger.",
			p.AmountPaid.Words())
	}
	if p.UnderWay > 0 {
		return fault.New(fault.InvalidTransition,
			"A charge of which %s is under way cannot be voided. Wait until that has cleared or failed.",
			p.UnderWay.Words())
	}
	p.Status, p.FailureCode, p.FailureMessage = portfolio.PaymentVoid, nil, nil
	return nil
}

// ChargeRent writes the rent of the period that follows the last one charged under a
// lease. The ledger of a lease that has none begins with the present month.
func (s *Ledger) ChargeRent(
	ctx context.Context, by access.Actor, leaseID string,
) (*change.Result[portfolio.Payment], error) {
	today := s.Today(by)
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[portfolio.Payment], error) {
		l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
		if err != nil {
			return nil, err
		}
		until, err := s.store.RentUntil(ctx, by.Portfolio, l.ID)
		if err != nil {
			return nil, err
		}
		p, err := nextRent(&l, until, today)
		if err != nil {
			return nil, err
		}
		if err := s.name(ctx, by, &l, &p); err != nil {
			return nil, err
		}
		p.Record = s.NewRecord(by, id.Payment, "payment")
		return s.charged(ctx, by, p)
	})
}

// name names what rent charges of the schedule of its lease, behind the rows that charge it already.
func (s *Ledger) name(ctx context.Context, by access.Actor, l *portfolio.Lease, rent *portfolio.Payment) error {
	since, err := s.store.AutoChargeSince(ctx, by.Portfolio)
	if err != nil {
		return err
	}
	rows, err := s.rowsOf(ctx, by, l.ID)
	if err != nil {
		return err
	}
	rent.Charge = new(schedule.Rent + " " + schedule.Month(*rent.PeriodStart))
	for i := range rows {
		if rows[i].Charge != nil && *rows[i].Charge == *rent.Charge {
			rent.Part = max(rent.Part, rows[i].Part+1)
		}
	}
	if since == nil {
		return nil
	}
	a := &automatic{Ledger: s, by: by, since: since, today: s.Today(by), rules: map[string]place{}}
	at, err := a.place(ctx, l.PropertyID)
	if err == nil && (a.whole(l) || rent.DueDate > a.after()) {
		rent.LateFeeOn = a.lateFrom(l, at, rent.GraceAfter())
	}
	return err
}

// nextRent is the rent that follows the last day which is charged already, nil where none is.
func nextRent(l *portfolio.Lease, charged *clock.Date, today clock.Date) (portfolio.Payment, error) {
	from, last := max(l.StartDate, today.FirstOfMonth()), l.LastDay()
	if last == nil {
		last = l.MoveOutDate
	}
	if last == nil {
		last = new(clock.LastDay)
	}
	if charged != nil {
		from = *charged + 1
	}
	if l.Status != portfolio.LeaseSigned && l.Status != portfolio.LeaseActive || from > *last {
		return portfolio.Payment{}, fault.New(fault.InvalidTransition,
			"No more rent can be charged under the lease: it is %s, and charged until it ends.",
			l.Status)
	}
	p := l.RentFrom(from, last)
	p.LeaseID, p.TenantID, p.UnitID, p.PropertyID = l.ID, l.TenantIDs[0], l.UnitID, l.PropertyID
	p.Currency = portfolio.Currency
	p.Status = portfolio.PaymentScheduled
	if p.DueDate <= today {
		p.Status = portfolio.PaymentDue
	}
	return p, nil
}

// Package ledger holds the rules of the rent ledger: which rent, fees and deposits are charged, and how
// each is paid.
//
// It knows nothing of HTTP, SQL, queues or pages, nor of payment processors.
package ledger

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
)

// Ledger is what can be done with the rows of the rent ledger.
type Ledger struct {
	*portfolio.Common
	store Store

	Conditions portfolio.Conditions // may be nil: statements of deposits don't say how homes have changed
}

// New makes the rules over their store.
func New(c *portfolio.Common, store Store) *Ledger { return &Ledger{Common: c, store: store} }

// Store is what they need of the store.
type Store interface {
	portfolio.Store
	AddPayment(ctx context.Context, in access.Portfolio, p *portfolio.Payment) error
	Payment(ctx context.Context, in access.Portfolio, id string) (portfolio.Payment, error)
	Payments(
		ctx context.Context,
		in access.Portfolio,
		f portfolio.PaymentFilter,
		today clock.Date,
	) ([]portfolio.Payment, error)
	// RentUntil is the last day that rent of a lease is charged for, void rent apart, nil where none is.
	RentUntil(ctx context.Context, in access.Portfolio, leaseID string) (*clock.Date, error)
	SavePayment(ctx context.Context, in access.Portfolio, p *portfolio.Payment) error
	// Transactions are those that are stored of a row, in the order in which they were added.
	Transactions(ctx context.Context, in access.Portfolio, paymentID string) ([]portfolio.Transaction, error)
	// TransactionsOf are those of some rows, by their ids.
	TransactionsOf(
		ctx context.Context, in access.Portfolio, paymentIDs []string,
	) (map[string][]portfolio.Transaction, error)
	// AddTransactions adds transactions to a row that has so many.
	AddTransactions(
		ctx context.Context, in access.Portfolio, paymentID string, has int, all []portfolio.Transaction,
	) error
	AddPayments(ctx context.Context, in access.Portfolio, all []portfolio.Payment) error
	// AutoChargeSince is since when the ledger of a portfolio charges by itself, nil where it does not.
	AutoChargeSince(ctx context.Context, in access.Portfolio) (*clock.Time, error)
	// SetAutoCharge has the ledger of a portfolio charge by itself from a moment on, or not where that is nil. All
	// leases are looked at anew then.
	SetAutoCharge(ctx context.Context, in access.Portfolio, since *clock.Time) error
	// Importing reports whether an import that was sent after a moment is adding units to a portfolio.
	Importing(ctx context.Context, in access.Portfolio, after clock.Time) (bool, error)
	// RentNotices reports whether tenants of a portfolio get emails about rent where the ledger charges by itself.
	RentNotices(ctx context.Context, in access.Portfolio) (bool, error)
	// SetRentNotices has tenants of a portfolio get emails about rent from now on, or no longer.
	SetRentNotices(ctx context.Context, in access.Portfolio, on bool) error
	// LeasesToCharge reads leases with their terms of which it is looked at by a day what they charge next, at most so
	// many.
	LeasesToCharge(ctx context.Context, in access.Portfolio, today clock.Date, most int) ([]portfolio.Lease, error)
	// LeasesOfStatus reads leases of a status with their terms, at most so many of those whose ids follow another
	// one.
	LeasesOfStatus(
		ctx context.Context, in access.Portfolio, status portfolio.LeaseStatus, after string, most int,
	) ([]portfolio.Lease, error)
	// RowsOfLeases reads all ledger rows of leases, by the lease's id.
	RowsOfLeases(ctx context.Context, in access.Portfolio, leaseIDs []string) (map[string][]portfolio.Payment, error)
	// LeasesWithTerms reads leases with their terms, by their ids.
	LeasesWithTerms(ctx context.Context, in access.Portfolio, ids []string) (map[string]*portfolio.Lease, error)
	PropertiesWithIDs(ctx context.Context, in access.Portfolio, ids []string) ([]portfolio.Property, error)
	// SetChargeOn sets on which day it is looked at again what leases charge.
	SetChargeOn(ctx context.Context, in access.Portfolio, leaseIDs []string, on clock.Date) error
	// SetLateFeeOn sets on which day a late fee for rows is looked at again.
	SetLateFeeOn(ctx context.Context, in access.Portfolio, paymentIDs []string, on clock.Date) error
	// SaveCharges writes what rows charge of the schedules of their leases, and when a late fee is looked at.
	SaveCharges(ctx context.Context, in access.Portfolio, all []*portfolio.Payment) error
	// LatePayments reads unpaid ledger rows for which a late fee is looked at by a day, and of which nothing is under
	// way, at most so many.
	LatePayments(ctx context.Context, in access.Portfolio, today clock.Date, most int) ([]portfolio.Payment, error)
	// Credited names leases that have a credit left, and something due that it can pay, at most so many.
	Credited(ctx context.Context, in access.Portfolio, most int) ([]string, error)
	// HasCredit reports whether a lease has a credit left.
	HasCredit(ctx context.Context, in access.Portfolio, leaseID string) (bool, error)
	// StatementsAfter are those in ascending id of their leases, behind one of them and at most so many.
	StatementsAfter(
		ctx context.Context, in access.Portfolio, leaseID string, most int,
	) ([]portfolio.DepositStatement, error)
	// DepositStatements are those of some leases, by the lease's id.
	DepositStatements(
		ctx context.Context, in access.Portfolio, leaseIDs ...string,
	) (map[string]portfolio.DepositStatement, error)
	// AddDepositStatement adds the statement of a lease that has none.
	AddDepositStatement(ctx context.Context, in access.Portfolio, s *portfolio.DepositStatement) error
	// Renewals reads some leases of which one renews the other, by their ids, with all that come before and after them.
	Renewals(ctx context.Context, in access.Portfolio, leaseIDs []string) (map[string]*portfolio.Lease, error)
	// UnawaitedDeposits reads leases that have ended, or are known to end, of which nothing has noted when owners are
	// to be reminded of the deposit: those of which an earlier version may have sent the reminder, or the others; at
	// most so many. SetDepositReminder takes a lease out of them.
	UnawaitedDeposits(
		ctx context.Context, in access.Portfolio, maybeSent bool, most int,
	) ([]portfolio.Lease, error)
	// DepositReminders reads leases of which owners are to be reminded by a day to return the deposit, at most so many.
	DepositReminders(ctx context.Context, in access.Portfolio, today clock.Date, most int) ([]portfolio.Lease, error)
	// SetDepositReminder sets on which day owners are to be reminded to return the deposit of a lease, nil for never.
	SetDepositReminder(ctx context.Context, in access.Portfolio, leaseID string, on *clock.Date) error
	// PaymentCounts counts by status what passes a filter, whatever status that asks for.
	PaymentCounts(
		ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, today clock.Date,
	) (list.Counts[portfolio.PaymentStatus], error)
	// PaymentTotals adds up what passes each of some filters, list.Most rows and one at most of each.
	PaymentTotals(
		ctx context.Context, in access.Portfolio, today clock.Date, filters ...portfolio.PaymentFilter,
	) ([]Totals, error)
	// OverdueWithCredit reads the overdue rows of leases that have a credit left, and those credits, of so many leases
	// at most.
	OverdueWithCredit(
		ctx context.Context, in access.Portfolio, today clock.Date, most int,
	) ([]portfolio.OverdueCharge, map[portfolio.CreditOf]money.Cents, error)
	// Passing are those of some rows that pass a filter.
	Passing(
		ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, today clock.Date, ids []string,
	) ([]string, error)
}

// Payments lists rows of the rent ledger.
func (s *Ledger) Payments(
	ctx context.Context, by access.Actor, f portfolio.PaymentFilter,
) (*list.Page[portfolio.Payment], error) {
	today := s.Today(by)
	f.Query = f.Walked()
	rows, err := s.store.Payments(ctx, by.Portfolio, f, today)
	for i := range rows {
		rows[i].Compute(today)
	}
	return list.Walked(rows, &f.Query, func(p *portfolio.Payment) string { return p.ID }), err
}

// Payment is one row of the rent ledger.
func (s *Ledger) Payment(ctx context.Context, by access.Actor, id string) (*portfolio.Payment, error) {
	p, err := s.store.Payment(ctx, by.Portfolio, id)
	p.Compute(s.Today(by))
	if err != nil {
		return nil, err
	}
	return &p, nil
}

// PaymentWithTransactions is one row of the rent ledger with the movements of its money.
func (s *Ledger) PaymentWithTransactions(
	ctx context.Context, by access.Actor, id string,
) (*portfolio.PaymentWithTransactions, error) {
	p, err := s.Payment(ctx, by, id)
	if err != nil {
		return nil, err
	}
	stored, err := s.store.Transactions(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	return &portfolio.PaymentWithTransactions{Payment: *p, Transactions: p.Told(stored)}, nil
}

// WithTransactions lists rows of the rent ledger with the movements of their money.
func (s *Ledger) WithTransactions(
	ctx context.Context, by access.Actor, f portfolio.PaymentFilter,
) (*list.Page[portfolio.PaymentWithTransactions], error) {
	found, err := s.Payments(ctx, by, f)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(found.Data))
	for i := range found.Data {
		ids[i] = found.Data[i].ID
	}
	stored, err := s.store.TransactionsOf(ctx, by.Portfolio, ids)
	if err != nil {
		return nil, err
	}
	all := &list.Page[portfolio.PaymentWithTransactions]{NextCursor: found.NextCursor, HasMore: found.HasMore}
	for i := range found.Data {
		p := &found.Data[i]
		all.Data = append(all.Data, portfolio.PaymentWithTransactions{Payment: *p, Transactions: p.Told(stored[p.ID])})
	}
	return all, nil
}

// PaymentCounts counts the rows of the ledger that pass a filter, by their status: list.Most of each
// at most. The status that the filter asks for is not looked at.
func (s *Ledger) PaymentCounts(
	ctx context.Context, by access.Actor, f portfolio.PaymentFilter,
) (list.Counts[portfolio.PaymentStatus], error) {
	return s.store.PaymentCounts(ctx, by.Portfolio, f, s.Today(by))
}

// Totals are what some rows of the ledger add up to. Where Rows has more, only some of them are added up: at least
// Balance is owed, and the rest says nothing.
type Totals struct {
	Rows    list.Count
	Amount  money.Cents
	Paid    money.Cents
	Balance money.Cents // what is owed of them
}

// PaymentTotals adds up the rows of the ledger that pass each of some filters.
func (s *Ledger) PaymentTotals(
	ctx context.Context, by access.Actor, filters ...portfolio.PaymentFilter,
) ([]Totals, error) {
	return s.store.PaymentTotals(ctx, by.Portfolio, s.Today(by), filters...)
}

// OverdueTotal adds up what is overdue of the rows that pass a filter, the credits of each lease taken off its oldest
// charges. Rows that a credit covers are not counted.
func (s *Ledger) OverdueTotal(ctx context.Context, by access.Actor, f portfolio.PaymentFilter) (Totals, error) {
	today := s.Today(by)
	f.Overdue, f.Status = new(true), ""
	all, err := s.store.PaymentTotals(ctx, by.Portfolio, today, f)
	if err != nil || all[0].Rows.N == 0 {
		return Totals{}, err
	}
	charges, credits, err := s.store.OverdueWithCredit(ctx, by.Portfolio, today, list.Most)
	if err != nil || len(charges) == 0 {
		return all[0], err
	}
	was := map[string]money.Cents{}
	ids := make([]string, len(charges))
	for i, c := range charges {
		was[c.ID], ids[i] = c.Left, c.ID
	}
	ids, err = s.store.Passing(ctx, by.Portfolio, f, today, ids)
	if err != nil {
		return Totals{}, err
	}
	t := all[0]
	for _, c := range portfolio.TakeOff(credits, charges) {
		if !slices.Contains(ids, c.ID) {
			continue
		}
		if t.Balance -= was[c.ID] - c.Left; c.Left == 0 && !t.Rows.More {
			t.Rows.N--
		}
	}
	t.Balance = max(t.Balance, 0)
	return t, nil
}

package ledger

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
)

// Deposit is how the deposit of a lease stands.
type Deposit struct {
	Lease    *portfolio.Lease
	Over     bool        // the tenancy is over, and no other lease renews it
	EndedOn  *clock.Date // nil where the tenancy goes on
	Deadline clock.Date  // until which the state has it returned; 0 where the tenancy goes on, or none holds
	Rules    *law.Rules  // of the state
	// Commercial reports whether the property is: the table has the deadlines of homes, and none for it.
	Commercial bool
	// Recorded reports whether the ledger has a row of the deposit. Where it has none, the lease alone says what is
	// held.
	Recorded  bool
	Held      money.Cents
	Owed      []portfolio.Payment // what is due and owed beside the deposit, the oldest first
	Credits   []portfolio.Payment // what is owed to the tenants
	UnderWay  bool                // a payment of the deposit, or from the tenants, has yet to clear
	Statement *portfolio.DepositStatement

	rows []portfolio.Payment // of the deposit: of this lease and of those that it renews
}

// Owes is what is due and owed beside the deposit.
func (d *Deposit) Owes() (all money.Cents) {
	for i := range d.Owed {
		all += d.Owed[i].Amount - d.Owed[i].AmountPaid
	}
	return all
}

// Credit is what is owed to the tenants beside the deposit.
func (d *Deposit) Credit() (all money.Cents) {
	for i := range d.Credits {
		all += d.Credits[i].AmountPaid - d.Credits[i].Amount
	}
	return all
}

// Citation is the law that gives the deadline, "" where the table has none, and whether it was read in a source.
func (d *Deposit) Citation() (law string, verified bool) { return returnLaw(d.Rules) }

func returnLaw(r *law.Rules) (citation string, verified bool) {
	for _, a := range r.Authorities {
		if a.Topic == law.DepositReturn && a.Citation != nil {
			return *a.Citation, a.Verified
		}
	}
	return "", false
}

// Deposit is how the deposit of a lease stands.
func (s *Ledger) Deposit(ctx context.Context, by access.Actor, leaseID string) (*Deposit, error) {
	l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
	if err != nil {
		return nil, err
	}
	return s.deposit(ctx, by, &l)
}

func (s *Ledger) deposit(ctx context.Context, by access.Actor, l *portfolio.Lease) (*Deposit, error) {
	d := &Deposit{Lease: l, EndedOn: l.TenancyEnded(), Over: l.TenancyOver(s.Today(by))}
	p, err := s.store.Property(ctx, by.Portfolio, l.PropertyID)
	if err != nil {
		return nil, err
	}
	d.Rules, d.Commercial = law.Of(p.State), p.Commercial()
	if d.EndedOn != nil && !d.Commercial {
		d.Deadline = d.EndedOn.AddDays(d.Rules.Deposit.ReturnDays)
	}
	if d.Over && l.RenewedToLeaseID != nil {
		next, err := s.store.Lease(ctx, by.Portfolio, *l.RenewedToLeaseID)
		if err != nil {
			return nil, err
		}
		d.Over = !next.Binding() || next.NeverStarted()
	}
	made, err := s.store.DepositStatements(ctx, by.Portfolio, l.ID)
	if err != nil {
		return nil, err
	}
	if statement, is := made[l.ID]; is {
		d.Statement = &statement
	}
	return d, s.depositRows(ctx, by, d)
}

// heldUnder names the leases whose deposits are held under a lease today: its own, and those that it renews, unless
// another one that renews it has begun.
func (s *Ledger) heldUnder(
	ctx context.Context, by access.Actor, l *portfolio.Lease,
) (leases []string, moved bool, err error) {
	if l.RenewedFromLeaseID == nil && l.RenewedToLeaseID == nil {
		return []string{l.ID}, false, nil
	}
	chain, err := s.store.Renewals(ctx, by.Portfolio, []string{l.ID})
	if err != nil {
		return nil, false, err
	}
	for _, id := range slices.Sorted(maps.Keys(chain)) {
		if portfolio.DepositHolder(id, chain, s.Today(by)) == l.ID {
			leases = append(leases, id)
		}
	}
	return leases, !slices.Contains(leases, l.ID), nil
}

// depositRows reads what the ledger has of a deposit: under its lease, and under those that this one renews.
func (s *Ledger) depositRows(ctx context.Context, by access.Actor, d *Deposit) error {
	chain, moved, err := s.heldUnder(ctx, by, d.Lease)
	if err != nil {
		return err
	}
	if moved {
		chain = []string{d.Lease.ID}
	}
	rows, err := s.store.RowsOfLeases(ctx, by.Portfolio, chain)
	if err != nil {
		return err
	}
	today := s.Today(by)
	for _, leaseID := range chain {
		for _, row := range rows[leaseID] {
			deposit := row.Type == portfolio.PaymentDeposit
			d.UnderWay = d.UnderWay || row.UnderWay > 0
			switch {
			case row.Credit() && row.AmountPaid > row.Amount:
				d.Credits = append(d.Credits, row)
			case !deposit && row.Payable() && row.AmountPaid < row.Amount && row.DueDate <= today:
				d.Owed = append(d.Owed, row)
			}
			if deposit && !moved {
				d.rows, d.Held = append(d.rows, row), d.Held+row.AmountPaid
			}
		}
	}
	oldest := func(a, b portfolio.Payment) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.ID, b.ID))
	}
	slices.SortFunc(d.rows, oldest)
	slices.SortFunc(d.Owed, oldest)
	slices.SortFunc(d.Credits, oldest)
	if d.Recorded = len(d.rows) > 0 || moved; !d.Recorded {
		d.Held = d.Lease.SecurityDeposit
	}
	return nil
}

// Seen names what the ledger has of a deposit, so that a form that was filled in beside it can tell that it has
// changed.
func (d *Deposit) Seen() string {
	return fmt.Sprintf("%s %s %s", d.Held, d.Owes(), d.Credit())
}

// remindDays is how many days before the deadline owners are reminded to return a deposit.
const remindDays = 7

// NoDeadline says why the deposit of a commercial lease has none.
const NoDeadline = "State deadlines for deposits are for homes. For this commercial property, the lease says when the " +
	"deposit goes back."

// AwaitDeposit has owners be reminded to return the deposit of a lease whose end is known, in the transaction of the
// context. Of a commercial lease they are not, as no deadline holds.
func (s *Ledger) AwaitDeposit(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	ended := l.TenancyEnded()
	if ended == nil {
		return nil
	}
	p, err := s.store.Property(ctx, by.Portfolio, l.PropertyID)
	if err != nil {
		return err
	}
	var on *clock.Date
	if !p.Commercial() {
		on = new(ended.AddDays(law.Of(p.State).Deposit.ReturnDays - remindDays))
	}
	return s.store.SetDepositReminder(ctx, by.Portfolio, l.ID, on)
}

// DepositStatements lists the statements of deposits in ascending id of their leases.
func (s *Ledger) DepositStatements(
	ctx context.Context, by access.Actor, after string, limit int,
) (*list.Page[portfolio.DepositStatement], error) {
	all, err := s.store.StatementsAfter(ctx, by.Portfolio, after, limit+1)
	return list.Of(all, limit, func(d *portfolio.DepositStatement) string { return d.LeaseID }), err
}

package ledger

import (
	"cmp"
	"context"
	"slices"

	"portal/api/access"
	"portal/api/money"
	"portal/api/portfolio"
)

// Account is the ledger of a lease, the deposit apart. What is void or refunded is left out.
type Account struct {
	Balance portfolio.Balance
	Lines   []AccountLine // of rent and fees that are due by today, the oldest due date first
	// Deposit is all of what is held under the lease, in the same order, as it may be paid before it is due. The rows
	// of leases that this one renews are among them.
	Deposit []portfolio.Payment
	// Moved reports whether the deposit is held under a lease that renews this one.
	Moved bool
}

// AccountLine is a row with the balance of all rows through this one. That of the last line is the lease's balance.
type AccountLine struct {
	portfolio.Payment
	Balance money.Cents
}

// Account reads the ledger of a lease.
func (s *Ledger) Account(ctx context.Context, by access.Actor, leaseID string) (*Account, error) {
	l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
	if err != nil {
		return nil, err
	}
	a := &Account{}
	held, moved, err := s.heldUnder(ctx, by, &l)
	if err != nil {
		return nil, err
	}
	found, err := s.store.RowsOfLeases(ctx, by.Portfolio, append([]string{leaseID}, held...))
	if err != nil {
		return nil, err
	}
	today, rows := s.Today(by), found[leaseID]
	for _, id := range held {
		for _, row := range found[id] {
			if id != leaseID && row.Type == portfolio.PaymentDeposit {
				rows = append(rows, row)
			}
		}
	}
	slices.SortFunc(rows, func(a, b portfolio.Payment) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.ID, b.ID))
	})
	a.Moved = moved
	for i := range rows {
		p := &rows[i]
		p.Compute(today)
		if p.LeaseID == leaseID {
			a.Balance.Add(p, today)
		} else {
			var earlier portfolio.Balance
			earlier.Add(p, today)
			a.Balance.DepositHeld += earlier.DepositHeld
		}
		switch {
		case p.Status == portfolio.PaymentVoid || p.Status == portfolio.PaymentRefunded:
		case p.Type == portfolio.PaymentDeposit:
			a.Deposit = append(a.Deposit, *p)
		case p.DueDate <= today:
			a.Lines = append(a.Lines, AccountLine{*p, a.Balance.Due})
		}
	}
	if moved {
		a.Balance.DepositHeld = 0
	}
	return a, nil
}

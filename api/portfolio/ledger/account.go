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
	Lines   []AccountLine       // of rent and fees that are due by today, the oldest due date first
	Deposit []portfolio.Payment // all of it in the same order, as it may be paid before it is due
}

// AccountLine is a row with the balance of all rows through this one. That of the last line is the lease's balance.
type AccountLine struct {
	portfolio.Payment
	Balance money.Cents
}

// Account reads the ledger of a lease.
func (s *Ledger) Account(ctx context.Context, by access.Actor, leaseID string) (*Account, error) {
	found, err := s.store.RowsOfLeases(ctx, by.Portfolio, []string{leaseID})
	if err != nil {
		return nil, err
	}
	today, rows, a := s.Today(by), found[leaseID], &Account{}
	slices.SortFunc(rows, func(a, b portfolio.Payment) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.ID, b.ID))
	})
	for i := range rows {
		p := &rows[i]
		p.Compute(today)
		a.Balance.Add(p, today)
		switch {
		case p.Status == portfolio.PaymentVoid || p.Status == portfolio.PaymentRefunded:
		case p.Type == portfolio.PaymentDeposit:
			a.Deposit = append(a.Deposit, *p)
		case p.DueDate <= today:
			a.Lines = append(a.Lines, AccountLine{*p, a.Balance.Due})
		}
	}
	return a, nil
}

package payment

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// Split are the shares of a payment of some rows, which come with the oldest due first: all that is left to pay of
// them, or so much of it.
func Split(rows []PayableRow, amount *money.Cents) (shares []ledger.Share) {
	for i := range rows {
		left := rows[i].Left() - rows[i].Kept
		if amount != nil {
			left = min(left, *amount)
			*amount -= left
		}
		if left > 0 {
			shares = append(shares, ledger.Share{PaymentID: rows[i].ID, Amount: left})
		}
	}
	return shares
}

// Free is what can be paid of some rows and is not kept for somebody who is paying.
func Free(rows []PayableRow) (sum money.Cents) {
	for i := range rows {
		sum += rows[i].Left() - rows[i].Kept
	}
	return sum
}

// Chosen are those of some rows that have one of some ids.
func Chosen(rows []PayableRow, ids []string) []PayableRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r PayableRow) bool { return !slices.Contains(ids, r.ID) })
}

// Allowed is which payments tenants of a lease can make online: none where the portfolio has no processor.
func (s *Service) Allowed(ctx context.Context, by access.Actor, leaseID string) (Allowed, error) {
	if !s.Taken(by.Portfolio) {
		return AllowNone, nil
	}
	return s.store.OnlinePayments(ctx, by.Portfolio, leaseID)
}

// Row is a ledger row, for a person who may see its lease.
func (s *Service) Row(ctx context.Context, by access.Actor, paymentID string) (*portfolio.Payment, error) {
	return s.ledger.Payment(ctx, by, paymentID)
}

package payment

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/fault"
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
	if taken, err := s.Taken(ctx, by.Portfolio); err != nil || !taken {
		return AllowNone, err
	}
	return s.store.OnlinePayments(ctx, by.Portfolio, leaseID)
}

// Allow changes which payments tenants of a lease can make online. Where that is none, what tenants have started and
// not sent is canceled.
//
// Errors: fault.InvalidField at online_payments, fault.InvalidTransition where the portfolio has no processor,
// fault.Unavailable where the change is made and the processor did not answer.
func (s *Service) Allow(ctx context.Context, by access.Actor, leaseID string, allowed Allowed) error {
	if err := by.Need(access.Write); err != nil {
		return err
	}
	if !slices.Contains(allowed.Values(), string(allowed)) {
		return fault.New(fault.InvalidField, "online_payments must be one of %s.",
			strings.Join(allowed.Values(), ", ")).At("online_payments")
	}
	err := s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		if _, err := s.store.Lease(ctx, by.Portfolio, leaseID); err != nil {
			return err
		}
		if taken, err := s.Taken(ctx, by.Portfolio); err != nil {
			return err
		} else if !taken {
			return fault.New(fault.InvalidTransition, notSetUp)
		}
		before, err := s.store.OnlinePayments(ctx, by.Portfolio, leaseID)
		if err != nil || before == allowed {
			return err
		}
		if err := s.store.SetOnlinePayments(ctx, by.Portfolio, leaseID, allowed); err != nil {
			return err
		}
		return s.RecordDone(ctx, by, "lease.online_payments_changed", leaseID, map[string]string{
			"before": string(before), "online_payments": string(allowed),
		})
	})
	if err != nil || allowed != AllowNone {
		return err
	}
	open, err := s.store.OpenAttempts(ctx, by.Portfolio, leaseID)
	if err != nil {
		return err
	}
	for i := range open {
		if err := s.Cancel(ctx, by, open[i].ID); err != nil {
			return fault.New(fault.Unavailable, notCanceled).Because(err)
		}
	}
	return nil
}

// notCanceled is said where online payments are turned off and the processor does not answer.
const notCanceled = "Online payments are off. A tenant is paying right now, and the payment service didn’t answer. " +
	"Save again in a few minutes to cancel that payment."

// Row is a ledger row, for a person who may see its lease.
func (s *Service) Row(ctx context.Context, by access.Actor, paymentID string) (*portfolio.Payment, error) {
	return s.ledger.Payment(ctx, by, paymentID)
}

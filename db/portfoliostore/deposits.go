package portfoliostore

import (
	"context"
	"slices"
	"strconv"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db/rows"
)

var statementTable = rows.NewTable(
	"deposit_statements",
	rows.At("lease_id", func(s *portfolio.DepositStatement) *string { return &s.LeaseID }),
	rows.At("created_at", func(s *portfolio.DepositStatement) *clock.Time { return &s.CreatedAt }),
	rows.At("created_by", func(s *portfolio.DepositStatement) **string { return &s.CreatedBy }),
	rows.At("ended_on", func(s *portfolio.DepositStatement) *clock.Date { return &s.EndedOn }),
	rows.At("deadline", func(s *portfolio.DepositStatement) *clock.Date { return &s.Deadline }),
	rows.At("paid_on", func(s *portfolio.DepositStatement) *clock.Date { return &s.PaidOn }),
	rows.At("held", func(s *portfolio.DepositStatement) *money.Cents { return &s.Held }),
	rows.At("refunded", func(s *portfolio.DepositStatement) *money.Cents { return &s.Refunded }),
	rows.At("method", func(s *portfolio.DepositStatement) **portfolio.PaymentMethod { return &s.Method }),
	rows.At("reference", func(s *portfolio.DepositStatement) **string { return &s.Reference }),
	rows.JSONAt("content", func(s *portfolio.DepositStatement) **portfolio.DepositContent { return &s.Content }),
)

// DepositStatements reads the statements of the deposits of leases, by the lease's id.
func (s *Store) DepositStatements(
	ctx context.Context, in access.Portfolio, leaseIDs ...string,
) (map[string]portfolio.DepositStatement, error) {
	found := map[string]portfolio.DepositStatement{}
	all, err := statementTable.With(ctx, s.db, in, "", "lease_id", leaseIDs, "")
	for i := range all {
		found[all[i].LeaseID] = all[i]
	}
	return found, err
}

// Renewals reads some leases of which one renews the other, by their ids, with all that come before and after them.
func (s *Store) Renewals(
	ctx context.Context, in access.Portfolio, leaseIDs []string,
) (map[string]*portfolio.Lease, error) {
	found := map[string]*portfolio.Lease{}
	for next := leaseIDs; len(next) > 0; {
		var around []string
		leases, err := leaseTable.With(ctx, s.db, in, "", "id", next,
			"AND (renewed_from_lease_id IS NOT NULL OR renewed_to_lease_id IS NOT NULL)")
		if err != nil {
			return nil, err
		}
		for i := range leases {
			l := &leases[i]
			found[l.ID] = l
			for _, other := range []*string{l.RenewedFromLeaseID, l.RenewedToLeaseID} {
				if other != nil {
					around = append(around, *other)
				}
			}
		}
		slices.Sort(around)
		next = slices.DeleteFunc(slices.Compact(around), func(id string) bool { return found[id] != nil })
		if len(found) == 0 {
			break
		}
		next = slices.DeleteFunc(next, func(id string) bool { return slices.Contains(leaseIDs, id) })
	}
	return found, nil
}

// StatementsAfter reads statements of deposits in ascending id of their leases, behind one of them and at most so many.
func (s *Store) StatementsAfter(
	ctx context.Context, in access.Portfolio, leaseID string, most int,
) ([]portfolio.DepositStatement, error) {
	return statementTable.All(ctx, s.db, `WHERE portfolio_id = $1 AND lease_id > $2
		ORDER BY lease_id
		LIMIT `+strconv.Itoa(most), in.ID, leaseID)
}

// AddDepositStatement adds the statement of a lease that has none.
func (s *Store) AddDepositStatement(ctx context.Context, in access.Portfolio, d *portfolio.DepositStatement) error {
	return statementTable.Add(ctx, s.db, d, "portfolio_id", in.ID)
}

// DepositReminders reads leases of which owners are to be reminded by a day to return the deposit, at most so many.
func (s *Store) DepositReminders(
	ctx context.Context, in access.Portfolio, today clock.Date, most int,
) ([]portfolio.Lease, error) {
	return s.leases(ctx, in, leaseTable, s.db.IndexedBy("leases_deposit_reminder")+`
		WHERE portfolio_id = $1 AND deposit_reminder_on IS NOT NULL AND deposit_reminder_on <= $2
		ORDER BY deposit_reminder_on
		LIMIT `+strconv.Itoa(most), in.ID, int64(today))
}

// unawaited is the condition of the index leases_deposit_awaited; only the very same words let SQLite use it.
var unawaited = "deposit_awaited <> 1 AND (" +
	rows.OneOf("status", []portfolio.LeaseStatus{portfolio.LeaseTerminated, portfolio.LeaseExpired}) + " OR " +
	rows.Is("status", portfolio.LeaseActive) + " AND move_out_date IS NOT NULL)"

// UnawaitedDeposits reads leases that have ended, or are known to end, of which nothing has noted when owners are to be
// reminded of the deposit: those of which an earlier version may have done so and sent the reminder, or the others; at
// most so many. SetDepositReminder takes a lease out of them.
func (s *Store) UnawaitedDeposits(
	ctx context.Context, in access.Portfolio, maybeSent bool, most int,
) ([]portfolio.Lease, error) {
	awaited := 0
	if maybeSent {
		awaited = 2
	}
	return s.leases(ctx, in, leaseTable, s.db.IndexedBy("leases_deposit_awaited")+`
		WHERE portfolio_id = $1 AND deposit_awaited = $2 AND `+unawaited+`
		ORDER BY id
		LIMIT `+strconv.Itoa(most), in.ID, awaited)
}

// SetDepositReminder sets on which day owners are to be reminded to return the deposit of a lease, nil for never. A
// trigger notes that the lease was looked at.
func (s *Store) SetDepositReminder(
	ctx context.Context, in access.Portfolio, leaseID string, on *clock.Date,
) error {
	return s.db.Run(ctx, "UPDATE leases SET deposit_reminder_on = $3 WHERE portfolio_id = $1 AND id = $2",
		in.ID, leaseID, on)
}

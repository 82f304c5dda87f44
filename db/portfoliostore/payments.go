package portfoliostore

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/simulate"
	"portal/db"
	"portal/db/rows"
)

// DuePayments turns the scheduled ledger rows that are due by a day. SQLite is told by which index: left to
// itself it reads the whole ledger.
func (s *Store) DuePayments(ctx context.Context, in access.Portfolio, today clock.Date, at clock.Time) (int64, error) {
	return s.db.Exec(ctx, `UPDATE payments`+s.db.IndexedBy("payments_status_due")+`
		SET `+rows.Is("status", portfolio.PaymentDue)+`, version = version + 1, updated_at = $3
		WHERE portfolio_id = $1 AND `+rows.Is("status", portfolio.PaymentScheduled)+`
			AND due_date <= $2 AND id >= ''`, in.ID, int64(today), int64(at))
}

// AnyFallsDue reports whether a scheduled ledger row is due by a day.
func (s *Store) AnyFallsDue(ctx context.Context, in access.Portfolio, today clock.Date) (bool, error) {
	return s.db.One(ctx, `SELECT 1 FROM payments`+s.db.IndexedBy("payments_status_due")+`
		WHERE portfolio_id = $1 AND `+rows.Is("status", portfolio.PaymentScheduled)+`
			AND due_date <= $2 AND id >= ''
		LIMIT 1`, []any{in.ID, int64(today)}, new(int64))
}

var paymentTable = rows.NewTable(
	"payments",
	append(recordColumns(func(p *portfolio.Payment) *portfolio.Record { return &p.Record }),
		rows.At("lease_id", func(p *portfolio.Payment) *string { return &p.LeaseID }),
		rows.At("tenant_id", func(p *portfolio.Payment) *string { return &p.TenantID }),
		rows.At("unit_id", func(p *portfolio.Payment) *string { return &p.UnitID }),
		rows.At("property_id", func(p *portfolio.Payment) *string { return &p.PropertyID }),
		rows.At("type", func(p *portfolio.Payment) *portfolio.PaymentType { return &p.Type }),
		rows.At("fee_type", func(p *portfolio.Payment) **portfolio.FeeType { return &p.FeeType }),
		rows.At("description", func(p *portfolio.Payment) **string { return &p.Description }),
		rows.At("amount", func(p *portfolio.Payment) *money.Cents { return &p.Amount }),
		rows.At("amount_paid", func(p *portfolio.Payment) *money.Cents { return &p.AmountPaid }),
		rows.At("status", func(p *portfolio.Payment) *portfolio.PaymentStatus { return &p.Status }),
		rows.At("method", func(p *portfolio.Payment) **portfolio.PaymentMethod { return &p.Method }),
		rows.At("due_date", func(p *portfolio.Payment) *clock.Date { return &p.DueDate }),
		rows.At("period_start", func(p *portfolio.Payment) **clock.Date { return &p.PeriodStart }),
		rows.At("period_end", func(p *portfolio.Payment) **clock.Date { return &p.PeriodEnd }),
		rows.At("initiated_at", func(p *portfolio.Payment) **clock.Time { return &p.InitiatedAt }),
		rows.At("paid_at", func(p *portfolio.Payment) **clock.Time { return &p.PaidAt }),
		rows.At("received_at", func(p *portfolio.Payment) **clock.Time { return &p.ReceivedAt }),
		rows.At("failure_code", func(p *portfolio.Payment) **string { return &p.FailureCode }),
		rows.At("failure_message", func(p *portfolio.Payment) **string { return &p.FailureMessage }),
		rows.At("reference", func(p *portfolio.Payment) **string { return &p.Reference }),
		rows.At("reverses_payment_id", func(p *portfolio.Payment) **string { return &p.ReversesPaymentID }),
		rows.At("attempt_id", func(p *portfolio.Payment) **string { return &p.PaymentID }),
		rows.At("under_way", func(p *portfolio.Payment) *money.Cents { return &p.UnderWay }),
		rows.At("charge", func(p *portfolio.Payment) **string { return &p.Charge }),
		rows.At("charge_part", func(p *portfolio.Payment) *int { return &p.Part }),
		rows.At("late_fee_on", func(p *portfolio.Payment) **clock.Date { return &p.LateFeeOn }),
		rows.At("late_after", func(p *portfolio.Payment) *clock.Date { return &p.LateAfter }),
		rows.At("monthly_rent", func(p *portfolio.Payment) *money.Cents { return &p.MonthlyRent }),
	)...).Completed(func(p *portfolio.Payment, mode access.Mode) {
	p.Object, p.Mode, p.Currency = "payment", mode, portfolio.Currency
})

var transactionTable = rows.NewTable(
	"payment_transactions",
	rows.At("id", func(t *portfolio.Transaction) *string { return &t.ID }),
	rows.At("kind", func(t *portfolio.Transaction) *portfolio.TransactionKind { return &t.Kind }),
	rows.At("method", func(t *portfolio.Transaction) **portfolio.PaymentMethod { return &t.Method }),
	rows.At("amount", func(t *portfolio.Transaction) *money.Cents { return &t.Amount }),
	rows.At("status", func(t *portfolio.Transaction) *portfolio.TransactionStatus { return &t.Status }),
	rows.At("reference", func(t *portfolio.Transaction) **string { return &t.Reference }),
	rows.At("failure_code", func(t *portfolio.Transaction) **string { return &t.FailureCode }),
	rows.At("failure_message", func(t *portfolio.Transaction) **string { return &t.FailureMessage }),
	rows.At("occurred_at", func(t *portfolio.Transaction) *clock.Time { return &t.OccurredAt }),
	rows.At("recorded_by", func(t *portfolio.Transaction) *portfolio.Recorder { return &t.RecordedBy }),
	rows.At("attempt_id", func(t *portfolio.Transaction) **string { return &t.AttemptID }),
	rows.At("corrects", func(t *portfolio.Transaction) **string { return &t.Corrects }),
	rows.At("reason", func(t *portfolio.Transaction) **string { return &t.Reason }),
)

// Transactions reads the transactions that are stored of a row.
func (s *Store) Transactions(
	ctx context.Context, in access.Portfolio, paymentID string,
) ([]portfolio.Transaction, error) {
	return transactionTable.All(ctx, s.db, `WHERE portfolio_id = $1 AND payment_id = $2
		ORDER BY position`, in.ID, paymentID)
}

// TransactionsOf reads the transactions that are stored of some rows.
func (s *Store) TransactionsOf(
	ctx context.Context, in access.Portfolio, paymentIDs []string,
) (map[string][]portfolio.Transaction, error) {
	found := map[string][]portfolio.Transaction{}
	for some := range slices.Chunk(paymentIDs, rows.MostIDs) {
		these, args := s.db.Among([]any{in.ID}, some)
		query := "SELECT payment_id, " + transactionTable.Columns + ` FROM payment_transactions
			WHERE portfolio_id = $1 AND payment_id` + these + `
			ORDER BY payment_id, position`
		err := s.db.Each(ctx, query, args, func(scan db.Scan) error {
			var t portfolio.Transaction
			var of string
			err := scan(append([]any{&of}, transactionTable.Targets(&t)...)...)
			found[of] = append(found[of], t)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// PaymentOfTransaction is the id of the ledger row of which a transaction is stored, "" for none.
func (s *Store) PaymentOfTransaction(
	ctx context.Context, in access.Portfolio, transactionID string,
) (row string, err error) {
	_, err = s.db.One(ctx, `SELECT payment_id FROM payment_transactions
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, transactionID}, &row)
	return row, err
}

// PaymentsMade reads the ledger rows with ids behind one and up to another whose money has moved, in ascending id and
// at most so many.
func (s *Store) PaymentsMade(
	ctx context.Context, in access.Portfolio, after, until string, most int,
) ([]portfolio.Payment, error) {
	return paymentTable.In(ctx, s.db, in, `WHERE portfolio_id = $1 AND id > $2 AND id <= $3
			AND (amount_paid <> 0 OR `+moved+`)
		ORDER BY id
		LIMIT `+strconv.Itoa(most), in.ID, after, until)
}

// moved is the condition of rows of which money is under way, failed, or went back.
var moved = rows.OneOf("status", []portfolio.PaymentStatus{
	portfolio.PaymentProcessing, portfolio.PaymentFailed, portfolio.PaymentRefunded,
})

// AddTransactions adds transactions to a row that has so many.
func (s *Store) AddTransactions(
	ctx context.Context, in access.Portfolio, paymentID string, has int, all []portfolio.Transaction,
) error {
	for i := range all {
		err := transactionTable.Add(ctx, s.db, &all[i],
			"portfolio_id", in.ID, "payment_id", paymentID, "position", int64(has+i))
		if err != nil {
			return err
		}
	}
	return nil
}

// unpaid is the condition of the index payments_unpaid; only the very same words
// let SQLite use it.
var unpaid = rows.OneOf("status", portfolio.UnpaidPayments())

// Payments reads the ledger rows of a portfolio that pass the filter, one more
// than its limit. What is overdue is decided by the day.
func (s *Store) Payments(
	ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, today clock.Date,
) ([]portfolio.Payment, error) {
	if forPeople(&f.Query, portfolio.PaymentSorts()) {
		return rows.ReadSorted(ctx, sortedPayments(s.db, in, f, today), paymentTable.Read(in))
	}
	l := rows.Listed(s.db, paymentTable.Columns, "payments", in, id.Payment, f.Query)
	l.Equal("lease_id", f.LeaseID)
	l.Equal("tenant_id", f.TenantID)
	homeNamers.narrow(l, f.Named)
	l.Equal("unit_id", f.UnitID)
	l.Equal("property_id", f.PropertyID)
	if f.Status == portfolio.PaymentSucceeded { // nearly all are
		l.Equal("method", string(f.Method))
		f.Method = ""
	}
	l.Equal("status", string(f.Status))
	l.Equal("method", string(f.Method))
	l.Equal("type", string(f.Type))
	l.After("due_date", f.DueAfter)
	l.Before("due_date", f.DueBefore)
	switch {
	case f.Overdue == nil:
	case *f.Overdue:
		l.Lead(unpaid)
		l.WhereDay(unpaid+" AND "+l.Plus+"due_date < ? AND amount > 0", today)
	default:
		l.WhereDay("NOT ("+unpaid+" AND due_date < ? AND amount > 0)", today)
	}
	return rows.Rows(ctx, s.db, l, paymentTable.Read(in))
}

// Payment reads one ledger row, or fault.NotFound.
func (s *Store) Payment(ctx context.Context, in access.Portfolio, id string) (portfolio.Payment, error) {
	return paymentTable.Record(ctx, s.db, "payment", in, id)
}

// AddPayment writes a new ledger row.
func (s *Store) AddPayment(ctx context.Context, in access.Portfolio, p *portfolio.Payment) error {
	return paymentTable.Insert(ctx, s.db, in, []portfolio.Payment{*p})
}

// SavePayment writes a ledger row that has changed.
func (s *Store) SavePayment(ctx context.Context, in access.Portfolio, p *portfolio.Payment) error {
	return paymentTable.Save(ctx, s.db, in, p)
}

// RentUntil is the last day that rent of a lease is charged for, void rent apart, nil where none is.
func (s *Store) RentUntil(ctx context.Context, in access.Portfolio, leaseID string) (last *clock.Date, err error) {
	_, err = s.db.One(ctx, `SELECT max(period_end) FROM payments`+s.db.IndexedBy("payments_lease")+`
		WHERE portfolio_id = $1 AND lease_id = $2 AND `+chargedRent, []any{in.ID, leaseID}, &last)
	return last, err
}

// chargedRent is the condition of rent that somebody is charged.
var chargedRent = rows.Is("type", portfolio.PaymentRent) + " AND " + rows.IsNot("status", portfolio.PaymentVoid) +
	" AND reverses_payment_id IS NULL"

// RentOwed names rents of which something is owed, at most so many: those that have been owed longest, or
// else those that fall due next. They may be narrowed down to a lease or a tenant.
func (s *Store) RentOwed(
	ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, most int,
) (ids []string, err error) {
	for _, status := range []string{
		unpaid + " AND id > ''", // the condition of payments_unpaid_due
		rows.Is("status", portfolio.PaymentScheduled) + " AND id >= ''", // and of payments_status_due
	} {
		l := rows.NewListing(s.db, most, in.ID)
		l.SQL.WriteString("SELECT id FROM payments WHERE portfolio_id = $1 AND " + status +
			" AND " + l.Plus + rows.Is("type", portfolio.PaymentRent) + " AND amount_paid < amount")
		l.Equal(l.Plus+"lease_id", f.LeaseID) // which has more that is paid than the portfolio has unpaid
		l.Equal(l.Plus+"tenant_id", f.TenantID)
		l.SQL.WriteString(" ORDER BY due_date, id LIMIT " + strconv.Itoa(most))
		ids, err = rows.All(ctx, s.db, l.SQL.String(), l.Args, rows.Value[string])
		if err != nil || len(ids) > 0 {
			break
		}
	}
	return ids, err
}

// RentAhead lists active leases whose rent can be charged further ahead, at most so many: those that are
// charged for the shortest time first. What is charged ends with the newest row, so the rows before that are
// not read.
func (s *Store) RentAhead(ctx context.Context, in access.Portfolio, most int) ([]simulate.Ahead, error) {
	type charged struct {
		simulate.Ahead
		until clock.Date
	}
	var all []charged
	err := s.db.EachPlanned(ctx, `SELECT l.id,
			COALESCE(CASE WHEN `+rows.IsNot("l.lease_type", portfolio.FixedWithRollover)+` THEN l.end_date END,
				l.move_out_date, $2),
			COALESCE((`+newestRent(s.db, "COALESCE(period_end, 0) || ' ' || id", "l.id")+`), '0 ')
		FROM leases l
		WHERE l.portfolio_id = $1 AND `+rows.Is("l.status", portfolio.LeaseActive)+` AND l.monthly_rent > 0
		ORDER BY l.id`, []any{in.ID, int64(clock.LastDay)}, func(scan db.Scan) error {
		var l charged
		var last clock.Date
		var newest string
		if err := scan(&l.LeaseID, &last, &newest); err != nil {
			return err
		}
		until, id, _ := strings.Cut(newest, " ")
		day, err := strconv.ParseInt(until, 10, 64)
		if l.until, l.Newest = clock.Date(day), id; l.until < last {
			all = append(all, l)
		}
		return err
	})
	slices.SortStableFunc(all, func(a, b charged) int { return cmp.Compare(a.until, b.until) })
	ahead := make([]simulate.Ahead, min(len(all), most))
	for i := range ahead {
		ahead[i] = all[i].Ahead
	}
	return ahead, err
}

// NewestRent names the rent of a lease that was charged last, void rent apart, "" where there is none.
func (s *Store) NewestRent(ctx context.Context, in access.Portfolio, leaseID string) (id string, err error) {
	_, err = s.db.One(ctx, newestRent(s.db, "id", "$2"), []any{in.ID, leaseID}, &id)
	return id, err
}

func newestRent(d *db.DB, columns, lease string) string {
	return "SELECT " + columns + " FROM payments" + d.IndexedBy("payments_lease") +
		" WHERE portfolio_id = $1 AND lease_id = " + lease + " AND " + chargedRent + " ORDER BY id DESC LIMIT 1"
}

// VoidUnstarted voids what is unpaid under a lease that ended before its first day: its deposit, and what is for
// the time after a day.
func (s *Store) VoidUnstarted(
	ctx context.Context, in access.Portfolio, leaseID string, after clock.Date, at clock.Time,
) (int64, error) {
	return s.db.Exec(ctx, `UPDATE payments
		SET `+rows.Is("status", portfolio.PaymentVoid)+`, version = version + 1, updated_at = $4
		WHERE portfolio_id = $1 AND lease_id = $2 AND `+rows.OneOf("status", portfolio.PayablePayments())+`
			AND amount_paid = 0 AND under_way = 0
			AND (`+rows.Is("type", portfolio.PaymentDeposit)+` OR COALESCE(period_start, due_date) > $3)`,
		in.ID, leaseID, int64(after), at)
}

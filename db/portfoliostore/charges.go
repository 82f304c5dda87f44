package portfoliostore

import (
	"context"
	"slices"
	"strconv"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// SetAutoCharge has the ledger of a portfolio charge by itself from a moment on, or not where that is nil. All leases
// are looked at anew then.
func (s *Store) SetAutoCharge(ctx context.Context, in access.Portfolio, since *clock.Time) error {
	if err := s.SetAutoChargeSince(ctx, in, since); err != nil {
		return err
	}
	if err := s.db.Run(ctx, "DELETE FROM rent_news WHERE portfolio_id = $1", in.ID); err != nil {
		return err
	}
	if since != nil && in.Mode == access.Live { // what is due already gets no late fee for the time before
		err := s.db.Run(ctx, `UPDATE payments
			SET late_fee_on = NULL
			WHERE portfolio_id = $1 AND `+unpaid+` AND late_fee_on IS NOT NULL`, in.ID)
		if err != nil {
			return err
		}
	}
	return s.db.Run(ctx, `UPDATE leases
		SET charge_on = 0
		WHERE portfolio_id = $1 AND charge_on <> 0 AND `+rows.OneOf("status", portfolio.AgreedLeases()), in.ID)
}

// AutoCharges reports whether the ledger of a portfolio charges by itself, as that of a demo portfolio always does.
func (s *Store) AutoCharges(ctx context.Context, in access.Portfolio) (bool, error) {
	if in.Mode == access.Test {
		return true, nil
	}
	since, err := s.AutoChargeSince(ctx, in)
	return since != nil, err
}

// LeasesToCharge reads leases with their terms of which it is looked at by a day what they charge next, at most so
// many.
func (s *Store) LeasesToCharge(
	ctx context.Context, in access.Portfolio, today clock.Date, most int,
) ([]portfolio.Lease, error) {
	return s.leases(ctx, in, fullLeaseTable, s.db.IndexedBy("leases_charge")+`
		WHERE portfolio_id = $1 AND `+rows.OneOf("status", portfolio.AgreedLeases())+` AND charge_on <= $2
		ORDER BY charge_on
		LIMIT `+strconv.Itoa(most), in.ID, int64(today))
}

// LeasesWithTerms reads leases with their terms, by their ids.
func (s *Store) LeasesWithTerms(
	ctx context.Context, in access.Portfolio, ids []string,
) (map[string]*portfolio.Lease, error) {
	return s.leasesWithIDs(ctx, in, fullLeaseTable, ids)
}

// LeasesWithIDs reads leases without their terms, by their ids.
func (s *Store) LeasesWithIDs(
	ctx context.Context, in access.Portfolio, ids []string,
) (map[string]*portfolio.Lease, error) {
	return s.leasesWithIDs(ctx, in, leaseTable, ids)
}

func (s *Store) leasesWithIDs(
	ctx context.Context, in access.Portfolio, t *rows.Table[portfolio.Lease], ids []string,
) (map[string]*portfolio.Lease, error) {
	found := make(map[string]*portfolio.Lease, len(ids))
	for some := range slices.Chunk(ids, rows.MostIDs) {
		leases, err := t.With(ctx, s.db, in, "", "id", some, "")
		if err == nil {
			err = s.partiesOf(ctx, in, leases)
		}
		if err != nil {
			return nil, err
		}
		for i := range leases {
			found[leases[i].ID] = &leases[i]
		}
	}
	return found, nil
}

// PropertiesWithIDs reads properties.
func (s *Store) PropertiesWithIDs(
	ctx context.Context, in access.Portfolio, ids []string,
) ([]portfolio.Property, error) {
	return propertyTable.With(ctx, s.db, in, "", "id", ids, "")
}

// LeasesOfUnits reads all leases of units, without their terms.
func (s *Store) LeasesOfUnits(
	ctx context.Context, in access.Portfolio, unitIDs []string,
) ([]portfolio.Lease, error) {
	leases, err := leaseTable.With(ctx, s.db, in, "leases_unit", "unit_id", unitIDs, "")
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(leases, rows.MostIDs) {
		if err := s.partiesOf(ctx, in, some); err != nil {
			return nil, err
		}
	}
	return leases, nil
}

// TenantsWithIDs reads tenants without the ids of their leases.
func (s *Store) TenantsWithIDs(ctx context.Context, in access.Portfolio, ids []string) ([]portfolio.Tenant, error) {
	return tenantTable.With(ctx, s.db, in, "", "id", ids, "")
}

// UnitsAfter reads units in the order of their properties' ids and their own, at most so many behind a unit.
func (s *Store) UnitsAfter(
	ctx context.Context, in access.Portfolio, propertyID, unitID string, most int,
) ([]portfolio.Unit, error) {
	return unitTable.In(ctx, s.db, in, s.db.IndexedBy("units_property")+`
		WHERE portfolio_id = $1 AND (property_id, id) > ($2, $3)
		ORDER BY property_id, id
		LIMIT `+strconv.Itoa(most), in.ID, propertyID, unitID)
}

// SetChargeOn sets on which day it is looked at again what leases charge.
func (s *Store) SetChargeOn(ctx context.Context, in access.Portfolio, leaseIDs []string, on clock.Date) error {
	return s.setDay(ctx, in, "UPDATE leases SET charge_on = $2", leaseIDs, on)
}

// SetLateFeeOn sets on which day a late fee for ledger rows is looked at again.
func (s *Store) SetLateFeeOn(ctx context.Context, in access.Portfolio, paymentIDs []string, on clock.Date) error {
	return s.setDay(ctx, in, "UPDATE payments SET late_fee_on = $2", paymentIDs, on)
}

// setDay runs an update of a day for the records of some ids.
func (s *Store) setDay(ctx context.Context, in access.Portfolio, update string, ids []string, on clock.Date) error {
	for some := range slices.Chunk(ids, rows.MostIDs) {
		these, args := s.db.Among([]any{in.ID, int64(on)}, some)
		if err := s.db.Later(ctx, update+" WHERE portfolio_id = $1 AND id"+these, args...); err != nil {
			return err
		}
	}
	return nil
}

// SaveCharges writes what ledger rows charge of the schedules of their leases, and when a late fee is looked at.
func (s *Store) SaveCharges(ctx context.Context, in access.Portfolio, all []*portfolio.Payment) error {
	for _, p := range all {
		err := s.db.Later(ctx, `UPDATE payments
			SET charge = $3, charge_part = $4, late_fee_on = $5
			WHERE portfolio_id = $1 AND id = $2`, in.ID, p.ID, p.Charge, int64(p.Part), p.LateFeeOn)
		if err != nil {
			return err
		}
	}
	return nil
}

// LeasesOfStatus reads leases of a status with their terms, at most so many of those whose ids follow another one.
func (s *Store) LeasesOfStatus(
	ctx context.Context, in access.Portfolio, status portfolio.LeaseStatus, after string, most int,
) ([]portfolio.Lease, error) {
	return s.leases(ctx, in, fullLeaseTable, s.db.IndexedBy("leases_status")+`
		WHERE portfolio_id = $1 AND status = $2 AND id > $3
		ORDER BY id
		LIMIT `+strconv.Itoa(most), in.ID, string(status), after)
}

// RowsOfLeases reads all ledger rows of leases, by the lease's id.
func (s *Store) RowsOfLeases(
	ctx context.Context, in access.Portfolio, leaseIDs []string,
) (map[string][]portfolio.Payment, error) {
	found := map[string][]portfolio.Payment{}
	all, err := paymentTable.With(ctx, s.db, in, "payments_lease", "lease_id", leaseIDs, "ORDER BY lease_id, id")
	for i := range all {
		found[all[i].LeaseID] = append(found[all[i].LeaseID], all[i])
	}
	return found, err
}

// OwedRows reads the ledger rows of leases that are not settled, and of the others those of some ids.
func (s *Store) OwedRows(
	ctx context.Context, in access.Portfolio, leaseIDs, paymentIDs []string,
) ([]portfolio.Payment, error) {
	found, err := paymentTable.With(ctx, s.db, in, "payments_balance", "lease_id", leaseIDs, "AND "+balanceRow)
	if err != nil {
		return nil, err
	}
	others, err := paymentTable.With(ctx, s.db, in, "", "id", paymentIDs, "AND NOT "+balanceRow)
	others = slices.DeleteFunc(others, func(p portfolio.Payment) bool { return !slices.Contains(leaseIDs, p.LeaseID) })
	return append(found, others...), err
}

// late is the condition of a row for which a late fee is looked at by a day, $2.
var late = unpaid + " AND late_fee_on IS NOT NULL AND late_fee_on <= $2 AND under_way = 0"

// LatePayments reads unpaid ledger rows for which a late fee is looked at by a day, and of which nothing is under way,
// at most so many.
func (s *Store) LatePayments(
	ctx context.Context, in access.Portfolio, today clock.Date, most int,
) ([]portfolio.Payment, error) {
	return paymentTable.In(ctx, s.db, in, s.db.IndexedBy("payments_late_fee")+`
		WHERE portfolio_id = $1 AND `+late+`
		ORDER BY late_fee_on
		LIMIT `+strconv.Itoa(most), in.ID, int64(today))
}

// Credited names leases that have a credit left, and something due that it can pay, at most so many.
func (s *Store) Credited(ctx context.Context, in access.Portfolio, most int) ([]string, error) {
	return rows.All(ctx, s.db, `SELECT DISTINCT lease_id
		FROM payments`+s.db.IndexedBy("payments_credit")+`
		WHERE portfolio_id = $1 AND `+CreditLeft+` AND EXISTS (
			SELECT 1
			FROM payments o
			WHERE o.portfolio_id = payments.portfolio_id AND o.lease_id = payments.lease_id
				AND `+rows.OneOf("o.status", portfolio.UnpaidPayments())+` AND o.amount > o.amount_paid
				AND `+rows.IsNot("o.type", portfolio.PaymentDeposit)+`)
		ORDER BY lease_id
		LIMIT `+strconv.Itoa(most), []any{in.ID}, rows.Value[string])
}

// CreditLeft is the condition of a credit of which something is left. Its first words are the condition of the index
// payments_credit; only the very same words let SQLite use it.
var CreditLeft = balanceRow + " AND amount < 0 AND amount_paid > amount"

// balanceRow is the condition of the index payments_balance; only the very same words let SQLite use it.
var balanceRow = rows.OneOf("status", portfolio.PayablePayments())

// Left is the condition of a row of which something is owed, be it to the tenants.
const Left = "(amount > amount_paid OR amount < 0 AND amount_paid > amount)"

// Balances are those of some leases on a day, by the lease's id. A lease whose ledger has nothing of one is absent.
// Two indexes alone answer it: one of the rows that are not paid, and one of deposits.
func (s *Store) Balances(
	ctx context.Context, in access.Portfolio, today clock.Date, leaseIDs []string,
) (map[string]portfolio.Balance, error) {
	found := map[string]portfolio.Balance{}
	deposit := rows.Is("type", portfolio.PaymentDeposit)
	for some := range slices.Chunk(leaseIDs, rows.MostIDs) {
		of := "portfolio_id = $1 AND lease_id IN (" + db.Placeholders(2, len(some)) + ") AND "
		query := `SELECT lease_id,
				CAST(SUM(CASE WHEN ` + deposit + ` THEN 0 ELSE amount - amount_paid END) AS BIGINT),
				CAST(SUM(CASE WHEN ` + deposit + ` THEN amount - amount_paid ELSE 0 END) AS BIGINT), 0
			FROM payments` + s.db.IndexedBy("payments_balance") + `
			WHERE ` + of + balanceRow + ` AND due_date <= $2 AND ` + Left + `
			GROUP BY lease_id
			UNION ALL
			SELECT lease_id, 0, 0, CAST(SUM(amount_paid) AS BIGINT)
			FROM payments` + s.db.IndexedBy("payments_deposit") + `
			WHERE ` + of + deposit + ` AND ` + held + `
			GROUP BY lease_id`
		err := s.db.EachPlanned(ctx, query, db.With([]any{in.ID, int64(today)}, some), func(scan db.Scan) error {
			var lease string
			var b portfolio.Balance
			err := scan(&lease, &b.Due, &b.DepositDue, &b.DepositHeld)
			all := found[lease]
			found[lease] = portfolio.Balance{
				Due:         all.Due + b.Due,
				DepositDue:  all.DepositDue + b.DepositDue,
				DepositHeld: all.DepositHeld + b.DepositHeld,
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// held is the condition of a row whose money is still there.
var held = `NOT ` +
	rows.OneOf("status", []portfolio.PaymentStatus{portfolio.PaymentVoid, portfolio.PaymentRefunded})

// HasCredit reports whether a lease has a credit left.
func (s *Store) HasCredit(ctx context.Context, in access.Portfolio, leaseID string) (has bool, err error) {
	return s.db.Has(ctx, `SELECT 1
		FROM payments`+s.db.IndexedBy("payments_credit")+`
		WHERE portfolio_id = $1 AND lease_id = $2 AND `+CreditLeft+`
		LIMIT 1`, []any{in.ID, leaseID})
}

// AddPayments writes new ledger rows.
func (s *Store) AddPayments(ctx context.Context, in access.Portfolio, all []portfolio.Payment) error {
	return paymentTable.Insert(ctx, s.db, in, all)
}

package reportstore

import (
	"context"
	"strconv"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db"
	"portal/db/rows"
)

// owed is what is owed of rent by a day, $2. Its first line is the condition of the
// index payments_owed; only the very same words let SQLite use it.
var owed = rows.Is("type", portfolio.PaymentRent) + ` AND ` + rows.OneOf("status", portfolio.PayablePayments()) + `
	AND due_date <= $2 AND amount > amount_paid`

// owing finds the ledger rows of which something is owed, $3 being by when the oldest
// row of a lease was due: the conditions of a row that counts, and with them those of
// the leases that pass a filter. Each filter leads to a few leases, whose rows stand
// together in payments_owed.
func (s Insight) owing(
	in access.Portfolio, f report.BalanceFilter, today clock.Date,
) (charges string, leases *rows.Listing) {
	l := rows.NewListing(s.db, f.Limit, in.ID, int64(today), int64(today)-int64(f.MinDaysOverdue))
	l.SQL.WriteString("portfolio_id = $1 AND " + owed)
	if f.TenantID != "" {
		l.Where(l.Plus+"tenant_id = ?", f.TenantID)
	}
	charges = l.SQL.String()
	if f.TenantID != "" {
		l.Where("lease_id IN (SELECT lease_id FROM payments WHERE portfolio_id = $1 AND tenant_id = ?)", f.TenantID)
	}
	if f.PropertyID != "" {
		l.Where("lease_id IN (SELECT id FROM leases WHERE portfolio_id = $1 AND property_id = ?)", f.PropertyID)
	}
	if f.LeaseID != "" {
		l.Where("lease_id = ?", f.LeaseID)
	}
	return charges, l
}

// RentBalances reads a page of the leases of which rent is owed, one more than the
// limit, with their charges, and what all that pass the filter owe. One statement reads
// both, so that they are of the same moment.
func (s Insight) RentBalances(
	ctx context.Context, in access.Portfolio, f report.BalanceFilter, today clock.Date,
) ([]report.RentBalance, money.Cents, error) {
	rows, l := s.owing(in, f, today)
	sum, filtered := `SELECT CAST(COALESCE(sum(balance), 0) AS BIGINT)
		FROM (
			SELECT sum(amount - amount_paid) AS balance
			FROM payments
			WHERE `+l.SQL.String()+`
			GROUP BY lease_id
			HAVING min(due_date) <= $3) AS sums`, len(l.Args)
	l.Where("lease_id > ?", f.StartingAfter)
	l.Args = append(l.Args, int64(l.Limit+1))
	query := `WITH page AS MATERIALIZED (
			SELECT lease_id
			FROM payments
			WHERE ` + l.SQL.String() + `
			GROUP BY lease_id
			HAVING min(due_date) <= $3
			ORDER BY lease_id
			LIMIT $` + strconv.Itoa(len(l.Args)) + `)
		SELECT (` + sum + `), c.lease_id, l.rental_address, c.tenant_id, t.first_name || ' ' || t.last_name,
			t.email, t.phone, t.preferred_contact_method, c.id, c.due_date, c.amount, c.amount - c.amount_paid
		FROM (
			SELECT portfolio_id, lease_id, tenant_id, id, due_date, amount, amount_paid
			FROM payments
			WHERE ` + rows + ` AND lease_id IN (SELECT lease_id FROM page)) AS c
		JOIN leases l ON l.portfolio_id = c.portfolio_id AND l.id = c.lease_id
		JOIN tenants t ON t.portfolio_id = c.portfolio_id AND t.id = c.tenant_id
		ORDER BY c.lease_id, c.due_date, c.id`
	var b balances
	err := s.db.Each(ctx, query, l.Args, b.read)
	if err == nil && len(b.leases) == 0 { // no row has told the sum
		_, err = s.db.One(ctx, sum, l.Args[:filtered], &b.total)
	}
	return b.leases, b.total, err
}

// balances gathers charges that come lease by lease, the oldest of each first.
type balances struct {
	leases []report.RentBalance
	total  money.Cents
}

func (b *balances) read(scan db.Scan) error {
	var l report.RentBalance
	var c report.RentCharge
	err := scan(
		&b.total,
		&l.LeaseID,
		&l.RentalAddress,
		&l.TenantID,
		&l.TenantName,
		&l.Contact.Email,
		&l.Contact.Phone,
		&l.Contact.PreferredContactMethod,
		&c.PaymentID,
		&c.DueDate,
		&c.Amount,
		&c.BalanceDue,
	)
	if n := len(b.leases); n == 0 || b.leases[n-1].LeaseID != l.LeaseID {
		b.leases = append(b.leases, l)
	}
	last := &b.leases[len(b.leases)-1]
	last.Charges = append(last.Charges, c)
	return err
}

package reportstore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db"
	"portal/db/portfoliostore"
)

// OwnerStatement adds up the ledger by unit, of one property where its id is not "", in the order of the properties'
// addresses and the units' numbers. What is due on the days, what is held, and what is overdue come from an index each.
// Of what is overdue, the credits of its lease are taken off.
func (s Insight) OwnerStatement(
	ctx context.Context, in access.Portfolio, propertyID string, from, until, today clock.Date,
) (all []report.UnitStatement, err error) {
	counts := "status NOT IN ('" + string(portfolio.PaymentVoid) + "', '" + string(portfolio.PaymentRefunded) + "')"
	kind := "CASE WHEN " + deposit + " THEN 1 ELSE 0 END" // which credits take off, as in portfolio.TakeOff
	err = s.db.Each(
		ctx,
		`SELECT x.kind, p.id, p.street_address || COALESCE(', ' || p.street_address_2, '') || ', ' || p.city,
			u.id, u.unit_number, x.due, x.paid
		FROM (
			SELECT type AS kind, unit_id, CAST(sum(amount) AS BIGINT) AS due, CAST(sum(amount_paid) AS BIGINT) AS paid
			FROM payments`+s.db.IndexedBy("payments_due")+`
			WHERE portfolio_id = $1 AND due_date >= $3 AND due_date <= $4 AND id > '' AND `+counts+`
				AND ($2 = '' OR property_id = $2) AND NOT (`+deposit+`)
			GROUP BY type, unit_id
			UNION ALL
			SELECT 'held', unit_id, CAST(sum(amount_paid) AS BIGINT), 0
			FROM payments`+s.db.IndexedBy("payments_deposit")+`
			WHERE portfolio_id = $1 AND `+deposit+` AND `+counts+` AND ($2 = '' OR property_id = $2)
			GROUP BY unit_id
			UNION ALL
			SELECT 'overdue', o.unit_id, CAST(sum(o.owed - COALESCE(c.credit, 0)) AS BIGINT), 0
			FROM (
				SELECT lease_id, unit_id, `+kind+` AS kind, sum(amount - amount_paid) AS owed
				FROM payments`+s.db.IndexedBy("payments_overdue")+`
				WHERE portfolio_id = $1 AND `+unpaid+` AND due_date < $5 AND amount > 0
					AND ($2 = '' OR property_id = $2)
				GROUP BY lease_id, unit_id, `+kind+`) o
			LEFT JOIN (
				SELECT lease_id, `+kind+` AS kind, sum(amount_paid - amount) AS credit
				FROM payments`+s.db.IndexedBy("payments_credit")+`
				WHERE portfolio_id = $1 AND `+portfoliostore.CreditLeft+` AND due_date <= $5
				GROUP BY lease_id, `+kind+`) c ON c.lease_id = o.lease_id AND c.kind = o.kind
			WHERE o.owed > COALESCE(c.credit, 0)
			GROUP BY o.unit_id) x
		JOIN units u ON u.portfolio_id = $1 AND u.id = x.unit_id
		JOIN properties p ON p.portfolio_id = $1 AND p.id = u.property_id
		ORDER BY p.street_address, p.id, u.unit_number, u.id`,
		[]any{in.ID, propertyID, int64(from), int64(until), int64(today)},
		func(scan db.Scan) error {
			var kind string
			var unit report.UnitStatement
			var due, paid int64
			err := scan(&kind, &unit.PropertyID, &unit.Property, &unit.UnitID, &unit.Unit, &due, &paid)
			if n := len(all); n == 0 || all[n-1].UnitID != unit.UnitID {
				all = append(all, unit)
			}
			addOwnerSum(&all[len(all)-1].OwnerSums, kind, money.Cents(due), money.Cents(paid))
			return err
		},
	)
	return all, err
}

// addOwnerSum puts amounts of a kind into their place.
func addOwnerSum(sums *report.OwnerSums, kind string, due, paid money.Cents) {
	switch kind {
	case string(portfolio.PaymentRent):
		sums.RentDue, sums.RentCollected = due, paid
	case string(portfolio.PaymentFee):
		sums.FeesDue, sums.FeesCollected = due, paid
	case "held":
		sums.DepositsHeld = due
	case "overdue":
		sums.Overdue = due
	}
}

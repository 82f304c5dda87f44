package reportstore

import (
	"context"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db"
	"portal/db/rows"
)

// unfinished is the condition of the index tickets_unfinished; only the very same words let
// SQLite use it.
var unfinished = rows.OneOf("status", portfolio.OpenTickets())

// unpaid is the condition of the index payments_overdue; only the very same words let SQLite use it.
var unpaid = rows.OneOf("status", portfolio.UnpaidPayments())

// Overview reads what is due, what is overdue and what is open in a portfolio, all at the same
// moment. It counts report.MostCounted of each at most, so that no page waits for a long list.
func (s Insight) Overview(ctx context.Context, in access.Portfolio, w report.OverviewWindow) (report.Overview, error) {
	most := strconv.Itoa(report.MostCounted + 1)
	var query strings.Builder
	query.WriteString(`SELECT 'rent', '', day, due, collected
		FROM rent_days
		WHERE portfolio_id = $1 AND day >= $2 AND day < $3
		UNION ALL
		SELECT 'overdue', '', count(*), CAST(COALESCE(sum(balance), 0) AS BIGINT), count(DISTINCT lease_id)
		FROM (
			SELECT lease_id, amount - amount_paid AS balance
			FROM payments` + s.db.IndexedBy("payments_overdue") + `
			WHERE portfolio_id = $1 AND ` + unpaid + ` AND due_date < $4
			ORDER BY due_date
			LIMIT ` + most + `) overdue
		UNION ALL
		SELECT 'signing', COALESCE(min(rental_address), ''), count(*), COALESCE(min(expires_at), 0), 0
		FROM (
			SELECT rental_address, expires_at
			FROM leases` + s.db.IndexedBy("leases_offered") + `
			WHERE portfolio_id = $1 AND ` + rows.Is("status", portfolio.LeasePendingSignature) + ` AND expires_at >= $5 AND expires_at < $6
			ORDER BY expires_at
			LIMIT ` + most + `) offered`)
	for _, p := range portfolio.Priority("").Values() {
		query.WriteString(`
		UNION ALL
		SELECT 'tickets', '` + p + `', count(*), COALESCE(min(created_at), 0), 0
		FROM (
			SELECT created_at
			FROM tickets` + s.db.IndexedBy("tickets_unfinished") + `
			WHERE portfolio_id = $1 AND ` + unfinished + ` AND priority = '` + p + `'
			ORDER BY id
			LIMIT ` + most + `) open`)
	}
	o := report.Overview{Tickets: map[portfolio.Priority]int{}}
	err := s.db.Each(ctx, query.String(), []any{
		in.ID, int64(w.From), int64(w.Until), int64(w.Today), int64(w.Now), int64(w.Soon),
	}, func(scan db.Scan) error { return readOverview(scan, &o) })
	return o, err
}

// readOverview puts a row of an overview into its place.
func readOverview(scan db.Scan, o *report.Overview) error {
	var what, word string
	var a, b, c int64
	if err := scan(&what, &word, &a, &b, &c); err != nil {
		return err
	}
	switch what {
	case "rent":
		o.Rent = append(o.Rent, report.RentDay{
			Day:       clock.Date(a),
			Due:       money.Cents(b),
			Collected: money.Cents(c),
		})
	case "overdue":
		o.Overdue = report.Overdue{Charges: int(a), Sum: money.Cents(b), Leases: int(c)}
	case "signing":
		o.Expiring = report.Expiring{Leases: int(a), First: clock.Time(b), Address: word}
	case "tickets":
		o.Tickets[portfolio.Priority(word)] = int(a)
		if portfolio.Priority(word) == portfolio.PriorityEmergency {
			o.OldestEmergency = clock.Time(b)
		}
	}
	return nil
}

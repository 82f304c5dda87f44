// Package reportstore answers questions over a whole portfolio, which only reports, the overview and the numbers
// in the navigation ask, from the database of package db.
//
// It knows no rules and no HTTP.
package reportstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/rows"
)

// Insight answers questions over a whole portfolio.
type Insight struct{ db *db.DB }

// NewInsight is the store over a database.
func NewInsight(d *db.DB) Insight { return Insight{d} }

// New is what reports need of a database.
func New(d *db.DB) report.Store {
	return struct {
		Insight
		*portfoliostore.Store
	}{NewInsight(d), portfoliostore.New(d)}
}

// owed is what counts for the rent that is owed by a day, $2: what is unpaid, and credits that are left. Its first line
// is the condition of the index payments_owed; only the very same words let SQLite use it.
var owed = rows.Is("type", portfolio.PaymentRent) + ` AND ` + rows.OneOf("status", portfolio.PayablePayments()) + `
	AND due_date <= $2 AND ` + portfoliostore.Left

// owes is the condition of a lease of which rent is owed, once its credits are taken off, for so long.
const owes = `sum(amount - amount_paid) > 0 AND min(CASE WHEN amount > amount_paid THEN due_date END) <= $3`

// owing finds the ledger rows of which something is owed, $3 being by when the oldest
// charge of a lease was due: the conditions of a row that counts, and with them those of
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
			HAVING `+owes+`) AS sums`, len(l.Args)
	l.Where("lease_id > ?", f.StartingAfter)
	l.Args = append(l.Args, int64(l.Limit+1))
	query := `WITH page AS MATERIALIZED (
			SELECT lease_id
			FROM payments
			WHERE ` + l.SQL.String() + `
			GROUP BY lease_id
			HAVING ` + owes + `
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

// unfinished is the condition of the index tickets_unfinished; only the very same words let
// SQLite use it.
var unfinished = rows.OneOf("status", portfolio.OpenTickets())

// payable is the condition of the index payments_balance; only the very same words let SQLite use it.
var payable = rows.OneOf("status", portfolio.PayablePayments())

var deposit = rows.Is("type", portfolio.PaymentDeposit)

// unpaid is the condition of the index payments_overdue; only the very same words let SQLite use it.
var unpaid = rows.OneOf("status", portfolio.UnpaidPayments())

// Overview reads what is due, what is overdue and what is open in a portfolio, all at the same
// moment. It counts report.MostCounted of each at most, so that no page waits for a long list.
func (s Insight) Overview(ctx context.Context, in access.Portfolio, w report.OverviewWindow) (report.Overview, error) {
	most := strconv.Itoa(report.MostCounted + 1)
	var query strings.Builder
	query.WriteString(`WITH overdue AS MATERIALIZED (
			SELECT lease_id, due_date, amount - amount_paid AS balance, CASE WHEN ` + deposit + ` THEN 1 ELSE 0 END AS deposit
			FROM payments` + s.db.IndexedBy("payments_overdue") + `
			WHERE portfolio_id = $1 AND ` + unpaid + ` AND due_date < $4 AND amount > 0 AND amount > amount_paid
			ORDER BY due_date
			LIMIT ` + most + `)
		SELECT 'rent', '', day, due, collected
		FROM rent_days
		WHERE portfolio_id = $1 AND day >= $2 AND day < $3
		UNION ALL
		SELECT 'overdue', lease_id, due_date, balance, deposit
		FROM overdue
		UNION ALL
		SELECT 'credit', lease_id, amount_paid - amount, CASE WHEN ` + deposit + ` THEN 1 ELSE 0 END, 0
		FROM payments` + s.db.IndexedBy("payments_credit") + `
		WHERE portfolio_id = $1 AND lease_id IN (SELECT lease_id FROM overdue)
			AND ` + portfoliostore.CreditLeft + ` AND due_date <= $4
		UNION ALL
		SELECT 'signing', COALESCE(min(rental_address), ''), count(*), COALESCE(min(expires_at), 0), 0
		FROM (
			SELECT rental_address, expires_at
			FROM leases` + s.db.IndexedBy("leases_offered") + `
			WHERE portfolio_id = $1 AND ` + rows.Is("status", portfolio.LeasePendingSignature) + `
				AND expires_at >= $5 AND expires_at < $6
			ORDER BY expires_at
			LIMIT ` + most + `) offered
		UNION ALL
		SELECT 'properties', '', count(*), 0, 0
		FROM (SELECT id FROM properties WHERE portfolio_id = $1 ORDER BY id LIMIT 1) first`)
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
	o := overview{
		Overview: report.Overview{Tickets: map[portfolio.Priority]int{}},
		credits:  map[portfolio.CreditOf]money.Cents{},
	}
	err := s.db.Each(ctx, query.String(), []any{
		in.ID, int64(w.From), int64(w.Until), int64(w.Today), int64(w.Now), int64(w.Soon),
	}, o.read)
	o.Overdue = report.OverdueOf(o.overdue, o.credits, w.Today)
	return o.Overview, err
}

// overview is one that is being read.
type overview struct {
	report.Overview
	overdue []portfolio.OverdueCharge
	credits map[portfolio.CreditOf]money.Cents
}

// read puts a row of an overview into its place.
func (o *overview) read(scan db.Scan) error {
	var what, word string
	var a, b, c int64
	if err := scan(&what, &word, &a, &b, &c); err != nil {
		return err
	}
	switch what {
	case "properties":
		o.Empty = a == 0
	case "rent":
		o.Rent = append(o.Rent, report.RentDay{
			Day:       clock.Date(a),
			Due:       money.Cents(b),
			Collected: money.Cents(c),
		})
	case "overdue":
		o.overdue = append(o.overdue, portfolio.OverdueCharge{
			LeaseID: word, DueDate: clock.Date(a), Left: money.Cents(b), Deposit: c == 1,
		})
	case "credit":
		o.credits[portfolio.CreditOf{LeaseID: word, Deposit: b == 1}] += money.Cents(a)
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

// mostSummaries is of how many portfolios the summary is kept.
const mostSummaries = 10_000

// summaries are those that were counted last, by the portfolio.
type summaries struct {
	mu  sync.Mutex
	all map[int64]tallied
}

// tallied is a summary with what it was counted at.
type tallied struct {
	revision int64
	today    clock.Date
	summary  report.Summary
}

func (s *summaries) get(in int64) tallied {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[in]
}

func (s *summaries) keep(in int64, c tallied) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil || len(s.all) >= mostSummaries {
		s.all = map[int64]tallied{}
	}
	s.all[in] = c
}

// Summary counts the records of a portfolio and sums what is owed of rent, all at the
// same moment. What was counted before stands as long as the portfolio's revision says
// that nothing has changed since: it is read first, so a change meanwhile is at worst
// counted twice.
func (s Insight) Summary(ctx context.Context, in access.Portfolio, today clock.Date) (report.Summary, error) {
	if db.Inside(ctx) { // it may never come to be
		return s.summary(ctx, in, today)
	}
	now := tallied{today: today}
	if _, err := s.db.One(ctx, "SELECT revision FROM portfolios WHERE id = $1", []any{
		in.ID,
	}, &now.revision); err != nil {
		return now.summary, err
	}
	before := db.Beside[summaries](s.db).get(in.ID)
	if before.today == today && before.revision == now.revision && now.revision > 0 {
		return before.summary, nil
	}
	var err error
	if now.summary, err = s.summary(ctx, in, today); err == nil {
		db.Beside[summaries](s.db).keep(in.ID, now)
	}
	return now.summary, err
}

// summary counts. Each number comes from an index alone.
func (s Insight) summary(ctx context.Context, in access.Portfolio, today clock.Date) (report.Summary, error) {
	var sum report.Summary
	err := s.db.Each(ctx, `SELECT 'properties', '', count(*)
		FROM properties
		WHERE portfolio_id = $1
		UNION ALL
		SELECT 'units', status, count(*)
		FROM units
		WHERE portfolio_id = $1
		GROUP BY status
		UNION ALL
		SELECT 'tenants', '', count(*)
		FROM tenants
		WHERE portfolio_id = $1
		UNION ALL
		SELECT 'leases', status, count(*)
		FROM leases
		WHERE portfolio_id = $1
		GROUP BY status
		UNION ALL
		SELECT 'tickets', '', count(*)
		FROM tickets
		WHERE portfolio_id = $1 AND `+rows.OneOf("status", portfolio.OpenTickets())+`
		UNION ALL
		SELECT 'rent', '', CAST(COALESCE(sum(balance), 0) AS BIGINT)
		FROM (
			SELECT sum(amount - amount_paid) AS balance
			FROM payments
			WHERE portfolio_id = $1 AND `+owed+`
			GROUP BY lease_id) AS sums
		WHERE balance > 0
		UNION ALL
		SELECT 'charges', '', CAST(COALESCE(sum(CASE WHEN balance > 0 THEN balance ELSE 0 END +
				CASE WHEN deposit > 0 THEN deposit ELSE 0 END), 0) AS BIGINT)
		FROM (
			SELECT sum(CASE WHEN `+deposit+` THEN 0 ELSE amount - amount_paid END) AS balance,
				sum(CASE WHEN `+deposit+` THEN amount - amount_paid ELSE 0 END) AS deposit
			FROM payments`+s.db.IndexedBy("payments_balance")+`
			WHERE portfolio_id = $1 AND `+payable+` AND due_date <= $2 AND `+portfoliostore.Left+`
			GROUP BY lease_id) AS sums`, []any{in.ID, int64(today)}, func(scan db.Scan) error {
		var what, status string
		var n int64
		if err := scan(&what, &status, &n); err != nil {
			return err
		}
		return addCount(&sum, what, status, n)
	})
	return sum, err
}

// addCount puts a number of a summary into its place.
func addCount(sum *report.Summary, what, status string, n int64) error {
	switch what {
	case "properties":
		sum.Properties = int(n)
	case "units":
		sum.Units += int(n)
		switch unit := portfolio.UnitStatus(status); {
		case unit.Occupied():
			sum.OccupiedUnits += int(n)
		case unit == portfolio.UnitVacant:
			sum.VacantUnits = int(n)
		}
	case "tenants":
		sum.Tenants = int(n)
	case "leases":
		at := sum.Leases.Of(portfolio.LeaseStatus(status))
		if at == nil {
			return fmt.Errorf("%d leases have the unknown status %q", n, status)
		}
		*at = int(n)
	case "tickets":
		sum.OpenTickets = int(n)
	case "rent":
		sum.RentDueTotal = money.Cents(n)
	case "charges":
		sum.ChargesDueTotal = money.Cents(n)
	}
	return nil
}

// Waiting counts what waits for somebody in a portfolio, at most so many of each. Each number comes
// from an index alone, and reads no more of it than the bound.
func (s Insight) Waiting(ctx context.Context, in access.Portfolio, most int) (w portfolio.Waiting, err error) {
	var leases, tickets, applications int64
	_, err = s.db.One(ctx, `SELECT (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM leases
				WHERE portfolio_id = $1 AND `+rows.Is("status", portfolio.LeasePendingSignature)+`
				LIMIT $2) l), (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM tickets
				WHERE portfolio_id = $1 AND `+rows.OneOf("status", portfolio.OpenTickets())+`
				LIMIT $2) t), (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM applications
				WHERE portfolio_id = $1 AND decision IS NULL
				LIMIT $2) a)`, []any{in.ID, int64(most)}, &leases, &tickets, &applications)
	return portfolio.Waiting{Leases: int(leases), Tickets: int(tickets), Applications: int(applications)}, err
}

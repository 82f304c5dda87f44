package portfoliostore

import (
	"context"
	"slices"
	"strconv"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger"
	"portal/db"
	"portal/db/rows"
)

// mostGrouped is how many rows are read to count the statuses of what belongs to a record or a search.
const mostGrouped = 20 * list.Most

// ofStatuses is a type of statuses.
type ofStatuses interface {
	~string
	Values() []string
}

// statusCounts counts the rows of each status that pass a filter. Where it leads to few rows, those of what
// belongs to a record or a search, all of them are read once; else each status is counted in its index.
func statusCounts[S ofStatuses](
	ctx context.Context, s *rows.Sorted, of func(S) rows.Filter,
) (list.Counts[S], error) {
	all := of("")
	if all.Facets || all.All {
		return eachCount(ctx, s, of)
	}
	groups, more, err := s.CountGroups(ctx, "status", all, mostGrouped)
	counts, err := rows.Counts[S](groups, err)
	for status, n := range counts {
		n.More = n.More || more
		counts[status] = n
	}
	return counts, err
}

// eachCount counts the rows of each status that pass a filter in its index.
func eachCount[S ofStatuses](
	ctx context.Context, s *rows.Sorted, of func(S) rows.Filter,
) (list.Counts[S], error) {
	return rows.Counts[S](
		s.CountEach(ctx, S("").Values(), func(status string) rows.Filter { return of(S(status)) }),
	)
}

// PropertyCounts counts the properties that pass a filter, by their status. That of the filter is
// not looked at.
func (s *Store) PropertyCounts(
	ctx context.Context, in access.Portfolio, f portfolio.PropertyFilter,
) (list.Counts[portfolio.PropertyStatus], error) {
	search, err := rows.Searched(ctx, s.db, in, propertyWords, f.Search)
	if err != nil {
		return nil, err
	}
	return eachCount(ctx, sortedProperties(s.db, in, f, search), func(status portfolio.PropertyStatus) rows.Filter {
		f.Status = status
		return search(propertyFilter(f))
	})
}

// TenantCounts counts the tenants that pass a filter, by their status. That of the filter is not
// looked at.
func (s *Store) TenantCounts(
	ctx context.Context, in access.Portfolio, f portfolio.TenantFilter,
) (list.Counts[portfolio.TenantStatus], error) {
	search, err := rows.Searched(ctx, s.db, in, tenantWords, f.Search)
	if err != nil {
		return nil, err
	}
	return eachCount(ctx, sortedTenants(s.db, in, f, search), func(status portfolio.TenantStatus) rows.Filter {
		f.Status = status
		return search(tenantFilter(f))
	})
}

// LeaseCounts counts the leases that pass a filter, by their status. That of the filter is not
// looked at.
func (s *Store) LeaseCounts(
	ctx context.Context, in access.Portfolio, f portfolio.LeaseFilter,
) (list.Counts[portfolio.LeaseStatus], error) {
	return statusCounts(ctx, sortedLeases(s.db, in, f), func(status portfolio.LeaseStatus) rows.Filter {
		f.Status = status
		return leaseFilter(f, nil)
	})
}

// TicketCounts counts the tickets that pass a filter, by their status. That of the filter is not
// looked at.
func (s *Store) TicketCounts(
	ctx context.Context, in access.Portfolio, f portfolio.TicketFilter,
) (list.Counts[portfolio.TicketStatus], error) {
	return statusCounts(ctx, sortedTickets(s.db, in, f), func(status portfolio.TicketStatus) rows.Filter {
		f.Status = status
		return ticketFilter(f)
	})
}

// PaymentCounts counts the ledger rows that pass a filter, by their status. That of the filter is
// not looked at.
func (s *Store) PaymentCounts(
	ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, today clock.Date,
) (list.Counts[portfolio.PaymentStatus], error) {
	return statusCounts(ctx, sortedPayments(s.db, in, f, today), func(status portfolio.PaymentStatus) rows.Filter {
		f.Status = status
		return paymentFilter(f, today)
	})
}

// PaymentTotals adds up the ledger rows that pass each of some filters, list.Most and one of them at most of each.
func (s *Store) PaymentTotals(
	ctx context.Context, in access.Portfolio, today clock.Date, filters ...portfolio.PaymentFilter,
) ([]ledger.Totals, error) {
	sum := func(column string) string { return ", CAST(COALESCE(sum(" + column + "), 0) AS BIGINT)" }
	l := rows.NewListing(s.db, 0, in.ID)
	for i, f := range filters {
		if i > 0 {
			l.SQL.WriteString(" UNION ALL ")
		}
		l.SQL.WriteString(
			"SELECT " + strconv.Itoa(i) + ", count(*)" + sum("amount") + sum("amount_paid") + sum("balance") +
				" FROM (",
		)
		sortedPayments(s.db, in, f, today).Some(l, paymentFilter(f, today), "amount, amount_paid, "+balanceDue)
		l.SQL.WriteString(") AS added")
	}
	totals := make([]ledger.Totals, len(filters))
	return totals, s.db.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
		var i, n int
		var t ledger.Totals
		err := scan(&i, &n, &t.Amount, &t.Paid, &t.Balance)
		t.Rows = list.CountOf(n)
		totals[i] = t
		return err
	})
}

// OverdueWithCredit reads the overdue ledger rows of leases that have a credit left, and those credits, of so many
// leases at most.
func (s *Store) OverdueWithCredit(
	ctx context.Context, in access.Portfolio, today clock.Date, most int,
) (overdue []portfolio.OverdueCharge, credits map[portfolio.CreditOf]money.Cents, err error) {
	credits = map[portfolio.CreditOf]money.Cents{}
	deposit := "CASE WHEN " + rows.Is("type", portfolio.PaymentDeposit) + " THEN 1 ELSE 0 END"
	err = s.db.EachPlanned(ctx, `WITH credited AS MATERIALIZED (
			SELECT lease_id, amount_paid - amount AS credit, `+deposit+` AS deposit
			FROM payments`+s.db.IndexedBy("payments_credit")+`
			WHERE portfolio_id = $1 AND `+CreditLeft+` AND due_date <= $2
			ORDER BY lease_id
			LIMIT `+strconv.Itoa(most)+`)
		SELECT '', lease_id, 0, credit, deposit
		FROM credited
		UNION ALL
		SELECT id, lease_id, due_date, amount - amount_paid, `+deposit+`
		FROM payments`+s.db.IndexedBy("payments_balance")+`
		WHERE portfolio_id = $1 AND lease_id IN (SELECT lease_id FROM credited) AND `+balanceRow+`
			AND `+unpaid+` AND due_date < $2 AND amount > 0 AND amount > amount_paid`, []any{in.ID, int64(today)},
		func(scan db.Scan) error {
			var c portfolio.OverdueCharge
			var deposit int64
			err := scan(&c.ID, &c.LeaseID, &c.DueDate, &c.Left, &deposit)
			if c.Deposit = deposit == 1; c.ID == "" {
				credits[portfolio.CreditOf{LeaseID: c.LeaseID, Deposit: c.Deposit}] += c.Left
			} else {
				overdue = append(overdue, c)
			}
			return err
		})
	return overdue, credits, err
}

// Passing are those of some ledger rows that pass a filter.
func (s *Store) Passing(
	ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, today clock.Date, ids []string,
) (passing []string, err error) {
	for some := range slices.Chunk(ids, rows.MostIDs) {
		l := rows.NewListing(s.db, 0, in.ID)
		l.SQL.WriteString("SELECT id, tenant_id, property_id FROM payments WHERE portfolio_id = $1 AND id IN (" +
			db.Placeholders(1, len(some)) + ")")
		l.Args = db.With(l.Args, some)
		paymentConditions(f, today)(l)
		err = s.db.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
			var id, tenant, property string
			err := scan(&id, &tenant, &property)
			if n := f.Named; n == nil || slices.Contains(n.IDs, id) || slices.Contains(n.TenantIDs, tenant) ||
				slices.Contains(n.PropertyIDs, property) {
				passing = append(passing, id)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return passing, nil
}

// balanceDue is the balance of a ledger row as portfolio.Payment.Compute has it.
var balanceDue = `CASE WHEN NOT ` +
	rows.OneOf("status", []portfolio.PaymentStatus{portfolio.PaymentVoid, portfolio.PaymentRefunded}) +
	` THEN amount - amount_paid ELSE 0 END AS balance`

// ApplicantCounts counts the people who were invited to apply, by how far they are.
func (s *Store) ApplicantCounts(
	ctx context.Context, in access.Portfolio, now clock.Time,
) (list.Counts[application.Standing], error) {
	after, end, order := rows.SpanFrom(id.Invitation, nil, nil, "", false)
	args, query := []any{in.ID, after, end}, ""
	for _, standing := range application.Standing("").Values() {
		if query != "" {
			query += " UNION ALL "
		}
		query += "SELECT " + rows.Literal(standing) + " AS standing, (SELECT count(*) FROM (SELECT 1" +
			s.applicantsOf(application.Standing(standing), now, order, &args) +
			" LIMIT " + strconv.Itoa(list.Most+1) + ") AS n)"
	}
	counts := map[string]int{}
	err := s.db.Each(ctx, query, args, rows.Numbers(counts))
	return rows.Counts[application.Standing](counts, err)
}

package portfoliostore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/rows"
)

// RentNoticePortfolios calls back with each portfolio of an open account whose tenants get emails about rent, and the
// time zone, and gives the errors of all calls.
func (s *Store) RentNoticePortfolios(
	ctx context.Context, each func(in access.Portfolio, zone string) error,
) error {
	all, err := s.places(ctx, " AND p.rent_notices = 1 AND p.auto_charge_since IS NOT NULL")
	if err != nil {
		return err
	}
	var failed []error
	for _, p := range all {
		if err := each(p.Portfolio, p.zone); err != nil {
			failed = append(failed, fmt.Errorf("email the tenants of portfolio %d about rent: %w", p.ID, err))
		}
	}
	return errors.Join(failed...)
}

// RentNoticesSent reports whether tenants of a portfolio get emails about rent: its account is open, wants them, and
// the ledger charges by itself.
func (s *Store) RentNoticesSent(ctx context.Context, in access.Portfolio) (bool, error) {
	return s.db.Has(ctx, sendsRentNotices, []any{in.ID})
}

// sendsRentNotices is the query of a portfolio whose tenants get emails about rent.
const sendsRentNotices = `SELECT 1
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		WHERE p.id = $1 AND p.rent_notices = 1 AND p.auto_charge_since IS NOT NULL AND a.closed_at IS NULL`

// TenantsToNotify asks with one message, in a transaction, what RentNoticesSent, TenantsWithNews and TenantsWithDue
// tell: it names tenants who are to be emailed about rent on a day, at most so many.
func (s *Store) TenantsToNotify(
	ctx context.Context, in access.Portfolio, today, soon clock.Date, most int,
) (all []string, err error) {
	sent := false
	tenant := func(scan db.Scan) error {
		all = append(all, "")
		return scan(&all[len(all)-1])
	}
	news, due := s.tenantsWithNews(most), s.tenantsWithDue(most)
	err = s.db.Together(ctx, []db.Statement{
		{Query: sendsRentNotices, Args: []any{in.ID}, Row: func(scan db.Scan) error {
			sent = true
			return scan(new(int64))
		}},
		{Query: news, Args: []any{in.ID, int64(today)}, Row: tenant},
		{Query: due, Args: []any{in.ID, int64(today), int64(today)}, Row: tenant},
		{Query: due, Args: []any{in.ID, int64(today), int64(soon)}, Row: tenant},
	})
	if err != nil || !sent {
		return nil, err
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), most)], nil
}

// wantsRentNotice is the condition on a tenant t who can get an email about rent on the day $2.
const wantsRentNotice = `t.email IS NOT NULL AND t.rent_notices_stopped_at IS NULL AND NOT EXISTS (
			SELECT 1
			FROM rent_notices n
			WHERE n.portfolio_id = t.portfolio_id AND n.tenant_id = t.id AND n.day = $2)`

// TenantsWithNews names tenants whom there is something to tell of that has happened to the rent, and who were not
// emailed on a day: at most so many. For the join see TenantsWithDue.
func (s *Store) TenantsWithNews(
	ctx context.Context, in access.Portfolio, today clock.Date, most int,
) ([]string, error) {
	return rows.All(ctx, s.db, s.tenantsWithNews(most), []any{in.ID, int64(today)}, rows.Value[string])
}

func (s *Store) tenantsWithNews(most int) string {
	return `SELECT DISTINCT w.tenant_id
		FROM rent_news w
		CROSS JOIN tenants t
		WHERE w.portfolio_id = $1 AND t.portfolio_id = w.portfolio_id AND t.id = w.tenant_id
			AND ` + wantsRentNotice + `
		ORDER BY w.tenant_id
		LIMIT ` + strconv.Itoa(most)
}

// TenantsWithDue names tenants whose ledger rows are due on a day and unpaid, and who were not emailed on another one:
// at most so many. The joins are cross joins because SQLite keeps to their order: left to itself it reads all signers
// of a portfolio first, though on most days no row is due.
func (s *Store) TenantsWithDue(
	ctx context.Context, in access.Portfolio, today, due clock.Date, most int,
) ([]string, error) {
	return rows.All(ctx, s.db, s.tenantsWithDue(most), []any{in.ID, int64(today), int64(due)}, rows.Value[string])
}

func (s *Store) tenantsWithDue(most int) string {
	return `SELECT DISTINCT l.tenant_id
		FROM payments p` + s.db.IndexedBy("payments_due") + `
		CROSS JOIN lease_signers l
		CROSS JOIN tenants t
		WHERE p.portfolio_id = $1 AND p.due_date = $3 AND p.id > ''
			AND l.portfolio_id = p.portfolio_id AND l.lease_id = p.lease_id
			AND t.portfolio_id = l.portfolio_id AND t.id = l.tenant_id
			AND ` + rows.OneOf("p.status", portfolio.PayablePayments()) + ` AND p.amount > p.amount_paid
			AND ` + rows.IsNot("l.role", portfolio.PartyGuarantor) + ` AND ` + wantsRentNotice + `
		LIMIT ` + strconv.Itoa(most)
}

// RentReaders reads tenants with their live links, whom an email about rent may go to.
func (s *Store) RentReaders(
	ctx context.Context, in access.Portfolio, tenantIDs []string,
) ([]tenantportal.RentReader, error) {
	these, args := s.db.Among([]any{in.ID}, tenantIDs)
	readers, err := rows.All(ctx, s.db, `SELECT `+tenantTable.Of("t")+`, COALESCE(l.id, ''), COALESCE(
			NULLIF(l.language, ''),
			(SELECT o.language
			FROM tenant_links o
			WHERE o.portfolio_id = t.portfolio_id AND o.tenant_id = t.id AND o.language <> ''
			ORDER BY o.id DESC
			LIMIT 1),
			(SELECT p.language
			FROM lease_signers p
			WHERE p.portfolio_id = t.portfolio_id AND p.tenant_id = t.id AND p.language <> ''
			ORDER BY p.lease_id DESC
			LIMIT 1), ''),
			EXISTS (SELECT 1 FROM tenant_links h WHERE h.portfolio_id = t.portfolio_id AND h.tenant_id = t.id)
		FROM tenants t
		LEFT JOIN tenant_links l ON l.portfolio_id = t.portfolio_id AND l.tenant_id = t.id AND l.ended_at IS NULL
		WHERE t.portfolio_id = $1 AND t.id`+these, args, func(scan db.Scan, r *tenantportal.RentReader) error {
		return tenantTable.Read(in)(func(into ...any) error {
			return scan(append(into, &r.LinkID, &r.Language, &r.HadLink)...)
		}, &r.Tenant)
	})
	if err != nil || len(readers) == 0 {
		return readers, err
	}
	tenants := make([]portfolio.Tenant, len(readers))
	for i := range readers {
		tenants[i] = readers[i].Tenant
	}
	err = s.leasesOf(ctx, in, tenants)
	for i := range readers {
		readers[i].Tenant = tenants[i]
	}
	return readers, err
}

// RentNews reads what the next emails about rent tell besides what is due, by the tenant's id.
func (s *Store) RentNews(
	ctx context.Context, in access.Portfolio, tenantIDs []string,
) (map[string][]tenantportal.RentNews, error) {
	these, args := s.db.Among([]any{in.ID}, tenantIDs)
	found := map[string][]tenantportal.RentNews{}
	err := s.db.Each(ctx, `SELECT tenant_id, payment_id, position
		FROM rent_news
		WHERE portfolio_id = $1 AND tenant_id`+these+`
		ORDER BY tenant_id, payment_id, position`, args, func(scan db.Scan) error {
		var tenant string
		var n tenantportal.RentNews
		err := scan(&tenant, &n.PaymentID, &n.Position)
		found[tenant] = append(found[tenant], n)
		return err
	})
	return found, err
}

// AddRentNotices notes that tenants were emailed about rent on a day, which has told all that there was to tell.
func (s *Store) AddRentNotices(ctx context.Context, in access.Portfolio, tenantIDs []string, day clock.Date) error {
	insert, values, err := rows.Insertion(s.db, in, "rent_notices", "tenant_id, day", tenantIDs,
		func(tenantID *string) ([]any, error) { return []any{*tenantID, int64(day)}, nil })
	if err == nil {
		err = s.db.Run(ctx, insert, values...)
	}
	if err != nil {
		return err
	}
	these, args := s.db.Among([]any{in.ID}, tenantIDs)
	return s.db.Later(ctx, "DELETE FROM rent_news WHERE portfolio_id = $1 AND tenant_id"+these, args...)
}

// RentNoticesStopped is when a tenant stopped emails about rent, nil where they did not.
func (s *Store) RentNoticesStopped(
	ctx context.Context, in access.Portfolio, tenantID string,
) (at *clock.Time, err error) {
	_, err = s.db.One(ctx, `SELECT rent_notices_stopped_at
		FROM tenants
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, tenantID}, &at)
	return at, err
}

// SaveRentNoticesStopped writes when a tenant stopped emails about rent, nil where they want them. What there was to
// tell is not told any more.
func (s *Store) SaveRentNoticesStopped(
	ctx context.Context, in access.Portfolio, tenantID string, at *clock.Time,
) error {
	err := s.db.Run(ctx, `UPDATE tenants
		SET rent_notices_stopped_at = $3
		WHERE portfolio_id = $1 AND id = $2`, in.ID, tenantID, at)
	if err != nil {
		return err
	}
	return s.db.Run(ctx, "DELETE FROM rent_news WHERE portfolio_id = $1 AND tenant_id = $2", in.ID, tenantID)
}

// HadLink reports whether a tenant has had a link to their page, live or ended.
func (s *Store) HadLink(ctx context.Context, in access.Portfolio, tenantID string) (bool, error) {
	return s.db.Has(ctx, `SELECT 1
		FROM tenant_links
		WHERE portfolio_id = $1 AND tenant_id = $2
		LIMIT 1`, []any{in.ID, tenantID})
}

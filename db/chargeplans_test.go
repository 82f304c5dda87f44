package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// look is a statement of the hourly job, and the index by which SQLite is to find what it asks for.
type look struct {
	do   func(context.Context) error
	uses string
}

// looks are the statements by which the hourly job finds what there is to do on a day.
func looks(d *db.DB, in access.Portfolio, today clock.Date, now clock.Time) map[string]look {
	s := portfoliostore.New(d)
	return map[string]look{
		"roll over": {func(ctx context.Context) error {
			_, err := s.LeasesToRollOver(ctx, in, today, now, 1)
			return err
		}, "(portfolio_id=? AND "},
		"any": {func(ctx context.Context) error {
			_, err := s.DueWork(ctx, in, today, now)
			return err
		}, "payments_late_fee (portfolio_id=? AND late_fee_on>? AND late_fee_on<?)"},
		"expire": {func(ctx context.Context) error {
			_, err := s.ExpireInvitations(ctx, in, now)
			return err
		}, "invitations_"},
		"fall due": {func(ctx context.Context) error {
			_, err := s.AnyFallsDue(ctx, in, today)
			return err
		}, "payments_status_due (portfolio_id=? AND status=? AND due_date<?)"},
		"charge": {func(ctx context.Context) error {
			_, err := s.LeasesToCharge(ctx, in, today, 25)
			return err
		}, "leases_charge (portfolio_id=? AND charge_on<?)"},
		"credited": {func(ctx context.Context) error {
			_, err := s.Credited(ctx, in, 25)
			return err
		}, "payments_credit (portfolio_id=?)"},
		"news": {func(ctx context.Context) error {
			_, err := s.TenantsWithNews(ctx, in, today, 10)
			return err
		}, "SEARCH t USING INDEX sqlite_autoindex_tenants_1 (portfolio_id=? AND id=?)"},
		"due soon": {func(ctx context.Context) error {
			_, err := s.TenantsWithDue(ctx, in, today, today.AddDays(7), 10)
			return err
		}, "SEARCH l USING INDEX sqlite_autoindex_lease_signers_1 (portfolio_id=? AND lease_id=?)"},
		"late": {func(ctx context.Context) error {
			_, err := s.LatePayments(ctx, in, today, 25)
			return err
		}, "payments_late_fee (portfolio_id=? AND late_fee_on>? AND late_fee_on<?)"},
	}
}

// ofLeases are the statements by which it reads what it needs of some leases.
func ofLeases(d *db.DB, in access.Portfolio) map[string]look {
	s := portfoliostore.New(d)
	return map[string]look{
		"credit": {func(ctx context.Context) error {
			_, err := s.HasCredit(ctx, in, "x")
			return err
		}, "payments_credit (portfolio_id=? AND lease_id=?)"},
		"unpaid of balances": {func(ctx context.Context) error {
			_, err := s.Balances(ctx, in, 20_000, []string{"x", "y"})
			return err
		}, "COVERING INDEX payments_balance (portfolio_id=? AND lease_id=? AND due_date<?)"},
		"deposits of balances": {func(ctx context.Context) error {
			_, err := s.Balances(ctx, in, 20_000, []string{"x", "y"})
			return err
		}, "COVERING INDEX payments_deposit (portfolio_id=? AND lease_id=?"},
		"news": {func(ctx context.Context) error {
			_, err := s.RentNews(ctx, in, []string{"x", "y"})
			return err
		}, "rent_news USING COVERING INDEX sqlite_autoindex_rent_news_1 (portfolio_id=? AND tenant_id=?)"},
		"owed": {func(ctx context.Context) error {
			_, err := s.OwedRows(ctx, in, []string{"x", "y"}, nil)
			return err
		}, "payments_balance (portfolio_id=? AND lease_id=?)"},
		"told": {func(ctx context.Context) error {
			_, err := s.OwedRows(ctx, in, nil, []string{"x", "y"})
			return err
		}, "payments USING INDEX sqlite_autoindex_payments_1 (portfolio_id=? AND id=?)"},
		"rows": {func(ctx context.Context) error {
			_, err := s.RowsOfLeases(ctx, in, []string{"x", "y"})
			return err
		}, ofLease[0]},
		"leases": {func(ctx context.Context) error {
			_, err := s.LeasesWithTerms(ctx, in, []string{"x", "y"})
			return err
		}, "leases USING INDEX sqlite_autoindex_leases_1 (portfolio_id=? AND id=?)"},
		"properties": {func(ctx context.Context) error {
			_, err := s.PropertiesWithIDs(ctx, in, []string{"x", "y"})
			return err
		}, "properties USING INDEX sqlite_autoindex_properties_1 (portfolio_id=? AND id=?)"},
	}
}

// The search for a transaction looks at it, or at the rows that have the time of its id.
func TestTransactionIsFoundByIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		s := portfoliostore.New(d)
		for name, l := range map[string]look{
			"stored": {func(ctx context.Context) error {
				_, err := s.PaymentOfTransaction(ctx, in, "x")
				return err
			}, "COVERING INDEX payment_transactions_id (portfolio_id=? AND id=?)"},
			"rows of a moment": {func(ctx context.Context) error {
				_, err := s.PaymentsMade(ctx, in, "a", "b", 100)
				return err
			}, "payments USING INDEX sqlite_autoindex_payments_1 (portfolio_id=? AND id>? AND id<?)"},
		} {
			queries, err := d.Plan(t.Context(), l.do)
			must(t, err)
			if joined := fmt.Sprint(queries); !strings.Contains(joined, l.uses) || strings.Contains(joined, "SCAN ") {
				t.Errorf("%s: %q", name, queries)
			}
		}
	})
}

func TestHourlyJobLooksByIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, all := range []map[string]look{looks(d, in, 20_000, 1), ofLeases(d, in)} {
			for name, l := range all {
				queries, err := d.Plan(t.Context(), l.do)
				must(t, err)
				joined := fmt.Sprint(queries)
				if !strings.Contains(joined, l.uses) || strings.Contains(joined, "SCAN ") {
					t.Errorf("%s: %q", name, queries)
				}
			}
		}
	})
}

// PostgreSQL reads next to nothing of 3,500 leases with 42,000 rows where there is nothing to do.
func TestHourlyJobReadsLittleOnPostgresWhereItFindsNothing(t *testing.T) {
	t.Parallel()
	d, in := aLargePortfolio(t)
	dbtest.Exec(t, d, "UPDATE leases SET charge_on = 30000")
	dbtest.Exec(t, d, "UPDATE payments SET late_fee_on = 30000 WHERE status = 'due'")
	_, err := d.Postgres().Exec(t.Context(), "ANALYZE")
	must(t, err)
	today, now := clock.Day(2026, time.November, 30), clock.At(dbtest.Now)
	for name, l := range looks(d, in, today, now) {
		if name == "roll over" || name == "any" { // reads the active leases once: the renewed are among them
			queries, err := d.Carried(t.Context(), l.do)
			must(t, err)
			fewIn(t, queries, 3510, name)
			continue
		}
		keptReadsFew(t, d, 10, name, l.do)
	}
	for name, l := range ofLeases(d, in) {
		keptReadsFew(t, d, 10, name, l.do)
	}
}

package db_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/portfolio/ledger/report"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
)

// Each question over a portfolio is answered from an index that holds little more than
// the answer.
func TestPortfolioQueriesDoNotReadWholePortfolio(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		ends := func(e report.Ends) func(context.Context) error {
			return func(ctx context.Context) error {
				_, err := portfoliostore.New(d).ExpiringLeases(ctx, in, e)
				return err
			}
		}
		owed := func(f report.BalanceFilter) func(context.Context) error {
			return func(ctx context.Context) error {
				_, _, err := reportstore.NewInsight(d).RentBalances(ctx, in, f, 20_000)
				return err
			}
		}
		const byEnd = "leases USING INDEX leases_ending (portfolio_id=? AND (end_date,id)>(?,?) AND end_date<?)"
		const ofLease = "payments USING INDEX payments_owed (portfolio_id=? AND lease_id=? AND due_date<?)"
		const all = "payments USING COVERING INDEX payments_owed (portfolio_id=?"
		const one = all + " AND lease_id=? AND due_date<?)"
		const byTenant = "payments USING INDEX payments_tenant (portfolio_id=? AND tenant_id=?)"
		const byProperty = "leases USING COVERING INDEX leases_property (portfolio_id=? AND property_id=?)"
		for name, c := range map[string]struct {
			do   func(context.Context) error
			uses []string
		}{
			"ends": {ends(report.Ends{}), []string{byEnd}},
			"ends of a property": {
				ends(report.Ends{PropertyID: "x"}),
				[]string{"leases USING INDEX leases_property (portfolio_id=? AND property_id=?)"},
			},
			"balances": {
				owed(report.BalanceFilter{}),
				[]string{all + ")", all + " AND lease_id>?)", ofLease},
			},
			"balances of a lease":    {owed(report.BalanceFilter{LeaseID: "x"}), []string{one, ofLease}},
			"balances of a property": {owed(report.BalanceFilter{PropertyID: "x"}), []string{byProperty, one, ofLease}},
			"balances of a tenant":   {owed(report.BalanceFilter{TenantID: "x"}), []string{byTenant, ofLease}},
			"balances by all": {
				owed(report.BalanceFilter{TenantID: "x", PropertyID: "x", LeaseID: "x"}),
				[]string{ofLease},
			},
			"summary": {func(ctx context.Context) error {
				_, err := reportstore.NewInsight(d).Summary(ctx, in, 20_000)
				return err
			}, []string{
				all + ")", "payments USING COVERING INDEX payments_balance (portfolio_id=?)",
				"units USING COVERING INDEX units_status (portfolio_id=?)",
				"leases USING COVERING INDEX leases_status (portfolio_id=?)",
				"tickets USING COVERING INDEX tickets_status (portfolio_id=? AND status=?)",
			}},
			"overview": {func(ctx context.Context) error {
				_, err := reportstore.NewInsight(d).Overview(ctx, in, report.OverviewWindow{})
				return err
			}, []string{
				"rent_days USING PRIMARY KEY (portfolio_id=? AND day>? AND day<?)",
				"payments USING COVERING INDEX payments_overdue (portfolio_id=? AND due_date<?)",
				"payments USING INDEX payments_credit (portfolio_id=? AND lease_id=?)",
				"leases USING INDEX leases_offered (portfolio_id=? AND expires_at>? AND expires_at<?)",
				"tickets USING COVERING INDEX tickets_unfinished (portfolio_id=? AND priority=?)",
			}},
		} {
			queries, err := d.Plan(t.Context(), c.do)
			must(t, err)
			steps := slices.Concat(queries...)
			for _, step := range c.uses {
				if !slices.Contains(steps, "SEARCH "+step) {
					t.Errorf("%s: no %s in %q", name, step, steps)
				}
			}
			if reading(steps, c.uses) {
				t.Errorf("%s: %q", name, steps)
			}
		}
	})
}

// reading reports whether a step reads a whole table, or a portfolio's rows of one: more
// than an index that covers what is asked, or steps that are known. Of what was found
// there may be a scan: of the leases of a page, the sum of each lease, or what is counted to a bound.
func reading(steps, known []string) bool {
	return slices.ContainsFunc(steps, func(step string) bool {
		whole := strings.HasSuffix(step, "(portfolio_id=?)") && !strings.Contains(step, " COVERING ")
		scan := strings.HasPrefix(step, "SCAN ") &&
			!slices.Contains(
				[]string{"SCAN page", "SCAN sums", "SCAN overdue", "SCAN offered", "SCAN first", "SCAN open"},
				step,
			)
		return (whole || scan) && !slices.Contains(known, strings.TrimPrefix(step, "SEARCH "))
	})
}

// What is asked of all leases stands in its order, and is not sorted.
// An owner's statement is of the whole portfolio. Of the ledger it reads what is due in its months, deposits, what is
// overdue, and the credits that are left, each from an index.
func TestOwnersStatementReadsOfTheLedgerWhatItAddsUp(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		queries, err := d.Plan(t.Context(), func(ctx context.Context) error {
			_, err := reportstore.NewInsight(d).OwnerStatement(ctx, in, "", 19_000, 20_000, 20_000)
			return err
		})
		must(t, err)
		var payments []string
		for _, step := range slices.Concat(queries...) {
			if strings.Contains(step, " payments") {
				payments = append(payments, step)
			}
		}
		if want := []string{
			"SEARCH payments USING INDEX payments_due (portfolio_id=? AND due_date>? AND due_date<?)",
			"SEARCH payments USING INDEX payments_deposit (portfolio_id=?)",
			"SEARCH payments USING INDEX payments_overdue (portfolio_id=? AND due_date<?)",
			"SEARCH payments USING INDEX payments_credit (portfolio_id=?)",
		}; !slices.Equal(payments, want) {
			t.Errorf("of the ledger it reads %q, want %q", payments, want)
		}
	})
}

func TestExpiringLeasesAreReadInIndexOrder(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		queries, err := d.Plan(t.Context(), func(ctx context.Context) error {
			_, err := portfoliostore.New(d).ExpiringLeases(ctx, in, report.Ends{Through: 30_000, Limit: 100})
			return err
		})
		must(t, err)
		if joined := fmt.Sprint(queries); strings.Contains(joined, "TEMP B-TREE") {
			t.Errorf("%q", queries)
		}
	})
}

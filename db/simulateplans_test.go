package db_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/portfoliostore"
)

// What is paid stays in the ledger, so whatever is done with rent that is owed must not read it.
func TestRentIsFoundWithoutReadingWhatIsPaid(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		s := portfoliostore.New(d)
		owed := func(f portfolio.PaymentFilter) func(context.Context) error {
			return func(ctx context.Context) error {
				_, err := s.RentOwed(ctx, in, f, 1)
				return err
			}
		}
		for name, c := range map[string]struct {
			do   func(context.Context) error
			uses []string
		}{
			"fall due": {func(ctx context.Context) error {
				_, err := s.DuePayments(ctx, in, 1, 1)
				return err
			}, []string{"payments_status_due (portfolio_id=? AND status=? AND due_date<?)"}},
			"owed":        {owed(portfolio.PaymentFilter{}), []string{"payments_"}},
			"of a lease":  {owed(portfolio.PaymentFilter{LeaseID: "x"}), []string{"payments_"}},
			"of a tenant": {owed(portfolio.PaymentFilter{TenantID: "x"}), []string{"payments_"}},
			"ahead": {func(ctx context.Context) error {
				_, err := s.RentAhead(ctx, in, 1)
				return err
			}, ofLease},
			"newest": {func(ctx context.Context) error {
				_, err := s.NewestRent(ctx, in, "x")
				return err
			}, ofLease},
			"charged until": {func(ctx context.Context) error {
				_, err := s.RentUntil(ctx, in, "x")
				return err
			}, ofLease},
			"residents": {func(ctx context.Context) error {
				_, err := s.Residents(ctx, in)
				return err
			}, []string{"(portfolio_id=? AND status=?"}},
		} {
			queries, _ := d.Plan(t.Context(), c.do) // the refusal of a write
			joined := fmt.Sprint(queries)
			missing := slices.ContainsFunc(c.uses, func(use string) bool { return !strings.Contains(joined, use) })
			all := strings.Contains(joined, "payments_tenant") || strings.Contains(joined, "payments_type") ||
				strings.Contains(joined, "payments_due ")
			if len(queries) == 0 || missing || all || strings.Contains(joined, "SCAN ") {
				t.Errorf("%s: %q", name, queries)
			}
		}
	})
}

var ofLease = []string{"payments_lease (portfolio_id=? AND lease_id=?"}

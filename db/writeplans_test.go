package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/idempotency"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

// Nothing is written here: a statement that writes is explained and then refused by the
// connection that only reads.
func TestNoWriteScansTable(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		claim := idempotency.Claim{KeyID: "x", Key: "x"}
		for name, write := range map[string]func(context.Context) error{
			"property": func(ctx context.Context) error {
				return portfoliostore.New(d).SaveProperty(ctx, in, &portfolio.Property{})
			},
			"ticket": func(ctx context.Context) error {
				return portfoliostore.New(d).SaveTicket(ctx, in, &portfolio.Ticket{Number: "T-1"})
			},
			"number": func(ctx context.Context) error {
				return portfoliostore.New(d).AddTicket(ctx, in, &portfolio.Ticket{})
			},
			"void unstarted": func(ctx context.Context) error {
				_, err := portfoliostore.New(d).VoidUnstarted(ctx, in, "x", 0, 0)
				return err
			},
			"charge on": func(ctx context.Context) error {
				return portfoliostore.New(d).SetChargeOn(ctx, in, []string{"x"}, 0)
			},
			"auto charge": func(ctx context.Context) error {
				return portfoliostore.New(d).SetAutoCharge(ctx, in, nil)
			},
			"payment": func(ctx context.Context) error {
				return portfoliostore.New(d).SavePayment(ctx, in, &portfolio.Payment{})
			},
			"sign": func(ctx context.Context) error {
				return portfoliostore.New(d).SaveSignature(ctx, in, "x", lease.Signature{TenantID: "x"}, 0)
			},
			"claim": func(ctx context.Context) error {
				_, err := servicestore.NewAnswers(d).ClaimKey(ctx, claim, 1, 0)
				return err
			},
			"keep": func(ctx context.Context) error {
				return servicestore.NewAnswers(d).KeepAnswer(ctx, &idempotency.Record{Claim: claim})
			},
			"forget": func(ctx context.Context) error {
				_, err := servicestore.NewAnswers(d).ForgetAnswers(ctx, 0, 1)
				return err
			},
		} {
			queries, _ := d.Plan(t.Context(), write) // the refusal
			if joined := fmt.Sprint(queries); len(queries) == 0 || strings.Contains(joined, "SCAN ") {
				t.Errorf("%s: %q", name, queries)
			}
		}
	})
}

func TestLeasesOfAStatusAreReadInTheOrderOfTheirIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		queries, err := d.Plan(t.Context(), func(ctx context.Context) error {
			_, err := portfoliostore.New(d).LeasesOfStatus(ctx, in, portfolio.LeaseActive, "lea_", 5)
			return err
		})
		must(t, err)
		if joined := fmt.Sprint(queries); len(queries) == 0 || strings.Contains(joined, "SCAN ") ||
			!strings.Contains(joined, "leases_status (portfolio_id=? AND status=? AND id>?)") {
			t.Errorf("%q", queries)
		}
	})
}

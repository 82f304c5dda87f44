package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/portfolio/property/verification"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
)

func TestAccessRequestQueueIsReadAndCountedByIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, _ access.Portfolio) {
		store := developerstore.New(d)
		for name, do := range map[string]func(context.Context) error{
			"counts": func(ctx context.Context) error {
				_, err := store.CaseCounts(ctx)
				return err
			},
			"oldest": func(ctx context.Context) error {
				_, err := store.Cases(ctx, developer.CaseFilter{
					Status: developer.Pending, OldestFirst: true, Limit: 21,
				})
				return err
			},
			"newest": func(ctx context.Context) error {
				_, err := store.Cases(ctx, developer.CaseFilter{Status: developer.Pending, Limit: 21})
				return err
			},
		} {
			queries, err := d.Plan(t.Context(), do)
			must(t, err)
			joined := fmt.Sprint(queries)
			if !strings.Contains(joined, "access_requests_status (status=?") ||
				strings.Contains(joined, "SCAN access_requests") || strings.Contains(joined, "TEMP B-TREE") {
				t.Errorf("%s: %q", name, queries)
			}
		}
	})
}

func TestUnverifiedPropertiesAreReadAndCountedByIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, _ access.Portfolio) {
		store := portfoliostore.New(d)
		for name, do := range map[string]func(context.Context) error{
			"counts": func(ctx context.Context) error {
				_, err := store.VerificationCounts(ctx)
				return err
			},
			"oldest": func(ctx context.Context) error {
				_, err := store.VerificationCases(ctx, verification.Filter{
					Status: verification.AskedVerification, OldestFirst: true, Limit: 21,
				})
				return err
			},
			"newest": func(ctx context.Context) error {
				_, err := store.VerificationCases(ctx, verification.Filter{
					Status: verification.AskedVerification, Limit: 21,
				})
				return err
			},
		} {
			queries, err := d.Plan(t.Context(), do)
			must(t, err)
			joined := fmt.Sprint(queries)
			if !strings.Contains(joined, "verifications_status (status=?") ||
				strings.Contains(joined, "SCAN verifications") || strings.Contains(joined, "TEMP B-TREE") {
				t.Errorf("%s: %q", name, queries)
			}
		}
	})
}

func TestMembersAreFoundByEmailIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, _ access.Portfolio) {
		store := accountstore.New(d)
		for _, f := range []developer.MemberFilter{
			{Email: "a", Limit: 21},
			{Email: "a", Descending: true, Limit: 21},
		} {
			queries, err := d.Plan(t.Context(), func(ctx context.Context) error {
				_, err := store.Holders(ctx, f)
				return err
			})
			must(t, err)
			joined := fmt.Sprint(queries)
			if !strings.Contains(joined, "(email>? AND email<?)") || strings.Contains(joined, "SCAN") {
				t.Errorf("descending %v: %q", f.Descending, queries)
			}
		}
	})
}

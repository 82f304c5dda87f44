package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/developer"
	"portal/db"
	"portal/db/developerstore"
)

func TestRequestLogIsReadInIndexOrder(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		requests := func(f developer.RequestFilter) func(context.Context) error {
			return func(ctx context.Context) error {
				_, _, err := developerstore.New(d).Requests(ctx, in, f)
				return err
			}
		}
		for name, c := range map[string]struct {
			do   func(context.Context) error
			want string
		}{
			"all": {
				requests(developer.RequestFilter{}),
				"COVERING INDEX requests_portfolio (portfolio_id=? AND id>? AND id<?)",
			},
			"narrow": {
				requests(developer.RequestFilter{
					KeyID:     "x",
					Method:    "x",
					Path:      "x",
					Operation: "x",
					Class:     2,
				}),
				"COVERING INDEX requests_portfolio (portfolio_id=? AND id>? AND id<?)",
			},
			"failed": {
				requests(developer.RequestFilter{Class: 5, KeyID: "x"}),
				"COVERING INDEX requests_5xx (portfolio_id=? AND id>? AND id<?)",
			},
			"one": {func(ctx context.Context) error {
				_, err := developerstore.New(d).Request(ctx, in, "x", 0)
				return err
			}, "SEARCH requests USING"},
		} {
			queries, _ := d.Plan(t.Context(), c.do)                        // nothing has the id
			found, page, _ := strings.Cut(fmt.Sprint(queries), "SCAN few") // a page is sorted when it is found
			if !strings.Contains(found, c.want) || strings.Contains(found, "TEMP B-TREE") ||
				strings.Contains(found+page, "SCAN ") || strings.Contains(page, "requests_") {
				t.Errorf("%s: %q", name, queries)
			}
		}
	})
}

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

func TestTheQueueOfAccessRequestsIsReadAndCountedFromAnIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, _ access.Portfolio) {
		store := developerstore.NewAccessRequests(d)
		for name, do := range map[string]func(context.Context) error{
			"counts": func(ctx context.Context) error {
				_, err := store.CaseCounts(ctx)
				return err
			},
			"pending": func(ctx context.Context) error {
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

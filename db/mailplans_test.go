package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/mail"
	"portal/db"
	"portal/db/mailstore"
)

// A portfolio has the emails of 90 days: a page is read from the index of the portfolio, in its order or the
// other way round.
func TestPortfolioEmailsAreReadInIndexOrder(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, status := range []mail.Status{"", mail.Sent} {
			for _, ascending := range []bool{false, true} {
				f := mail.Filter{Portfolio: in.ID, Status: status, Ascending: ascending, Limit: 26}
				queries, err := d.Plan(t.Context(), func(ctx context.Context) error {
					_, err := mailstore.New(d).Mails(ctx, f)
					return err
				})
				must(t, err)
				joined := fmt.Sprint(queries)
				if !strings.Contains(joined, "INDEX mails_portfolio (portfolio_id=? AND id>? AND id<?)") ||
					strings.Contains(joined, "TEMP B-TREE") || strings.Contains(joined, "SCAN ") {
					t.Errorf("%+v: %q", f, queries)
				}
			}
		}
	})
}

package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/webhook"
	"portal/db"
)

// A portfolio has as many deliveries as ever were, and the primary key of their table
// begins with it.
func TestNoDeliveryIsLookedForAmongAllOfAPortfolio(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		list := func(f webhook.DeliveryFilter) func(context.Context) error {
			f.Limit = 20
			return func(ctx context.Context) error { _, err := d.Deliveries(ctx, in, f); return err }
		}
		missed := func(k webhook.Kind) func(context.Context) error {
			return func(ctx context.Context) error {
				_, err := d.Missed(ctx, in, &webhook.Endpoint{Events: []webhook.Kind{k}}, webhook.Span{To: clock.Time(1e12)}, "", 500)
				return err
			}
		}
		for name, do := range map[string]func(context.Context) error{
			"of an endpoint":     list(webhook.DeliveryFilter{EndpointID: "x", Status: webhook.Failed}),
			"of an event":        list(webhook.DeliveryFilter{EventID: "x"}),
			"of both":            list(webhook.DeliveryFilter{EndpointID: "x", EventID: "x"}),
			"missed of any kind": missed(webhook.EveryKind),
			"missed of a kind":   missed(webhook.LeaseSigned),
			"cancel":             func(ctx context.Context) error { return d.CancelDeliveries(ctx, in, "x") },
			"forget":             func(ctx context.Context) error { _, err := d.ForgetEvents(ctx, 1, 1); return err },
			"ready":              func(ctx context.Context) error { _, err := d.Ready(ctx, 1); return err },
		} {
			queries, _ := d.Plan(t.Context(), do) // a refusal to write
			joined := fmt.Sprint(queries)
			for _, all := range []string{"d USING PRIMARY KEY (portfolio_id=?", "deliveries USING PRIMARY KEY (portfolio_id=?", "SCAN d", "TEMP B-TREE FOR GROUP"} {
				if len(queries) == 0 || strings.Contains(joined, all) {
					t.Errorf("%s: %q", name, queries)
				}
			}
		}
	})
}

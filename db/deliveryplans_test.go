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
			"failed":             list(webhook.DeliveryFilter{Status: webhook.Failed}),
			"cancelled":          list(webhook.DeliveryFilter{Status: webhook.Cancelled, EventType: "lease.signed"}),
			"pending":            list(webhook.DeliveryFilter{Status: webhook.Pending, Ascending: true}),
			"retrying":           list(webhook.DeliveryFilter{Status: webhook.Retrying, EndpointID: "x", Ascending: true}),
			"failed at one":      list(webhook.DeliveryFilter{Status: webhook.Failed, EndpointID: "x", Ascending: true}),
			"of a type":          list(webhook.DeliveryFilter{EventType: "lease.signed", From: new(clock.Time(1))}),
			"missed of any kind": missed(webhook.EveryKind),
			"missed of a kind":   missed(webhook.LeaseSigned),
			"cancel":             func(ctx context.Context) error { return d.CancelDeliveries(ctx, in, "x", 1) },
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

func TestWhatThePagesOfWebhooksShowIsReadFromAnIndexInItsOrder(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		deliveries := func(f webhook.DeliveryFilter) func(context.Context) error {
			return func(ctx context.Context) error { _, err := d.Deliveries(ctx, in, f); return err }
		}
		events := func(f webhook.EventFilter) func(context.Context) error {
			return func(ctx context.Context) error { _, err := d.Events(ctx, in, f); return err }
		}
		for index, do := range map[string]func(context.Context) error{
			"deliveries_endpoint (portfolio_id=? AND endpoint_id=? AND id>? AND id<?)":           deliveries(webhook.DeliveryFilter{EndpointID: "x", EventType: "x", From: new(clock.Time(1))}),
			"deliveries_endpoint_failed (portfolio_id=? AND endpoint_id=? AND id>? AND id<?)":    deliveries(webhook.DeliveryFilter{EndpointID: "x", EventType: "x", Status: webhook.Failed, From: new(clock.Time(1))}),
			"deliveries_endpoint_cancelled (portfolio_id=? AND endpoint_id=? AND id>? AND id<?)": deliveries(webhook.DeliveryFilter{EndpointID: "x", Status: webhook.Cancelled, Ascending: true}),
			"deliveries_failed (portfolio_id=? AND id>? AND id<?)":                               deliveries(webhook.DeliveryFilter{Status: webhook.Failed, Ascending: true}),
			"deliveries_cancelled (portfolio_id=? AND id>? AND id<?)":                            deliveries(webhook.DeliveryFilter{Status: webhook.Cancelled, EventType: "x"}),
			"deliveries_type (portfolio_id=? AND event_type=? AND id>? AND id<?)":                deliveries(webhook.DeliveryFilter{EventType: "x", Status: webhook.Succeeded}),
			"deliveries_queued (portfolio_id=? AND failing=? AND id>? AND id<?)":                 deliveries(webhook.DeliveryFilter{Status: webhook.Retrying, Ascending: true}),
			"events_type (portfolio_id=? AND type=? AND id>?)": func(ctx context.Context) error {
				_, err := d.SentEvents(ctx, in, "x", "lease.signed", 9)
				return err
			},
			"events USING INDEX sqlite_autoindex_events_1 (portfolio_id=? AND id>?)": func(ctx context.Context) error {
				_, err := d.SentEvents(ctx, in, "x", "", 9)
				return err
			},
			"events_type (portfolio_id=? AND type=? AND id>? AND id<?)":                       events(webhook.EventFilter{Type: "x"}),
			"events USING INDEX sqlite_autoindex_events_1 (portfolio_id=? AND id>? AND id<?)": events(webhook.EventFilter{}),
			"endpoint_hours USING PRIMARY KEY (portfolio_id=? AND endpoint_id=? AND hour>?)": func(ctx context.Context) error {
				_, err := d.EndpointHours(ctx, in, []string{"x", "y"}, 1)
				return err
			},
		} {
			queries, err := d.Plan(t.Context(), do)
			must(t, err)
			if joined := fmt.Sprint(queries); !strings.Contains(joined, index) || strings.Contains(joined, "TEMP B-TREE") || strings.Contains(joined, "SCAN ") {
				t.Errorf("want %s: %q", index, queries)
			}
		}
	})
}

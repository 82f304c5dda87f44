package db_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/webhook"
	"portal/db"
)

// ofAllDeliveries is a step that reads all deliveries, or all of a portfolio.
var ofAllDeliveries = regexp.MustCompile(`\b(d|deliveries) USING PRIMARY KEY \(portfolio_id=\?(\)| AND id[<>])|SCAN d|TEMP B-TREE FOR GROUP`)

// foundBefore are steps that go through what an inner query has found.
var foundBefore = strings.NewReplacer("SCAN f", "", "SCAN r", "")

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
			if len(queries) == 0 || ofAllDeliveries.MatchString(joined) {
				t.Errorf("%s: %q", name, queries)
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
			"deliveries_endpoint (portfolio_id=? AND endpoint_id=? AND id>? AND id<?)": deliveries(webhook.DeliveryFilter{EndpointID: "x", From: new(clock.Time(1))}),
			"deliveries_endpoint_shown (portfolio_id=? AND endpoint_id=? AND <expr>=?)": func(ctx context.Context) error {
				_, err := d.EndpointHealth(ctx, in, []string{"x", "y"})
				return err
			},
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
			if joined := foundBefore.Replace(fmt.Sprint(queries)); !strings.Contains(joined, index) || strings.Contains(joined, "TEMP B-TREE") || strings.Contains(joined, "SCAN ") {
				t.Errorf("want %s: %q", index, queries)
			}
		}
	})
}

// An endpoint of which nothing but failures came has no delivery that succeeded, however
// many it has: each filter, and any two or three of them, look up all that they ask for.
func TestNoFilterOfDeliveriesReadsWhatItDoesNotShow(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, endpoint := range []string{"", "x"} {
			for _, kind := range append([]string{""}, webhook.EventType("").Values()...) {
				for _, status := range append([]string{""}, webhook.DeliveryStatus("").Values()...) {
					for _, ascending := range []bool{false, true} {
						f := webhook.DeliveryFilter{EndpointID: endpoint, EventType: webhook.EventType(kind), Status: webhook.DeliveryStatus(status),
							From: new(clock.Time(1)), Ascending: ascending, Limit: 20}
						lookedUp(t, d, in, f)
					}
				}
			}
		}
	})
}

// lookedUp holds the list of a filter to look-ups of all that it asks for, merged in the
// order of the list.
func lookedUp(t *testing.T, d *db.DB, in access.Portfolio, f webhook.DeliveryFilter) {
	t.Helper()
	queries, err := d.Plan(t.Context(), func(ctx context.Context) error { _, err := d.Deliveries(ctx, in, f); return err })
	must(t, err)
	want := "(portfolio_id=?"
	if f.EndpointID != "" {
		want += " AND endpoint_id=?"
	}
	if f.Status != "" || f.EventType != "" {
		want += " AND <expr>=? AND event_type=?"
	}
	want += " AND id>? AND id<?)"
	read := 0
	for _, step := range queries[0] {
		if strings.HasPrefix(step, "SEARCH deliveries ") {
			read++
			if !strings.HasSuffix(step, want) {
				t.Errorf("%+v: %s, want %s", f, step, want)
			}
		}
	}
	if joined := fmt.Sprint(queries); read == 0 || strings.Contains(joined, "TEMP B-TREE") || strings.Contains(joined, "SCAN d") {
		t.Errorf("%+v: %q", f, queries)
	}
}

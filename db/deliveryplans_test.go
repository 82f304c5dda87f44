package db_test

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/webhookstore"
)

// ofAllDeliveries is a step that reads all deliveries, or all of a portfolio.
var ofAllDeliveries = regexp.MustCompile(
	`\b(d|deliveries) USING PRIMARY KEY \(portfolio_id=\?(\)| AND id[<>])|SCAN d|TEMP B-TREE FOR GROUP`,
)

// foundBefore are steps that go through what an inner query has found.
var foundBefore = strings.NewReplacer("SCAN f", "", "SCAN r", "")

// A portfolio has as many deliveries as ever were, and the primary key of their table
// begins with it.
func TestDeliveryLookupsDoNotScanPortfolio(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		list := func(f webhook.DeliveryFilter) func(context.Context) error {
			f.Limit = 20
			return func(ctx context.Context) error {
				_, err := webhookstore.New(d).Deliveries(ctx, in, f)
				return err
			}
		}
		missed := func(k webhook.Kind) func(context.Context) error {
			return func(ctx context.Context) error {
				_, err := webhookstore.New(d).Missed(ctx, in, &webhook.Endpoint{
					Events: []webhook.Kind{k},
				}, webhook.Span{
					To: clock.Time(1e12),
				}, "", 500)
				return err
			}
		}
		for name, do := range map[string]func(context.Context) error{
			"of an endpoint": list(webhook.DeliveryFilter{EndpointID: "x", Status: webhook.Failed}),
			"of an event":    list(webhook.DeliveryFilter{EventID: "x"}),
			"of both":        list(webhook.DeliveryFilter{EndpointID: "x", EventID: "x"}),
			"failed":         list(webhook.DeliveryFilter{Status: webhook.Failed}),
			"cancelled":      list(webhook.DeliveryFilter{Status: webhook.Cancelled, EventType: "lease.signed"}),
			"pending":        list(webhook.DeliveryFilter{Status: webhook.Pending, Ascending: true}),
			"retrying": list(webhook.DeliveryFilter{
				Status:     webhook.Retrying,
				EndpointID: "x",
				Ascending:  true,
			}),
			"failed at one": list(webhook.DeliveryFilter{
				Status:     webhook.Failed,
				EndpointID: "x",
				Ascending:  true,
			}),
			"of a type":          list(webhook.DeliveryFilter{EventType: "lease.signed", From: new(clock.Time(1))}),
			"missed of any kind": missed(webhook.EveryKind),
			"missed of a kind":   missed(event.LeaseSigned),
			"cancel": func(ctx context.Context) error {
				return webhookstore.New(d).CancelDeliveries(ctx, in, "x", 1)
			},
			"forget": func(ctx context.Context) error {
				_, err := webhookstore.New(d).ForgetEvents(ctx, 1, 1)
				return err
			},
			"ready": func(ctx context.Context) error {
				_, err := webhookstore.New(d).Ready(ctx, 1)
				return err
			},
		} {
			queries, _ := d.Plan(t.Context(), do) // a refusal to write
			joined := fmt.Sprint(queries)
			if len(queries) == 0 || ofAllDeliveries.MatchString(joined) {
				t.Errorf("%s: %q", name, queries)
			}
		}
	})
}

func TestWebhookPagesAreReadInIndexOrder(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		deliveries := func(f webhook.DeliveryFilter) func(context.Context) error {
			return func(ctx context.Context) error {
				_, err := webhookstore.New(d).Deliveries(ctx, in, f)
				return err
			}
		}
		events := func(f webhook.EventFilter) func(context.Context) error {
			return func(ctx context.Context) error {
				_, err := webhookstore.New(d).Events(ctx, in, f)
				return err
			}
		}
		for index, do := range map[string]func(context.Context) error{
			"deliveries_endpoint (portfolio_id=? AND endpoint_id=? AND id>? AND id<?)": deliveries(webhook.DeliveryFilter{
				EndpointID: "x",
				From:       new(clock.Time(1)),
			}),
			"deliveries_endpoint_shown (portfolio_id=? AND endpoint_id=? AND <expr>=?)": func(ctx context.Context) error {
				_, err := webhookstore.New(d).EndpointHealth(ctx, in, []string{"x", "y"})
				return err
			},
			"events_type (portfolio_id=? AND (type,id)>(?,?) AND (type,id)<(?,?))": func(ctx context.Context) error {
				_, err := webhookstore.New(d).SentEvents(ctx, in, "x", "lease.signed", 9)
				return err
			},
			"events USING INDEX sqlite_autoindex_events_1 (portfolio_id=? AND id>? AND id<?)": func(ctx context.Context) error {
				_, err := webhookstore.New(d).SentEvents(ctx, in, "x", "", 9)
				return err
			},
			"events USING INDEX events_type (portfolio_id=? AND (type,id)>(?,?) AND (type,id)<(?,?))": events(
				webhook.EventFilter{Type: "x"},
			),
			"sqlite_autoindex_events_1 (portfolio_id=? AND id>? AND id<?)": events(webhook.EventFilter{}),
			"endpoint_hours USING PRIMARY KEY (portfolio_id=? AND endpoint_id=? AND hour>?)": func(ctx context.Context) error {
				_, err := webhookstore.New(d).EndpointHours(ctx, in, []string{"x", "y"}, 1)
				return err
			},
		} {
			queries, err := d.Plan(t.Context(), do)
			must(t, err)
			joined := foundBefore.Replace(fmt.Sprint(queries))
			if !strings.Contains(joined, index) || strings.Contains(joined, "TEMP B-TREE") ||
				strings.Contains(joined, "SCAN ") {
				t.Errorf("want %s: %q", index, queries)
			}
		}
	})
}

// An endpoint of which nothing but failures came has no delivery that succeeded, however
// many it has: each filter, and any two or three of them, look up all that they ask for.
func TestDeliveryFiltersReadOnlyMatchingRows(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, f := range deliveryFilters("x") {
			lookedUp(t, d, f, func(ctx context.Context) error {
				_, err := webhookstore.New(d).Deliveries(ctx, in, f)
				return err
			})
			counted := f
			counted.Status = webhook.Failed // whatever it is, each status is looked up
			lookedUp(t, d, counted, func(ctx context.Context) error {
				_, err := webhookstore.New(d).DeliveryCounts(ctx, in, f)
				return err
			})
		}
	})
}

// deliveryFilters are the filters of a page of 20 deliveries, of all or of one endpoint.
func deliveryFilters(endpoint string) (all []webhook.DeliveryFilter) {
	for _, of := range []string{"", endpoint} {
		for _, kind := range append([]string{""}, event.Type("").Values()...) {
			for _, status := range append([]string{""}, webhook.DeliveryStatus("").Values()...) {
				for _, ascending := range []bool{false, true} {
					all = append(all, webhook.DeliveryFilter{
						EndpointID: of,
						EventType:  event.Type(kind),
						Status:     webhook.DeliveryStatus(status),
						From:       new(clock.Time(1)),
						Ascending:  ascending,
						Limit:      20,
					})
				}
			}
		}
	}
	return all
}

// PostgreSQL chooses its plans by what it counted: with 6,000 failures of one type and one
// endpoint no list of 20 reads many rows that it does not show, nor many attempts.
func TestPostgresReadsFewExtraDeliveries(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	in := portfolioOf(t, d, "acc_1")
	for _, endpoint := range []string{"one", "two"} {
		must(t, webhookstore.New(d).AddEndpoint(t.Context(), in, webhook.Endpoint{
			Record: portfolio.Record{ID: endpoint},
			URL:    "https://hooks.example.com/",
			Status: webhook.Enabled,
		}, []byte("sealed")))
	}
	must(t, webhookstore.New(d).AddEvent(t.Context(), in, &webhook.Event{
		ID:   "event",
		Type: event.LeaseSigned,
		Body: []byte("{}"),
	}))
	for _, s := range []string{
		failures("one", "lease.signed", 6000), failures("two", "payment.succeeded", 30),
		"INSERT INTO delivery_attempts (portfolio_id, delivery_id, number, at, duration_ms, cause) SELECT " +
			"portfolio_id, id, 1, 1, 1, 'event' FROM deliveries",
		"ANALYZE deliveries, delivery_attempts",
	} {
		_, err := d.Postgres().Exec(t.Context(), s)
		must(t, err)
	}
	for _, f := range deliveryFilters("one") {
		readsFew(t, d, 200, fmt.Sprintf("the list of %+v", f), func(ctx context.Context) error {
			_, err := webhookstore.New(d).Deliveries(ctx, in, f)
			return err
		})
		readsFew(t, d, list.Most+200, fmt.Sprintf("the count of %+v", f), func(ctx context.Context) error {
			_, err := webhookstore.New(d).DeliveryCounts(ctx, in, f)
			return err
		})
	}
}

// readsFew holds each query to a number of rows, planned for its arguments, and by the plan that a connection keeps.
func readsFew(t *testing.T, d *db.DB, most int, what string, do func(context.Context) error) {
	t.Helper()
	keptReadsFew(t, d, most, what, do)
	queries, err := d.Carried(t.Context(), do)
	must(t, err)
	fewIn(t, queries, most, what)
}

func keptReadsFew(t *testing.T, d *db.DB, most int, what string, do func(context.Context) error) {
	t.Helper()
	queries, err := d.CarriedAsKept(t.Context(), do)
	must(t, err)
	fewIn(t, queries, most, what+", planned once,")
}

func fewIn(t *testing.T, queries [][]string, most int, what string) {
	t.Helper()
	for _, q := range queries {
		if rows := rowsRead(t, q); rows > most {
			t.Errorf("%s read %d rows:\n%s", what, rows, strings.Join(q, "\n"))
		}
	}
}

// Of a portfolio in which leases alone are signed, PostgreSQL counts one type of event, and takes every type to be as
// frequent.
func TestPostgresReadsFewExtraEvents(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	in := portfolioOf(t, d, "acc_1")
	one := webhook.Endpoint{
		Record: portfolio.Record{ID: "one"},
		URL:    "https://hooks.example.com/",
		Status: webhook.Enabled,
	}
	must(t, webhookstore.New(d).AddEndpoint(t.Context(), in, one, []byte("sealed")))
	for _, s := range []string{
		`INSERT INTO events (portfolio_id, id, created_at, type, body)
		SELECT p.id, 'evt_' || lpad(CAST(g AS TEXT), 8, '0'), 1, 'lease.signed', '{}'
		FROM portfolios p, generate_series(1, 6000) g
		WHERE p.mode = 'live'`,
		`INSERT INTO deliveries (portfolio_id, id, created_at, event_id, endpoint_id, event_type, status, ready,
			manual, attempts, tries)
		SELECT portfolio_id, 'del_' || substr(id, 5), 1, id, 'one', type, 'succeeded', false, false, 1, 1
		FROM events`,
		"ANALYZE events, deliveries",
	} {
		_, err := d.Postgres().Exec(t.Context(), s)
		must(t, err)
	}
	store := webhookstore.New(d)
	for _, kind := range append([]string{""}, event.Type("").Values()...) {
		for _, ascending := range []bool{false, true} {
			f := webhook.EventFilter{Type: webhook.Kind(kind), Ascending: ascending, Limit: 20}
			readsFew(t, d, 20, fmt.Sprintf("the list of %+v", f), func(ctx context.Context) error {
				_, err := store.Events(ctx, in, f)
				return err
			})
		}
		readsFew(t, d, 20, "the events sent of the type "+kind, func(ctx context.Context) error {
			_, err := store.SentEvents(ctx, in, "evt_00003000", event.Type(kind), 20)
			return err
		})
		one.Events = []webhook.Kind{webhook.Kind(cmp.Or(kind, "*"))}
		const timesRead = 2 // the newest, and their deliveries
		what := "what an endpoint has missed of the type " + kind
		readsFew(t, d, timesRead*(list.Most+1), what, func(ctx context.Context) error {
			_, err := store.MissedLately(ctx, in, &one, []clock.Time{0, 1}, clock.Time(1e12))
			return err
		},
		)
	}
}

// failures is a statement that adds failed deliveries of one event to an endpoint.
func failures(endpoint, kind string, n int) string {
	return fmt.Sprintf(
		`INSERT INTO deliveries (portfolio_id, id, created_at, event_id, endpoint_id, event_type, status, ready,
			manual, attempts, tries)
		SELECT e.portfolio_id, 'del_' || lpad(CAST(g AS TEXT), 8, '0') || e.id, 1, 'event', e.id, '%s',
			'failed', false, false, 1, 1
		FROM webhook_endpoints e, generate_series(1, %d) g
		WHERE e.id = '%s'`,
		kind,
		n,
		endpoint,
	)
}

// What PostgreSQL says of a step: how many rows it gave each time it was made, how often that
// was, and how many rows it read and left out.
var (
	scanned = regexp.MustCompile(`Scan .*\(actual rows=([0-9.]+) loops=([0-9]+)\)`)
	leftOut = regexp.MustCompile(`Rows Removed by .*: ([0-9]+)`)
)

// rowsRead is how many rows a query read from tables and indexes.
func rowsRead(t *testing.T, plan []string) int {
	t.Helper()
	sum, loops := 0.0, 1.0
	for _, line := range plan {
		if strings.Contains(line, "CTE Scan") {
			loops = 0 // of what the query itself has found
		} else if m := scanned.FindStringSubmatch(line); m != nil {
			loops = number(t, m[2])
			sum += number(t, m[1]) * loops
		} else if m := leftOut.FindStringSubmatch(line); m != nil {
			sum += number(t, m[1]) * loops
		}
	}
	if !strings.Contains(strings.Join(plan, ""), "Scan ") {
		t.Errorf("the plan scans nothing: %q", plan)
	}
	return int(sum)
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(s, 64)
	must(t, err)
	return n
}

// lookedUp holds the list of a filter to look-ups of all that it asks for, merged in the
// order of the list.
func lookedUp(t *testing.T, d *db.DB, f webhook.DeliveryFilter, do func(context.Context) error) {
	t.Helper()
	queries, err := d.Plan(t.Context(), do)
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
	joined := fmt.Sprint(queries)
	if read == 0 || strings.Contains(joined, "TEMP B-TREE") || strings.Contains(joined, "SCAN d") {
		t.Errorf("%+v: %q", f, queries)
	}
}

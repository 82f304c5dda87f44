package developer_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/webhook"
	"portal/db"
	"portal/db/auditstore"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// exportFixture is a portfolio with more requests, deliveries and events than the export reads at once, one
// of each unlike the others, and another portfolio with one of each.
func exportFixture(t *testing.T, d *db.DB) (y *pagetest.WebhookPages, request string) {
	t.Helper()
	y = pagetest.NewWebhookPagesOn(t, d, pagetest.BaseURL)
	y.Books.Trail = audit.Log{Store: auditstore.New(d), Now: func() time.Time { return y.Now }}
	fill := func(y *pagetest.WebhookPages, n int) string {
		e := y.Endpoint("https://hooks.example.com/a", nil)
		for range n {
			y.Asked(func(*developer.Request) {})
			y.Sent(e, event.LeaseSigned, good(), nil)
		}
		y.Sent(e, event.PaymentSucceeded, bad("no"), nil)
		return y.Asked(func(r *developer.Request) {
			r.Status, r.Code, r.Path, r.UserAgent = 404, "not_found", "/api/v1/external/leases/x", `=HYPERLINK("https://evil.test")`
		})
	}
	other := *y
	other.Home = dbtest.NewHome(t, d, "robin")
	fill(&other, 1)
	return y, fill(y, 230)
}

// file is a file of a list: its rows by the names of its columns.
func file(t *testing.T, r *pagetest.Reader, path string) (rows []map[string]string) {
	t.Helper()
	rec := r.Get(path)
	if kind := rec.Header().Get("Content-Type"); rec.Code != http.StatusOK || kind != "text/csv; charset=utf-8" {
		t.Fatalf("%s: %d, %s", path, rec.Code, kind)
	}
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(rec.Body.String(), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestTheFilesOfLogsDeliveriesAndEventsHaveEachRowOfTheFilterOnce(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		y, _ := exportFixture(t, d)
		r := y.Member(access.Manager)
		for path, want := range map[string]struct {
			id string
			n  int
		}{
			"/test/logs.csv":                                      {"Request ID", 231},
			"/test/logs.csv?status=2xx&after=req_1":               {"Request ID", 230},
			"/test/logs.csv?path=leases/x":                        {"Request ID", 1},
			"/test/webhooks/deliveries.csv":                       {"Delivery ID", 231},
			"/test/webhooks/deliveries.csv?sort=oldest":           {"Delivery ID", 231},
			"/test/webhooks/deliveries.csv?type=lease.signed":     {"Delivery ID", 230},
			"/test/webhooks/deliveries.csv?status=failed":         {"Delivery ID", 1},
			"/test/events.csv":                                    {"Event ID", 231},
			"/test/events.csv?type=payment.succeeded":             {"Event ID", 1},
			"/test/events.csv?from=2027-01-01":                    {"Event ID", 0},
			"/live/logs.csv":                                      {"Request ID", 0},
			"/live/webhooks/deliveries.csv?sort=oldest&status=no": {"Delivery ID", 0},
		} {
			rows, ids := file(t, r, path), map[string]bool{}
			ascends := strings.Contains(path, "oldest")
			for i, row := range rows {
				id := row[want.id]
				ids[id] = true
				if i > 0 && (id > rows[i-1][want.id]) != ascends {
					t.Errorf("%s: row %d is out of order", path, i)
				}
			}
			if len(rows) != want.n || len(ids) != want.n {
				t.Errorf("%s has %d rows of %d, want %d", path, len(rows), len(ids), want.n)
			}
		}
		for _, action := range []string{"logs.exported", "deliveries.exported", "events.exported"} {
			if !strings.Contains(y.Trail(), action) {
				t.Errorf("the trail has no %s", action)
			}
		}
	})
}

func TestTheFilesOfLogsDeliveriesAndEventsSayWhatHappened(t *testing.T) {
	t.Parallel()
	y, request := exportFixture(t, dbtest.SQLite(t))
	r := y.Member(access.Manager)
	for path, want := range map[string]map[string]string{
		"/test/logs.csv?status=4xx": {
			"Request ID": request, "Time (UTC)": clock.At(y.Now).String(), "Method": "GET", "Status": "404",
			"Path": "/api/v1/external/leases/x", "Error": "not_found", "Duration (ms)": "1.2", "Size (bytes)": "2048",
			"API key ID": "key_1", "User agent": `'=HYPERLINK("https://evil.test")`, "Dry run": "no",
		},
		"/test/webhooks/deliveries.csv?status=" + string(webhook.Failed): {
			"Event": "payment.succeeded", "Status": "failed", "Attempts": "1",
			"Endpoint": "https://hooks.example.com/a",
		},
		"/test/events.csv?type=payment.succeeded": {"Type": "payment.succeeded"},
	} {
		rows := file(t, r, path)
		if len(rows) != 1 {
			t.Fatalf("%s has %d rows", path, len(rows))
		}
		for name, value := range want {
			if got, is := rows[0][name]; got != value || !is {
				t.Errorf("%s: %s is %q, want %q", path, name, got, value)
			}
		}
	}
}

func TestTheListsOfLogsDeliveriesAndEventsLeadToTheirFiles(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	for _, path := range []string{"/test/logs", "/test/webhooks/deliveries", "/test/events"} {
		filter := "?" + url.Values{"from": {"2026-11-01"}}.Encode()
		if to := pagetest.Link(t, r.Get(path+filter), "Export CSV"); to != path+".csv"+filter {
			t.Errorf("%s leads to %s", path, to)
		}
	}
}

func TestTheFileOfDeliveriesNamesTheAddressOfEachEndpointHoweverManyThereAre(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	want := map[string]string{}
	for n := range 105 { // more than a page of endpoints
		e := y.Endpoint(fmt.Sprintf("https://hooks.example.com/%d", n), nil)
		want[e.ID] = e.URL
		y.Sent(e, event.LeaseSigned, good(), nil)
		y.Disable(e) // so that there may be another one
	}
	rows := file(t, y.Member(access.Manager), "/test/webhooks/deliveries.csv")
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for _, row := range rows {
		if row["Endpoint"] != want[row["Endpoint ID"]] {
			t.Errorf("%s is %q, want %q", row["Endpoint ID"], row["Endpoint"], want[row["Endpoint ID"]])
		}
	}
}

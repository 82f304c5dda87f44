package developer_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/servicestore"
	"portal/web/pagetest"
)

// exportFixture is a portfolio with more requests, deliveries and events than the export reads at once, one
// of each unlike the others, and another portfolio with one of each.
func exportFixture(t *testing.T, d *db.DB) (y *pagetest.WebhookPages, request string) {
	t.Helper()
	y = pagetest.NewWebhookPagesOn(t, d, pagetest.BaseURL)
	y.Books.Trail = audit.Log{Store: servicestore.NewTrail(d), Now: func() time.Time { return y.Now }}
	fill := func(y *pagetest.WebhookPages, n int) string {
		e := y.Endpoint("https://hooks.example.com/a", nil)
		for range n {
			y.Asked(func(*developer.Request) {})
			y.Sent(e, event.LeaseSigned, good(), nil)
		}
		y.Sent(e, event.PaymentSucceeded, bad("no"), nil)
		return y.Asked(func(r *developer.Request) {
			r.Status, r.Code, r.Path, r.UserAgent = 404, "not_found", "/api/v1/external/leases/x",
				`=HYPERLINK("https://evil.test")`
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

func TestLogDeliveryAndEventCSVsHaveEachFilteredRowOnce(t *testing.T) {
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

func TestLogDeliveryAndEventCSVsMatchRecords(t *testing.T) {
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

func TestDeveloperListsLinkToFilteredCSV(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	y.Called(func(*developer.ToolCall) {})
	y.Endpoint("https://hooks.example.com/a", nil)
	for _, path := range []string{
		"/test/logs", "/test/webhooks/deliveries", "/test/events", "/test/activity", "/test/webhooks",
	} {
		filter := "?" + url.Values{"from": {"2026-11-01"}}.Encode()
		if to := pagetest.Link(t, r.Get(path+filter), "Export CSV"); to != path+".csv"+filter {
			t.Errorf("%s leads to %s", path, to)
		}
	}
}

func TestDeliveryCSVNamesURLOfEveryEndpoint(t *testing.T) {
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

func TestActivityEndpointAndMailCSVsHaveEachRowOnceInOrder(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		y := pagetest.NewWebhookPagesOn(t, d, pagetest.BaseURL)
		box, err := secret.NewBox(make([]byte, secret.KeySize))
		y.OK(err)
		y.Books.Trail = audit.Log{Store: servicestore.NewTrail(d), Now: func() time.Time { return y.Now }}
		y.Config.Mails = mail.New(mail.Config{
			Store: mailstore.New(d), Box: box, Now: func() time.Time { return y.Now },
		})
		y.Pages = pagetest.Build(y.Config)
		y.Echo = pagetest.Wired(y.Pages)
		fill := func(y *pagetest.WebhookPages, in access.Portfolio, n int, mark string) {
			for i := range n {
				y.Now = y.Now.Add(time.Second)
				y.OK(mailstore.New(d).AddMail(y.Context(), &mail.Entry{
					ID: id.New(id.Mail, y.Now), Mode: in.Mode, Status: []mail.Status{mail.Kept, mail.Sent}[i%2],
					To: "sam@example.com", Subject: "=" + mark, CreatedAt: clock.At(y.Now),
					AccountID: &y.Home.AccountID, PortfolioID: &in.ID, Sealed: []byte("sealed"),
				}))
				y.Called(func(c *developer.ToolCall) {
					c.PortfolioID, c.Tool, c.Client = in.ID, []string{"list_leases", "get_lease"}[i%2], "+"+mark
				})
			}
		}
		other := *y
		other.Home = dbtest.NewHome(t, d, "robin")
		fill(&other, other.Home.Test, 3, "foreign")
		other.Endpoint("https://foreign.example.com", nil)
		fill(y, y.Home.Test, 130, "ours")
		fill(y, y.Home.Live, 2, "live")
		for n := range 110 {
			e := y.Endpoint(fmt.Sprintf("https://hooks.example.com/%d", n), nil)
			y.Disable(e)
		}
		r := y.Member(access.Manager)
		for path, want := range map[string]struct {
			id string
			n  int
		}{
			"/test/activity.csv":                             {"Call ID", 130},
			"/test/activity.csv?sort=oldest":                 {"Call ID", 130},
			"/test/activity.csv?sort=oldest&tool=get_lease":  {"Call ID", 65},
			"/live/activity.csv":                             {"Call ID", 2},
			"/test/mail.csv":                                 {"Email ID", 130},
			"/test/mail.csv?sort=oldest":                     {"Email ID", 130},
			"/test/mail.csv?sort=oldest&status=sent&after=x": {"Email ID", 65},
			"/live/mail.csv":                                 {"Email ID", 2},
			"/test/webhooks.csv?sort=newest":                 {"Endpoint ID", 110},
			"/test/webhooks.csv?sort=oldest":                 {"Endpoint ID", 110},
			"/live/webhooks.csv":                             {"Endpoint ID", 0},
		} {
			rows, ids := file(t, r, path), map[string]bool{}
			for i, row := range rows {
				ids[row[want.id]] = true
				if i > 0 && (row[want.id] > rows[i-1][want.id]) != strings.Contains(path, "oldest") {
					t.Errorf("%s: row %d is out of order", path, i)
				}
				if strings.Contains(fmt.Sprint(row), "foreign") {
					t.Fatalf("%s has a row of another account", path)
				}
			}
			if len(rows) != want.n || len(ids) != want.n {
				t.Errorf("%s has %d rows of %d, want %d", path, len(rows), len(ids), want.n)
			}
		}
		for path, want := range map[string]map[string]string{
			"/live/activity.csv": {
				"Tool": "get_lease", "Assistant": "'+live", "Outcome": "ok", "Preview": "no", "Changed": "no",
				"API key": "key_1", "Duration (ms)": "1.2",
			},
			"/live/mail.csv": {"Subject": "'=live", "To": "sam@example.com", "Status": "sent", "Attempts": "0"},
			"/test/webhooks.csv?sort=newest": {
				"URL": "https://hooks.example.com/109", "Status": "disabled", "Events": "*",
			},
		} {
			for name, value := range want {
				if got, is := file(t, r, path)[0][name]; got != value || !is {
					t.Errorf("%s: %s is %q, want %q", path, name, got, value)
				}
			}
		}
		if body := r.Get("/test/webhooks.csv").Body.String(); strings.Contains(body, "whsec_") {
			t.Error("the file of endpoints has a part of a secret")
		}
		for _, action := range []string{"activity.exported", "mail.exported", "endpoints.exported"} {
			if !strings.Contains(y.Trail(), action) {
				t.Errorf("the trail has no %s", action)
			}
		}
		for _, path := range []string{"/test/activity.csv", "/test/mail.csv", "/test/webhooks.csv"} {
			if rec := y.Guest().Get(path); rec.Code != http.StatusSeeOther {
				t.Errorf("a guest is answered %s with %d", path, rec.Code)
			}
		}
	})
}

func TestKeyCSVHasEveryAccountKeyAndNoSecret(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r, other := d.Approved("dana@example.com"), d.Approved("robin@example.com")
	create := func(r *pagetest.Reader, name, mode string) (id, secret string) {
		return r.MakesKey(url.Values{"name": {name}, "mode": {mode}, "scopes": {"write"}})
	}
	create(other, "Foreign", "test")
	first, secret := create(r, "=Zapier", "live")
	second, _ := create(r, "books", "test")
	third, _ := create(r, "Audit", "test")
	r.Leads(r.Post("/keys/"+second+"/revoke", "/keys/"+second+"/revoke", nil), "/keys")
	dbtest.Exec(t, d.DB, "UPDATE api_keys SET created_at = (SELECT created_at FROM api_keys WHERE id = $1)", first)
	for query, want := range map[string][]string{
		"":             {third, second, first},
		"?sort=newest": {third, second, first},
		"?sort=oldest": {first, second, third},
		"?sort=name":   {first, third, second},
		"?sort=secret": {third, second, first},
	} {
		for _, reader := range []*pagetest.Reader{r, d.Colleague(r)} {
			var got, shown []string
			for _, row := range file(t, reader, "/keys.csv"+query) {
				got = append(got, row["Key ID"])
			}
			for _, m := range regexp.MustCompile(`href="/keys/(key_\w+)"`).FindAllStringSubmatch(
				reader.Get("/keys"+query).Body.String(), -1,
			) {
				shown = append(shown, m[1])
			}
			if !slices.Equal(got, want) || !slices.Equal(shown, want) {
				t.Errorf("%q: the file has %v, the page %v, want %v", query, got, shown, want)
			}
		}
	}
	rows := file(t, r, "/keys.csv?sort=oldest")
	for name, want := range map[string]string{
		"Name": "'=Zapier", "Begins with": secret[:17], "Mode": "live", "Status": "active", "Scopes": "read, write",
		"Created by": "dana@example.com", "Last used (UTC)": "", "Expires (UTC)": "", "Revoked (UTC)": "",
	} {
		if got, is := rows[0][name]; got != want || !is {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if rows[1]["Status"] != "revoked" || rows[1]["Revoked (UTC)"] == "" {
		t.Errorf("the revoked key is %v", rows[1])
	}
	if body := r.Get("/keys.csv").Body.String(); strings.Contains(body, secret) || strings.Contains(body, "Foreign") {
		t.Error("the file has a key or one of another account")
	}
	if to := pagetest.Link(t, r.Get("/keys?sort=name"), "Export CSV"); to != "/keys.csv?sort=name" {
		t.Errorf("the list leads to %s", to)
	}
	if got := d.Actions(d.People[r.Cookies["session"].Value].UserID); !slices.Contains(got, "keys.exported") {
		t.Errorf("the trail has %v", got)
	}
	if rec := d.Guest().Get("/keys.csv"); rec.Code != http.StatusSeeOther {
		t.Errorf("a guest is answered with %d", rec.Code)
	}
}

func TestChosenEndpointOrderIgnoresFailures(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	var all []string
	for _, name := range []string{"a", "b", "c"} {
		all = append(all, y.Endpoint("https://"+name+".example.com", nil).ID)
	}
	for query, want := range map[string][]string{
		"?sort=oldest": {all[0], all[1], all[2]},
		"?sort=newest": {all[2], all[1], all[0]},
		"":             {all[0], all[1], all[2]},
	} {
		var got []string
		for _, m := range regexp.MustCompile(`href="/test/webhooks/(we_\w+)"`).FindAllStringSubmatch(
			r.Get("/test/webhooks"+query).Body.String(), -1,
		) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", query, got, want)
		}
	}
	r.Says(r.Get("/test/webhooks?sort=newest"), 200, "Newest first")
	r.Says(r.Get("/test/webhooks"), 200, "Failing first")
}

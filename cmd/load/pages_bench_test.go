package main

import (
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
)

// pagePaths are pages of a landlord who has 10,000 properties, 10,500 tenants, leases and tickets, and
// 126,000 charges, and whose programs asked 200,000 times, nearly always the same. What follows a list is read from
// it: its first record.
var pagePaths = []string{
	"/live/overview",
	"/live/properties", "/live/properties?sort=address", "/live/properties?search=elm+77",
	"/live/properties?city=waco&status=active",
	"/live/tenants", "/live/tenants?sort=name", "/live/tenants?search=whitfield+99",
	"/live/leases", "/live/leases?sort=ending", "/live/leases?search=whitfield+99", "/live/leases?search=9977+elm",
	"/live/tickets", "/live/tickets?sort=updated", "/live/tickets?search=9977+elm", "/live/tickets?search=kitchen",
	"/live/ledger", "/live/ledger?sort=due", "/live/ledger?sort=newest", "/live/ledger?overdue=true",
	"/live/ledger?overdue=false", "/live/ledger?status=succeeded&sort=due", "/live/ledger?status=failed",
	"/live/ledger?due_after=2030-01-01", "/live/ledger?search=9977+elm", "/live/ledger?search=elm",
	"/live/palette?q=whitfield+9977", "/live/palette?q=elm", "/live/search?q=whitfield",
	"/live/applications", "/live/import",
	"/live/webhooks", "/live/webhooks/deliveries", "/live/events", "/live/activity", "/live/mail",
	"/live/logs", "/live/logs?method=DELETE", "/live/logs?path=rare", "/live/logs?status=5xx",
	"/usage", "/keys", "/team", "/settings", "/docs", "/docs/errors", "/docs/search?q=rent", "/status", "/",
}

// BenchmarkPages10k asks the served process for pages of a landlord who has 10,000 properties, over HTTP with a
// session, one request at a time. The figures are medians in milliseconds, 40 requests each. Without
// PORTAL_TEST_DATABASE_URL it measures SQLite alone.
func BenchmarkPages10k(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "portal")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "../portal")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	b.Run("sqlite", func(b *testing.B) {
		folder := b.TempDir()
		benchmarkPages(
			b,
			binary,
			"PORTAL_DATA="+folder,
			func() (*db.DB, error) { return db.OpenSQLite(b.Context(), folder) },
		)
	})
	b.Run("postgres", func(b *testing.B) {
		at := dbtest.NewPostgres(b).Empty(b)
		benchmarkPages(
			b,
			binary,
			"DATABASE_URL="+at,
			func() (*db.DB, error) { return db.OpenPostgres(b.Context(), at) },
		)
	})
}

func benchmarkPages(b *testing.B, binary, database string, open func() (*db.DB, error)) {
	address := freeAddress(b)
	env := append(os.Environ(), "PORTAL_DATA="+b.TempDir(), "PORTAL_ADDR="+address,
		"PORTAL_SECRET_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", database)
	register(b, binary, env)
	d, err := open()
	if err != nil {
		b.Fatal(err)
	}
	in := access.Portfolio{ID: 1, Mode: access.Live}
	err = portfoliostore.NewBooks(d).Add(b.Context(), in, dbtest.LargeBook(in, 10_000))
	if err == nil {
		err = developerstore.NewRequests(d).AddRequests(b.Context(), logged(in, 200_000))
	}
	if pool := d.Postgres(); pool != nil && err == nil { // what it does by itself a minute later
		_, err = pool.Exec(b.Context(), "VACUUM ANALYZE")
	}
	if err != nil {
		b.Fatal(err)
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	start(b, binary, env, address, "serve")
	jar, _ := cookiejar.New(nil) // fails with options alone
	c := &http.Client{Jar: jar}
	m := &mixture{demo: &demo{url: "http://" + address, said: map[string]string{
		"PORTAL_DEMO_LANDLORD": "bench@example.com",
		"PORTAL_DEMO_PASSWORD": benchPassword,
	}}, statuses: map[int]int{}}
	m.signIn(b.Context(), c)
	for b.Loop() {
		for _, path := range m.everyPage(b, c) {
			b.ReportMetric(m.median(b, c, path), path+"_ms")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// logged are requests of the last 80 days: reads, and one in ten that failed.
func logged(in access.Portfolio, n int) []developer.Request {
	all, first := make([]developer.Request, n), time.Now().AddDate(0, 0, -80)
	for i := range all {
		at := first.Add(time.Duration(i) * 80 * 24 * time.Hour / time.Duration(n))
		all[i] = developer.Request{
			ID: id.New(id.Request, at), At: clock.At(at), PortfolioID: in.ID, KeyID: "key_bench",
			Operation: "list_leases", Method: http.MethodGet, Path: "/api/v1/external/leases", Query: "limit=100",
			Status: 200, Duration: 3 * time.Millisecond, Bytes: 40_000, Address: "192.0.2.1", UserAgent: "bench/1.0",
		}
		if i%10 == 0 {
			all[i].Status, all[i].Code = 404, "not_found"
		}
	}
	return all
}

var record = regexp.MustCompile(`href="(/live/(?:properties|tenants|leases|tickets|ledger)/[a-z]+_\w+)"`)

// everyPage are the addresses with the first record of each list.
func (m *mixture) everyPage(b *testing.B, c *http.Client) []string {
	b.Helper()
	all := slices.Clone(pagePaths)
	for _, list := range []string{"properties", "tenants", "leases", "tickets", "ledger"} {
		one := record.FindStringSubmatch(m.page(b.Context(), c, "/live/"+list))
		if one == nil {
			b.Fatalf("no record in the list of %s", list)
		}
		all = append(all, one[1])
	}
	return all
}

// median is how many milliseconds a page takes.
func (m *mixture) median(b *testing.B, c *http.Client, path string) float64 {
	b.Helper()
	var took []time.Duration
	for range 40 {
		began := time.Now()
		status, body := m.do(b.Context(), c, http.MethodGet, path, "", func(http.Header) {})
		took = append(took, time.Since(began))
		if status != http.StatusOK || body == "" {
			b.Fatalf("%s: %d", path, status)
		}
	}
	slices.Sort(took)
	return float64(took[len(took)/2].Microseconds()) / 1000
}

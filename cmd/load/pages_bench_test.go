package main

import (
	"cmp"
	"html"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/db"
	"portal/db/dbtest"
)

// pagePaths are pages of a landlord who has 10,000 properties, 10,500 tenants, leases and tickets, and
// 126,000 charges, and whose programs asked 200,000 times, nearly always the same. Those they lead
// to are found.
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
	binary := built(b)
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
	liveFor80Days(b, d)
	if pool := d.Postgres(); pool != nil { // what it does by itself a minute later
		if _, err := pool.Exec(b.Context(), "VACUUM ANALYZE"); err != nil {
			b.Fatal(err)
		}
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
		m.measure(b, c)
	}
	b.ReportMetric(0, "ns/op")
}

// measure reports each of pagePaths, /healthz for comparison, the ten slowest of those they lead to,
// and how many these are.
func (m *mixture) measure(b *testing.B, c *http.Client) {
	b.Helper()
	type timed struct {
		path string
		took float64 // milliseconds
	}
	var linked []timed
	for i, path := range m.everyPage(b, c) {
		if took := m.median(b, c, path); i < len(pagePaths) {
			b.ReportMetric(took, path+"_ms")
		} else {
			linked = append(linked, timed{path, took})
		}
	}
	slices.SortFunc(linked, func(x, y timed) int { return cmp.Compare(y.took, x.took) })
	for _, p := range linked[:10] {
		b.ReportMetric(p.took, "slowest:"+p.path+"_ms")
	}
	b.ReportMetric(linked[0].took, "slowest_linked_ms")
	b.ReportMetric(m.median(b, c, "/healthz"), "/healthz_ms")
	b.ReportMetric(float64(len(linked)), "linked_pages")
}

// BenchmarkPages10k measures these, and those to which they lead: one of each kind.
func (m *mixture) everyPage(b *testing.B, c *http.Client) []string {
	b.Helper()
	all, known := slices.Clone(pagePaths), map[string]bool{}
	for _, path := range all {
		known[kindOf(path)] = true
	}
	for i := 0; i < len(all); i++ {
		status, body := m.do(b.Context(), c, http.MethodGet, all[i], "", func(http.Header) {})
		if i < len(pagePaths) {
			if status != http.StatusOK {
				b.Fatalf("%s: %d", all[i], status)
			}
		} else if status != http.StatusOK || !strings.HasPrefix(body, "<!doctype html>") { // a file
			all = slices.Delete(all, i, i+1)
			i--
			continue
		}
		base, err := url.Parse(all[i])
		if err != nil {
			b.Fatal(err)
		}
		for _, link := range links.FindAllStringSubmatch(body, -1) {
			u, err := base.Parse(html.UnescapeString(link[1]))
			if err != nil || u.Host != "" || len(u.Query()) > 1 || strings.HasPrefix(u.Path, "/test/") {
				continue
			}
			u.Fragment = ""
			if kind := kindOf(u.String()); !known[kind] && !strings.Contains(kind, "/export") {
				known[kind] = true
				all = append(all, u.String())
			}
		}
	}
	return all
}

var (
	links      = regexp.MustCompile(`<a [^>]*?href="(/[^"]*|\?[^"]*)"`)
	identifier = regexp.MustCompile(`[a-z]+_[0-7][0-9A-HJKMNP-TV-Z]{25}`)
	cursor     = regexp.MustCompile(`(after|before)=[^&]+`)
)

// kindOf is an address without what tells its record, or its place in a list, from others.
func kindOf(path string) string {
	return cursor.ReplaceAllString(identifier.ReplaceAllString(path, "ID"), "$1=")
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

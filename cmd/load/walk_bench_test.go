package main

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

const (
	walkedRows    = 1_000_000
	neighborsRows = 10_000
	worstClients  = 50 // together, half of them for each of the worst requests

	// unknownKey has the form and the checksum of a key.
	unknownKey = "sk_live_pm_000000000000000000000000000000000000000000018juio"
)

// BenchmarkWalks has 50 requests at once pass over all rows of a portfolio of 1,000,000 properties: searches for
// two common words that no property has together, and updated_after in the future. Beside them, and without
// them in the same run, a neighbor asks for lists of 20, somebody with an unknown key is refused, and the health
// check is asked. The figures are medians in milliseconds; of_alone is what the neighbor's becomes.
func BenchmarkWalks(b *testing.B) {
	binary := built(b)
	b.Run("sqlite", func(b *testing.B) {
		folder := b.TempDir()
		benchmarkWalks(b, binary, "PORTAL_DATA="+folder, func() (*db.DB, error) {
			return db.OpenSQLite(b.Context(), folder)
		})
	})
	b.Run("postgres", func(b *testing.B) {
		at := dbtest.NewPostgres(b).Empty(b)
		benchmarkWalks(b, binary, "DATABASE_URL="+at, func() (*db.DB, error) {
			return db.OpenPostgres(b.Context(), at)
		})
	})
}

func benchmarkWalks(b *testing.B, binary, database string, open func() (*db.DB, error)) {
	address := freeAddress(b)
	env := append(os.Environ(), "PORTAL_DATA="+b.TempDir(), "PORTAL_ADDR="+address,
		"PORTAL_SECRET_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", database)
	key := register(b, binary, env)
	for _, line := range []string{
		"user add neighbor@example.com --role landlord --password-stdin",
		"access approve neighbor@example.com",
		"plan set neighbor@example.com prime --sustained 1000000 --burst 1000000",
		"key create neighbor@example.com --name bench --mode live",
	} {
		c := exec.CommandContext(b.Context(), binary, strings.Fields(line)...)
		c.Env, c.Stdin = env, strings.NewReader(benchPassword+"\n")
		out, err := c.Output()
		if err != nil {
			b.Fatalf("portal %s: %v", line, err)
		}
		key += " " + strings.TrimSpace(string(out))
	}
	fields := strings.Fields(key)
	key, neighbor := fields[0], fields[len(fields)-1]
	d, err := open()
	if err != nil {
		b.Fatal(err)
	}
	var live []int64
	if err := d.Each(b.Context(), "SELECT id FROM portfolios WHERE mode = 'live' ORDER BY id", nil,
		func(scan db.Scan) error { live = append(live, 0); return scan(&live[len(live)-1]) }); err != nil {
		b.Fatal(err)
	}
	fillProperties(b, d, live[0], walkedRows)
	fillProperties(b, d, live[1], neighborsRows)
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	start(b, binary, env, address, "serve")
	base := "http://" + address
	measured := func(path, key string, clients, status int, span time.Duration) *result {
		asked, err := newAsked(base+path, key, "")
		if err != nil {
			b.Error(err)
			return &result{}
		}
		r := drive(b.Context(), asked, clients, span)
		if r.errors > 0 || r.statuses[status] != len(r.latency) {
			b.Errorf("%s: %d errors, statuses %v", path, r.errors, r.statuses)
		}
		return r
	}
	const lists = "/api/v1/external/properties"
	others := func(beside string) (of *result) {
		for name, r := range map[string]*result{
			"list": measured(lists, neighbor, 1, http.StatusOK, 4*time.Second),
			// 1,200 of them are answered before their address is limited.
			"unknown": measured(lists, unknownKey, 1, http.StatusUnauthorized, 100*time.Millisecond),
			"ready":   measured("/readyz", "", 1, http.StatusOK, time.Second),
		} {
			if name == "list" {
				of = r
			}
			b.ReportMetric(milliseconds(r.quantile(0.5)), name+beside+"_ms")
			b.ReportMetric(milliseconds(r.quantile(0.99)), name+beside+"_p99_ms")
		}
		return of
	}
	for b.Loop() {
		alone := others("_alone")
		var worst sync.WaitGroup
		var mu sync.Mutex // ReportMetric is for one at a time
		for name, query := range map[string]string{
			"search": "?search=fresno+tampa", "updated": "?updated_after=2030-01-01T00:00:00Z",
		} {
			worst.Go(func() {
				r := measured(lists+query, key, worstClients/2, http.StatusOK, 9*time.Second)
				mu.Lock()
				defer mu.Unlock()
				b.ReportMetric(milliseconds(r.quantile(0.5)), name+"_ms")
				b.ReportMetric(milliseconds(r.quantile(0.99)), name+"_p99_ms")
			})
		}
		time.Sleep(time.Second) //nolint:forbidigo // until all of them are under way
		beside := others("_beside")
		worst.Wait()
		b.ReportMetric(float64(beside.quantile(0.5))/float64(alone.quantile(0.5)), "of_alone")
	}
	b.ReportMetric(0, "ns/op")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// fillProperties writes properties into a portfolio.
func fillProperties(b *testing.B, d *db.DB, in int64, rows int) {
	b.Helper()
	const part = 20_000
	for from := 0; from < rows; from += part {
		var book portfolio.Book
		for i := from; i < min(from+part, rows); i++ {
			book.Properties = append(book.Properties, sample(i))
		}
		if err := d.Atomically(b.Context(), func(ctx context.Context) error {
			return portfoliostore.New(d).AddProperties(ctx, access.Portfolio{ID: in, Mode: access.Live}, &book)
		}); err != nil {
			b.Fatal(err)
		}
	}
}

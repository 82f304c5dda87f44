package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// searchedRows is how many properties, and as many tenants, BenchmarkSearch searches.
const searchedRows = 100_000

// BenchmarkSearch asks a portfolio of 100,000 properties and 100,000 tenants for pages of 20,
// over HTTP, one request at a time: as they come, with searches that few and that many
// records match, and with the worst one, for two common words that no record has together.
// The figures are medians in milliseconds. Without PORTAL_TEST_DATABASE_URL it measures
// SQLite alone.
func BenchmarkSearch(b *testing.B) {
	binary := built(b)
	b.Run("sqlite", func(b *testing.B) {
		folder := b.TempDir()
		benchmarkSearch(
			b,
			binary,
			"PORTAL_DATA="+folder,
			func() (*db.DB, error) { return db.OpenSQLite(b.Context(), folder) },
		)
	})
	b.Run("postgres", func(b *testing.B) {
		at := dbtest.NewPostgres(b).Empty(b)
		benchmarkSearch(
			b,
			binary,
			"DATABASE_URL="+at,
			func() (*db.DB, error) { return db.OpenPostgres(b.Context(), at) },
		)
	})
}

func benchmarkSearch(b *testing.B, binary, database string, open func() (*db.DB, error)) {
	address := freeAddress(b)
	env := append(os.Environ(), "PORTAL_DATA="+b.TempDir(), "PORTAL_ADDR="+address,
		"PORTAL_SECRET_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", database)
	key := register(b, binary, env)
	d, err := open()
	if err != nil {
		b.Fatal(err)
	}
	fillSearched(b, d)
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	start(b, binary, env, address, "serve")
	for b.Loop() {
		for name, path := range map[string]string{
			"properties":        "properties?",
			"properties_rare":   "properties?search=" + url.QueryEscape("maple 54321"),
			"properties_prefix": "properties?search=" + url.QueryEscape("hou 543"),
			"properties_common": "properties?search=maple",
			"properties_two":    "properties?search=" + url.QueryEscape("fresno maple ave"),
			"properties_state":  "properties?state=TX&search=543",
			"properties_none":   "properties?search=nowhere",
			"properties_worst":  "properties?search=" + url.QueryEscape("fresno tampa"),
			"tenants":           "tenants?",
			"tenants_rare":      "tenants?search=" + url.QueryEscape("dana54321"),
			"tenants_phone":     "tenants?search=" + url.QueryEscape("(512) 005-4321"),
			"tenants_name":      "tenants?search=" + url.QueryEscape("dana whitf"),
			"tenants_common":    "tenants?search=d",
		} {
			asked, err := newAsked("http://"+address+"/api/v1/external/"+path, key, "")
			if err != nil {
				b.Fatal(err)
			}
			r := drive(b.Context(), asked, 1, time.Second)
			if r.errors > 0 || r.statuses[200] != len(r.latency) {
				b.Fatalf("%s: %d errors, statuses %v", path, r.errors, r.statuses)
			}
			b.ReportMetric(float64(r.quantile(0.5).Microseconds())/1000, name+"_ms")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// benchPassword is of the account of benchmarks.
const benchPassword = "plover-canyon-umbrella-71"

// register makes an account with a live key, which has no limit to speak of.
func register(b *testing.B, binary string, env []string) (key string) {
	b.Helper()
	for _, line := range []string{
		"migrate",
		"user add bench@example.com --role landlord --password-stdin",
		"access approve bench@example.com",
		"plan set bench@example.com prime --sustained 1000000 --burst 1000000",
		"key create bench@example.com --name bench --mode live",
	} {
		c := exec.CommandContext(b.Context(), binary, strings.Fields(line)...)
		c.Env, c.Stdin = env, strings.NewReader(benchPassword+"\n")
		out, err := c.Output()
		if err != nil {
			b.Fatalf("portal %s: %v", line, err)
		}
		key = strings.TrimSpace(string(out))
	}
	return key
}

func fillSearched(b *testing.B, d *db.DB) {
	b.Helper()
	in, part := access.Portfolio{ID: 1, Mode: access.Live}, 10_000
	began := time.Now()
	for from := 0; from < searchedRows; from += part {
		var book portfolio.Book
		for i := from; i < from+part; i++ {
			book.Properties = append(book.Properties, sample(i))
			book.Tenants = append(book.Tenants, sampleTenant(i))
		}
		if err := d.Atomically(b.Context(), func(ctx context.Context) error {
			if err := portfoliostore.New(d).AddProperties(ctx, in, &book); err != nil {
				return err
			}
			return portfoliostore.New(d).AddPeople(ctx, in, &book)
		}); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d properties and tenants written in %v", searchedRows, time.Since(began).Round(time.Second))
}

func sampleTenant(i int) portfolio.Tenant {
	made := time.UnixMilli(1_700_000_000_000 + int64(i)*1000)
	first := []string{"Dana", "Zoë", "Luis", "Ming", "Ada", "Omar", "Priya"}[i%7]
	last := []string{
		"Whitfield", "Núñez", "O'Neil", "Rivera", "Chen", "Okafor", "Smith-Jones", "Müller", "Tan",
		"Reed", "Novak",
	}[i%11]
	email := fmt.Sprintf("%s%d@example.com", strings.ToLower(strings.ReplaceAll(first, "ë", "e")), i)
	phone := fmt.Sprintf("+1512%07d", i)
	return portfolio.Tenant{
		Record: portfolio.Record{
			ID:        id.New(id.Tenant, made),
			Version:   1,
			CreatedAt: clock.At(made),
			UpdatedAt: clock.At(made),
		},
		FirstName: first,
		LastName:  last,
		Email:     &email,
		Phone:     &phone,
		Status:    portfolio.TenantCurrent,
	}
}

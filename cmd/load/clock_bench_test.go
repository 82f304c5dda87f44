package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/db"
	"portal/db/dbtest"
)

const (
	clockYears = 2
	clockBytes = 500 // of a bare row, about what a ledger row or an email is
)

// BenchmarkTwoYearsOfTheClock turns the test clock of the served demo (120 units) by two years over HTTP. Beside it,
// the ledger rows and emails that come of it are bare rows, inserted in as many transactions as there were days.
func BenchmarkTwoYearsOfTheClock(b *testing.B) {
	binary := built(b)
	b.Run("sqlite", func(b *testing.B) {
		b.Setenv("DATABASE_URL", "")
		folder, bare := b.TempDir(), b.TempDir()
		benchmarkClock(b, binary, folder, func() (*db.DB, error) {
			return db.OpenSQLite(b.Context(), filepath.Join(folder, "data"))
		}, func() (*db.DB, error) { return db.OpenSQLite(b.Context(), bare) })
	})
	b.Run("postgres", func(b *testing.B) {
		at := dbtest.NewPostgres(b).Empty(b)
		b.Setenv("DATABASE_URL", at)
		b.Setenv("PORTAL_SECRET_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
		open := func() (*db.DB, error) { return db.OpenPostgres(b.Context(), at) }
		benchmarkClock(b, binary, b.TempDir(), open, open)
	})
}

func benchmarkClock(b *testing.B, binary, folder string, open, scratch func() (*db.DB, error)) {
	d, err := startDemo(b.Context(), binary, folder)
	if err != nil {
		b.Fatal(err)
	}
	defer d.stop()
	kept, err := open()
	if err != nil {
		b.Fatal(err)
	}
	defer kept.Close()
	for b.Loop() {
		before, spent, began := written(b, kept), d.cpu(b), time.Now()
		days := d.turn(b, clockYears)
		wall := time.Since(began)
		n := written(b, kept) - before
		b.ReportMetric(ms(wall), "wall_ms")
		b.ReportMetric(ms(d.cpu(b)-spent), "cpu_ms")
		b.ReportMetric(float64(days), "days")
		b.ReportMetric(float64(n), "rows")
		bare := bareRows(b, scratch, n, days)
		b.ReportMetric(ms(bare), "bare_ms")
		b.ReportMetric(float64(wall)/float64(bare), "times")
	}
	b.ReportMetric(0, "ns/op")
}

// written is how many ledger rows and emails are kept.
func written(b *testing.B, d *db.DB) (n int) {
	b.Helper()
	if _, err := d.One(b.Context(), `SELECT (SELECT count(*) FROM payments) + (SELECT count(*) FROM mails)`,
		nil, &n); err != nil {
		b.Fatal(err)
	}
	return n
}

// bareRows is how long it takes to insert rows in transactions of as many each.
func bareRows(b *testing.B, open func() (*db.DB, error), n, transactions int) time.Duration {
	b.Helper()
	d, err := open()
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	dbtest.Exec(b, d, "CREATE TABLE bare (id INTEGER PRIMARY KEY, content TEXT NOT NULL)")
	content, began := strings.Repeat("x", clockBytes), time.Now()
	for i := 0; i < transactions && err == nil; i++ {
		err = d.Atomically(b.Context(), func(ctx context.Context) error {
			for id := n * i / transactions; id < n*(i+1)/transactions; id++ {
				if _, err := d.Exec(ctx, "INSERT INTO bare (id, content) VALUES ($1, $2)", id, content); err != nil {
					return err
				}
			}
			return nil
		})
	}
	took := time.Since(began)
	if err != nil {
		b.Fatal(err)
	}
	dbtest.Exec(b, d, "DROP TABLE bare")
	return took
}

// turn turns the test clock of the demo by years, and answers by how many days.
func (d *demo) turn(b *testing.B, years int) (days int) {
	b.Helper()
	from := d.today(b)
	to := from.AddDate(years, 0, 0)
	body := fmt.Sprintf(`{"advance_to": "%s"}`, to.Format(time.DateOnly))
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost,
		d.url+"/api/v1/external/test_helpers/clock", strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+d.said["PORTAL_TEST_KEY"])
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode >= http.StatusBadRequest {
		b.Fatalf("the clock: %s", res.Status)
	}
	for deadline := time.Now().Add(3 * time.Minute); !d.today(b).Equal(to); {
		if time.Now().After(deadline) {
			b.Fatal("the clock does not arrive")
		}
		time.Sleep(20 * time.Millisecond) //nolint:forbidigo // between two polls of what must come up
	}
	return int(to.Sub(from).Hours() / 24)
}

// today is the day of the test clock once it stands, the zero time while it advances.
func (d *demo) today(b *testing.B) (day time.Time) {
	b.Helper()
	var me struct {
		Clock struct{ Status, Today string } `json:"test_clock"`
	}
	if err := json.Unmarshal(fetch(b, d.url+"/api/v1/external/me", d.said["PORTAL_TEST_KEY"]), &me); err != nil {
		b.Fatal(err)
	}
	if me.Clock.Status != "ready" {
		return day
	}
	day, err := time.Parse(time.DateOnly, me.Clock.Today)
	if err != nil {
		b.Fatal(err)
	}
	return day
}

// cpu is how much time the processors have spent on the process so far, in user and system mode.
func (d *demo) cpu(b *testing.B) time.Duration {
	b.Helper()
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", d.process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(content[strings.LastIndexByte(string(content), ')'):]))
	var ticks int
	for _, field := range fields[12:14] { // utime and stime
		n, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

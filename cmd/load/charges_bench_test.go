package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/schedule"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

const (
	chargedLeases = 10_000
	patchers      = 4                     // connections that change properties meanwhile
	patchEvery    = 20 * time.Millisecond // of each of them, unless an answer takes longer
	idleRuns      = 9
)

// BenchmarkCharges10k has the served process run the hourly job for a portfolio of 10,000 active leases with the rents
// of a year: once where each lease has a rent to charge, while programs change properties of the same portfolio over
// HTTP, and then where it finds nothing to do. The job's times are those that its queue has noted.
func BenchmarkCharges10k(b *testing.B) {
	binary := built(b)
	b.Run("sqlite", func(b *testing.B) {
		folder := b.TempDir()
		benchmarkCharges(b, binary, "PORTAL_DATA="+folder, func() (*db.DB, error) {
			return db.OpenSQLite(b.Context(), folder)
		})
	})
	b.Run("postgres", func(b *testing.B) {
		at := dbtest.NewPostgres(b).Empty(b)
		benchmarkCharges(b, binary, "DATABASE_URL="+at, func() (*db.DB, error) {
			return db.OpenPostgres(b.Context(), at)
		})
	})
}

func benchmarkCharges(b *testing.B, binary, database string, open func() (*db.DB, error)) {
	address := freeAddress(b)
	env := append(os.Environ(), "PORTAL_DATA="+b.TempDir(), "PORTAL_ADDR="+address,
		"PORTAL_SECRET_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", database)
	register(b, binary, env)
	making := exec.CommandContext(b.Context(), binary, "key", "create", "bench@example.com", "--name", "patches",
		"--mode", "live", "--scopes", "read,write")
	making.Env = env
	key, err := making.Output()
	if err != nil {
		b.Fatal(err)
	}
	d, err := open()
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	h := &hourly{B: b, db: d, in: access.Portfolio{ID: 1, Mode: access.Live}}
	h.must(h.charges(nil))
	h.must(portfoliostore.New(d).Add(b.Context(), h.in, monthToMonth(h.in)))
	if pool := d.Postgres(); pool != nil { // what it does by itself a minute later
		_, err := pool.Exec(b.Context(), "VACUUM ANALYZE")
		h.must(err)
	}
	start(b, binary, env, address, "serve")
	p := &patching{url: "http://" + address + "/api/v1/external/properties", key: strings.TrimSpace(string(key))}
	h.must(p.choose(fetch(b, p.url, p.key)))
	h.finished() // the run of the start, which has nothing to charge
	for b.Loop() {
		p.report(b, "_alone", func() { time.Sleep(3 * time.Second) }) //nolint:forbidigo // a span that is measured
		dbtest.Exec(b, d, "DELETE FROM payments WHERE portfolio_id = $1 AND amount_paid = 0", h.in.ID)
		since := clock.At(time.Now().AddDate(0, 0, -2))
		h.must(h.charges(&since))
		p.report(b, "_beside", func() { b.ReportMetric(h.run(), "charge_ms") })
		if n := h.count(
			"SELECT count(*) FROM payments WHERE portfolio_id = 1 AND amount_paid = 0",
		); n != chargedLeases {
			b.Fatalf("%d rents are charged", n)
		}
		var idle []float64
		for range idleRuns {
			idle = append(idle, h.run())
		}
		slices.Sort(idle)
		b.ReportMetric(idle[idleRuns/2], "idle_ms")
		b.ReportMetric(idle[idleRuns-1], "idle_highest_ms")
	}
	b.ReportMetric(0, "ns/op")
}

// monthToMonth is a portfolio of leases that have the rents of a year, all paid. The next one is due within the days
// for which the ledger charges ahead, and the one after is not.
func monthToMonth(in access.Portfolio) *portfolio.Book {
	book := dbtest.LargeBook(in, chargedLeases-500)
	today := clock.DateOf(time.Now(), time.UTC)
	last := today.AddDays(30).Std()
	next := clock.DateOf(time.Date(last.Year(), last.Month(), 1, 0, 0, 0, 0, time.UTC), time.UTC)
	month := func(n int) clock.Date { return clock.DateOf(next.Std().AddDate(0, n, 0), time.UTC) }
	for i := range book.Leases {
		l := &book.Leases[i]
		l.LeaseType, l.StartDate, l.EndDate = portfolio.MonthToMonth, month(-12), nil
	}
	for i := range book.Payments {
		p, n := &book.Payments[i], i%12-12
		p.Status, p.AmountPaid = portfolio.PaymentSucceeded, p.Amount
		p.DueDate, p.PeriodStart, p.PeriodEnd = month(n), new(month(n)), new(month(n+1)-1)
		p.Charge = new(schedule.Rent + " " + schedule.Month(p.DueDate))
	}
	return book
}

// hourly is the job that charges a portfolio.
type hourly struct {
	*testing.B
	db *db.DB
	in access.Portfolio
}

func (h *hourly) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// charges has the portfolio charge by itself since a moment.
func (h *hourly) charges(since *clock.Time) error {
	return h.db.Atomically(h.Context(), func(ctx context.Context) error {
		return portfoliostore.New(h.db).SetAutoCharge(ctx, h.in, since)
	})
}

func (h *hourly) count(query string) (n int) {
	h.Helper()
	_, err := h.db.One(h.Context(), query, nil, &n)
	h.must(err)
	return n
}

// run has the job run once more, and answers how many milliseconds it took.
func (h *hourly) run() float64 {
	h.Helper()
	now := "now()"
	if h.db.SQLite() != nil {
		now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
	}
	dbtest.Exec(h, h.db, `INSERT INTO river_job (kind, args, max_attempts, queue, state, scheduled_at)
		SELECT kind, args, max_attempts, queue, 'available', `+now+`
		FROM river_job
		WHERE kind = 'turn'
		ORDER BY id
		LIMIT 1`)
	return h.finished()
}

// finished waits until no job waits or runs, and answers how many milliseconds the latest took.
func (h *hourly) finished() float64 {
	h.Helper()
	took := "EXTRACT(EPOCH FROM finalized_at - attempted_at) * 1000000"
	if h.db.SQLite() != nil {
		took = "(julianday(finalized_at) - julianday(attempted_at)) * 86400000000"
	}
	for deadline := time.Now().Add(3 * time.Minute); ; {
		var state string
		var micros int64
		_, err := h.db.One(h.Context(), `SELECT CAST(state AS TEXT), CAST(COALESCE(`+took+`, 0) AS BIGINT)
			FROM river_job
			WHERE kind = 'turn'
			ORDER BY id DESC
			LIMIT 1`, nil, &state, &micros)
		h.must(err)
		if state == "completed" {
			return float64(micros) / 1000
		}
		if time.Now().After(deadline) {
			h.Fatalf("the job is %q", state)
		}
		time.Sleep(10 * time.Millisecond) //nolint:forbidigo // between two looks at what must end
	}
}

// patching changes properties over HTTP.
type patching struct {
	url, key string
	ids      []string
}

// choose takes the properties of a list.
func (p *patching) choose(list []byte) error {
	var page struct{ Data []struct{ ID string } }
	err := json.Unmarshal(list, &page)
	for _, record := range page.Data {
		p.ids = append(p.ids, record.ID)
	}
	return err
}

// report changes properties while something is done, and reports how long the changes took.
func (p *patching) report(b *testing.B, name string, meanwhile func()) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	all := &result{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	for n := range patchers {
		wait.Go(func() {
			took, err := p.change(ctx, n)
			mu.Lock()
			defer mu.Unlock()
			all.latency = append(all.latency, took...)
			if err != nil {
				b.Error(err)
			}
		})
	}
	began := time.Now()
	meanwhile()
	cancel()
	wait.Wait()
	all.span = time.Since(began)
	slices.Sort(all.latency)
	b.ReportMetric(all.rate(), "patches"+name+"/s")
	b.ReportMetric(milliseconds(all.quantile(0.5)), "patch"+name+"_ms")
	b.ReportMetric(milliseconds(all.quantile(0.99)), "patch"+name+"_p99_ms")
	b.ReportMetric(milliseconds(all.quantile(1)), "patch"+name+"_highest_ms")
}

// change changes one property after the other until the context ends.
func (p *patching) change(ctx context.Context, n int) (took []time.Duration, err error) {
	tick := time.NewTicker(patchEvery)
	defer tick.Stop()
	for i := n; err == nil; i += patchers {
		began := time.Now()
		if err = p.patch(p.ids[i%len(p.ids)], fmt.Sprintf("City %d", i)); err == nil {
			took = append(took, time.Since(began))
		}
		select {
		case <-ctx.Done():
			return took, err
		case <-tick.C:
		}
	}
	return took, err
}

func (p *patching) patch(id, city string) error {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPatch, p.url+"/"+id,
		strings.NewReader(fmt.Sprintf(`{"city":%q}`, city)))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+p.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("PATCH: %d %s", response.StatusCode, body)
	}
	return err
}

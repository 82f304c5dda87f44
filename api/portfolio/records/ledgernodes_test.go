package records_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/records"
	"portal/api/sampled"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// Several processes run the job over the same portfolio at once, each of them cut off again and again: every row is
// there once, and in the end none is missing. PORTAL_PROVE tries for longer.
func TestNodesThatAreCutOffChargeEachRowOnce(t *testing.T) {
	t.Parallel()
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		d := dbtest.OnPostgres(t)
		nodesCharge(t, d, 3, func() (*db.DB, error) {
			return db.OpenPostgres(t.Context(), d.Postgres().Config().ConnString())
		})
	})
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		nodesCharge(t, dbtest.SQLiteIn(t, folder), 2, func() (*db.DB, error) {
			return db.OpenSQLite(t.Context(), folder)
		})
	})
}

func nodesCharge(t *testing.T, d *db.DB, nodes int, open func() (*db.DB, error)) {
	t.Helper()
	leases, days := 20, 45
	if sampled.Whole {
		leases, days = 100, 400
	}
	w := emptyLedger(t, d, rand.New(rand.NewPCG(ledgerSeed(t), 0)), "nodes", "America/Denver")
	w.now = time.Date(2027, 1, 10, 8, 0, 0, 0, w.by.Zone)
	w.hour()
	rules := lateRules(t)
	for i := range leases {
		l, tenant := w.home(rules[i%len(rules)])
		l.StartDate, l.MonthlyRent, l.SecurityDeposit = w.today().AddDays(w.IntN(20)), w.cents(500, 3000), 50_000
		w.draw(&l)
		l.LeaseType, l.EndDate = portfolio.MonthToMonth, nil
		l.LateFeeAmount, l.Terms.LateFeeFrequency = new(w.cents(5, 50)), terms.Daily
		w.signs(&l, tenant, rules[i%len(rules)])
	}
	all := make([]*records.Service, nodes)
	var now clockOfNodes
	for i := range all {
		one, err := open()
		w.ok(err)
		t.Cleanup(func() { _ = one.Close() })
		all[i] = records.New(portfoliostore.New(one), now.read)
	}
	cut := 0
	for range days {
		w.now = w.now.AddDate(0, 0, 1)
		now.set(w.now)
		cut += w.nodesRun(all)
	}
	w.hour() // what none of them has finished
	if cut == 0 {
		t.Error("no node was cut off")
	}
	w.check()
	for _, l := range w.leases {
		seen := map[string]bool{}
		for _, p := range l.rows {
			if seen[*p.Charge] {
				w.wrong(l, "%s is charged twice", *p.Charge)
			}
			seen[*p.Charge] = true
		}
	}
	w.nothingLeft()
}

// nodesRun has the nodes run the job at once for a day, each until it is cut off or done, and tells how many were cut
// off.
func (w *ledgerWorld) nodesRun(all []*records.Service) (cut int) {
	w.Helper()
	var running sync.WaitGroup
	errs := make([]error, len(all))
	for i, node := range all {
		until := time.Duration(w.Int64N(int64(20 * time.Millisecond)))
		running.Go(func() {
			ctx, cancel := context.WithTimeout(w.Context(), until)
			defer cancel()
			errs[i] = node.Calendar.RollOver(ctx, w.by.Portfolio, w.by.Zone)
			if errs[i] != nil && ctx.Err() == nil {
				w.Errorf("a node that was not cut off: %v", errs[i])
			}
		})
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			cut++
		}
	}
	return cut
}

// nothingLeft runs the job once more, which must change nothing.
func (w *ledgerWorld) nothingLeft() {
	w.Helper()
	before := dbtest.Texts(w, w.db, "SELECT id || ' ' || version FROM payments ORDER BY id")
	w.hour()
	after := dbtest.Texts(w, w.db, "SELECT id || ' ' || version FROM payments ORDER BY id")
	if len(before) != len(after) {
		w.Errorf("%d rows, and once more %d", len(before), len(after))
	}
	for i := range before {
		if before[i] != after[i] {
			w.Errorf("%s was %s", after[i], before[i])
		}
	}
}

// clockOfNodes is one that several nodes read.
type clockOfNodes struct {
	mu sync.Mutex
	at time.Time
}

func (c *clockOfNodes) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

func (c *clockOfNodes) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

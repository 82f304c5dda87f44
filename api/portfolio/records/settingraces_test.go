package records_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// A run of the job has read the setting when the owner turns it off, and charges nothing any more.
func TestTurningAutomaticRentOffStopsRunThatHasBegun(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.adds(h.lease(portfolio.LeaseActive, clock.Day(2026, 3, 1), h.tenants[1]), nil)
		store := portfoliostore.New(h.db)
		h.ok(second(h.Ledger.SetAutoCharge(h.Context(), h.by, true)))
		var off sync.Once
		job := records.New(store, func() time.Time { // the clock is read first after the setting, before any lock
			off.Do(func() { h.ok(second(h.Ledger.SetAutoCharge(h.Context(), h.by, false))) })
			return h.now
		})
		h.ok(job.Ledger.AutoCharge(h.Context(), h.by.Portfolio, h.by.Zone))
		if got := h.ledgerOf(); len(got) > 0 {
			h.Errorf("charged after an owner has turned it off: %q", got)
		}
		h.ok(second(h.Ledger.SetAutoCharge(h.Context(), h.by, true)))
		h.ok(job.Ledger.AutoCharge(h.Context(), h.by.Portfolio, h.by.Zone))
		if got := h.ledgerOf(); len(got) != 2 {
			h.Errorf("turned on again, charged %q, want the rent of two leases", got)
		}
	})
}

// Two owners turn automatic rent on and off at once, while the job runs on two nodes. Each row is written once, and
// when all is quiet the ledger is as the last setting says.
func TestOwnersAndJobAtOnceChargeEachRowOnce(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for range 15 {
			h.adds(h.lease(portfolio.LeaseActive, clock.Day(2026, 3, 1), h.tenants[1]), nil)
		}
		var at atomic.Int64 // milliseconds that have passed: each setting has a moment of its own
		tick := func() time.Time { return h.now.Add(time.Duration(at.Add(1)) * time.Millisecond) }
		var all sync.WaitGroup
		for owner := range 2 {
			mine := records.New(portfoliostore.New(h.db), tick)
			all.Go(func() {
				for n := range 6 {
					if _, err := mine.Ledger.SetAutoCharge(h.Context(), h.by, (n+owner)%2 == 0); err != nil {
						h.Errorf("owner %d: %v", owner, err)
					}
				}
			})
			job := records.New(portfoliostore.New(h.db), tick)
			all.Go(func() {
				for range 6 {
					if err := job.Ledger.AutoCharge(h.Context(), h.by.Portfolio, h.by.Zone); err != nil {
						h.Errorf("job %d: %v", owner, err)
					}
				}
			})
		}
		all.Wait()
		h.ok(second(h.Ledger.SetAutoCharge(h.Context(), h.by, true)))
		h.ok(h.Ledger.AutoCharge(h.Context(), h.by.Portfolio, h.by.Zone))
		twice := dbtest.Texts(h, h.db, `SELECT lease_id || ' ' || charge FROM payments
			WHERE status <> 'void' GROUP BY lease_id, charge HAVING COUNT(*) > 1`)
		rows := dbtest.Texts(h, h.db, "SELECT id FROM payments WHERE status <> 'void'")
		if len(twice) > 0 || len(rows) != 16 {
			h.Errorf("%d rows for 16 leases, and twice: %q", len(rows), twice)
		}
	})
}

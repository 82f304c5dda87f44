package agreement_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/agreement"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
)

func TestUnitHasAtMostFiveOpenDrafts(t *testing.T) {
	onEach(t, func(f *fixture) {
		drafts := make([]*agreement.LeaseWithTerms, 5)
		for i := range drafts {
			drafts[i] = f.generates(nil)
		}
		f.full()
		if _, err := f.Preview(f.Context(), f.by, f.asked()); !fault.Is(err, fault.DraftLimitReached) {
			f.Errorf("previewed: %v", err)
		}
		other, _ := f.addProperty("CO", portfolio.UnitVacant)
		f.generates(func(g *agreement.LeaseGenerate) { g.PropertyID = other })
		_, err := f.leases.UpdateLease(
			f.Context(),
			f.by,
			change.Target{ID: drafts[0].ID},
			lease.Update{Status: change.To(portfolio.LeaseVoided)},
		)
		f.ok(err)
		f.generates(nil)
		f.full()
		f.now = f.now.Add(14 * 24 * time.Hour)
		f.generates(nil)
	})
}

// full fails unless no further draft of the unit is taken.
func (f *fixture) full() {
	f.Helper()
	if _, err := f.Generate(f.Context(), f.by, f.asked()); !fault.Is(err, fault.DraftLimitReached) {
		f.Errorf("a further draft: %v", err)
	}
}

func TestConcurrentGenerationMakesAtMostFiveDrafts(t *testing.T) {
	onEach(t, func(f *fixture) {
		var made atomic.Int32
		var all sync.WaitGroup
		for range 12 {
			all.Go(func() {
				switch _, err := f.Generate(f.Context(), f.by, f.asked()); {
				case err == nil:
					made.Add(1)
				case !fault.Is(err, fault.DraftLimitReached):
					f.Error(err)
				}
			})
		}
		all.Wait()
		if kept := dbtest.Texts(f, f.db, "SELECT id FROM documents"); made.Load() != 5 || len(kept) != 5 {
			f.Errorf("%d drafts, %d documents", made.Load(), len(kept))
		}
	})
}

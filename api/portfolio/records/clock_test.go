package records_test

import (
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
)

// What happens to the records of a portfolio happens by its own clock, and by nobody else's.
func TestPortfolioCanHaveItsOwnClock(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		const ahead = 400 * 24 * time.Hour // after the end of the lease in force
		h.Clock = func(id int64) time.Time {
			if id == h.by.Portfolio.ID {
				return h.now.Add(ahead)
			}
			return h.now
		}
		if got, want := h.Today(h.by), clock.DateOf(h.now.Add(ahead), h.by.Zone); got != want {
			h.Errorf("today is %s, want %s", got, want)
		}
		other := h.owner(access.Test)
		if got, want := h.Today(other), clock.DateOf(h.now, other.Zone); got != want {
			h.Errorf("today is %s elsewhere, want %s", got, want)
		}
		h.ok(h.Calendar.RollOver(h.Context(), h.by.Portfolio, h.by.Zone))
		l, err := h.Leases.Lease(h.Context(), h.by, h.let)
		h.ok(err)
		if l.Status != portfolio.LeaseExpired || l.UpdatedAt != clock.At(h.now.Add(ahead)) {
			h.Errorf("the lease until December 31 is %s since %s", l.Status, l.UpdatedAt)
		}
		made, err := h.Units.AddUnit(h.Context(), h.by, l.PropertyID, property.UnitAdd{UnitNumber: "9"})
		h.ok(err)
		if made.After.CreatedAt != clock.At(h.now.Add(ahead)) {
			h.Errorf("the unit was added at %s", made.After.CreatedAt)
		}
	})
}

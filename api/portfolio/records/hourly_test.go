package records_test

import (
	"context"
	"testing"
	"time"

	"portal/api/clock"
	"portal/db/portfoliostore"
)

// The hourly job of a portfolio that has nothing to do ends while another change holds the portfolio: it asks for no
// lock. Where the ledger runs by itself, and where it does not.
func TestHourlyJobThatFindsNothingWaitsForNobody(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		in := h.by.Portfolio
		for range 2 {
			h.ok(h.Calendar.RollOver(h.Context(), in, h.by.Zone))
			held, done := make(chan struct{}), make(chan struct{})
			ended := make(chan error, 1)
			go func() {
				ended <- h.db.Exclusively(h.Context(), in, func(context.Context) error {
					close(held)
					<-done
					return nil
				})
			}()
			<-held
			ctx, cancel := context.WithTimeout(h.Context(), time.Minute) // it would wait for ever
			err := h.Calendar.RollOver(ctx, in, h.by.Zone)
			cancel()
			close(done)
			h.ok(<-ended)
			h.ok(err)
			h.ok(portfoliostore.New(h.db).SetAutoCharge(h.Context(), in, new(clock.At(h.now)))) // for the second time
		}
	})
}

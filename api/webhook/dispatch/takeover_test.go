package dispatch_test

import (
	"context"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/webhook"
	"portal/db/dbtest"
	"portal/db/webhookstore"
)

// TestEventIsNotPurgedDuringDelivery: one that is sent again by hand on its last day
// may be tried for another.
func TestEventIsNotPurgedDuringDelivery(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		p := idle(t, r.DB)
		p.Create(p.Live, "http://127.0.0.1:1/")
		p.raise(p.Live)
		later := clock.At(p.clock().Add(time.Hour))
		must(t, second(webhookstore.New(p.DB).ForgetEvents(t.Context(), later, 10)))
		if p.Count("events WHERE body IS NOT NULL") != 1 {
			t.Error("it is forgotten while its delivery is pending")
		}
		p.Exec("UPDATE deliveries SET status = 'failed'")
		must(t, second(webhookstore.New(p.DB).ForgetEvents(t.Context(), later, 10)))
		if p.Count("events WHERE body IS NOT NULL") != 0 {
			t.Error("it is not forgotten although its delivery has failed")
		}
	})
}

// TestTakeoverSkipsDeliveriesBeingCanceled: a retry that is overdue is cancelled by
// somebody else at the same moment.
func TestTakeoverSkipsDeliveriesBeingCanceled(t *testing.T) {
	t.Parallel()
	p := idle(t, dbtest.OnPostgres(t))
	e := p.Create(p.Live, "http://127.0.0.1:1/")
	p.raise(p.Live)
	p.Exec("UPDATE deliveries SET ready = false, next_attempt_at = 1")
	taken := make(chan error, 1)
	must(t, p.DB.Atomically(t.Context(), func(ctx context.Context) error {
		err := webhookstore.New(p.DB).CancelDeliveries(ctx, p.Live.Portfolio, e.ID, clock.At(p.Clock()))
		if err != nil {
			return err
		}
		go func() { taken <- p.TakeOver(t.Context()) }()
		until(t, "the one has ended or waits for the other", func() bool {
			return len(taken) == 1 ||
				p.Count("pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") > 0
		})
		return nil
	}))
	must(t, <-taken)
	if d := p.only(p.Live, e.ID); d.Status != webhook.Cancelled || p.Count("deliveries WHERE ready") != 0 {
		t.Errorf("what was cancelled may start: %+v", d)
	}
}

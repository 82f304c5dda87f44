package dispatch_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/api/webhook/dispatch"
	"portal/db/dbtest"
	"portal/db/webhookstore"
)

// A command beside a server waits for the permits of the server to run out, but holds no
// lock meanwhile: on SQLite nothing could be written for that long.
func TestNonSendingProcessAwaitsPermitsOutsideTransaction(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := over(t, dbtest.SQLite(t))
		e := r.claimedByAnother()
		began, over := time.Now(), make(chan time.Duration, 1)
		go func() {
			_, err := r.UpdateEndpoint(
				t.Context(),
				r.Live,
				change.Target{ID: e.ID},
				webhook.EndpointUpdate{Status: change.To(webhook.Disabled)},
			)
			if err != nil {
				t.Error(err)
			}
			over <- time.Since(began)
		}()
		<-time.After(webhook.StartTime / 2) // of the clock of the bubble
		got, err := r.Endpoint(t.Context(), r.Live, e.ID)
		must(t, err)
		if got.Status != webhook.Disabled {
			t.Error("the change is not durable while it waits")
		}
		r.Create(r.Live, hook+"/other") // a write
		if wrote := time.Since(began); wrote > webhook.StartTime {
			t.Errorf("a write waited until %s after the beginning", wrote)
		}
		if waited := <-over; waited < webhook.StartTime {
			t.Errorf("it is answered after %s; an attempt may start for %s", waited, webhook.StartTime)
		}
	})
}

// On PostgreSQL changes share a transaction, whose context is over once it is durable.
func TestNonSendingPostgresProcessWaitsForPermits(t *testing.T) {
	t.Parallel()
	r := over(t, dbtest.OnPostgres(t))
	e := r.claimedByAnother()
	began := time.Now()
	_, err := r.UpdateEndpoint(
		t.Context(),
		r.Live,
		change.Target{ID: e.ID},
		webhook.EndpointUpdate{Status: change.To(webhook.Disabled)},
	)
	must(t, err)
	if waited := time.Since(began); waited < webhook.StartTime {
		t.Errorf("it is answered after %s; an attempt may start for %s", waited, webhook.StartTime)
	}
}

// claimedByAnother is an endpoint whose delivery another process may begin to send.
func (r *fixture) claimedByAnother() *webhook.Endpoint {
	r.T.Helper()
	e := r.Create(r.Live, hook)
	must(r.T, r.Raise(r.T.Context(), r.Live.Portfolio, "lease.signed", &portfolio.Lease{}))
	now := clock.At(r.Clock())
	c, err := webhookstore.New(r.DB).Claim(r.T.Context(), webhook.EndpointRef{
		Portfolio: r.Live.Portfolio,
		Endpoint:  e.ID,
	},
		webhook.Claim{
			By:       "another",
			At:       now,
			Until:    now + 30_000,
			Most:     1,
			InFlight: 10,
		})
	must(r.T, err)
	if c == nil || len(c.Work) != 1 {
		r.T.Fatal("the delivery is not claimed")
	}
	return e
}

// deaf is a store whose processes cannot be told anything.
type deaf struct{ dispatch.Store }

func (deaf) Tell(ctx context.Context, _ string) error {
	<-ctx.Done()
	return ctx.Err()
}

// Where a client hangs up while other processes are told, its change is rolled back, and there
// is nothing to warn of. That they cannot be told in time is.
func TestUnansweredQueryWarnsUnlessCanceled(t *testing.T) {
	t.Parallel()
	for _, takenBack := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			said := &bytes.Buffer{}
			d := dispatch.New(webhook.New(nil, nil, time.Now, false), deaf{}, time.Now, dispatch.Config{
				Log: slog.New(slog.NewTextHandler(said, nil)),
			})
			ctx, hangUp := context.WithTimeout(t.Context(), webhook.StartTime)
			defer hangUp()
			d.Ask(ctx, "we_1", []string{"another"})
			if takenBack {
				hangUp()
			}
			<-ctx.Done()
			synctest.Wait()
			if takenBack != (said.Len() == 0) {
				t.Errorf("taken back: %t, and the log says %q", takenBack, said)
			}
		})
	}
}

package webhook_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"portal/api/clock"
	"portal/api/webhook"
	"portal/db/dbtest"
)

// TestADeletionWaitsForThePermitsOfAProcessThatDoesNotAnswer: nobody but the process that
// has claimed knows whether its attempt has started.
func TestADeletionWaitsForThePermitsOfAProcessThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := over(t, dbtest.SQLite(t))
		e := r.claimedByAnother()
		began := time.Now()
		_, err := r.DisableEndpoint(t.Context(), r.live, e.ID)
		must(t, err)
		if waited := time.Since(began); waited < webhook.StartTime {
			t.Errorf("it is answered after %s; an attempt may start for %s", waited, webhook.StartTime)
		}
	})
}

// TestNothingStartsOnceAnAccountIsClosed has an attempt connect for ever.
func TestNothingStartsOnceAnAccountIsClosed(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		must(t, err)
		defer l.Close()
		e := p.create(p.live, "https://"+l.Addr().String())
		p.raise(p.live)
		c, err := l.Accept() // and never shakes hands
		must(t, err)
		defer c.Close()
		must(t, p.db.Atomically(t.Context(), func(ctx context.Context) error {
			closed, err := p.db.CloseAccount(ctx, p.live.AccountID, clock.At(p.clock()))
			if err == nil && !closed {
				err = errors.New("it is closed already")
			}
			if err != nil {
				return err
			}
			return p.StopAccount(ctx, p.live.AccountID)
		}))
		until(t, "the attempt is let go", func() bool { return p.count("deliveries WHERE claimed_by IS NOT NULL") == 0 })
		if d := p.only(p.live, e.ID); d.Status != webhook.Cancelled || len(d.Attempts) != 0 {
			t.Errorf("%+v", d)
		}
	})
}

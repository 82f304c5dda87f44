package dispatch_test

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"portal/api/webhook"
	"portal/db/dbtest"
)

// TestDeletionWaitsForUnresponsiveProcessPermits: nobody but the process that
// has claimed knows whether its attempt has started.
func TestDeletionWaitsForUnresponsiveProcessPermits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := over(t, dbtest.SQLite(t))
		e := r.claimedByAnother()
		began := time.Now()
		_, err := r.DisableEndpoint(t.Context(), r.Live, e.ID)
		must(t, err)
		if waited := time.Since(began); waited < webhook.StartTime {
			t.Errorf("it is answered after %s; an attempt may start for %s", waited, webhook.StartTime)
		}
	})
}

// TestClosingAccountOrDisablingEndpointEndsClaims has an attempt connect for ever.
func TestClosingAccountOrDisablingEndpointEndsClaims(t *testing.T) {
	for name, end := range map[string]func(p *post, endpoint string) error{
		"disabled": func(p *post, endpoint string) error {
			_, err := p.DisableEndpoint(p.T.Context(), p.Live, endpoint)
			return err
		},
		"closed": func(p *post, _ string) error { return p.closeAccount(p.T.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			sendingOverBoth(t, func(t *testing.T, p *post) {
				l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
				must(t, err)
				defer l.Close()
				e := p.Create(p.Live, "https://"+l.Addr().String())
				p.raise(p.Live)
				c, err := l.Accept() // and never shakes hands
				must(t, err)
				defer c.Close()
				began := p.only(p.Live, e.ID)
				must(t, end(p, e.ID))
				until(
					t,
					"the attempt is let go",
					func() bool { return p.Count("deliveries WHERE claimed_by IS NOT NULL") == 0 },
				)
				d := p.only(p.Live, e.ID)
				after, err := p.Endpoint(t.Context(), p.Live, e.ID)
				must(t, err)
				if after.Status != webhook.Disabled || after.DisabledAt == nil ||
					after.Version != e.Version+1 || after.UpdatedAt != *after.DisabledAt {
					t.Fatalf("%+v", after)
				}
				if d.Status != webhook.Cancelled || len(d.Attempts) != 0 || d.NextAttemptAt != nil ||
					d.Version != began.Version+1 || d.UpdatedAt < *after.DisabledAt {
					t.Errorf("%+v, before %+v", d, began)
				}
			})
		})
	}
}

// closeAccount ends what is sent to the endpoints of an account, as closing it does.
func (p *post) closeAccount(ctx context.Context) error {
	return p.DB.Atomically(ctx, func(ctx context.Context) error { return p.StopAccount(ctx, p.Live.AccountID) })
}

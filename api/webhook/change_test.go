package webhook_test

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db/webhookstore"
)

func TestRotationShowsNewSecretAndKeepsPrevious(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook)
		secrets := []string{*e.Secret}
		for i, c := range []struct {
			seconds  int
			previous bool
		}{{86400, true}, {604800, true}, {0, false}, {1, true}} {
			r.Forward(time.Hour)
			before := r.Stored(r.Live, e.ID)
			made, err := r.RotateSecret(t.Context(), r.Live, e.ID, webhook.EndpointRotate{
				PreviousSecretExpiresIn: c.seconds,
			})
			must(t, err)
			if !reflect.DeepEqual(*made.Before, before) || made.After.Secret == nil || made.Warnings != nil {
				t.Fatalf("%+v", made)
			}
			secrets = append(secrets, *made.After.Secret)
			want := before
			want.Version = int64(i) + 2
			want.UpdatedAt = clock.At(r.Clock())
			want.SecretPrefix = secrets[i+1][:10]
			want.PreviousSecretExpiresAt = nil
			previous := ""
			if c.previous {
				previous = secrets[i]
				want.PreviousSecretExpiresAt = new(clock.At(r.Clock().Add(time.Duration(c.seconds) * time.Second)))
			}
			if got := r.Stored(r.Live, e.ID); !reflect.DeepEqual(got, want) {
				t.Errorf("read is\n%+v, want\n%+v", got, want)
			}
			if now, then := r.Secrets(e.ID); now != secrets[i+1] || then != previous || now == secrets[i] {
				t.Errorf("rotation %d: %q, %q", i, now, then)
			}
			made.After.Secret = nil
			if !reflect.DeepEqual(*made.After, want) {
				t.Errorf("shown is\n%+v, want\n%+v", made.After, want)
			}
		}
	})
}

func TestDisabledEndpointSecretCanBeRotated(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook)
		_, err := r.DisableEndpoint(t.Context(), r.Live, e.ID)
		must(t, err)
		made, err := r.RotateSecret(t.Context(), r.Live, e.ID, webhook.EndpointRotate{})
		must(t, err)
		if made.After.Status != webhook.Disabled || *made.After.Secret == *e.Secret || made.After.Version != 3 {
			t.Errorf("%+v", made.After)
		}
	})
}

func TestConcurrentRotationsKeepLastTwoSecrets(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook)
		made := make([]*change.Result[webhook.Endpoint], 20)
		var all sync.WaitGroup
		for i := range made {
			all.Go(func() {
				var err error
				if made[i], err = r.RotateSecret(t.Context(), r.Live, e.ID, webhook.EndpointRotate{
					PreviousSecretExpiresIn: 60,
				}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if t.Failed() {
			return
		}
		of := map[int64]string{1: e.SecretPrefix}
		for _, m := range made {
			of[m.After.Version] = m.After.SecretPrefix
		}
		for _, m := range made {
			if m.Before.SecretPrefix != of[m.Before.Version] || m.Before.Version+1 != m.After.Version {
				t.Errorf("version %d followed %d", m.After.Version, m.Before.Version)
			}
		}
		if got := r.Stored(r.Live, e.ID); got.Version != 21 || got.SecretPrefix != of[21] || len(of) != 21 {
			t.Errorf("%+v", got)
		}
	})
}

func TestRotateDryRunShowsNoSecretAndChangesNothing(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook)
		secret := *e.Secret
		r.RolledBack(change.WithDryRun(t.Context()), func(ctx context.Context) error {
			made, err := r.RotateSecret(ctx, r.Live, e.ID, webhook.EndpointRotate{PreviousSecretExpiresIn: 60})
			must(t, err)
			if made.After.Secret != nil || made.After.SecretPrefix != "whsec_" ||
				made.After.PreviousSecretExpiresAt == nil || made.Before.SecretPrefix != secret[:10] {
				t.Errorf("%+v", made.After)
			}
			return nil
		})
		e.Secret = nil
		if now, then := r.Secrets(e.ID); now != secret || then != "" || !reflect.DeepEqual(r.Stored(r.Live, e.ID), *e) {
			t.Error("the preview changed something")
		}
	})
}

// queue adds a delivery of an event of its own.
func (r *fixture) queue(by access.Actor, endpoint, status string) {
	r.T.Helper()
	event := id.New(id.Event, noon)
	r.Exec(
		"INSERT INTO events (portfolio_id, id, created_at, type) VALUES ($1, $2, 1, 'lease.signed')",
		by.Portfolio.ID,
		event,
	)
	r.Exec(
		`INSERT INTO deliveries (portfolio_id, id, created_at, event_id, endpoint_id, status, ready, manual,
			attempts, tries, next_attempt_at)
		VALUES ($1, $2, 1, $3, $4, $5, $5 = 'pending', false, 0, 0, 9)`,
		by.Portfolio.ID,
		id.New(id.Delivery, noon),
		event,
		endpoint,
		status,
	)
}

func TestDisabledEndpointKeepsHistoryAndReceivesNothing(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e, beside := r.Create(r.Live, hook), r.Create(r.Live, hook+"/other")
		for _, status := range []string{"pending", "succeeded", "failed", "pending"} {
			r.queue(r.Live, e.ID, status)
			r.queue(r.Live, beside.ID, status)
		}
		before := r.Stored(r.Live, e.ID)
		r.Forward(time.Minute)
		made, err := r.DisableEndpoint(t.Context(), r.Live, e.ID)
		must(t, err)
		want, at, why := before, clock.At(r.Clock()), webhook.ByAPI
		want.Status = webhook.Disabled
		want.DisabledAt = &at
		want.DisabledReason = &why
		want.Version = 2
		want.UpdatedAt = at
		if !reflect.DeepEqual(*made.Before, before) || !reflect.DeepEqual(*made.After, want) ||
			!reflect.DeepEqual(r.Stored(r.Live, e.ID), want) {
			t.Errorf("%+v became %+v", made.Before, made.After)
		}
		for status, n := range map[string]int{"pending": 0, "cancelled": 2, "succeeded": 1, "failed": 1} {
			if got := r.Count("deliveries WHERE endpoint_id = $1 AND status = $2", e.ID, status); got != n {
				t.Errorf("%d deliveries are %s", got, status)
			}
		}
		if n := r.Count("deliveries WHERE endpoint_id = $1 AND status = 'pending'", beside.ID); n != 2 {
			t.Errorf("%d deliveries of another endpoint are left", n)
		}
		r.Forward(time.Minute)
		again, err := r.DisableEndpoint(t.Context(), r.Live, e.ID)
		must(t, err)
		if !reflect.DeepEqual(*again.Before, want) || !reflect.DeepEqual(*again.After, want) ||
			!reflect.DeepEqual(r.Stored(r.Live, e.ID), want) {
			t.Errorf("the second time made of it %+v", again.After)
		}
	})
}

func TestEndpointDisabledByFailuresKeepsThatReason(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := webhook.Samples(noon)[1]
		must(t, webhookstore.New(r.DB).AddEndpoint(t.Context(), r.Demo.Portfolio, e, []byte("sealed")))
		r.queue(r.Demo, e.ID, "pending")
		made, err := r.DisableEndpoint(t.Context(), r.Demo, e.ID)
		must(t, err)
		if *made.After.DisabledReason != webhook.ByFailures ||
			!reflect.DeepEqual(r.Stored(r.Demo, e.ID), e) || r.Count("deliveries WHERE status = 'pending'") != 0 {
			t.Errorf("%+v", made.After)
		}
	})
}

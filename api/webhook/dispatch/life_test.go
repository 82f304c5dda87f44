package dispatch_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/webhook"
	"portal/api/webhook/signature"
)

// raise commits an event about a ticket.
func (p *post) raise(by access.Actor) {
	p.T.Helper()
	must(p.T, p.Raise(p.T.Context(), by.Portfolio, "maintenance.created", sample(by.Portfolio.Mode)))
}

// only is the only delivery to an endpoint.
func (p *post) only(by access.Actor, endpoint string) *webhook.Delivery {
	p.T.Helper()
	all, err := p.Deliveries(p.T.Context(), by, webhook.DeliveryFilter{EndpointID: endpoint, Limit: 10})
	must(p.T, err)
	if len(all) != 1 {
		p.T.Fatalf("%d deliveries to %s", len(all), endpoint)
	}
	d, err := p.Delivery(p.T.Context(), by, all[0].ID)
	must(p.T, err)
	return d
}

// attempted waits until so many attempts at the only delivery of an endpoint are noted.
func (p *post) attempted(by access.Actor, endpoint string, n int) (d *webhook.Delivery) {
	p.T.Helper()
	until(p.T, "the attempt is noted", func() bool { d = p.only(by, endpoint); return len(d.Attempts) == n })
	return d
}

func status(code int) func(int, http.ResponseWriter) {
	return func(_ int, w http.ResponseWriter) { w.WriteHeader(code) }
}

func TestOnlySubscribedEndpointsReceiveEvent(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		s := newReceiver(t, nil)
		chose := p.Create(p.Live, s.URL+"/chose", event.MaintenanceCreated, event.LeaseSigned)
		all := p.Create(p.Live, s.URL+"/all", webhook.EveryKind)
		other, elsewhere := p.Create(p.Live, s.URL+"/other", event.PaymentSucceeded), p.Create(p.Demo, s.URL+"/test")
		p.raise(p.Live)
		s.wait(t, 2)
		if p.Count("deliveries WHERE endpoint_id IN ($1, $2)", chose.ID, all.ID) != 2 ||
			p.Count("deliveries WHERE endpoint_id IN ($1, $2)", other.ID, elsewhere.ID) != 0 {
			t.Error("the deliveries are not those of who chose the kind")
		}
	})
}

func TestRolledBackEventIsNeverSent(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		s := newReceiver(t, nil)
		p.Create(p.Live, s.URL)
		p.RolledBack(t.Context(), func(ctx context.Context) error {
			return p.Raise(ctx, p.Live.Portfolio, "maintenance.created", sample(access.Live))
		})
		must(t, change.DryRun(t.Context(), p.DB, func(ctx context.Context) error {
			return p.Raise(ctx, p.Live.Portfolio, "maintenance.created", sample(access.Live))
		}))
		p.raise(p.Live)
		s.wait(t, 1)
		until(t, "it is noted", func() bool { return p.pending() == 0 })
		if n := p.Count("events"); n != 1 || len(s.all) != 1 {
			t.Errorf("%d events, %d sent", n, len(s.all))
		}
	})
}

func TestFailedDeliveryIsRetriedOnScheduleUntilSuccess(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		s := newReceiver(t, func(n int, w http.ResponseWriter) {
			if n < 3 {
				w.WriteHeader(http.StatusGone)
			}
		})
		e := p.Create(p.Live, s.URL)
		p.raise(p.Live)
		step := 10 * time.Second
		for n := 1; n < 3; n++ {
			d := p.attempted(p.Live, e.ID, n)
			last := d.Attempts[n-1]
			pause := d.NextAttemptAt.Std().Sub(last.At.Std())
			if d.Status != webhook.Retrying || *last.StatusCode != http.StatusGone ||
				!strings.HasPrefix(*last.Error, "status: ") || pause < step*9/10 || pause > step*11/10+time.Second {
				t.Errorf("attempt %d: %s, next after %s: %+v", n, d.Status, pause, last)
			}
			p.later(pause)
			step *= 2
		}
		d := p.attempted(p.Live, e.ID, 3)
		if d.Status != webhook.Succeeded || d.NextAttemptAt != nil || d.AttemptCount != 3 {
			t.Errorf("%+v", d)
		}
		one := s.wait(t, 3)
		if one[0].Get("Webhook-Id") != one[2].Get("Webhook-Id") ||
			string(one[0].body) != string(one[2].body) ||
			one[0].Get("X-Service-Signature") == one[2].Get("X-Service-Signature") {
			t.Error("a repeat is to have the same id and bytes and a signature of its own")
		}
	})
}

func TestDeliveryFailsAfterADayOfRetries(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := sending(t, r.DB)
		s := newReceiver(t, status(http.StatusTeapot))
		e := p.Create(p.Live, s.URL)
		p.raise(p.Live)
		for n := 1; ; n++ {
			d := p.attempted(p.Live, e.ID, n)
			if d.Status == webhook.Failed {
				if n != 14 || d.NextAttemptAt != nil {
					t.Errorf("failed after %d attempts: %+v", n, d)
				}
				return
			}
			p.later(d.NextAttemptAt.Std().Sub(p.clock()) + time.Millisecond)
		}
	})
}

func TestRetryJobIsScheduledSlightlyEarly(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := sending(t, r.DB)
		s := newReceiver(t, status(http.StatusInternalServerError))
		e := p.Create(p.Live, s.URL)
		p.raise(p.Live)
		d := p.attempted(p.Live, e.ID, 1)
		jobs := p.Texts("scheduled_at || ' ' || state FROM river_job WHERE kind = 'webhook_retry'")
		if len(jobs) != 1 || !strings.HasSuffix(jobs[0], " scheduled") {
			t.Fatalf("the jobs are %q", jobs)
		}
		at, err := time.Parse(
			"2006-01-02 15:04:05.000",
			strings.TrimSuffix(strings.TrimSuffix(jobs[0], " scheduled"), "Z"),
		)
		if early := d.NextAttemptAt.Std().Sub(at); err != nil || early < 3*time.Second || early > 4*time.Second {
			t.Errorf("the job runs %s before the attempt: %v", early, err)
		}
	})
}

func TestDeliveryHonorsRetryAfter(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := sending(t, r.DB)
		s := newReceiver(t, func(_ int, w http.ResponseWriter) {
			w.Header().Set("Retry-After", "17")
			w.WriteHeader(http.StatusTooManyRequests)
		})
		e := p.Create(p.Live, s.URL)
		p.raise(p.Live)
		d := p.attempted(p.Live, e.ID, 1)
		pause := d.NextAttemptAt.Std().Sub(d.Attempts[0].At.Std())
		if pause < 17*time.Second || pause > 18*time.Second {
			t.Errorf("tried again after %s", pause)
		}
	})
}

func TestBothSecretsSignDuringRotationThenOnlyNew(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		s := newReceiver(t, nil)
		e := p.Create(p.Live, s.URL)
		old := *e.Secret
		made, err := p.RotateSecret(t.Context(), p.Live, e.ID, webhook.EndpointRotate{PreviousSecretExpiresIn: 3600})
		must(t, err)
		check := func(g got, secrets signature.Secrets, entries int) {
			t.Helper()
			want := http.Header{}
			signature.Sign(want, g.Get("Webhook-Id"), stamp(t, g), g.body, secrets)
			if g.Get("Webhook-Signature") != want.Get("Webhook-Signature") ||
				g.Get("X-Service-Signature") != want.Get("X-Service-Signature") ||
				len(strings.Fields(g.Get("Webhook-Signature"))) != entries {
				t.Errorf("signed %v, want %v", g.Header, want)
			}
		}
		p.raise(p.Live)
		check(s.wait(t, 1)[0], signature.Secrets{Present: *made.After.Secret, Previous: old}, 2)
		p.forward.Add(int64(time.Hour))
		p.raise(p.Live)
		check(s.wait(t, 1)[1], signature.Secrets{Present: *made.After.Secret}, 1)
	})
}

func TestDisabledEndpointsMissedEventsCanBeSentLater(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		var code atomic.Int32
		code.Store(http.StatusInternalServerError)
		s := newReceiver(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(int(code.Load())) })
		e := p.Create(p.Live, s.URL)
		before := clock.At(p.clock())
		p.raise(p.Live)
		p.attempted(p.Live, e.ID, 1)
		_, err := p.DisableEndpoint(t.Context(), p.Live, e.ID)
		must(t, err)
		p.raise(p.Live)
		p.later(time.Minute)
		if d := p.only(p.Live, e.ID); d.Status != webhook.Cancelled || d.AttemptCount != 1 {
			t.Errorf("%+v", d)
		}
		for _, refused := range []error{
			second(p.Redeliver(t.Context(), p.Live, p.only(p.Live, e.ID).ID)),
			second(p.Test(t.Context(), p.Live, e.ID)),
			second(p.MissedEvents.SendMissed(t.Context(), p.Live, e.ID, webhook.Span{To: clock.At(p.clock())})),
		} {
			if !fault.Is(refused, fault.InvalidTransition) {
				t.Errorf("at a disabled endpoint: %v", refused)
			}
		}
		code.Store(http.StatusOK)
		made, missed, err := p.EnableEndpoint(t.Context(), p.Live, e.ID)
		must(t, err)
		if made.After.Status != webhook.Enabled || made.After.DisabledAt != nil || made.After.Version != 3 ||
			missed != 1 {
			t.Errorf("enabled: %+v, %d missed", made.After, missed)
		}
		span := webhook.Span{From: before, To: clock.At(p.clock())}
		n, err := p.MissedEvents.CountMissed(t.Context(), p.Live, e.ID, span)
		must(t, err)
		sent, err := p.MissedEvents.SendMissed(t.Context(), p.Live, e.ID, span)
		must(t, err)
		again, err := p.MissedEvents.SendMissed(t.Context(), p.Live, e.ID, span)
		must(t, err)
		if n != 2 || sent != 2 || again != 0 {
			t.Errorf("%d missed, %d sent, then %d", n, sent, again)
		}
		s.wait(t, 3)
		until(t, "both are acknowledged", func() bool { return p.Count("deliveries WHERE status = 'succeeded'") == 2 })
		if n, err = p.MissedEvents.CountMissed(t.Context(), p.Live, e.ID, span); n != 0 || err != nil {
			t.Errorf("%d are still missed: %v", n, err)
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestDeliveryCanBeResentManually(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		s := newReceiver(t, nil)
		e := p.Create(p.Live, s.URL)
		p.raise(p.Live)
		d := p.attempted(p.Live, e.ID, 1)
		must(t, second(p.Redeliver(t.Context(), p.Live, d.ID)))
		d = p.attempted(p.Live, e.ID, 2)
		if d.Status != webhook.Succeeded || d.Attempts[0].Trigger != webhook.BySchedule ||
			d.Attempts[1].Trigger != webhook.ByHand {
			t.Errorf("%+v", d)
		}
		if _, err := p.Redeliver(t.Context(), p.Demo, d.ID); !fault.Is(err, fault.NoRecord) {
			t.Errorf("a delivery of another portfolio: %v", err)
		}
		reader := p.Live
		reader.Scopes = access.Scopes{access.Read}
		if _, err := p.Redeliver(t.Context(), reader, d.ID); !fault.Is(err, fault.ScopeRequired) {
			t.Errorf("without the scope: %v", err)
		}
		p.Exec("UPDATE events SET body = NULL")
		if _, err := p.Redeliver(t.Context(), p.Live, d.ID); !fault.Is(err, fault.InvalidTransition) ||
			!strings.Contains(err.Error(), "90 days") {
			t.Errorf("a forgotten event: %v", err)
		}
	})
}

// mailRecorder takes the mails of a test.
type mailRecorder struct {
	mu  sync.Mutex
	all []*mail.Message
}

func (l *mailRecorder) Send(_ context.Context, m *mail.Message) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, m)
	return nil
}

func (l *mailRecorder) mails() []*mail.Message {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

func TestFiveDaysOfFailuresDisableEndpointAndEmailOwners(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		var box mailRecorder
		p.Mail = &box
		p.owners(p.Live, "dana@example.com", "sam@example.com")
		s := newReceiver(t, func(_ int, w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("<b>upstream</b> " + strings.Repeat("x", 600)))
		})
		e := p.Create(p.Live, s.URL)
		for day := range 6 {
			p.raise(p.Live)
			s.wait(t, 1)
			until(t, "it is noted", func() bool { return p.Count("delivery_attempts") == day+1 })
			if day < 5 {
				if got := p.Stored(p.Live, e.ID); got.Status != webhook.Enabled {
					t.Fatalf("disabled on day %d", day)
				}
				p.Exec("UPDATE deliveries SET status = 'failed', next_attempt_at = NULL")
				p.forward.Add(int64(24*time.Hour + time.Second))
			}
		}
		until(t, "the endpoint is disabled", func() bool { return p.Stored(p.Live, e.ID).Status == webhook.Disabled })
		got := p.Stored(p.Live, e.ID)
		if *got.DisabledReason != webhook.ByFailures || got.Version != 2 || p.pending() != 0 {
			t.Errorf("%+v", got)
		}
		all := box.mails()
		if len(all) != 2 || all[0].To != "dana@example.com" || all[1].To != "sam@example.com" {
			t.Fatalf("%d emails: %+v", len(all), all)
		}
		for _, want := range []string{
			s.URL, "502", "> <b>upstream</b> xxx",
			"status: The receiver answered 502 Bad Gateway.",
		} {
			if !strings.Contains(all[0].Text, want) {
				t.Errorf("the email lacks %q:\n%s", want, all[0].Text)
			}
		}
		if strings.Contains(all[0].HTML, "<b>upstream") || strings.Count(all[0].Text, "x") > 520 {
			t.Errorf("the answer is not shown safely: %s", all[0].HTML)
		}
	})
}

// owners adds owners of an account.
func (p *post) owners(by access.Actor, emails ...string) {
	p.T.Helper()
	for i, email := range emails {
		user := "user_" + string(rune('a'+i))
		p.Exec(
			"INSERT INTO users (id, email, password_hash, role, created_at) VALUES ($1, $2, '', 'landlord', 1)",
			user,
			email,
		)
		p.Exec(
			"INSERT INTO members (account_id, user_id, role, created_at) VALUES ($1, $2, 'owner', $3)",
			by.AccountID,
			user,
			i,
		)
	}
}

// TestEmailReportsLastFailureDespiteLongQueue: what has been queued since has no
// attempts.
func TestEmailReportsLastFailureDespiteLongQueue(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := sending(t, r.DB)
		var box mailRecorder
		p.Mail = &box
		p.owners(p.Live, "dana@example.com")
		g := newGate(t)
		g.answer = status(http.StatusBadGateway)
		e := p.Create(p.Live, g.URL)
		p.Exec("UPDATE webhook_endpoints SET failing_since = 1")
		p.many(p.Live, 10)
		until(t, "ten attempts run", func() bool { return g.running.Load() == 10 })
		p.many(p.Live, 150)
		g.release()
		until(t, "the endpoint is disabled", func() bool { return p.Stored(p.Live, e.ID).Status == webhook.Disabled })
		if all := box.mails(); len(all) != 1 || !strings.Contains(all[0].Text, "502 Bad Gateway") {
			t.Errorf("%d emails: %+v", len(all), all)
		}
	})
}

// TestUnreadableSecretDoesNotCountAsReceiverFailure: with another PORTAL_SECRET_KEY all
// endpoints of a service would be disabled, and all owners written to.
func TestUnreadableSecretDoesNotCountAsReceiverFailure(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := sending(t, r.DB)
		s := newReceiver(t, nil)
		e := p.Create(p.Live, s.URL)
		p.Exec("UPDATE webhook_endpoints SET secret = x'00'")
		p.raise(p.Live)
		d := p.attempted(p.Live, e.ID, 1)
		if d.Status != webhook.Retrying || d.NextAttemptAt == nil ||
			!strings.HasPrefix(*d.Attempts[0].Error, "secret_unreadable: ") || len(s.all) != 0 {
			t.Errorf("%+v", d)
		}
		if p.Count("webhook_endpoints WHERE failing_since IS NOT NULL OR last_delivery_at IS NOT NULL") != 0 {
			t.Error("the receiver is blamed")
		}
	})
}

func TestSuccessResetsFailingPeriod(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := sending(t, r.DB)
		var code atomic.Int32
		code.Store(http.StatusInternalServerError)
		s := newReceiver(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(int(code.Load())) })
		e := p.Create(p.Live, s.URL)
		for i, c := range []int32{500, 200, 500} {
			code.Store(c)
			p.raise(p.Live)
			s.wait(t, 1)
			until(t, "it is noted", func() bool { return p.Count("delivery_attempts") == i+1 })
			p.forward.Add(int64(4 * 24 * time.Hour))
		}
		if got := p.Stored(p.Live, e.ID); got.Status != webhook.Enabled {
			t.Error("disabled although a success lies between")
		}
		if n := p.Count("webhook_endpoints WHERE failing_since IS NOT NULL"); n != 1 {
			t.Errorf("%d endpoints fail", n)
		}
	})
}

func TestFailedEmailWriteRollsBackDisabling(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := idle(t, r.DB)
		p.Mail = failing{}
		p.owners(p.Live, "dana@example.com")
		e := p.Create(p.Live, "http://127.0.0.1:1/")
		p.Exec("UPDATE webhook_endpoints SET failing_since = 1")
		if err := p.Service.GiveUpOn(t.Context(), webhook.EndpointRef{
			Portfolio: p.Live.Portfolio,
			Endpoint:  e.ID,
		}, &webhook.Attempt{}); err == nil || p.Stored(p.Live, e.ID).Status != webhook.Enabled {
			t.Errorf("disabled without an email: %v", err)
		}
	})
}

type failing struct{}

func (failing) Send(context.Context, *mail.Message) error { return errors.New("no") }

package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/db/webhookstore"
)

// update changes an endpoint, which must be possible.
func (r *fixture) update(by access.Actor, id string, u webhook.EndpointUpdate) *change.Result[webhook.Endpoint] {
	r.T.Helper()
	made, err := r.UpdateEndpoint(r.T.Context(), by, change.Target{ID: id}, u)
	must(r.T, err)
	return made
}

func TestUpdateChangesOnlyGivenFieldsAndKeepsSecret(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook, event.LeaseSigned)
		secret, want := *e.Secret, r.Stored(r.Live, e.ID)
		for _, c := range []struct {
			u     webhook.EndpointUpdate
			apply func()
		}{
			{webhook.EndpointUpdate{URL: change.To(hook + "/new")}, func() { want.URL = hook + "/new" }},
			{webhook.EndpointUpdate{Description: change.To(new("Books"))}, func() { want.Description = new("Books") }},
			{webhook.EndpointUpdate{Description: change.To[*string](nil)}, func() { want.Description = nil }},
			{
				webhook.EndpointUpdate{Events: change.To([]webhook.Kind{event.LeaseSigned, webhook.EveryKind})},
				func() { want.Events = []webhook.Kind{webhook.EveryKind} },
			},
			{webhook.EndpointUpdate{
				URL:    change.To(hook),
				Events: change.To([]webhook.Kind{event.PaymentSucceeded}),
			},
				func() { want.URL, want.Events = hook, []webhook.Kind{event.PaymentSucceeded} }},
		} {
			r.Forward(time.Minute)
			before := want
			c.apply()
			want.Version, want.UpdatedAt = want.Version+1, clock.At(r.Clock())
			made := r.update(r.Live, e.ID, c.u)
			if !reflect.DeepEqual(*made.Before, before) || !reflect.DeepEqual(*made.After, want) ||
				!reflect.DeepEqual(r.Stored(r.Live, e.ID), want) {
				t.Errorf("%+v\nwant %+v", made.After, want)
			}
			r.Forward(time.Minute)
			again := r.update(r.Live, e.ID, c.u)
			if !reflect.DeepEqual(*again.After, want) || !reflect.DeepEqual(r.Stored(r.Live, e.ID), want) {
				t.Errorf("a change of nothing made %+v", again.After)
			}
		}
		if now, then := r.Secrets(e.ID); now != secret || then != "" {
			t.Error("the secret has changed")
		}
	})
}

func TestUpdateIsValidatedLikeCreate(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook)
		e.Secret = nil
		reader := r.Live
		reader.Scopes = access.Scopes{access.Read}
		robin, _ := r.Landlord("robin")
		stale := int64(7)
		for name, c := range map[string]struct {
			by   access.Actor
			at   change.Target
			u    webhook.EndpointUpdate
			code fault.Code
		}{
			"http": {
				r.Live,
				change.Target{ID: e.ID},
				webhook.EndpointUpdate{URL: change.To("http://hooks.example.com")},
				fault.URLNotAllowed,
			},
			"loopback": {
				r.Live,
				change.Target{ID: e.ID},
				webhook.EndpointUpdate{URL: change.To("https://127.0.0.1/")},
				fault.URLNotAllowed,
			},
			"no kind": {
				r.Live,
				change.Target{ID: e.ID},
				webhook.EndpointUpdate{Events: change.To([]webhook.Kind{})},
				fault.InvalidField,
			},
			"a kind twice": {
				r.Live,
				change.Target{ID: e.ID},
				webhook.EndpointUpdate{Events: change.To([]webhook.Kind{"lease.signed", "lease.signed"})},
				fault.InvalidField,
			},
			"without scope": {
				reader,
				change.Target{ID: e.ID},
				webhook.EndpointUpdate{URL: change.To("nonsense")},
				fault.ScopeRequired,
			},
			"foreign": {
				robin,
				change.Target{ID: e.ID},
				webhook.EndpointUpdate{URL: change.To(hook)},
				fault.NoRecord,
			},
			"the other mode": {
				r.Demo,
				change.Target{ID: e.ID},
				webhook.EndpointUpdate{URL: change.To(hook)},
				fault.NoRecord,
			},
			"absent": {
				r.Live,
				change.Target{ID: "we_none"},
				webhook.EndpointUpdate{URL: change.To(hook)},
				fault.NoRecord,
			},
			"stale": {
				r.Live,
				change.Target{ID: e.ID, Version: &stale},
				webhook.EndpointUpdate{URL: change.To(hook)},
				fault.StaleWrite,
			},
		} {
			if _, err := r.UpdateEndpoint(t.Context(), c.by, c.at, c.u); !fault.Is(err, c.code) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := r.Stored(r.Live, e.ID); !reflect.DeepEqual(got, *e) {
			t.Errorf("%+v", got)
		}
	})
}

func TestUpdateTogglesEndpointAndReportsMissedEvents(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e, twin := r.Create(r.Live, hook), r.Create(r.Live, hook+"/twin")
		r.queue(r.Live, e.ID, "pending")
		r.queue(r.Live, twin.ID, "pending")
		r.Forward(time.Minute)
		at := clock.At(r.Clock())
		off := r.update(r.Live, e.ID, webhook.EndpointUpdate{
			Status:      change.To(webhook.Disabled),
			Description: change.To(new("off")),
		}).After
		if off.Status != webhook.Disabled || *off.DisabledAt != at || *off.DisabledReason != webhook.ByAPI ||
			off.Version != 2 || !reflect.DeepEqual(r.Stored(r.Live, e.ID), *off) {
			t.Errorf("%+v", off)
		}
		if r.Count("deliveries WHERE endpoint_id = $1 AND status = 'cancelled'", e.ID) != 1 ||
			r.Count("deliveries WHERE status = 'pending'") != 1 {
			t.Error("what was queued is not cancelled, or more than that")
		}
		r.Forward(time.Minute)
		for range 3 {
			must(t, r.Raise(t.Context(), r.Live.Portfolio, "maintenance.created", sample(access.Live)))
		}
		r.Forward(time.Minute)
		r.Exec("UPDATE webhook_endpoints SET failing_since = 1 WHERE id = $1", e.ID)
		on := r.update(r.Live, e.ID, webhook.EndpointUpdate{
			Status: change.To(webhook.Enabled),
			URL:    change.To(hook + "/twin"),
		})
		if on.After.Status != webhook.Enabled || on.After.DisabledAt != nil ||
			on.After.DisabledReason != nil || on.After.Version != 3 ||
			r.Count("webhook_endpoints WHERE failing_since IS NOT NULL") != 0 {
			t.Errorf("%+v", on.After)
		}
		codes := []string{}
		for _, w := range on.Warnings {
			codes = append(codes, w.Code)
		}
		if !slices.Equal(codes, []string{
			"events_missed", "duplicate_url",
		}) || !strings.Contains(on.Warnings[0].Message, "missed 3 of its events") ||
			!strings.Contains(
				on.Warnings[0].Message,
				e.ID+`/redeliver_missed and the body {"since": "`+at.String()+`"}`,
			) || !strings.Contains(on.Warnings[1].Message, twin.ID) {
			t.Errorf("%+v", on.Warnings)
		}
	})
}

func TestEnablingByUpdateRespectsEndpointLimit(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook)
		r.update(r.Live, e.ID, webhook.EndpointUpdate{Status: change.To(webhook.Disabled)})
		for i := range 20 {
			r.Create(r.Live, fmt.Sprint(hook, i))
		}
		_, err := r.UpdateEndpoint(
			t.Context(),
			r.Live,
			change.Target{ID: e.ID},
			webhook.EndpointUpdate{Status: change.To(webhook.Enabled)},
		)
		if !fault.Is(err, fault.EndpointLimitReached) || r.Stored(r.Live, e.ID).Status != webhook.Disabled {
			t.Errorf("the 21st: %v", err)
		}
	})
}

func TestNewURLResetsFailingSince(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook)
		r.Exec("UPDATE webhook_endpoints SET failing_since = 1")
		r.update(r.Live, e.ID, webhook.EndpointUpdate{Description: change.To(new("x"))})
		if r.Count("webhook_endpoints WHERE failing_since = 1") != 1 {
			t.Error("a description ended the spell")
		}
		r.update(r.Live, e.ID, webhook.EndpointUpdate{URL: change.To(hook + "/new")})
		if r.Count("webhook_endpoints WHERE failing_since IS NULL") != 1 {
			t.Error("the new URL is blamed for the old one")
		}
	})
}

// What an endpoint has missed is what happened while it existed (docs/webhooks.md).
func TestEventsBeforeEndpointCreationAreNotMissed(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.Create(r.Live, hook)
		must(t, r.Raise(t.Context(), r.Live.Portfolio, "maintenance.created", sample(access.Live)))
		r.Forward(time.Minute)
		late := r.Create(r.Live, hook+"/late")
		off := func(id string) { r.update(r.Live, id, webhook.EndpointUpdate{Status: change.To(webhook.Disabled)}) }
		off(late.ID)
		must(t, r.Raise(t.Context(), r.Live.Portfolio, "maintenance.created", sample(access.Live)))
		r.update(r.Live, late.ID, webhook.EndpointUpdate{Status: change.To(webhook.Enabled)})
		ever := webhook.Span{To: clock.At(r.Clock()) + 1}
		n, err := r.MissedEvents.CountMissed(t.Context(), r.Live, late.ID, ever)
		must(t, err)
		sent, err := r.MissedEvents.SendMissed(t.Context(), r.Live, late.ID, ever)
		must(t, err)
		if n != 1 || sent != 1 || r.Count("deliveries WHERE endpoint_id = $1", late.ID) != 1 {
			t.Errorf("%d are counted, %d sent", n, sent)
		}
	})
}

// backlog keeps what is to be queued later, and can fail.
type backlog struct {
	rest []webhook.MissedRest
	err  error
}

func (b *backlog) QueueMissed(_ context.Context, rest webhook.MissedRest) error {
	b.rest = append(b.rest, rest)
	return b.err
}

// A long outage is queued part by part: the answer shows the first page, and jobs that are
// durable with it do the rest.
func TestLongOutageIsRequeuedInBatches(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		const missed = 1250
		e := r.Create(r.Live, hook)
		since := clock.At(r.Clock())
		r.Forward(time.Second)
		must(t, r.DB.Atomically(t.Context(), func(ctx context.Context) error {
			for range missed {
				event := webhook.Event{
					ID:        id.New(id.Event, r.Clock()),
					CreatedAt: clock.At(r.Clock()),
					Type:      event.LeaseSigned,
					Body:      []byte("{}"),
				}
				if err := webhookstore.New(r.DB).AddEvent(ctx, r.Live.Portfolio, &event); err != nil {
					return err
				}
			}
			return nil
		}))
		r.Forward(time.Second)
		b := &backlog{err: errors.New("no")}
		r.Service.Backlog = b
		queued := func() int {
			return r.Count("deliveries WHERE endpoint_id = $1 AND status = 'pending' AND manual = $2", e.ID, false)
		}
		if _, err := r.MissedEvents.RedeliverMissed(t.Context(), r.Live, e.ID, webhook.RedeliverMissed{
			Since: since,
		}); err == nil || queued() != 0 {
			t.Fatalf("%d are queued although the job for the rest is not: %v", queued(), err)
		}
		b.err, b.rest = nil, nil
		must(t, change.DryRun(t.Context(), r.DB, func(ctx context.Context) error {
			preview, err := r.MissedEvents.RedeliverMissed(ctx, r.Live, e.ID, webhook.RedeliverMissed{Since: since})
			if err == nil &&
				(len(preview.Warnings) != 1 || preview.Warnings[0].Code != "events_to_redeliver" ||
					!strings.HasPrefix(preview.Warnings[0].Message, "1250 missed events")) {
				t.Errorf("a preview says %+v", preview.Warnings)
			}
			return err
		}))
		b.rest = nil
		made, err := r.MissedEvents.RedeliverMissed(t.Context(), r.Live, e.ID, webhook.RedeliverMissed{Since: since})
		must(t, err)
		if len(made.Warnings) != 1 ||
			!strings.HasPrefix(
				made.Warnings[0].Message,
				"1250 missed events are redelivered in all. This answer lists the first 100;",
			) {
			t.Errorf("%+v", made.Warnings)
		}
		page := made.After
		if len(page.Data) != 100 || !page.HasMore || *page.NextCursor != page.Data[99].ID ||
			queued() != 100 || len(b.rest) != 1 {
			t.Fatalf("%d shown, %d queued, %d jobs", len(page.Data), queued(), len(b.rest))
		}
		d := page.Data[0]
		if d.Object != "delivery" || d.Status != webhook.Pending || d.EndpointID != e.ID || d.Attempts != nil {
			t.Errorf("%+v", d)
		}
		for i, want := range []int{600, 1100, 1250} {
			must(t, r.MissedEvents.QueueMissed(t.Context(), b.rest[i]))
			// The endpoint belongs to another portfolio.
			must(t, r.MissedEvents.QueueMissed(t.Context(), webhook.MissedRest{
				Portfolio: r.Demo.Portfolio,
				Endpoint:  e.ID,
				Span:      b.rest[i].Span,
			}))
			if got := queued(); got != want {
				t.Fatalf("%d are queued after part %d, want %d", got, i, want)
			}
		}
		must(t, r.MissedEvents.QueueMissed(t.Context(), b.rest[0])) // a job that runs twice
		if len(b.rest) != 3 || queued() != missed || r.Count("deliveries") != missed {
			t.Errorf("%d jobs, %d deliveries", len(b.rest), r.Count("deliveries"))
		}
		again, err := r.MissedEvents.RedeliverMissed(t.Context(), r.Live, e.ID, webhook.RedeliverMissed{Since: since})
		must(t, err)
		if len(again.After.Data) != 0 || again.After.HasMore || again.After.NextCursor != nil {
			t.Errorf("again: %+v", again.After)
		}
		_, err = r.DisableEndpoint(t.Context(), r.Live, e.ID)
		must(t, err)
		must(t, r.MissedEvents.QueueMissed(t.Context(), b.rest[0]))
		if r.Count("deliveries WHERE status = 'pending'") != 0 {
			t.Error("a disabled endpoint is sent something")
		}
		if _, err := r.MissedEvents.RedeliverMissed(t.Context(), r.Live, e.ID, webhook.RedeliverMissed{
			Since: since,
		}); !fault.Is(err, fault.InvalidTransition) {
			t.Errorf("at a disabled endpoint: %v", err)
		}
	})
}

// sample is a record as a tenant's ticket is.
func sample(mode access.Mode) *portfolio.Ticket {
	return &portfolio.Ticket{
		Record: portfolio.Record{
			ID:      id.New(id.Ticket, noon),
			Object:  "maintenance_ticket",
			Mode:    mode,
			Version: 1,
		},
		Title:       "Kitchen tap drips",
		Description: "The kitchen tap drips all night, and the cupboard below it is damp.",
		Status:      portfolio.TicketOpen,
	}
}

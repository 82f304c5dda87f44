package dbtest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/webhook"
)

var endpoints = []promise{
	{"ASavedEndpointIsReadAsItWasSaved", aSavedEndpointIsReadAsItWasSaved},
	{"ASavedEndpointKeepsWhatDeliveriesNoted", aSavedEndpointKeepsWhatDeliveriesNoted},
	{"ARotationKeepsOneSecretOfBeforeOrNone", aRotationKeepsOneSecretOfBeforeOrNone},
	{"ARotationIsTakenBackWhole", aRotationIsTakenBackWhole},
	{"NoEndpointOfAnotherPortfolioIsChanged", noEndpointOfAnotherPortfolioIsChanged},
	{"TheEnabledEndpointsAreThoseOfThePortfolio", theEnabledEndpointsAreThoseOfThePortfolio},
	{"OnlyWhatIsQueuedForTheEndpointIsCancelled", onlyWhatIsQueuedForTheEndpointIsCancelled},
}

// endpoint adds an endpoint whose fields are filled, with the secret "first".
func (r *rig) endpoint(in access.Portfolio, nulls float64) webhook.Endpoint {
	r.Helper()
	e := r.other(webhook.Endpoint{Record: record(id.Endpoint, "webhook_endpoint", in.Mode, noon)}, nulls)
	r.ok(r.AddEndpoint(r.Context(), in, e, []byte("first")))
	return e
}

// other is an endpoint with other values in all fields that a change leaves free.
func (r *rig) other(e webhook.Endpoint, nulls float64) webhook.Endpoint {
	var o webhook.Endpoint
	(&filler{rand.New(rand.NewPCG(21, rand.Uint64())), nulls}).fill(&o)
	o.ID, o.Object, o.Mode, o.CreatedAt, o.Secret = e.ID, e.Object, e.Mode, e.CreatedAt, nil
	o.Events = append(o.Events, webhook.EveryKind)
	return o
}

// stored compares an endpoint with what is stored, within a transaction and outside.
func (r *rig) stored(in access.Portfolio, want webhook.Endpoint) {
	r.Helper()
	read := func(ctx context.Context) error {
		got, err := r.Endpoint(ctx, in, want.ID)
		r.same(got, want)
		return err
	}
	r.ok(read(r.Context()))
	r.ok(r.Atomically(r.Context(), read))
}

// secrets compares the sealed secrets of an endpoint; nil is NULL.
func (r *rig) secrets(in access.Portfolio, id, present string, previous []byte) {
	r.Helper()
	where := "webhook_endpoints WHERE portfolio_id = $1 AND id = $2 AND secret = $3 AND previous_secret"
	args := []any{in.ID, id, []byte(present)}
	if previous == nil {
		where += " IS NULL"
	} else {
		where, args = where+" = $4", append(args, previous)
	}
	r.want(r.text("count(*)", where, args...) == "1", "the secrets of %s are not %q and %q", id, present, previous)
}

func aSavedEndpointIsReadAsItWasSaved(r *rig) {
	l := r.landlord("dana")
	e := r.endpoint(l.live, 0)
	for _, nulls := range []float64{0, 1, 0.5, 0} {
		o := r.other(e, nulls)
		o.LastDeliveryAt, o.LastSuccessAt = e.LastDeliveryAt, e.LastSuccessAt
		r.ok(r.SaveEndpoint(r.Context(), l.live, &o))
		r.stored(l.live, o)
		r.secrets(l.live, e.ID, "first", nil)
	}
}

func aSavedEndpointKeepsWhatDeliveriesNoted(r *rig) {
	l := r.landlord("dana")
	e := r.endpoint(l.live, 1)
	r.raw("UPDATE webhook_endpoints SET last_delivery_at = 7, last_success_at = 5 WHERE id = $1", e.ID)
	r.ok(r.SaveEndpoint(r.Context(), l.live, &e))
	e.LastDeliveryAt, e.LastSuccessAt = new(clock.Time(7)), new(clock.Time(5))
	r.stored(l.live, e)
}

func aRotationKeepsOneSecretOfBeforeOrNone(r *rig) {
	l := r.landlord("dana")
	e, beside := r.endpoint(l.live, 1), r.endpoint(l.live, 1)
	rotate := func(sealed string, until *clock.Time) {
		r.Helper()
		e.Version, e.SecretPrefix, e.PreviousSecretExpiresAt = e.Version+1, sealed, until
		r.ok(r.RotateEndpoint(r.Context(), l.live, &e, []byte(sealed)))
		r.stored(l.live, e)
	}
	rotate("second", new(clock.At(noon)))
	r.secrets(l.live, e.ID, "second", []byte("first"))
	r.ok(r.SaveEndpoint(r.Context(), l.live, &e))
	r.secrets(l.live, e.ID, "second", []byte("first"))
	rotate("third", new(clock.At(noon)))
	r.secrets(l.live, e.ID, "third", []byte("second"))
	rotate("fourth", nil)
	r.secrets(l.live, e.ID, "fourth", nil)
	rotate("fifth", new(clock.At(noon)))
	r.secrets(l.live, e.ID, "fifth", []byte("fourth"))
	r.secrets(l.live, beside.ID, "first", nil)
}

func aRotationIsTakenBackWhole(r *rig) {
	l := r.landlord("dana")
	e := r.endpoint(l.live, 1)
	o, no := r.other(e, 0), errors.New("no")
	err := r.Atomically(r.Context(), func(ctx context.Context) error {
		return errors.Join(r.RotateEndpoint(ctx, l.live, &o, []byte("second")), no)
	})
	r.want(errors.Is(err, no), "the error came back as %v", err)
	r.stored(l.live, e)
	r.secrets(l.live, e.ID, "first", nil)
}

func noEndpointOfAnotherPortfolioIsChanged(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	e := r.endpoint(there.live, 0)
	o := r.other(e, 0)
	r.queue(there.live, e.ID, "pending")
	for _, in := range []access.Portfolio{here.live, there.test} {
		r.refused(r.SaveEndpoint(r.Context(), in, &o), "a change")
		r.refused(r.RotateEndpoint(r.Context(), in, &o, []byte("second")), "a rotation")
		r.ok(r.CancelDeliveries(r.Context(), in, e.ID, clock.At(noon)))
	}
	r.stored(there.live, e)
	r.secrets(there.live, e.ID, "first", nil)
	r.same(r.text("count(*)", "deliveries WHERE status = 'pending'"), "1")
}

func theEnabledEndpointsAreThoseOfThePortfolio(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	want := []webhook.Endpoint{}
	for i := range 25 {
		for _, in := range []access.Portfolio{here.live, here.test, there.live} {
			e := r.other(webhook.Endpoint{Record: record(id.Endpoint, "webhook_endpoint", in.Mode, noon)}, 0.5)
			e.Status = webhook.Enabled
			if i%5 == 0 {
				e.Status = webhook.Disabled
			}
			r.ok(r.AddEndpoint(r.Context(), in, e, []byte("sealed")))
			if in == here.live && i%5 != 0 {
				want = append(want, e)
			}
		}
	}
	slices.SortFunc(want, func(a, b webhook.Endpoint) int { return strings.Compare(a.ID, b.ID) }) // ids of one moment have no order
	read := func(ctx context.Context) error {
		got, err := r.EnabledEndpoints(ctx, here.live)
		r.same(got, want)
		return err
	}
	r.ok(read(r.Context()))
	r.ok(r.Atomically(r.Context(), read))
	none, err := r.EnabledEndpoints(r.Context(), there.test)
	r.ok(err)
	r.want(none != nil && len(none) == 0, "%v", none)
}

// queue adds a delivery of an event of its own, with one attempt.
func (r *rig) queue(in access.Portfolio, endpoint, status string) (delivery string) {
	r.Helper()
	event, delivery := id.New(id.Event, noon), id.New(id.Delivery, noon)
	r.raw("INSERT INTO events (portfolio_id, id, created_at, type) VALUES ($1, $2, 1, 'lease.signed')", in.ID, event)
	r.raw(`INSERT INTO deliveries (portfolio_id, id, created_at, event_id, endpoint_id, status, ready, manual, attempts, tries, next_attempt_at)
		VALUES ($1, $2, 1, $3, $4, $5, $5 = 'pending', false, 1, 1, 9)`, in.ID, delivery, event, endpoint, status)
	r.raw("INSERT INTO delivery_attempts (portfolio_id, delivery_id, number, at, duration_ms, cause) VALUES ($1, $2, 1, 2, 3, 'schedule')", in.ID, delivery)
	return delivery
}

func onlyWhatIsQueuedForTheEndpointIsCancelled(r *rig) {
	l := r.landlord("dana")
	one, other := r.endpoint(l.live, 0), r.endpoint(l.live, 0)
	want := map[string]string{}
	for _, status := range []string{"pending", "succeeded", "failed", "cancelled", "pending"} {
		mine, its := r.queue(l.live, one.ID, status), r.queue(l.live, other.ID, status)
		want[mine], want[its] = status+" 9", status+" 9"
		if status == "pending" {
			want[mine] = "cancelled none"
		}
	}
	r.ok(r.CancelDeliveries(r.Context(), l.live, one.ID, clock.At(noon)))
	r.ok(r.CancelDeliveries(r.Context(), l.live, one.ID, clock.At(noon)))
	for delivery, state := range want {
		r.same(r.text("status || ' ' || COALESCE(CAST(next_attempt_at AS TEXT), 'none')", "deliveries WHERE id = $1", delivery), state)
	}
	r.same(r.text("count(*)", "delivery_attempts"), "10")
	r.stored(l.live, one)
}

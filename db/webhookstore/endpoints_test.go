package webhookstore_test

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
	"portal/db/dbtest"
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
func (r *fixture) endpoint(in access.Portfolio, nulls float64) webhook.Endpoint {
	r.Helper()
	e := r.other(webhook.Endpoint{Record: dbtest.Record(id.Endpoint, "webhook_endpoint", in.Mode, dbtest.Now)}, nulls)
	r.OK(r.Webhooks.AddEndpoint(r.Context(), in, e, []byte("first")))
	return e
}

// other is an endpoint with other values in all fields that a change leaves free.
func (r *fixture) other(e webhook.Endpoint, nulls float64) webhook.Endpoint {
	var o webhook.Endpoint
	(dbtest.NewFiller(rand.New(rand.NewPCG(21, rand.Uint64())), nulls)).Fill(&o)
	o.ID, o.Object, o.Mode, o.CreatedAt, o.Secret = e.ID, e.Object, e.Mode, e.CreatedAt, nil
	o.Events = append(o.Events, webhook.EveryKind)
	return o
}

// stored compares an endpoint with what is stored, within a transaction and outside.
func (r *fixture) stored(in access.Portfolio, want webhook.Endpoint) {
	r.Helper()
	read := func(ctx context.Context) error {
		got, err := r.Webhooks.Endpoint(ctx, in, want.ID)
		r.Same(got, want)
		return err
	}
	r.OK(read(r.Context()))
	r.OK(r.DB.Atomically(r.Context(), read))
}

// secrets compares the sealed secrets of an endpoint; nil is NULL.
func (r *fixture) secrets(in access.Portfolio, id, present string, previous []byte) {
	r.Helper()
	where := "webhook_endpoints WHERE portfolio_id = $1 AND id = $2 AND secret = $3 AND previous_secret"
	args := []any{in.ID, id, []byte(present)}
	if previous == nil {
		where += " IS NULL"
	} else {
		where, args = where+" = $4", append(args, previous)
	}
	r.Want(r.Text("count(*)", where, args...) == "1", "the secrets of %s are not %q and %q", id, present, previous)
}

func aSavedEndpointIsReadAsItWasSaved(r *fixture) {
	l := r.Landlord("dana")
	e := r.endpoint(l.Live, 0)
	for _, nulls := range []float64{0, 1, 0.5, 0} {
		o := r.other(e, nulls)
		o.LastDeliveryAt, o.LastSuccessAt = e.LastDeliveryAt, e.LastSuccessAt
		r.OK(r.Webhooks.SaveEndpoint(r.Context(), l.Live, &o))
		r.stored(l.Live, o)
		r.secrets(l.Live, e.ID, "first", nil)
	}
}

func aSavedEndpointKeepsWhatDeliveriesNoted(r *fixture) {
	l := r.Landlord("dana")
	e := r.endpoint(l.Live, 1)
	r.Raw("UPDATE webhook_endpoints SET last_delivery_at = 7, last_success_at = 5 WHERE id = $1", e.ID)
	r.OK(r.Webhooks.SaveEndpoint(r.Context(), l.Live, &e))
	e.LastDeliveryAt, e.LastSuccessAt = new(clock.Time(7)), new(clock.Time(5))
	r.stored(l.Live, e)
}

func aRotationKeepsOneSecretOfBeforeOrNone(r *fixture) {
	l := r.Landlord("dana")
	e, beside := r.endpoint(l.Live, 1), r.endpoint(l.Live, 1)
	rotate := func(sealed string, until *clock.Time) {
		r.Helper()
		e.Version, e.SecretPrefix, e.PreviousSecretExpiresAt = e.Version+1, sealed, until
		r.OK(r.Webhooks.RotateEndpoint(r.Context(), l.Live, &e, []byte(sealed)))
		r.stored(l.Live, e)
	}
	rotate("second", new(clock.At(dbtest.Now)))
	r.secrets(l.Live, e.ID, "second", []byte("first"))
	r.OK(r.Webhooks.SaveEndpoint(r.Context(), l.Live, &e))
	r.secrets(l.Live, e.ID, "second", []byte("first"))
	rotate("third", new(clock.At(dbtest.Now)))
	r.secrets(l.Live, e.ID, "third", []byte("second"))
	rotate("fourth", nil)
	r.secrets(l.Live, e.ID, "fourth", nil)
	rotate("fifth", new(clock.At(dbtest.Now)))
	r.secrets(l.Live, e.ID, "fifth", []byte("fourth"))
	r.secrets(l.Live, beside.ID, "first", nil)
}

func aRotationIsTakenBackWhole(r *fixture) {
	l := r.Landlord("dana")
	e := r.endpoint(l.Live, 1)
	o, no := r.other(e, 0), errors.New("no")
	err := r.DB.Atomically(r.Context(), func(ctx context.Context) error {
		return errors.Join(r.Webhooks.RotateEndpoint(ctx, l.Live, &o, []byte("second")), no)
	})
	r.Want(errors.Is(err, no), "the error came back as %v", err)
	r.stored(l.Live, e)
	r.secrets(l.Live, e.ID, "first", nil)
}

func noEndpointOfAnotherPortfolioIsChanged(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	e := r.endpoint(there.Live, 0)
	o := r.other(e, 0)
	r.queue(there.Live, e.ID, "pending")
	for _, in := range []access.Portfolio{here.Live, there.Test} {
		r.Refused(r.Webhooks.SaveEndpoint(r.Context(), in, &o), "a change")
		r.Refused(r.Webhooks.RotateEndpoint(r.Context(), in, &o, []byte("second")), "a rotation")
		r.OK(r.Webhooks.CancelDeliveries(r.Context(), in, e.ID, clock.At(dbtest.Now)))
	}
	r.stored(there.Live, e)
	r.secrets(there.Live, e.ID, "first", nil)
	r.Same(r.Text("count(*)", "deliveries WHERE status = 'pending'"), "1")
}

func theEnabledEndpointsAreThoseOfThePortfolio(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	want := []webhook.Endpoint{}
	for i := range 25 {
		for _, in := range []access.Portfolio{here.Live, here.Test, there.Live} {
			e := r.other(webhook.Endpoint{
				Record: dbtest.Record(id.Endpoint, "webhook_endpoint", in.Mode, dbtest.Now),
			}, 0.5)
			e.Status = webhook.Enabled
			if i%5 == 0 {
				e.Status = webhook.Disabled
			}
			r.OK(r.Webhooks.AddEndpoint(r.Context(), in, e, []byte("sealed")))
			if in == here.Live && i%5 != 0 {
				want = append(want, e)
			}
		}
	}
	// Ids of one moment have no order.
	slices.SortFunc(want, func(a, b webhook.Endpoint) int { return strings.Compare(a.ID, b.ID) })
	read := func(ctx context.Context) error {
		got, err := r.Webhooks.EnabledEndpoints(ctx, here.Live)
		r.Same(got, want)
		return err
	}
	r.OK(read(r.Context()))
	r.OK(r.DB.Atomically(r.Context(), read))
	none, err := r.Webhooks.EnabledEndpoints(r.Context(), there.Test)
	r.OK(err)
	r.Want(none != nil && len(none) == 0, "%v", none)
}

// queue adds a delivery of an event of its own, with one attempt.
func (r *fixture) queue(in access.Portfolio, endpoint, status string) (delivery string) {
	r.Helper()
	event, delivery := id.New(id.Event, dbtest.Now), id.New(id.Delivery, dbtest.Now)
	r.Raw("INSERT INTO events (portfolio_id, id, created_at, type) VALUES ($1, $2, 1, 'lease.signed')", in.ID, event)
	r.Raw(
		`INSERT INTO deliveries (portfolio_id, id, created_at, event_id, endpoint_id, status, ready, manual,
			attempts, tries, next_attempt_at)
		VALUES ($1, $2, 1, $3, $4, $5, $5 = 'pending', false, 1, 1, 9)`,
		in.ID,
		delivery,
		event,
		endpoint,
		status,
	)
	r.Raw(
		"INSERT INTO delivery_attempts (portfolio_id, delivery_id, number, at, duration_ms, cause) VALUES ($1, $2, "+
			"1, 2, 3, 'schedule')",
		in.ID,
		delivery,
	)
	return delivery
}

func onlyWhatIsQueuedForTheEndpointIsCancelled(r *fixture) {
	l := r.Landlord("dana")
	one, other := r.endpoint(l.Live, 0), r.endpoint(l.Live, 0)
	want := map[string]string{}
	for _, status := range []string{"pending", "succeeded", "failed", "cancelled", "pending"} {
		mine, its := r.queue(l.Live, one.ID, status), r.queue(l.Live, other.ID, status)
		want[mine], want[its] = status+" 9", status+" 9"
		if status == "pending" {
			want[mine] = "cancelled none"
		}
	}
	r.OK(r.Webhooks.CancelDeliveries(r.Context(), l.Live, one.ID, clock.At(dbtest.Now)))
	r.OK(r.Webhooks.CancelDeliveries(r.Context(), l.Live, one.ID, clock.At(dbtest.Now)))
	for delivery, state := range want {
		r.Same(
			r.Text(
				"status || ' ' || COALESCE(CAST(next_attempt_at AS TEXT), 'none')",
				"deliveries WHERE id = $1",
				delivery,
			),
			state,
		)
	}
	r.Same(r.Text("count(*)", "delivery_attempts"), "10")
	r.stored(l.Live, one)
}

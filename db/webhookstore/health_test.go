package webhookstore_test

import (
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db/dbtest"
)

// twoFiltersOfDeliveriesPassWhatPassesBoth compares each combination of an endpoint, a type
// and a status, in both orders and page by page, with a loop over all deliveries.
func twoFiltersOfDeliveriesPassWhatPassesBoth(r *fixture) {
	l := r.Landlord("dana")
	s, beside := r.sends(l.Live), r.sends(l.Live)
	n := 0
	for _, at := range []*sent{s, beside, s} {
		for _, kind := range event.Type("").Values() {
			e := s.event(dbtest.Now, webhook.Kind(kind))
			for _, set := range []string{
				"status = 'pending'", "status = 'pending', failing = true", "status = 'succeeded'",
				"status = 'failed', failing = true", "status = 'cancelled'",
			} {
				n++
				d := webhook.Delivery{
					ID:         id.New(id.Delivery, dbtest.Now.Add(time.Duration(n)*time.Second)),
					CreatedAt:  clock.At(dbtest.Now),
					EventID:    e.ID,
					EventType:  event.Type(kind),
					EndpointID: at.e.ID,
				}
				r.OK(r.Webhooks.AddDeliveries(r.Context(), l.Live, []webhook.Delivery{d}))
				r.Raw("UPDATE deliveries SET "+set+" WHERE id = $1", d.ID)
			}
		}
	}
	all, err := r.Webhooks.Deliveries(r.Context(), l.Live, webhook.DeliveryFilter{Limit: n + 1})
	r.OK(err)
	r.Want(len(all) == n, "%d of %d", len(all), n)
	for _, endpoint := range []string{"", s.e.ID} {
		for _, kind := range append([]string{""}, event.Type("").Values()...) {
			for _, status := range append([]string{""}, webhook.DeliveryStatus("").Values()...) {
				passes := func(d webhook.Delivery) bool {
					return (endpoint == "" || d.EndpointID == endpoint) &&
						(kind == "" || string(d.EventType) == kind) && (status == "" || string(d.Status) == status)
				}
				want := slices.DeleteFunc(slices.Clone(all), func(d webhook.Delivery) bool { return !passes(d) })
				f := webhook.DeliveryFilter{
					EndpointID: endpoint,
					EventType:  event.Type(kind),
					Status:     webhook.DeliveryStatus(status),
				}
				r.pagesOf(f, l.Live, want)
			}
		}
	}
}

// pagesOf reads the pages of a filter in both orders and compares them with what they are to
// show, the newest first.
func (r *fixture) pagesOf(f webhook.DeliveryFilter, in access.Portfolio, want []webhook.Delivery) {
	r.Helper()
	const size = 4
	ascending := slices.Clone(want)
	slices.Reverse(ascending)
	for _, f.Ascending = range []bool{false, true} {
		f.Limit, f.Before, f.After = size, "", ""
		got := []webhook.Delivery{}
		for {
			page, err := r.Webhooks.Deliveries(r.Context(), in, f)
			r.OK(err)
			got = append(got, page...)
			if len(page) < size {
				break
			}
			if last := page[size-1].ID; f.Ascending {
				f.After = last
			} else {
				f.Before = last
			}
		}
		if f.Ascending {
			want = ascending
		}
		r.Want(
			slices.EqualFunc(got, want, func(a, b webhook.Delivery) bool { return a.ID == b.ID }),
			"%+v lists %d, want %d",
			f,
			len(got),
			len(want),
		)
	}
}

func anEndpointTellsWhatItLastAnsweredAndWhetherItFails(r *fixture) {
	l := r.Landlord("dana")
	s, beside := r.sends(l.Live), r.sends(l.Live)
	is := func(want webhook.Health) {
		r.Helper()
		want.EndpointID = s.e.ID
		got, err := r.Webhooks.EndpointHealth(r.Context(), l.Live, []string{s.e.ID, beside.e.ID})
		r.OK(err)
		r.Same(got, []webhook.Health{want, {EndpointID: beside.e.ID}})
	}
	is(webhook.Health{})
	try := func(at time.Time, status webhook.DeliveryStatus, code *int, why *string) clock.Time {
		r.Helper()
		s.queue(at)
		c := ended(&s.claim("a", at, 1)[0], status)
		c.Attempt.At, c.Attempt.StatusCode, c.Attempt.Error = clock.At(at), code, why
		if status == webhook.Pending {
			c.Next = new(clock.At(at.Add(24 * time.Hour)))
		}
		s.conclude("a", c)
		return c.Attempt.At + clock.Time(c.Attempt.DurationMS)
	}
	since := try(dbtest.Now, webhook.Pending, new(500), new("status: no"))
	is(webhook.Health{
		FailingSince:   &since,
		LastStatusCode: new(500),
		LastError:      new("status: no"),
		Retrying:       1,
	})
	try(dbtest.Now.Add(time.Minute), webhook.Pending, nil, new("timeout: no"))
	is(webhook.Health{FailingSince: &since, LastError: new("timeout: no"), Retrying: 2})
	try(dbtest.Now.Add(time.Second), webhook.Failed, new(404), new("status: late")) // it started before the last one
	is(webhook.Health{FailingSince: &since, LastError: new("timeout: no"), Retrying: 2})
	try(dbtest.Now.Add(time.Hour), webhook.Succeeded, new(204), nil)
	is(webhook.Health{LastStatusCode: new(204), Retrying: 2})
	none, err := r.Webhooks.EndpointHealth(r.Context(), l.Test, []string{s.e.ID})
	r.Want(len(none) == 0 && err == nil, "in another portfolio: %+v, %v", none, err)
	r.Raw("DELETE FROM delivery_attempts")
	r.Raw("DELETE FROM deliveries")
	for range webhook.MostRetrying + 1 {
		s.queue(dbtest.Now)
	}
	r.Raw("UPDATE deliveries SET failing = true")
	is(webhook.Health{LastStatusCode: new(204), Retrying: webhook.MostRetrying})
}

package webhookstore_test

import (
	"context"
	"time"

	"portal/api/clock"
	"portal/api/webhook"
	"portal/db/dbtest"
)

func aSpellOfFailuresIsToldOnce(r *fixture) {
	l := r.Landlord("dana")
	s, well := r.sends(l.Live), r.sends(l.Live)
	day := clock.At(dbtest.Now.Add(-24 * time.Hour))
	places := func() []webhook.EndpointRef {
		r.Helper()
		found, err := r.Webhooks.UnnoticedFailures(r.Context(), day, day, 10)
		r.OK(err)
		return found
	}
	take := func(at webhook.EndpointRef) (since *clock.Time) {
		r.Helper()
		r.OK(r.DB.Atomically(r.Context(), func(ctx context.Context) (err error) {
			since, err = r.Webhooks.ClaimFailureNotice(ctx, at, day)
			return err
		}))
		return since
	}
	r.Raw("UPDATE webhook_endpoints SET failing_since = NULL, last_delivery_at = $1", int64(clock.At(dbtest.Now)))
	r.Want(len(places()) == 0 && take(s.at) == nil, "an endpoint that does not fail")
	r.Raw("UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1", s.e.ID, int64(day+1))
	r.Want(len(places()) == 0 && take(s.at) == nil, "a spell of less than a day")
	r.Raw("UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1", s.e.ID, int64(day))
	r.Same(places(), []webhook.EndpointRef{s.at})
	other := s.at
	other.Portfolio = l.Test
	r.Want(take(other) == nil && take(well.at) == nil, "a spell of another")
	r.Same(take(s.at), &day)
	r.Want(len(places()) == 0 && take(s.at) == nil, "told twice")
	r.Raw("UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1", s.e.ID, int64(day-5))
	r.Same(places(), []webhook.EndpointRef{s.at}) // another spell
	for _, quiet := range []string{"status = 'disabled'", "last_delivery_at = 1", "last_delivery_at = NULL"} {
		r.Raw("UPDATE webhook_endpoints SET "+quiet+" WHERE id = $1", s.e.ID)
		r.Want(len(places()) == 0, "%s", quiet)
		r.Raw(
			"UPDATE webhook_endpoints SET status = 'enabled', last_delivery_at = $2 WHERE id = $1",
			s.e.ID,
			int64(clock.At(dbtest.Now)),
		)
	}
	none, err := r.Webhooks.LastFailure(r.Context(), s.in, s.e.ID)
	r.Want(none == nil && err == nil, "%+v, %v", none, err)
	for i, status := range []webhook.DeliveryStatus{webhook.Failed, webhook.Failed, webhook.Succeeded} {
		s.queue(dbtest.Now.Add(time.Duration(i) * time.Second))
		c := ended(&s.claim("a", dbtest.Now.Add(time.Minute), 1)[0], status)
		c.Attempt.At += clock.Time(i)
		if status == webhook.Failed {
			c.Attempt.StatusCode, c.Attempt.Error, c.Attempt.ResponseBody = new(500+i), new("status: no"), new("b")
		}
		s.conclude("a", c)
	}
	last, err := r.Webhooks.LastFailure(r.Context(), s.in, s.e.ID)
	r.OK(err)
	r.Want(last != nil && *last.StatusCode == 501 && *last.ResponseBody == "b", "%+v", last)
	none, err = r.Webhooks.LastFailure(r.Context(), l.Test, s.e.ID)
	r.Want(none == nil && err == nil, "%+v, %v", none, err)
}

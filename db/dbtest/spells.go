package dbtest

import (
	"context"
	"time"

	"portal/api/clock"
	"portal/api/webhook"
)

func aSpellOfFailuresIsToldOnce(r *rig) {
	l := r.landlord("dana")
	s, well := r.sends(l.live), r.sends(l.live)
	day := clock.At(noon.Add(-24 * time.Hour))
	places := func() []webhook.Place {
		r.Helper()
		found, err := r.UntoldSpells(r.Context(), day, day, 10)
		r.ok(err)
		return found
	}
	take := func(at webhook.Place) (since *clock.Time) {
		r.Helper()
		r.ok(r.Atomically(r.Context(), func(ctx context.Context) (err error) {
			since, err = r.TakeSpell(ctx, at, day)
			return err
		}))
		return since
	}
	r.raw("UPDATE webhook_endpoints SET failing_since = NULL, last_delivery_at = $1", int64(clock.At(noon)))
	r.want(len(places()) == 0 && take(s.at) == nil, "an endpoint that does not fail")
	r.raw("UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1", s.e.ID, int64(day+1))
	r.want(len(places()) == 0 && take(s.at) == nil, "a spell of less than a day")
	r.raw("UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1", s.e.ID, int64(day))
	r.same(places(), []webhook.Place{s.at})
	other := s.at
	other.Portfolio = l.test
	r.want(take(other) == nil && take(well.at) == nil, "a spell of another")
	r.same(take(s.at), &day)
	r.want(len(places()) == 0 && take(s.at) == nil, "told twice")
	r.raw("UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1", s.e.ID, int64(day-5))
	r.same(places(), []webhook.Place{s.at}) // another spell
	for _, quiet := range []string{"status = 'disabled'", "last_delivery_at = 1", "last_delivery_at = NULL"} {
		r.raw("UPDATE webhook_endpoints SET "+quiet+" WHERE id = $1", s.e.ID)
		r.want(len(places()) == 0, "%s", quiet)
		r.raw("UPDATE webhook_endpoints SET status = 'enabled', last_delivery_at = $2 WHERE id = $1", s.e.ID, int64(clock.At(noon)))
	}
	none, err := r.LastFailure(r.Context(), s.in, s.e.ID)
	r.want(none == nil && err == nil, "%+v, %v", none, err)
	for i, status := range []webhook.DeliveryStatus{webhook.Failed, webhook.Failed, webhook.Succeeded} {
		s.queue(noon.Add(time.Duration(i) * time.Second))
		c := ended(&s.claim("a", noon.Add(time.Minute), 1)[0], status)
		c.Attempt.At += clock.Time(i)
		if status == webhook.Failed {
			c.Attempt.StatusCode, c.Attempt.Error, c.Attempt.ResponseBody = new(500+i), new("status: no"), new("b")
		}
		s.conclude("a", c)
	}
	last, err := r.LastFailure(r.Context(), s.in, s.e.ID)
	r.ok(err)
	r.want(last != nil && *last.StatusCode == 501 && *last.ResponseBody == "b", "%+v", last)
	none, err = r.LastFailure(r.Context(), l.test, s.e.ID)
	r.want(none == nil && err == nil, "%+v, %v", none, err)
}

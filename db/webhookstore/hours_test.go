package webhookstore_test

import (
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/webhook"
	"portal/db/dbtest"
)

func eventsAreListedByTheirTypeAndTime(r *fixture) {
	l := r.Landlord("dana")
	s, other := r.sends(l.Live), r.sends(l.Test)
	var all []webhook.Event
	var bodies []string
	for i, kind := range []webhook.Kind{
		event.LeaseSigned, event.PaymentSucceeded, event.LeaseSigned, event.EndpointTest,
	} {
		e := s.event(dbtest.Now.Add(time.Duration(i)*time.Second), kind)
		bodies = append(bodies, string(e.Body))
		e.Body = nil
		all = append(all, e)
	}
	other.event(dbtest.Now, event.LeaseSigned)
	slices.Reverse(all)
	at := func(i int) *clock.Time { return &all[i].CreatedAt }
	for _, c := range []struct {
		f    webhook.EventFilter
		want []webhook.Event
	}{
		{webhook.EventFilter{Limit: 9}, all},
		{webhook.EventFilter{Limit: 2}, all[:2]},
		{webhook.EventFilter{Before: all[1].ID, Limit: 9}, all[2:]},
		{webhook.EventFilter{Type: event.LeaseSigned, Limit: 9}, []webhook.Event{all[1], all[3]}},
		{webhook.EventFilter{Type: event.LeaseSigned, Before: all[1].ID, Limit: 9}, all[3:]},
		{webhook.EventFilter{From: at(2), To: at(0), Limit: 9}, all[1:3]},
		{webhook.EventFilter{Type: event.LeaseSigned, Ascending: true, Limit: 9}, []webhook.Event{all[3], all[1]}},
		{webhook.EventFilter{Before: all[2].ID, Ascending: true, Limit: 9}, []webhook.Event{all[1], all[0]}},
	} {
		got, err := r.Webhooks.Events(r.Context(), s.in, c.f)
		r.OK(err)
		r.Same(got, c.want)
	}
	got, err := r.Webhooks.Events(r.Context(), s.in, webhook.EventFilter{Limit: 9, Bodies: true})
	r.OK(err)
	for i, e := range got {
		r.Want(string(e.Body) == bodies[len(bodies)-1-i] && e.Body != nil, "%s has the bytes %q", e.ID, e.Body)
	}
}

func attemptsAreCountedByTheHour(r *fixture) {
	l := r.Landlord("dana")
	s, other := r.sends(l.Live), r.sends(l.Live)
	for i, a := range []struct {
		after  time.Duration
		took   int64
		fails  bool
		broken bool
	}{
		{0, 100, false, false},
		{time.Minute, 300, true, false},
		{2 * time.Minute, 200, false, false},
		{3 * time.Minute, 900, true, true},
		{time.Hour, 50, false, false},
	} {
		at := dbtest.Now.Add(a.after)
		s.queue(at)
		w := s.claim("a", at, 1)
		end := webhook.Conclusion{
			Work:   &w[0],
			Status: webhook.Succeeded,
			Broken: a.broken,
			Attempt: webhook.Attempt{
				Number:     w[0].Attempt,
				At:         clock.At(at),
				DurationMS: a.took,
				Trigger:    webhook.BySchedule,
			},
		}
		if a.fails {
			end.Status, end.Attempt.Error = webhook.Failed, new("status: 500")
		}
		out := s.conclude("a", end)
		r.Want(out.Lost == 0, "attempt %d was lost", i)
	}
	first := clock.At(dbtest.Now)
	want := []webhook.Hour{
		{
			EndpointID: s.e.ID,
			At:         first,
			Attempts:   3,
			Failed:     1,
			DurationMS: 600,
			SlowestMS:  300,
		},
		{
			EndpointID: s.e.ID,
			At:         first + 3_600_000,
			Attempts:   1,
			DurationMS: 50,
			SlowestMS:  50,
		},
	}
	hours := func(in access.Portfolio, since clock.Time, of ...string) []webhook.Hour {
		got, err := r.Webhooks.EndpointHours(r.Context(), in, of, since)
		r.OK(err)
		return got
	}
	r.Same(hours(l.Live, first, s.e.ID, other.e.ID), want)
	r.Same(hours(l.Live, first+1, s.e.ID), want) // the hour that the moment lies in
	r.Same(hours(l.Live, first+3_600_000, s.e.ID), want[1:])
	r.Same(hours(l.Live, first, other.e.ID), []webhook.Hour{})
	r.Same(hours(l.Test, first, s.e.ID), []webhook.Hour{})
	r.Same(hours(l.Live, first), []webhook.Hour{})
	spans := func(in access.Portfolio, since clock.Time, span time.Duration, of ...string) []webhook.AttemptSpan {
		got, err := r.Webhooks.AttemptSpans(r.Context(), in, of, since, span)
		r.OK(err)
		slices.SortFunc(got, func(a, b webhook.AttemptSpan) int { return a.Index - b.Index })
		return got
	}
	from := first - first%3_600_000
	one := webhook.AttemptSpan{EndpointID: s.e.ID, Attempts: 3, Failed: 1}
	two := webhook.AttemptSpan{EndpointID: s.e.ID, Index: 1, Attempts: 1}
	both := webhook.AttemptSpan{EndpointID: s.e.ID, Attempts: 4, Failed: 1}
	r.Same(spans(l.Live, from, time.Hour, s.e.ID, other.e.ID), []webhook.AttemptSpan{one, two})
	r.Same(spans(l.Live, from, 2*time.Hour, s.e.ID), []webhook.AttemptSpan{both})
	r.Same(spans(l.Live, from+3_600_000, time.Hour, s.e.ID), []webhook.AttemptSpan{{EndpointID: s.e.ID, Attempts: 1}})
	r.Same(len(spans(l.Live, from, time.Hour, other.e.ID))+len(spans(l.Test, from, time.Hour, s.e.ID))+
		len(spans(l.Live, from, time.Hour)), 0)
}

package webhookstore_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"portal/api/clock"
	"portal/api/event"
	"portal/api/webhook"
	"portal/db/dbtest"
)

func whatIsDueIsClaimedOnceTheLongestDueFirst(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	third := s.queue(dbtest.Now)
	first := s.queue(dbtest.Now.Add(-2 * time.Second))
	second := s.queue(dbtest.Now.Add(-time.Second))
	future := s.queue(dbtest.Now.Add(time.Minute))
	ready := func(at time.Time) []webhook.EndpointRef {
		places, err := r.Webhooks.Ready(r.Context(), clock.At(at))
		r.OK(err)
		return places
	}
	r.Same(ready(dbtest.Now.Add(-time.Hour)), []webhook.EndpointRef{})
	r.Same(ready(dbtest.Now), []webhook.EndpointRef{s.at})
	var got []string
	for _, w := range slices.Concat(s.claim("a", dbtest.Now, 2), s.claim("b", dbtest.Now, 5)) {
		r.Want(w.Attempt == 1 && w.Try == 1 && w.Since == clock.At(dbtest.Now) &&
			w.Trigger == webhook.BySchedule && len(w.Body) > 0 && w.Type == event.LeaseSigned, "claimed %+v", w)
		got = append(got, w.ID)
	}
	r.Same(got, []string{first.ID, second.ID, third.ID})
	r.Same(len(s.claim("c", dbtest.Now, 5)), 0)
	r.Same(ready(dbtest.Now), []webhook.EndpointRef{})
	r.Same(s.claim("c", dbtest.Now.Add(time.Hour), 5)[0].ID, future.ID)
}

// manyClaimantsShareTheDeliveriesAndTheLimit claims from many sides; nobody concludes.
func manyClaimantsShareTheDeliveriesAndTheLimit(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	for range 40 {
		s.queue(dbtest.Now)
	}
	var mu sync.Mutex
	claimed := map[string]int{}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for {
				c, err := r.Webhooks.Claim(r.Context(), s.at, webhook.Claim{
					By:       fmt.Sprint(i),
					At:       clock.At(dbtest.Now),
					Until:    clock.At(dbtest.Now.Add(time.Minute)),
					Most:     3,
					InFlight: 10,
				})
				if err != nil {
					r.Error(err)
					return
				}
				if c == nil { // another one is at the endpoint
					continue
				}
				if len(c.Work) == 0 {
					return
				}
				mu.Lock()
				for _, w := range c.Work {
					claimed[w.ID]++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for _, n := range claimed {
		r.Want(n == 1, "one was claimed %d times", n)
	}
	r.Want(len(claimed) == 10, "%d are claimed", len(claimed))
}

func onlyTheOwnerOfAClaimConcludesIt(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	d := s.queue(dbtest.Now)
	w := s.claim("a", dbtest.Now, 1)[0]
	stranger := s.conclude("b", ended(&w, webhook.Succeeded))
	r.Want(stranger.Lost == 1 && !stranger.Waiting[0], "%+v", stranger)
	r.Same(s.delivery(d.ID).Status, webhook.Pending)
	later := w
	later.Attempt = 2
	r.Same(s.conclude("a", ended(&later, webhook.Succeeded)).Lost, 1)
	r.Same(s.conclude("a", ended(&w, webhook.Succeeded)).Lost, 0)
	r.Same(s.conclude("a", ended(&w, webhook.Failed)).Lost, 1)
	got := s.delivery(d.ID)
	r.Want(got.Status == webhook.Succeeded && len(got.Attempts) == 1, "%+v", got)
}

func aConclusionIsReadAsItWasNoted(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	d := s.queue(dbtest.Now)
	w := s.claim("a", dbtest.Now, 1)[0]
	c := ended(&w, webhook.Pending)
	c.Next = new(clock.At(dbtest.Now.Add(10 * time.Second)))
	c.Attempt.StatusCode, c.Attempt.Error, c.Attempt.ResponseBody = new(503), new("status: no"), new("a\x00b\ufffd")
	c.Attempt.RequestHeaders, c.Attempt.ResponseHeaders = map[string][]string{
		"X-A": {"1"},
	}, map[string][]string{
		"B": {"2", "3"},
	}
	out := s.conclude("a", c)
	end := clock.At(dbtest.Now.Add(time.Second + 7*time.Millisecond))
	r.Want(out.Waiting[0] && out.Lost == 0 && out.FailingSince != nil && *out.FailingSince == end, "%+v", out)
	want := d
	want.Status = webhook.Retrying
	want.Version = 2
	want.UpdatedAt = end
	want.LastStatusCode, want.LastDurationMS = new(503), new(int64(7))
	want.LastError = new("status: no")
	want.NextAttemptAt, want.AttemptCount, want.Attempts = c.Next, 1, []webhook.Attempt{c.Attempt}
	r.Same(s.delivery(d.ID), want)
	s.e.LastDeliveryAt = &c.Attempt.At
	r.stored(s.in, s.e)
	r.OK(r.Webhooks.Due(r.Context(), s.in.ID, []string{d.ID}))
	w = s.claim("a", dbtest.Now.Add(time.Minute), 1)[0]
	r.Want(w.Attempt == 2 && w.Try == 2 && w.Since == clock.At(dbtest.Now), "%+v", w)
	out = s.conclude("a", ended(&w, webhook.Succeeded))
	r.Want(out.FailingSince == nil, "fails since %v", out.FailingSince)
	s.e.LastSuccessAt = &end
	r.stored(s.in, s.e)
	none, err := r.Webhooks.FailingSince(r.Context(), s.in, s.e.ID)
	r.Want(none == nil && err == nil, "%+v, %v", none, err)
}

func aCancelledDeliveryStaysSoUnlessItWasAcknowledged(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	for range 4 {
		s.queue(dbtest.Now)
	}
	work := s.claim("a", dbtest.Now, 4)
	r.OK(r.Webhooks.CancelDeliveries(r.Context(), s.in, s.e.ID, clock.At(dbtest.Now)))
	retried, broken := ended(&work[1], webhook.Pending), ended(&work[3], webhook.Pending)
	retried.Next, broken.Broken = new(clock.At(dbtest.Now.Add(time.Minute))), true
	for i, c := range []webhook.Conclusion{
		ended(&work[0], webhook.Succeeded),
		retried,
		ended(&work[2], webhook.Failed),
		broken,
	} {
		out := s.conclude("a", c)
		r.Want(!out.Waiting[0] && out.Lost == 0, "%d: %+v", i, out)
	}
	for i, want := range []webhook.DeliveryStatus{
		webhook.Succeeded, webhook.Cancelled, webhook.Cancelled, webhook.Cancelled,
	} {
		d := s.delivery(work[i].ID)
		r.Want(d.Status == want && d.NextAttemptAt == nil && len(d.Attempts) == 1, "%d: %+v", i, d)
	}
	r.Same(r.Text("count(*)", "deliveries WHERE ready OR claimed_by IS NOT NULL"), "0")
}

func whatWasNotSentIsAsBefore(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	d := s.queue(dbtest.Now)
	w := s.claim("a", dbtest.Now, 1)[0]
	c := ended(&w, webhook.Pending)
	c.Unsent = true
	r.Want(s.conclude("a", c).FailingSince == nil, "it counts as a failure")
	got := s.delivery(d.ID)
	r.Want(got.AttemptCount == 0 && len(got.Attempts) == 0 && got.Status == webhook.Pending &&
		got.NextAttemptAt != nil, "%+v", got)
	r.stored(s.in, s.e)
	w = s.claim("a", dbtest.Now.Add(time.Minute), 1)[0]
	r.Want(w.Attempt == 1 && w.Try == 1, "%+v", w)
}

func claimsThatHaveRunOutAreTakenOver(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	for range 5 {
		s.queue(dbtest.Now)
	}
	process, cancel := context.WithCancel(r.Context())
	defer cancel()
	r.DB.Present(process, "alive", func(string) {})
	early, late := s.claim("alive", dbtest.Now, 2), s.claim("alive", dbtest.Now.Add(5*time.Second), 2)
	n, err := r.Webhooks.TakeOver(r.Context(), clock.At(dbtest.Now.Add(12*time.Second)), 0, 100)
	r.OK(err)
	r.Same(n, 2)
	for _, w := range early {
		d := s.delivery(w.ID)
		r.Want(d.Status == webhook.Retrying && len(d.Attempts) == 1 &&
			strings.HasPrefix(*d.Attempts[0].Error, "interrupted: ") &&
			d.Attempts[0].At == clock.At(dbtest.Now), "%+v", d)
		r.Same(s.conclude("alive", ended(&w, webhook.Succeeded)).Lost, 1)
	}
	r.Same(s.conclude("alive", ended(&late[0], webhook.Succeeded)).Lost, 0)
	r.Same(len(s.claim("other", dbtest.Now.Add(20*time.Second), 9)), 3)
	if r.DB.Postgres() == nil {
		return
	}
	n, err = r.Webhooks.TakeOver(r.Context(), clock.At(dbtest.Now), 0, 100) // "other" is nowhere to be seen
	r.OK(err)
	r.Same(n, 3)
}

func anAttemptThatEndsItsProcessIsGivenUpLikeAnyOther(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	d := s.queue(dbtest.Now)
	for _, after := range []time.Duration{0, webhook.GiveUp, webhook.GiveUp + time.Millisecond} {
		at := dbtest.Now.Add(after)
		r.Same(len(s.claim("a", at, 1)), 1)
		n, err := r.Webhooks.TakeOver(r.Context(), clock.At(at.Add(time.Hour)), 0, 100)
		r.Want(n == 1 && err == nil, "%d, %v", n, err)
	}
	got := s.delivery(d.ID)
	r.Want(got.Status == webhook.Failed && got.NextAttemptAt == nil && len(got.Attempts) == 3, "%+v", got)
	r.Same(len(s.claim("a", dbtest.Now.Add(48*time.Hour), 1)), 0)
}

func aRetryStartsByItsJobOrWhenThatIsLost(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	d := s.queue(dbtest.Now)
	w := s.claim("a", dbtest.Now, 1)[0]
	c := ended(&w, webhook.Pending)
	due := dbtest.Now.Add(10 * time.Second)
	c.Next = new(clock.At(due))
	s.conclude("a", c)
	r.Same(len(s.claim("a", due.Add(time.Hour), 1)), 0)
	n, err := r.Webhooks.TakeOver(r.Context(), 0, clock.At(due.Add(-time.Second)), 100)
	r.Want(n == 0 && err == nil, "%d, %v", n, err)
	n, err = r.Webhooks.TakeOver(r.Context(), 0, clock.At(due), 100)
	r.Want(n == 1 && err == nil, "%d, %v", n, err)
	r.OK(r.Webhooks.Due(r.Context(), s.in.ID, []string{d.ID, "del_none"}))
	r.Same(len(s.claim("a", due.Add(-time.Second), 1)), 0)
	r.Same(len(s.claim("a", due, 1)), 1)
	r.OK(r.Webhooks.Due(r.Context(), s.in.ID, []string{d.ID}))
	r.Same(len(s.claim("a", due, 1)), 0)
}

package dbtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/webhook"
)

var deliveries = []promise{
	{"AnEventIsReadAsItWasWritten", anEventIsReadAsItWasWritten},
	{"WhatIsDoneAfterACommitIsNotDoneAfterARollback", whatIsDoneAfterACommitIsNotDoneAfterARollback},
	{"WhatIsDueIsClaimedOnceTheLongestDueFirst", whatIsDueIsClaimedOnceTheLongestDueFirst},
	{"ManyClaimantsShareTheDeliveriesAndTheLimit", manyClaimantsShareTheDeliveriesAndTheLimit},
	{"OnlyTheOwnerOfAClaimConcludesIt", onlyTheOwnerOfAClaimConcludesIt},
	{"AConclusionIsReadAsItWasNoted", aConclusionIsReadAsItWasNoted},
	{"ACancelledDeliveryStaysSoUnlessItWasAcknowledged", aCancelledDeliveryStaysSoUnlessItWasAcknowledged},
	{"WhatWasNotSentIsAsBefore", whatWasNotSentIsAsBefore},
	{"ClaimsThatHaveRunOutAreTakenOver", claimsThatHaveRunOutAreTakenOver},
	{"AnAttemptThatEndsItsProcessIsGivenUpLikeAnyOther", anAttemptThatEndsItsProcessIsGivenUpLikeAnyOther},
	{"ARetryStartsByItsJobOrWhenThatIsLost", aRetryStartsByItsJobOrWhenThatIsLost},
	{"MissedAreThoseThatAreNeitherSentNorOnTheirWay", missedAreThoseThatAreNeitherSentNorOnTheirWay},
	{"DeliveriesAreListedByWhatTheyAre", deliveriesAreListedByWhatTheyAre},
	{"OldEventsAndAttemptsForgetWhatTheyHeld", oldEventsAndAttemptsForgetWhatTheyHeld},
	{"NoDeliveryOfAnotherPortfolioIsTouched", noDeliveryOfAnotherPortfolioIsTouched},
}

// sent is a portfolio with an enabled endpoint and what is sent to it.
type sent struct {
	*rig
	in access.Portfolio
	at webhook.Place
	e  webhook.Endpoint
}

func (r *rig) sends(in access.Portfolio) *sent {
	r.Helper()
	e := webhook.Endpoint{Record: record(id.Endpoint, "webhook_endpoint", in.Mode, noon), URL: "https://hooks.example.com/", Events: []webhook.Kind{webhook.EveryKind}, Status: webhook.Enabled, SecretPrefix: "whsec_AAAA"}
	r.ok(r.AddEndpoint(r.Context(), in, e, []byte("sealed")))
	return &sent{r, in, webhook.Place{Portfolio: in, Endpoint: e.ID}, e}
}

// event adds an event of a kind at a time.
func (s *sent) event(at time.Time, kind webhook.Kind) webhook.Event {
	s.Helper()
	e := webhook.Event{ID: id.New(id.Event, at), CreatedAt: clock.At(at), Type: kind, Body: []byte(`{"type":"` + kind + `"}`)}
	s.ok(s.AddEvent(s.Context(), s.in, &e))
	return e
}

// queue adds a delivery of an event at a time.
func (s *sent) queue(at time.Time) webhook.Delivery {
	s.Helper()
	e := s.event(at, webhook.LeaseSigned)
	d := webhook.Delivery{ID: id.New(id.Delivery, at), CreatedAt: clock.At(at), EventID: e.ID, EventType: e.Type, EndpointID: s.e.ID, Status: webhook.Pending, NextAttemptAt: new(clock.At(at)), Attempts: []webhook.Attempt{}}
	s.ok(s.AddDelivery(s.Context(), s.in, &d))
	return d
}

// claim claims so many at a time, for ten seconds.
func (s *sent) claim(by string, at time.Time, most int) []webhook.Work {
	s.Helper()
	c, err := s.Claim(s.Context(), s.at, webhook.Claim{By: by, At: clock.At(at), Until: clock.At(at.Add(10 * time.Second)), Most: most, InFlight: 10})
	s.ok(err)
	s.want(c != nil && c.URL == s.e.URL && string(c.Secret) == "sealed", "claimed %+v", c)
	return c.Work
}

// conclude notes how one attempt ended.
func (s *sent) conclude(by string, c webhook.Conclusion) webhook.Concluded {
	s.Helper()
	out, err := s.Conclude(s.Context(), s.at, by, []webhook.Conclusion{c})
	s.ok(err)
	return out
}

// ended is the conclusion of an attempt a second after noon.
func ended(w *webhook.Work, status webhook.DeliveryStatus) webhook.Conclusion {
	return webhook.Conclusion{Work: w, Status: status, Attempt: webhook.Attempt{Number: w.Attempt, At: clock.At(noon.Add(time.Second)), DurationMS: 7, Trigger: w.Trigger}}
}

func (s *sent) delivery(id string) webhook.Delivery {
	s.Helper()
	d, err := s.Delivery(s.Context(), s.in, id)
	s.ok(err)
	return d
}

func anEventIsReadAsItWasWritten(r *rig) {
	l := r.landlord("dana")
	s := r.sends(l.live)
	one, two := s.event(noon, webhook.LeaseSigned), s.event(noon.Add(time.Second), webhook.PaymentSucceeded)
	got, err := r.Event(r.Context(), l.live, one.ID)
	r.ok(err)
	r.same(got, one)
	for position, want := range map[string][]webhook.Event{"": {one, two}, one.ID: {two}, two.ID: {}} {
		all, err := r.EventsAfter(r.Context(), l.live, position, 10)
		r.ok(err)
		r.same(all, want)
	}
	first, err := r.EventsAfter(r.Context(), l.live, "", 1)
	r.ok(err)
	r.same(first, []webhook.Event{one})
	_, err = r.Event(r.Context(), l.test, one.ID)
	r.want(fault.Is(err, fault.NoRecord), "an event of another portfolio: %v", err)
}

func whatIsDoneAfterACommitIsNotDoneAfterARollback(r *rig) {
	done := ""
	note := func(what string) func() { return func() { done += what } }
	r.ok(r.Atomically(r.Context(), func(ctx context.Context) error {
		r.After(ctx, note("a"))
		err := r.Atomically(ctx, func(ctx context.Context) error { r.After(ctx, note("b")); return nil })
		r.want(done == "", "done within the transaction: %s", done)
		return err
	}))
	r.same(done, "ab")
	r.refused(r.Atomically(r.Context(), func(ctx context.Context) error {
		r.After(ctx, note("c"))
		return fault.Of(fault.Internal)
	}), "a rollback")
	r.After(r.Context(), note("d"))
	r.same(done, "abd")
}

func whatIsDueIsClaimedOnceTheLongestDueFirst(r *rig) {
	s := r.sends(r.landlord("dana").live)
	third, first, second := s.queue(noon), s.queue(noon.Add(-2*time.Second)), s.queue(noon.Add(-time.Second))
	future := s.queue(noon.Add(time.Minute))
	ready := func(at time.Time) []webhook.Place {
		places, err := r.Ready(r.Context(), clock.At(at))
		r.ok(err)
		return places
	}
	r.same(ready(noon.Add(-time.Hour)), []webhook.Place(nil))
	r.same(ready(noon), []webhook.Place{s.at})
	var got []string
	for _, w := range slices.Concat(s.claim("a", noon, 2), s.claim("b", noon, 5)) {
		r.want(w.Attempt == 1 && w.Try == 1 && w.Since == clock.At(noon) && w.Trigger == webhook.BySchedule && len(w.Body) > 0 && w.Type == webhook.LeaseSigned, "claimed %+v", w)
		got = append(got, w.ID)
	}
	r.same(got, []string{first.ID, second.ID, third.ID})
	r.same(len(s.claim("c", noon, 5)), 0)
	r.same(ready(noon), []webhook.Place(nil))
	r.same(s.claim("c", noon.Add(time.Hour), 5)[0].ID, future.ID)
}

// manyClaimantsShareTheDeliveriesAndTheLimit claims from many sides; nobody concludes.
func manyClaimantsShareTheDeliveriesAndTheLimit(r *rig) {
	s := r.sends(r.landlord("dana").live)
	for range 40 {
		s.queue(noon)
	}
	var mu sync.Mutex
	claimed := map[string]int{}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 10 {
				c, err := r.Claim(r.Context(), s.at, webhook.Claim{By: fmt.Sprint(i), At: clock.At(noon), Until: clock.At(noon.Add(time.Minute)), Most: 3, InFlight: 10})
				if err != nil {
					r.Error(err)
				}
				if c == nil {
					continue
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
		r.want(n == 1, "one was claimed %d times", n)
	}
	r.want(len(claimed) == 10, "%d are claimed", len(claimed))
}

func onlyTheOwnerOfAClaimConcludesIt(r *rig) {
	s := r.sends(r.landlord("dana").live)
	d := s.queue(noon)
	w := s.claim("a", noon, 1)[0]
	stranger := s.conclude("b", ended(&w, webhook.Succeeded))
	r.want(stranger.Lost == 1 && !stranger.Waiting[0], "%+v", stranger)
	r.same(s.delivery(d.ID).Status, webhook.Pending)
	later := w
	later.Attempt = 2
	r.same(s.conclude("a", ended(&later, webhook.Succeeded)).Lost, 1)
	r.same(s.conclude("a", ended(&w, webhook.Succeeded)).Lost, 0)
	r.same(s.conclude("a", ended(&w, webhook.Failed)).Lost, 1)
	got := s.delivery(d.ID)
	r.want(got.Status == webhook.Succeeded && len(got.Attempts) == 1, "%+v", got)
}

func aConclusionIsReadAsItWasNoted(r *rig) {
	s := r.sends(r.landlord("dana").live)
	d := s.queue(noon)
	w := s.claim("a", noon, 1)[0]
	c := ended(&w, webhook.Pending)
	c.Next = new(clock.At(noon.Add(10 * time.Second)))
	c.Attempt.StatusCode, c.Attempt.Error, c.Attempt.ResponseBody = new(503), new("status: no"), new("a\x00b\ufffd")
	c.Attempt.RequestHeaders, c.Attempt.ResponseHeaders = map[string][]string{"X-A": {"1"}}, map[string][]string{"B": {"2", "3"}}
	out := s.conclude("a", c)
	end := clock.At(noon.Add(time.Second + 7*time.Millisecond))
	r.want(out.Waiting[0] && out.Lost == 0 && out.FailingSince != nil && *out.FailingSince == end, "%+v", out)
	want := d
	want.NextAttemptAt, want.AttemptCount, want.Attempts = c.Next, 1, []webhook.Attempt{c.Attempt}
	r.same(s.delivery(d.ID), want)
	s.e.LastDeliveryAt = &c.Attempt.At
	r.stored(s.in, s.e)
	r.ok(r.Due(r.Context(), s.in.ID, []string{d.ID}))
	w = s.claim("a", noon.Add(time.Minute), 1)[0]
	r.want(w.Attempt == 2 && w.Try == 2 && w.Since == clock.At(noon), "%+v", w)
	out = s.conclude("a", ended(&w, webhook.Succeeded))
	r.want(out.FailingSince == nil, "fails since %v", out.FailingSince)
	s.e.LastSuccessAt = &end
	r.stored(s.in, s.e)
	none, err := r.FailingSince(r.Context(), s.in, s.e.ID)
	r.want(none == nil && err == nil, "%+v, %v", none, err)
}

func aCancelledDeliveryStaysSoUnlessItWasAcknowledged(r *rig) {
	s := r.sends(r.landlord("dana").live)
	for range 4 {
		s.queue(noon)
	}
	work := s.claim("a", noon, 4)
	r.ok(r.CancelDeliveries(r.Context(), s.in, s.e.ID))
	retried, broken := ended(&work[1], webhook.Pending), ended(&work[3], webhook.Pending)
	retried.Next, broken.Broken = new(clock.At(noon.Add(time.Minute))), true
	for i, c := range []webhook.Conclusion{ended(&work[0], webhook.Succeeded), retried, ended(&work[2], webhook.Failed), broken} {
		out := s.conclude("a", c)
		r.want(!out.Waiting[0] && out.Lost == 0, "%d: %+v", i, out)
	}
	for i, want := range []webhook.DeliveryStatus{webhook.Succeeded, webhook.Cancelled, webhook.Cancelled, webhook.Cancelled} {
		d := s.delivery(work[i].ID)
		r.want(d.Status == want && d.NextAttemptAt == nil && len(d.Attempts) == 1, "%d: %+v", i, d)
	}
	r.same(r.text("count(*)", "deliveries WHERE ready OR claimed_by IS NOT NULL"), "0")
}

func whatWasNotSentIsAsBefore(r *rig) {
	s := r.sends(r.landlord("dana").live)
	d := s.queue(noon)
	w := s.claim("a", noon, 1)[0]
	c := ended(&w, webhook.Pending)
	c.Unsent = true
	r.want(s.conclude("a", c).FailingSince == nil, "it counts as a failure")
	got := s.delivery(d.ID)
	r.want(got.AttemptCount == 0 && len(got.Attempts) == 0 && got.Status == webhook.Pending && got.NextAttemptAt != nil, "%+v", got)
	r.stored(s.in, s.e)
	w = s.claim("a", noon.Add(time.Minute), 1)[0]
	r.want(w.Attempt == 1 && w.Try == 1, "%+v", w)
}

func claimsThatHaveRunOutAreTakenOver(r *rig) {
	s := r.sends(r.landlord("dana").live)
	for range 5 {
		s.queue(noon)
	}
	process, cancel := context.WithCancel(r.Context())
	defer cancel()
	r.Present(process, "alive")
	early, late := s.claim("alive", noon, 2), s.claim("alive", noon.Add(5*time.Second), 2)
	n, err := r.TakeOver(r.Context(), clock.At(noon.Add(12*time.Second)), 0, 100)
	r.ok(err)
	r.same(n, 2)
	for _, w := range early {
		d := s.delivery(w.ID)
		r.want(d.Status == webhook.Pending && len(d.Attempts) == 1 && strings.HasPrefix(*d.Attempts[0].Error, "interrupted: ") && d.Attempts[0].At == clock.At(noon), "%+v", d)
		r.same(s.conclude("alive", ended(&w, webhook.Succeeded)).Lost, 1)
	}
	r.same(s.conclude("alive", ended(&late[0], webhook.Succeeded)).Lost, 0)
	r.same(len(s.claim("other", noon.Add(20*time.Second), 9)), 3)
	if r.Postgres() == nil {
		return
	}
	n, err = r.TakeOver(r.Context(), clock.At(noon), 0, 100) // "other" is nowhere to be seen
	r.ok(err)
	r.same(n, 3)
}

func anAttemptThatEndsItsProcessIsGivenUpLikeAnyOther(r *rig) {
	s := r.sends(r.landlord("dana").live)
	d := s.queue(noon)
	for _, after := range []time.Duration{0, webhook.GiveUp, webhook.GiveUp + time.Millisecond} {
		at := noon.Add(after)
		r.same(len(s.claim("a", at, 1)), 1)
		n, err := r.TakeOver(r.Context(), clock.At(at.Add(time.Hour)), 0, 100)
		r.want(n == 1 && err == nil, "%d, %v", n, err)
	}
	got := s.delivery(d.ID)
	r.want(got.Status == webhook.Failed && got.NextAttemptAt == nil && len(got.Attempts) == 3, "%+v", got)
	r.same(len(s.claim("a", noon.Add(48*time.Hour), 1)), 0)
}

func aRetryStartsByItsJobOrWhenThatIsLost(r *rig) {
	s := r.sends(r.landlord("dana").live)
	d := s.queue(noon)
	w := s.claim("a", noon, 1)[0]
	c := ended(&w, webhook.Pending)
	due := noon.Add(10 * time.Second)
	c.Next = new(clock.At(due))
	s.conclude("a", c)
	r.same(len(s.claim("a", due.Add(time.Hour), 1)), 0)
	n, err := r.TakeOver(r.Context(), 0, clock.At(due.Add(-time.Second)), 100)
	r.want(n == 0 && err == nil, "%d, %v", n, err)
	n, err = r.TakeOver(r.Context(), 0, clock.At(due), 100)
	r.want(n == 1 && err == nil, "%d, %v", n, err)
	r.ok(r.Due(r.Context(), s.in.ID, []string{d.ID, "del_none"}))
	r.same(len(s.claim("a", due.Add(-time.Second), 1)), 0)
	r.same(len(s.claim("a", due, 1)), 1)
	r.ok(r.Due(r.Context(), s.in.ID, []string{d.ID}))
	r.same(len(s.claim("a", due, 1)), 0)
}

func missedAreThoseThatAreNeitherSentNorOnTheirWay(r *rig) {
	s := r.sends(r.landlord("dana").live)
	all := webhook.Span{From: clock.At(noon.Add(-time.Hour)), To: clock.At(noon.Add(time.Hour))}
	missed := func(e *webhook.Endpoint, m webhook.Span) []webhook.Missed {
		found, err := r.Missed(r.Context(), s.in, e, m, "", 100)
		r.ok(err)
		return found
	}
	failed, never, waiting, other := s.queue(noon), s.event(noon.Add(time.Second), webhook.LeaseSigned), s.queue(noon.Add(2*time.Second)), s.event(noon.Add(3*time.Second), webhook.PaymentSucceeded)
	s.event(noon, webhook.EndpointTest)
	r.raw("UPDATE deliveries SET status = 'failed', ready = false WHERE id = $1", failed.ID)
	want := []webhook.Missed{{EventID: failed.EventID, DeliveryID: failed.ID}, {EventID: never.ID}, {EventID: other.ID}}
	r.same(missed(&s.e, all), want)
	r.same(missed(&s.e, webhook.Span{From: never.CreatedAt, To: other.CreatedAt}), want[1:2])
	r.same(missed(&s.e, webhook.Span{From: never.CreatedAt, To: other.CreatedAt + 1}), want[1:])
	chosen := s.e
	chosen.Events = []webhook.Kind{webhook.PaymentSucceeded}
	r.same(missed(&chosen, all), want[2:])
	behind, err := r.Missed(r.Context(), s.in, &s.e, all, failed.EventID, 1)
	r.ok(err)
	r.same(behind, want[1:2])
	r.raw("UPDATE deliveries SET status = 'cancelled', ready = false, claimed_by = 'a' WHERE id = $1", waiting.ID)
	r.same(missed(&s.e, all), want) // an attempt at it still runs
	r.raw("UPDATE deliveries SET claimed_by = NULL WHERE id = $1", waiting.ID)
	r.same(len(missed(&s.e, all)), 4)
	again, err := r.Redeliver(r.Context(), s.in, failed.ID, clock.At(noon))
	r.want(again && err == nil, "%v, %v", again, err)
	r.same(len(missed(&s.e, all)), 3)
	r.want(s.claim("a", noon, 1)[0].Trigger == webhook.ByHand, "not by hand")
	again, err = r.Redeliver(r.Context(), s.in, failed.ID, clock.At(noon))
	r.want(!again && err == nil, "%v, %v", again, err)
}

func deliveriesAreListedByWhatTheyAre(r *rig) {
	l := r.landlord("dana")
	s, beside := r.sends(l.live), r.sends(l.live)
	one, two, three := s.queue(noon), s.queue(noon.Add(time.Minute)), beside.queue(noon.Add(time.Hour))
	r.raw("UPDATE deliveries SET status = 'failed' WHERE id = $1", one.ID)
	one.Status = webhook.Failed
	for i, v := range []*webhook.Delivery{&one, &two, &three} {
		v.Attempts = nil
		r.want(v.EventType == webhook.LeaseSigned, "%d", i)
	}
	at := func(d time.Duration) *clock.Time { return new(clock.At(noon.Add(d))) }
	for i, c := range []struct {
		f    webhook.DeliveryFilter
		want []webhook.Delivery
	}{
		{webhook.DeliveryFilter{}, []webhook.Delivery{three, two, one}},
		{webhook.DeliveryFilter{EndpointID: s.e.ID}, []webhook.Delivery{two, one}},
		{webhook.DeliveryFilter{EventID: two.EventID}, []webhook.Delivery{two}},
		{webhook.DeliveryFilter{Status: webhook.Failed}, []webhook.Delivery{one}},
		{webhook.DeliveryFilter{EventType: webhook.PaymentSucceeded}, []webhook.Delivery{}},
		{webhook.DeliveryFilter{EventType: webhook.LeaseSigned, Before: three.ID}, []webhook.Delivery{two, one}},
		{webhook.DeliveryFilter{From: at(time.Minute)}, []webhook.Delivery{three, two}},
		{webhook.DeliveryFilter{From: at(time.Minute), To: at(time.Hour)}, []webhook.Delivery{two}},
	} {
		c.f.Limit = 10
		got, err := r.Deliveries(r.Context(), l.live, c.f)
		r.ok(err)
		r.want(show(got) == show(c.want), "%d: %s", i, show(got))
		none, err := r.Deliveries(r.Context(), l.test, c.f)
		r.want(len(none) == 0 && err == nil, "%d: %s, %v", i, show(none), err)
	}
}

func oldEventsAndAttemptsForgetWhatTheyHeld(r *rig) {
	s := r.sends(r.landlord("dana").live)
	for i := range 5 {
		s.queue(noon.Add(time.Duration(i) * time.Hour))
	}
	for _, w := range s.claim("a", noon.Add(5*time.Hour), 5) {
		c := ended(&w, webhook.Succeeded)
		c.Attempt.At = clock.At(noon.Add(time.Duration(w.Attempt) * time.Hour))
		c.Attempt.RequestHeaders, c.Attempt.ResponseBody = map[string][]string{"A": {"b"}}, new("x")
		s.conclude("a", c)
	}
	n, err := r.ForgetEvents(r.Context(), clock.At(noon.Add(3*time.Hour)), 2)
	r.want(n == 2 && err == nil, "%d, %v", n, err)
	n, err = r.ForgetEvents(r.Context(), clock.At(noon.Add(3*time.Hour)), 2)
	r.want(n == 1 && err == nil, "%d, %v", n, err)
	r.same(r.text("count(*)", "events WHERE body IS NOT NULL"), "2")
	n, err = r.ForgetAttempts(r.Context(), clock.At(noon.Add(time.Hour)), 100)
	r.want(n == 0 && err == nil, "%d, %v", n, err)
	n, err = r.ForgetAttempts(r.Context(), clock.At(noon.Add(2*time.Hour)), 100)
	r.want(n == 5 && err == nil, "%d, %v", n, err)
	r.same(r.text("count(*)", "delivery_attempts WHERE request_headers IS NULL AND response_body IS NULL AND number = 1"), "5")
}

func noDeliveryOfAnotherPortfolioIsTouched(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	s := r.sends(there.live)
	d := s.queue(noon)
	for _, in := range []access.Portfolio{here.live, there.test} {
		c, err := r.Claim(r.Context(), webhook.Place{Portfolio: in, Endpoint: s.e.ID}, webhook.Claim{By: "a", At: clock.At(noon), Until: clock.At(noon), Most: 5, InFlight: 10})
		r.want(c == nil && err == nil, "claimed %+v, %v", c, err)
		again, err := r.Redeliver(r.Context(), in, d.ID, clock.At(noon))
		r.want(!again && err == nil, "%v, %v", again, err)
		_, err = r.Delivery(r.Context(), in, d.ID)
		r.want(fault.Is(err, fault.NoRecord), "%v", err)
		r.raw("UPDATE deliveries SET ready = false")
		r.ok(r.Due(r.Context(), in.ID, []string{d.ID}))
		r.same(r.text("count(*)", "deliveries WHERE ready"), "0")
		r.raw("UPDATE deliveries SET ready = true")
	}
	whose, err := r.PortfolioWith(r.Context(), "delivery", d.ID)
	r.ok(err)
	r.same(whose, there.live)
	whose, err = r.PortfolioWith(r.Context(), "webhook endpoint", s.e.ID)
	r.ok(err)
	r.same(whose, there.live)
	_, err = r.PortfolioWith(r.Context(), "delivery", "del_none")
	r.want(fault.Is(err, fault.NoRecord), "%v", err)
}

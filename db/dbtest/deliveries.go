package dbtest

import (
	"context"
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
	{"TwoFiltersOfDeliveriesPassWhatPassesBoth", twoFiltersOfDeliveriesPassWhatPassesBoth},
	{"AnEndpointTellsWhatItLastAnsweredAndWhetherItFails", anEndpointTellsWhatItLastAnsweredAndWhetherItFails},
	{"ADeliveryThatFailedAndIsTriedAgainIsRetrying", aDeliveryThatFailedAndIsTriedAgainIsRetrying},
	{"EventsAreReadBehindAPositionWhileTheirBytesAreKept", eventsAreReadBehindAPositionWhileTheirBytesAreKept},
	{"EventsAreListedByTheirTypeAndTime", eventsAreListedByTheirTypeAndTime},
	{"AttemptsAreCountedByTheHour", attemptsAreCountedByTheHour},
	{"OldEventsAndAttemptsForgetWhatTheyHeld", oldEventsAndAttemptsForgetWhatTheyHeld},
	{"ASpellOfFailuresIsToldOnce", aSpellOfFailuresIsToldOnce},
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
	d := webhook.Delivery{ID: id.New(id.Delivery, at), Object: "delivery", Mode: s.in.Mode, Version: 1, CreatedAt: clock.At(at), UpdatedAt: clock.At(at),
		EventID: e.ID, EventType: webhook.EventType(e.Type), EndpointID: s.e.ID, Status: webhook.Pending, NextAttemptAt: new(clock.At(at)), Attempts: []webhook.Attempt{}}
	s.ok(s.AddDeliveries(s.Context(), s.in, []webhook.Delivery{d}))
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
	want := []webhook.Missed{
		{EventID: failed.EventID, DeliveryID: failed.ID, Type: webhook.LeaseSigned},
		{EventID: never.ID, Type: never.Type},
		{EventID: other.ID, Type: other.Type},
	}
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
		r.want(v.EventType == webhook.EventType(webhook.LeaseSigned), "%d", i)
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
		{webhook.DeliveryFilter{EventType: "payment.succeeded"}, []webhook.Delivery{}},
		{webhook.DeliveryFilter{EventType: "lease.signed", Before: three.ID}, []webhook.Delivery{two, one}},
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

// aDeliveryThatFailedAndIsTriedAgainIsRetrying follows one delivery through all that changes
// it, and finds it by its status each time.
func aDeliveryThatFailedAndIsTriedAgainIsRetrying(r *rig) {
	s := r.sends(r.landlord("dana").live)
	f := &followed{sent: s, one: s.queue(noon), version: 1}
	other := s.queue(noon.Add(time.Second))
	f.is(webhook.Pending, noon, nil, nil)
	w := s.claim("a", noon, 1)
	f.is(webhook.Pending, noon, nil, nil) // an attempt runs
	f.unsent(w)
	f.is(webhook.Pending, noon, nil, nil) // which was none after all
	r.raw("UPDATE deliveries SET ready = false WHERE id = $1", other.ID)
	f.fails(noon.Add(time.Minute), webhook.Pending, 503, "status: The receiver answered 503.")
	f.is(webhook.Retrying, noon.Add(time.Minute+took), new(503), new("status: The receiver answered 503."))
	r.ok(r.Due(r.Context(), s.in.ID, []string{f.one.ID}))
	w = s.claim("a", noon.Add(2*time.Minute), 1)
	f.is(webhook.Retrying, noon.Add(time.Minute+took), new(503), new("status: The receiver answered 503."))
	f.unsent(w)
	f.fails(noon.Add(3*time.Minute), webhook.Failed, 500, "status: The receiver answered 500.")
	f.is(webhook.Failed, noon.Add(3*time.Minute+took), new(500), new("status: The receiver answered 500."))
	f.redelivers(noon.Add(time.Hour))
	f.is(webhook.Retrying, noon.Add(time.Hour), new(500), new("status: The receiver answered 500."))
	f.succeeds(noon.Add(time.Hour), 204)
	f.is(webhook.Succeeded, noon.Add(time.Hour+took), new(204), nil)
	f.redelivers(noon.Add(2 * time.Hour))
	f.is(webhook.Pending, noon.Add(2*time.Hour), new(204), nil)
	r.ok(r.CancelDeliveries(r.Context(), s.in, s.e.ID, clock.At(noon.Add(3*time.Hour))))
	f.version++
	f.is(webhook.Cancelled, noon.Add(3*time.Hour), new(204), nil)
}

// took is how long an attempt of ended takes.
const took = 7 * time.Millisecond

// followed is a delivery, and the version that its last change gave it.
type followed struct {
	*sent
	one     webhook.Delivery
	version int64
}

// is looks at the delivery, and for it by its status.
func (f *followed) is(status webhook.DeliveryStatus, updated time.Time, code *int, why *string) {
	f.Helper()
	d := f.delivery(f.one.ID)
	f.want(d.Status == status && d.Version == f.version && d.UpdatedAt == clock.At(updated), "%s at version %d since %s; want %s, %d, %s",
		d.Status, d.Version, d.UpdatedAt, status, f.version, clock.At(updated))
	f.same(d.LastStatusCode, code)
	f.same(d.LastError, why)
	d.Attempts = nil
	for _, filter := range []webhook.DeliveryFilter{
		{Status: status},
		{Status: status, EndpointID: f.e.ID},
		{Status: status, EventID: f.one.EventID},
		{Status: status, EventType: "lease.signed"},
	} {
		filter.Ascending, filter.Limit = true, 1
		found, err := f.Deliveries(f.Context(), f.in, filter)
		f.ok(err)
		f.want(show(found) == show([]webhook.Delivery{d}), "%s: %s", status, show(found))
	}
}

// unsent ends an attempt whose request never left.
func (f *followed) unsent(w []webhook.Work) {
	f.Helper()
	c := ended(&w[0], webhook.Pending)
	c.Unsent = true
	f.conclude("a", c)
}

// fails claims the delivery and ends its attempt with an error.
func (f *followed) fails(at time.Time, status webhook.DeliveryStatus, code int, why string) {
	f.Helper()
	c := ended(&f.claim("a", at, 1)[0], status)
	c.Attempt.At, c.Attempt.StatusCode, c.Attempt.Error = clock.At(at), &code, &why
	if status == webhook.Pending {
		c.Next = new(clock.At(at.Add(time.Minute)))
	}
	f.conclude("a", c)
	f.version++
}

// succeeds claims the delivery and ends its attempt well.
func (f *followed) succeeds(at time.Time, code int) {
	f.Helper()
	c := ended(&f.claim("a", at, 1)[0], webhook.Succeeded)
	c.Attempt.At, c.Attempt.StatusCode = clock.At(at), &code
	f.conclude("a", c)
	f.version++
}

// redelivers queues the delivery again.
func (f *followed) redelivers(at time.Time) {
	f.Helper()
	again, err := f.Redeliver(f.Context(), f.in, f.one.ID, clock.At(at))
	f.want(again && err == nil, "%v, %v", again, err)
	f.version++
}

func eventsAreReadBehindAPositionWhileTheirBytesAreKept(r *rig) {
	l := r.landlord("dana")
	s := r.sends(l.live)
	one, two, three := s.event(noon, webhook.LeaseSigned), s.event(noon.Add(time.Second), webhook.PaymentSucceeded), s.event(noon.Add(2*time.Second), webhook.LeaseSigned)
	forgotten := s.event(noon.Add(3*time.Second), webhook.LeaseSigned)
	r.raw("UPDATE events SET body = NULL WHERE id = $1", forgotten.ID)
	for _, c := range []struct {
		position string
		kind     webhook.EventType
		most     int
		want     []webhook.Event
	}{
		{"", "", 9, []webhook.Event{one, two, three}}, {"", "", 2, []webhook.Event{one, two}}, {one.ID, "", 9, []webhook.Event{two, three}},
		{"", "lease.signed", 9, []webhook.Event{one, three}}, {one.ID, "lease.signed", 9, []webhook.Event{three}}, {"", "endpoint.test", 9, []webhook.Event{}},
	} {
		got, err := r.SentEvents(r.Context(), l.live, c.position, c.kind, c.most)
		r.ok(err)
		r.same(got, c.want)
		none, err := r.SentEvents(r.Context(), l.test, c.position, c.kind, c.most)
		r.ok(err)
		r.same(none, []webhook.Event{})
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

package webhookstore_test

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
	"portal/db/dbtest"
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
	{"OfManyEventsTheNewestAreCounted", ofManyEventsTheNewestAreCounted},
	{"DeliveriesAreListedByWhatTheyAre", deliveriesAreListedByWhatTheyAre},
	{"DeliveriesAreCountedByTheirStatusUpToTheMost", deliveriesAreCountedByTheirStatusUpToTheMost},
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
	*fixture
	in access.Portfolio
	at webhook.EndpointRef
	e  webhook.Endpoint
}

func (r *fixture) sends(in access.Portfolio) *sent {
	r.Helper()
	e := webhook.Endpoint{
		Record:       dbtest.Record(id.Endpoint, "webhook_endpoint", in.Mode, dbtest.Now),
		URL:          "https://hooks.example.com/",
		Events:       []webhook.Kind{webhook.EveryKind},
		Status:       webhook.Enabled,
		SecretPrefix: "whsec_AAAA",
	}
	r.OK(r.Webhooks.AddEndpoint(r.Context(), in, e, []byte("sealed")))
	return &sent{r, in, webhook.EndpointRef{Portfolio: in, Endpoint: e.ID}, e}
}

// event adds an event of a kind at a time.
func (s *sent) event(at time.Time, kind webhook.Kind) webhook.Event {
	s.Helper()
	e := webhook.Event{
		ID:        id.New(id.Event, at),
		CreatedAt: clock.At(at),
		Type:      kind,
		Body:      []byte(`{"type":"` + kind + `"}`),
	}
	s.OK(s.Webhooks.AddEvent(s.Context(), s.in, &e))
	return e
}

// queue adds a delivery of an event at a time.
func (s *sent) queue(at time.Time) webhook.Delivery {
	s.Helper()
	e := s.event(at, event.LeaseSigned)
	d := webhook.Delivery{
		ID:            id.New(id.Delivery, at),
		Object:        "delivery",
		Mode:          s.in.Mode,
		Version:       1,
		CreatedAt:     clock.At(at),
		UpdatedAt:     clock.At(at),
		EventID:       e.ID,
		EventType:     event.Type(e.Type),
		EndpointID:    s.e.ID,
		Status:        webhook.Pending,
		NextAttemptAt: new(clock.At(at)),
		Attempts:      []webhook.Attempt{},
	}
	s.OK(s.Webhooks.AddDeliveries(s.Context(), s.in, []webhook.Delivery{d}))
	return d
}

// claim claims so many at a time, for ten seconds.
func (s *sent) claim(by string, at time.Time, most int) []webhook.Work {
	s.Helper()
	c, err := s.Webhooks.Claim(s.Context(), s.at, webhook.Claim{
		By:       by,
		At:       clock.At(at),
		Until:    clock.At(at.Add(10 * time.Second)),
		Most:     most,
		InFlight: 10,
	})
	s.OK(err)
	s.Want(c != nil && c.URL == s.e.URL && string(c.Secret) == "sealed", "claimed %+v", c)
	return c.Work
}

// conclude notes how one attempt ended.
func (s *sent) conclude(by string, c webhook.Conclusion) webhook.Concluded {
	s.Helper()
	out, err := s.Webhooks.Conclude(s.Context(), s.at, by, []webhook.Conclusion{c})
	s.OK(err)
	return out
}

// ended is the conclusion of an attempt a second after noon.
func ended(w *webhook.Work, status webhook.DeliveryStatus) webhook.Conclusion {
	return webhook.Conclusion{
		Work:   w,
		Status: status,
		Attempt: webhook.Attempt{
			Number:     w.Attempt,
			At:         clock.At(dbtest.Now.Add(time.Second)),
			DurationMS: 7,
			Trigger:    w.Trigger,
		},
	}
}

func (s *sent) delivery(id string) webhook.Delivery {
	s.Helper()
	d, err := s.Webhooks.Delivery(s.Context(), s.in, id)
	s.OK(err)
	return d
}

func anEventIsReadAsItWasWritten(r *fixture) {
	l := r.Landlord("dana")
	s := r.sends(l.Live)
	one, two := s.event(dbtest.Now, event.LeaseSigned), s.event(dbtest.Now.Add(time.Second), event.PaymentSucceeded)
	got, err := r.Webhooks.Event(r.Context(), l.Live, one.ID)
	r.OK(err)
	r.Same(got, one)
	for position, want := range map[string][]webhook.Event{"": {one, two}, one.ID: {two}, two.ID: {}} {
		all, err := r.Webhooks.EventsAfter(r.Context(), l.Live, position, 10)
		r.OK(err)
		r.Same(all, want)
	}
	first, err := r.Webhooks.EventsAfter(r.Context(), l.Live, "", 1)
	r.OK(err)
	r.Same(first, []webhook.Event{one})
	_, err = r.Webhooks.Event(r.Context(), l.Test, one.ID)
	r.Want(fault.Is(err, fault.NoRecord), "an event of another portfolio: %v", err)
}

func whatIsDoneAfterACommitIsNotDoneAfterARollback(r *fixture) {
	done := ""
	note := func(what string) func() { return func() { done += what } }
	r.OK(r.DB.Atomically(r.Context(), func(ctx context.Context) error {
		r.DB.After(ctx, note("a"))
		err := r.DB.Atomically(ctx, func(ctx context.Context) error { r.DB.After(ctx, note("b")); return nil })
		r.Want(done == "", "done within the transaction: %s", done)
		return err
	}))
	r.Same(done, "ab")
	r.Refused(r.DB.Atomically(r.Context(), func(ctx context.Context) error {
		r.DB.After(ctx, note("c"))
		return fault.Of(fault.Internal)
	}), "a rollback")
	r.DB.After(r.Context(), note("d"))
	r.Same(done, "abd")
}

func missedAreThoseThatAreNeitherSentNorOnTheirWay(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	all := webhook.Span{From: clock.At(dbtest.Now.Add(-time.Hour)), To: clock.At(dbtest.Now.Add(time.Hour))}
	missed := func(e *webhook.Endpoint, m webhook.Span) []webhook.Missed {
		found, err := r.Webhooks.Missed(r.Context(), s.in, e, m, "", 100)
		r.OK(err)
		lately, err := r.Webhooks.MissedLately(r.Context(), s.in, e, []clock.Time{m.From, m.To}, m.To)
		r.OK(err)
		r.Same(lately, []list.Count{{N: len(found)}, {}})
		return found
	}
	failed := s.queue(dbtest.Now)
	never := s.event(dbtest.Now.Add(time.Second), event.LeaseSigned)
	waiting := s.queue(dbtest.Now.Add(2 * time.Second))
	other := s.event(dbtest.Now.Add(3*time.Second), event.PaymentSucceeded)
	s.event(dbtest.Now, event.EndpointTest)
	r.Raw("UPDATE deliveries SET status = 'failed', ready = false WHERE id = $1", failed.ID)
	want := []webhook.Missed{
		{EventID: failed.EventID, DeliveryID: failed.ID, Type: event.LeaseSigned},
		{EventID: never.ID, Type: never.Type},
		{EventID: other.ID, Type: other.Type},
	}
	r.Same(missed(&s.e, all), want)
	r.Same(missed(&s.e, webhook.Span{From: never.CreatedAt, To: other.CreatedAt}), want[1:2])
	r.Same(missed(&s.e, webhook.Span{From: never.CreatedAt, To: other.CreatedAt + 1}), want[1:])
	chosen := s.e
	chosen.Events = []webhook.Kind{event.PaymentSucceeded}
	r.Same(missed(&chosen, all), want[2:])
	behind, err := r.Webhooks.Missed(r.Context(), s.in, &s.e, all, failed.EventID, 1)
	r.OK(err)
	r.Same(behind, want[1:2])
	r.Raw("UPDATE deliveries SET status = 'cancelled', ready = false, claimed_by = 'a' WHERE id = $1", waiting.ID)
	r.Same(missed(&s.e, all), want) // an attempt at it still runs
	r.Raw("UPDATE deliveries SET claimed_by = NULL WHERE id = $1", waiting.ID)
	r.Same(len(missed(&s.e, all)), 4)
	again, err := r.Webhooks.Redeliver(r.Context(), s.in, failed.ID, clock.At(dbtest.Now))
	r.Want(again && err == nil, "%v, %v", again, err)
	r.Same(len(missed(&s.e, all)), 3)
	r.Want(s.claim("a", dbtest.Now, 1)[0].Trigger == webhook.ByHand, "not by hand")
	again, err = r.Webhooks.Redeliver(r.Context(), s.in, failed.ID, clock.At(dbtest.Now))
	r.Want(!again && err == nil, "%v, %v", again, err)
}

func ofManyEventsTheNewestAreCounted(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	at := func(n int) clock.Time { return clock.At(dbtest.Now.Add(time.Duration(n) * time.Second)) }
	happen := func(from, n int, sent bool) {
		r.OK(r.DB.Atomically(r.Context(), func(ctx context.Context) error {
			for i := from; i < from+n; i++ {
				e := webhook.Event{
					ID: id.New(id.Event, at(i).Std()), CreatedAt: at(i), Type: event.LeaseSigned, Body: []byte("{}"),
				}
				r.OK(r.Webhooks.AddEvent(ctx, s.in, &e))
				if d := id.New(id.Delivery, at(i).Std()); sent {
					r.OK(r.Webhooks.AddDeliveries(ctx, s.in, []webhook.Delivery{{
						ID: d, CreatedAt: at(i), EventID: e.ID, EventType: event.LeaseSigned, EndpointID: s.e.ID,
					}}))
				}
			}
			return nil
		}))
	}
	happen(0, list.Most, false)
	count := func(since ...int) []list.Count {
		moments := make([]clock.Time, len(since))
		for i, n := range since {
			moments[i] = at(n)
		}
		found, err := r.Webhooks.MissedLately(r.Context(), s.in, &s.e, moments, at(2*list.Most))
		r.OK(err)
		return found
	}
	r.Same(count(0, 900, 999, 1000), []list.Count{{N: list.Most}, {N: 100}, {N: 1}, {}})
	happen(list.Most, 600, true)
	r.Same(count(0, 500, 600, 900), []list.Count{{N: 401, More: true}, {N: 401, More: true}, {N: 400}, {N: 100}})
	r.Raw("UPDATE deliveries SET status = 'failed', ready = false")
	r.Same(count(-5, 700), []list.Count{{N: list.Most, More: true}, {N: 900}})
	beside, err := r.Webhooks.MissedLately(
		r.Context(),
		r.Landlord("erin").Live,
		&s.e,
		[]clock.Time{0},
		at(2*list.Most),
	)
	r.OK(err)
	r.Same(beside, []list.Count{{}})
}

func deliveriesAreListedByWhatTheyAre(r *fixture) {
	l := r.Landlord("dana")
	s, beside := r.sends(l.Live), r.sends(l.Live)
	one := s.queue(dbtest.Now)
	two := s.queue(dbtest.Now.Add(time.Minute))
	three := beside.queue(dbtest.Now.Add(time.Hour))
	r.Raw("UPDATE deliveries SET status = 'failed' WHERE id = $1", one.ID)
	one.Status = webhook.Failed
	for i, v := range []*webhook.Delivery{&one, &two, &three} {
		v.Attempts = nil
		r.Want(v.EventType == event.Type(event.LeaseSigned), "%d", i)
	}
	at := func(d time.Duration) *clock.Time { return new(clock.At(dbtest.Now.Add(d))) }
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
		got, err := r.Webhooks.Deliveries(r.Context(), l.Live, c.f)
		r.OK(err)
		r.Want(dbtest.Show(got) == dbtest.Show(c.want), "%d: %s", i, dbtest.Show(got))
		none, err := r.Webhooks.Deliveries(r.Context(), l.Test, c.f)
		r.Want(len(none) == 0 && err == nil, "%d: %s, %v", i, dbtest.Show(none), err)
	}
}

func deliveriesAreCountedByTheirStatusUpToTheMost(r *fixture) {
	l := r.Landlord("dana")
	s, beside := r.sends(l.Live), r.sends(l.Live)
	one := s.queue(dbtest.Now)
	s.queue(dbtest.Now.Add(time.Minute))
	beside.queue(dbtest.Now.Add(time.Hour))
	r.Raw("UPDATE deliveries SET status = 'failed' WHERE id = $1", one.ID)
	counts := func(in access.Portfolio, f webhook.DeliveryFilter) string {
		got, err := r.Webhooks.DeliveryCounts(r.Context(), in, f)
		r.OK(err)
		return got.Of(webhook.Pending).Words() + " " + got.Of(webhook.Failed).Words() + " of " + got.Of().Words()
	}
	later := new(clock.At(dbtest.Now.Add(time.Second)))
	for i, c := range []struct {
		f    webhook.DeliveryFilter
		want string
	}{
		{webhook.DeliveryFilter{}, "2 1 of 3"},
		{webhook.DeliveryFilter{Status: webhook.Succeeded, Before: one.ID, Limit: 1}, "2 1 of 3"},
		{webhook.DeliveryFilter{EndpointID: s.e.ID}, "1 1 of 2"},
		{webhook.DeliveryFilter{EventID: one.EventID}, "0 1 of 1"},
		{webhook.DeliveryFilter{EventType: "payment.succeeded"}, "0 0 of 0"},
		{webhook.DeliveryFilter{EventType: "lease.signed", From: later}, "2 0 of 2"},
		{webhook.DeliveryFilter{EndpointID: s.e.ID, To: later}, "0 1 of 1"},
	} {
		got := counts(l.Live, c.f)
		r.Want(got == c.want, "%d: %s", i, got)
		r.Want(counts(l.Test, c.f) == "0 0 of 0", "%d counts what others have", i)
	}
	many := make([]webhook.Delivery, list.Most)
	for i := range many {
		at := dbtest.Now.Add(time.Duration(i) * time.Millisecond)
		many[i] = webhook.Delivery{
			ID:         id.New(id.Delivery, at),
			CreatedAt:  clock.At(at),
			EventID:    one.EventID,
			EventType:  one.EventType,
			EndpointID: beside.e.ID,
		}
	}
	r.OK(r.Webhooks.AddDeliveries(r.Context(), l.Live, many))
	got := counts(l.Live, webhook.DeliveryFilter{})
	r.Want(got == "1,000+ 1 of 1,000+", "of many: %s", got)
}

// aDeliveryThatFailedAndIsTriedAgainIsRetrying follows one delivery through all that changes
// it, and finds it by its status each time.
func aDeliveryThatFailedAndIsTriedAgainIsRetrying(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	f := &followed{sent: s, one: s.queue(dbtest.Now), version: 1}
	other := s.queue(dbtest.Now.Add(time.Second))
	f.is(webhook.Pending, dbtest.Now, nil, nil)
	w := s.claim("a", dbtest.Now, 1)
	f.is(webhook.Pending, dbtest.Now, nil, nil) // an attempt runs
	f.unsent(w)
	f.is(webhook.Pending, dbtest.Now, nil, nil) // which was none after all
	r.Raw("UPDATE deliveries SET ready = false WHERE id = $1", other.ID)
	f.fails(dbtest.Now.Add(time.Minute), webhook.Pending, 503, "status: The receiver answered 503.")
	f.is(webhook.Retrying, dbtest.Now.Add(time.Minute+took), new(503), new("status: The receiver answered 503."))
	r.OK(r.Webhooks.Due(r.Context(), s.in.ID, []string{f.one.ID}))
	w = s.claim("a", dbtest.Now.Add(2*time.Minute), 1)
	f.is(webhook.Retrying, dbtest.Now.Add(time.Minute+took), new(503), new("status: The receiver answered 503."))
	f.unsent(w)
	f.fails(dbtest.Now.Add(3*time.Minute), webhook.Failed, 500, "status: The receiver answered 500.")
	f.is(webhook.Failed, dbtest.Now.Add(3*time.Minute+took), new(500), new("status: The receiver answered 500."))
	f.redelivers(dbtest.Now.Add(time.Hour))
	f.is(webhook.Retrying, dbtest.Now.Add(time.Hour), new(500), new("status: The receiver answered 500."))
	f.succeeds(dbtest.Now.Add(time.Hour), 204)
	f.is(webhook.Succeeded, dbtest.Now.Add(time.Hour+took), new(204), nil)
	f.redelivers(dbtest.Now.Add(2 * time.Hour))
	f.is(webhook.Pending, dbtest.Now.Add(2*time.Hour), new(204), nil)
	r.OK(r.Webhooks.CancelDeliveries(r.Context(), s.in, s.e.ID, clock.At(dbtest.Now.Add(3*time.Hour))))
	f.version++
	f.is(webhook.Cancelled, dbtest.Now.Add(3*time.Hour), new(204), nil)
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
	f.Want(d.Status == status && d.Version == f.version &&
		d.UpdatedAt == clock.At(updated), "%s at version %d since %s; want %s, %d, %s",
		d.Status, d.Version, d.UpdatedAt, status, f.version, clock.At(updated))
	f.Same(d.LastStatusCode, code)
	f.Same(d.LastError, why)
	d.Attempts = nil
	for _, filter := range []webhook.DeliveryFilter{
		{Status: status},
		{Status: status, EndpointID: f.e.ID},
		{Status: status, EventID: f.one.EventID},
		{Status: status, EventType: "lease.signed"},
	} {
		filter.Ascending, filter.Limit = true, 1
		found, err := f.Webhooks.Deliveries(f.Context(), f.in, filter)
		f.OK(err)
		f.Want(dbtest.Show(found) == dbtest.Show([]webhook.Delivery{d}), "%s: %s", status, dbtest.Show(found))
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
	again, err := f.Webhooks.Redeliver(f.Context(), f.in, f.one.ID, clock.At(at))
	f.Want(again && err == nil, "%v, %v", again, err)
	f.version++
}

func eventsAreReadBehindAPositionWhileTheirBytesAreKept(r *fixture) {
	l := r.Landlord("dana")
	s := r.sends(l.Live)
	one := s.event(dbtest.Now, event.LeaseSigned)
	two := s.event(dbtest.Now.Add(time.Second), event.PaymentSucceeded)
	three := s.event(dbtest.Now.Add(2*time.Second), event.LeaseSigned)
	forgotten := s.event(dbtest.Now.Add(3*time.Second), event.LeaseSigned)
	r.Raw("UPDATE events SET body = NULL WHERE id = $1", forgotten.ID)
	for _, c := range []struct {
		position string
		kind     event.Type
		most     int
		want     []webhook.Event
	}{
		{"", "", 9, []webhook.Event{one, two, three}},
		{"", "", 2, []webhook.Event{one, two}},
		{one.ID, "", 9, []webhook.Event{two, three}},
		{"", "lease.signed", 9, []webhook.Event{one, three}},
		{one.ID, "lease.signed", 9, []webhook.Event{three}},
		{"", "endpoint.test", 9, []webhook.Event{}},
	} {
		got, err := r.Webhooks.SentEvents(r.Context(), l.Live, c.position, c.kind, c.most)
		r.OK(err)
		r.Same(got, c.want)
		none, err := r.Webhooks.SentEvents(r.Context(), l.Test, c.position, c.kind, c.most)
		r.OK(err)
		r.Same(none, []webhook.Event{})
	}
}

func oldEventsAndAttemptsForgetWhatTheyHeld(r *fixture) {
	s := r.sends(r.Landlord("dana").Live)
	for i := range 5 {
		s.queue(dbtest.Now.Add(time.Duration(i) * time.Hour))
	}
	for _, w := range s.claim("a", dbtest.Now.Add(5*time.Hour), 5) {
		c := ended(&w, webhook.Succeeded)
		c.Attempt.At = clock.At(dbtest.Now.Add(time.Duration(w.Attempt) * time.Hour))
		c.Attempt.RequestHeaders, c.Attempt.ResponseBody = map[string][]string{"A": {"b"}}, new("x")
		s.conclude("a", c)
	}
	n, err := r.Webhooks.ForgetEvents(r.Context(), clock.At(dbtest.Now.Add(3*time.Hour)), 2)
	r.Want(n == 2 && err == nil, "%d, %v", n, err)
	n, err = r.Webhooks.ForgetEvents(r.Context(), clock.At(dbtest.Now.Add(3*time.Hour)), 2)
	r.Want(n == 1 && err == nil, "%d, %v", n, err)
	r.Same(r.Text("count(*)", "events WHERE body IS NOT NULL"), "2")
	n, err = r.Webhooks.ForgetAttempts(r.Context(), clock.At(dbtest.Now.Add(time.Hour)), 100)
	r.Want(n == 0 && err == nil, "%d, %v", n, err)
	n, err = r.Webhooks.ForgetAttempts(r.Context(), clock.At(dbtest.Now.Add(2*time.Hour)), 100)
	r.Want(n == 5 && err == nil, "%d, %v", n, err)
	r.Same(
		r.Text("count(*)", "delivery_attempts WHERE request_headers IS NULL AND response_body IS NULL AND number = 1"),
		"5",
	)
}

func noDeliveryOfAnotherPortfolioIsTouched(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	s := r.sends(there.Live)
	d := s.queue(dbtest.Now)
	for _, in := range []access.Portfolio{here.Live, there.Test} {
		c, err := r.Webhooks.Claim(
			r.Context(),
			webhook.EndpointRef{Portfolio: in, Endpoint: s.e.ID},
			webhook.Claim{
				By:       "a",
				At:       clock.At(dbtest.Now),
				Until:    clock.At(dbtest.Now),
				Most:     5,
				InFlight: 10,
			},
		)
		r.Want(c == nil && err == nil, "claimed %+v, %v", c, err)
		again, err := r.Webhooks.Redeliver(r.Context(), in, d.ID, clock.At(dbtest.Now))
		r.Want(!again && err == nil, "%v, %v", again, err)
		_, err = r.Webhooks.Delivery(r.Context(), in, d.ID)
		r.Want(fault.Is(err, fault.NoRecord), "%v", err)
		r.Raw("UPDATE deliveries SET ready = false")
		r.OK(r.Webhooks.Due(r.Context(), in.ID, []string{d.ID}))
		r.Same(r.Text("count(*)", "deliveries WHERE ready"), "0")
		r.Raw("UPDATE deliveries SET ready = true")
	}
	whose, err := r.Webhooks.PortfolioWith(r.Context(), "delivery", d.ID)
	r.OK(err)
	r.Same(whose, there.Live)
	whose, err = r.Webhooks.PortfolioWith(r.Context(), "webhook endpoint", s.e.ID)
	r.OK(err)
	r.Same(whose, there.Live)
	_, err = r.Webhooks.PortfolioWith(r.Context(), "delivery", "del_none")
	r.Want(fault.Is(err, fault.NoRecord), "%v", err)
}

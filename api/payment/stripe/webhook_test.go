package stripe_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"portal/api/payment/stripe"
	"portal/api/payment/stripe/stripetest"
)

const (
	oldSecret = "whsec_old"
	newSecret = "whsec_new"
)

func TestAnEventIsReadWithEachOfTwoSecrets(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	event := s.Event("checkout.session.completed", *a.Session)
	for _, secret := range []string{oldSecret, newSecret} {
		e, err := stripe.ReadEvent(
			event,
			stripetest.Signed(event, secret, s.now),
			[]string{newSecret, oldSecret},
			s.now,
		)
		ok(t, err)
		equal(t, "the type", e.Type, "checkout.session.completed")
		equal(t, "the account", e.Account, s.account)
		equal(t, "the attempt", e.AttemptID, a.ID)
		equal(t, "the payment", e.PaymentIntent, *a.Reference)
		if !strings.HasPrefix(e.ID, "evt_") {
			t.Errorf("the id is %s", e.ID)
		}
	}
}

func TestAnEventThatIsNotSignedForNowIsNotRead(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	event := s.Event("payment_intent.succeeded", *s.paid(5000).Reference)
	header := stripetest.Signed(event, newSecret, s.now)
	tampered := []byte(strings.Replace(string(event), "5000", "9000", 1))
	for name, c := range map[string]struct {
		body    []byte
		header  string
		secrets []string
		now     time.Time
		want    error
	}{
		"another body":   {tampered, header, []string{newSecret}, s.now, stripe.ErrSignature},
		"another secret": {event, header, []string{oldSecret}, s.now, stripe.ErrSignature},
		"no secret":      {event, stripetest.Signed(event, "", s.now), []string{"", ""}, s.now, stripe.ErrSignature},
		"no secrets":     {event, header, nil, s.now, stripe.ErrSignature},
		"no header":      {event, "", []string{newSecret}, s.now, stripe.ErrSignature},
		"an old time":    {event, header, []string{newSecret}, s.now.Add(301 * time.Second), stripe.ErrTime},
		"a future time":  {event, header, []string{newSecret}, s.now.Add(-301 * time.Second), stripe.ErrTime},
		"another time": {
			event, strings.Replace(header, "t=1", "t=2", 1), []string{newSecret}, s.now, stripe.ErrSignature,
		},
		"an earlier time": {event, "t=1," + header, []string{newSecret}, s.now, nil},
		"a later time":    {event, header + ",t=1", []string{newSecret}, s.now, stripe.ErrSignature},
	} {
		if _, err := stripe.ReadEvent(c.body, c.header, c.secrets, c.now); !errors.Is(err, c.want) {
			t.Errorf("%s: the error is %v, not %v", name, err, c.want)
		}
	}
}

func TestAnEventNamesWhatItIsAbout(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	dispute := s.Dispute(*a.Reference, "fraudulent")
	x := s.autopay()
	started, err := s.Enroll(t.Context(), s.by, x, back)
	ok(t, err)
	payout := s.Payout(s.account)
	for kind, c := range map[string]struct {
		about string
		want  stripe.Event
	}{
		"payment_intent.succeeded":   {*a.Reference, stripe.Event{AttemptID: a.ID, PaymentIntent: *a.Reference}},
		"charge.dispute.created":     {dispute, stripe.Event{PaymentIntent: *a.Reference}},
		"checkout.session.completed": {*started.Session, stripe.Event{AutopayID: x.ID}},
		"payout.paid":                {payout, stripe.Event{PayoutID: payout}},
		"account.updated":            {s.account, stripe.Event{}},
		"something.new":              {s.account, stripe.Event{}},
	} {
		event := s.Event(kind, c.about)
		e, err := stripe.ReadEvent(event, stripetest.Signed(event, newSecret, s.now), []string{newSecret}, s.now)
		ok(t, err)
		c.want.ID, c.want.Type, c.want.Account = e.ID, kind, s.account
		equal(t, "the event "+kind, e, c.want)
	}
}

func TestWhatIsNoEventIsNotRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, body := range []string{"", "{", "[]", "{}", `{"object":"event"}`, `{"id":"evt_1","object":"v2.core.event"}`} {
		_, err := stripe.ReadEvent(
			[]byte(body),
			stripetest.Signed([]byte(body), newSecret, now),
			[]string{newSecret},
			now,
		)
		if err == nil || errors.Is(err, stripe.ErrSignature) {
			t.Errorf("%q: the error is %v", body, err)
		}
	}
	body := []byte(`{"id":"evt_1","object":"event","type":"x","data":{"object":{"object":"charge",` +
		`"payment_intent":{"id":"pi_1","object":"payment_intent"},"metadata":{"attempt":"../../etc"}}}}`)
	e, err := stripe.ReadEvent(body, stripetest.Signed(body, newSecret, now), []string{newSecret}, now)
	ok(t, err)
	equal(t, "the payment", e.PaymentIntent, "pi_1")
	equal(t, "the attempt", e.AttemptID, "")
}

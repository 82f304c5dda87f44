package mail_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
)

// fixture is a mail service on a store, whose queue and mail server are the test's.
type fixture struct {
	*testing.T
	*mail.Service
	db       *db.DB
	now      time.Time
	waiting  []string // ids that were enqueued
	answer   error    // of the mail server
	carried  []mail.Message
	followed []string
}

func (r *fixture) Deliver(_ context.Context, id string) error {
	r.waiting = append(r.waiting, id)
	return nil
}

// server is the mail server of a room.
type server struct{ *fixture }

func (s server) Carry(_ context.Context, m *mail.Message) (string, error) {
	s.carried = append(s.carried, *m)
	return "250 2.0.0 Ok: queued as 4F2C\r\nsee https://mail.example.com/4F2C", s.answer
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	r := &fixture{T: t, db: d, now: dbtest.Noon().Std()}
	r.Service = mail.New(mail.Config{
		Store:   mailstore.New(d),
		Box:     box,
		Queue:   r,
		Carrier: server{r},
		Now:     func() time.Time { return r.now },
		Follow: func(_ context.Context, in access.Portfolio, about string, f mail.Followed) error {
			r.followed = append(r.followed, strings.Join([]string{string(in.Mode), about, string(f.Status)}, " "))
			return nil
		},
	})
	return r
}

func onEach(t *testing.T, test func(*fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

func message() *mail.Message {
	return &mail.Message{
		Portfolio:   access.Portfolio{Mode: access.Live},
		About:       "lead_1",
		To:          "sam@example.com",
		Subject:     "Apply now",
		Text:        "Hello",
		HTML:        "<p>Hello</p>",
		Unsubscribe: "https://portal.example.com/mail/unsubscribe/abc",
	}
}

// sends sends a message and is its id.
func (r *fixture) sends(m *mail.Message) string {
	r.Helper()
	if err := r.Send(r.Context(), m); err != nil {
		r.Fatal(err)
	}
	return m.ID
}

func (r *fixture) delivers(id string) mail.Outcome {
	r.Helper()
	o, err := r.Service.Deliver(r.Context(), id)
	if err != nil {
		r.Fatal(err)
	}
	return o
}

func (r *fixture) reads(id string) *mail.StoredMail {
	r.Helper()
	l, err := r.Mail(r.Context(), id)
	if err != nil {
		r.Fatal(err)
	}
	return l
}

func TestEmailIsDeliveredUnchanged(t *testing.T) {
	onEach(t, func(r *fixture) {
		home := dbtest.NewHome(r.T, r.db, "dana")
		m := message()
		m.AccountID, m.Portfolio = home.AccountID, home.Live
		id := r.sends(m)
		if len(r.waiting) != 1 || r.waiting[0] != id || r.reads(id).Status != mail.Queued {
			r.Errorf("%v waits, %+v", r.waiting, r.reads(id).Entry)
		}
		if o := r.delivers(id); o != (mail.Outcome{Status: mail.Sent, Attempt: 1}) {
			r.Errorf("%+v", o)
		}
		m.Status = "" // it is of the sending, and no part of the mail
		if len(r.carried) != 1 || r.carried[0] != *m {
			r.Errorf("sent %+v\ncarried %+v", m, r.carried)
		}
		if l := r.reads(id); *l.Content != *m || l.Status != mail.Sent || *l.SentAt != clock.At(r.now) {
			r.Errorf("%+v", l)
		}
		if strings.Join(r.followed, ", ") != "live lead_1 sent" {
			r.Errorf("followed %v", r.followed)
		}
	})
}

func TestBackoffGrowsForADayThenEmailFails(t *testing.T) {
	onEach(t, func(r *fixture) {
		r.answer = errors.New("busy")
		id := r.sends(message())
		began, last := r.now, time.Duration(0)
		for {
			o := r.delivers(id)
			if o.Status == mail.Failed {
				break
			}
			if o.Status != mail.Queued || o.Error != "busy" || o.Again < last || len(r.followed) > 0 {
				r.Fatalf("%+v, followed %v", o, r.followed)
			}
			last = o.Again
			r.now = r.now.Add(o.Again)
		}
		if took := r.now.Sub(began); took < 23*time.Hour || took > 25*time.Hour {
			r.Errorf("gave up after %v", took)
		}
		e := r.reads(id)
		if e.Attempts != 15 || *e.LastError != "busy" || strings.Join(r.followed, ", ") != "live lead_1 failed" {
			r.Errorf("%+v, followed %v", e.Entry, r.followed)
		}
		if o := r.delivers(id); o.Status != mail.Failed || o.Again != 0 || len(r.carried) != 15 {
			r.Errorf("%+v after %d attempts", o, len(r.carried))
		}
	})
}

func TestRejectedEmailIsNotRetried(t *testing.T) {
	onEach(t, func(r *fixture) {
		r.answer = mail.Refused(errors.New("550 no such user"))
		id := r.sends(message())
		if o := r.delivers(id); o != (mail.Outcome{Status: mail.Failed, Attempt: 1, Error: "550 no such user"}) {
			r.Errorf("%+v", o)
		}
	})
}

// The record that a mail is about learns what the mail server has said, and which mail it was.
func TestFollowerLearnsTheServersAnswer(t *testing.T) {
	onEach(t, func(r *fixture) {
		var got []mail.Followed
		r.Follow = func(_ context.Context, _ access.Portfolio, _ string, f mail.Followed) error {
			got = append(got, f)
			return nil
		}
		m := message()
		m.Topic = "reminder"
		id := r.sends(m)
		r.delivers(id)
		refused := message()
		r.answer = mail.Refused(errors.New("550 no such user"))
		again := r.sends(refused)
		r.delivers(again)
		want := []mail.Followed{
			{ID: id, Topic: "reminder", To: m.To, Status: mail.Sent, Words: "250 2.0.0 Ok: queued as 4F2C see […]"},
			{ID: again, To: refused.To, Status: mail.Failed, Words: "550 no such user"},
		}
		if !slices.Equal(got, want) {
			r.Errorf("%+v", got)
		}
	})
}

func TestStatusRollsBackWhenFollowUpFails(t *testing.T) {
	onEach(t, func(r *fixture) {
		no := errors.New("no")
		r.Follow = func(context.Context, access.Portfolio, string, mail.Followed) error { return no }
		id := r.sends(message())
		if _, err := r.Service.Deliver(r.Context(), id); !errors.Is(err, no) {
			r.Error(err)
		}
		if e := r.reads(id); e.Status != mail.Queued || e.ClaimedUntil == nil {
			r.Errorf("%+v", e.Entry)
		}
	})
}

func TestEmailIsKeptInTestModeOrWithoutServer(t *testing.T) {
	onEach(t, func(r *fixture) {
		m := message()
		m.Portfolio.Mode = access.Test
		kept := r.sends(m)
		r.Carrier = nil
		other := r.sends(message())
		if len(r.waiting) != 0 || r.reads(kept).Status != mail.Kept || r.reads(other).Status != mail.Kept ||
			r.reads(kept).Content.Text != "Hello" {
			r.Errorf("%v waits, %+v", r.waiting, r.reads(kept))
		}
	})
}

func TestEmailWithoutPortfolioIsLive(t *testing.T) {
	onEach(t, func(r *fixture) {
		id := r.sends(&mail.Message{
			To:      "staff@example.com",
			Subject: "s",
			Text:    "t",
			HTML:    "h",
		})
		if e := r.reads(id); e.Mode != access.Live || e.AccountID != nil || e.PortfolioID != nil || e.About != nil {
			r.Errorf("%+v", e.Entry)
		}
		if o := r.delivers(id); o.Status != mail.Sent || len(r.followed) != 0 {
			r.Errorf("%+v, followed %v", o, r.followed)
		}
	})
}

func TestHeaderInjectionIsPrevented(t *testing.T) {
	onEach(t, func(r *fixture) {
		for _, evil := range []string{
			"a\r\nBcc: all@example.com", "a\nb", "a\rb", "a\x00b", "a\u2028b", "a\u0085b",
			"\ta\v b ",
		} {
			m := message()
			m.Subject = evil
			id := r.sends(m)
			got := r.reads(id)
			if strings.ContainsAny(got.Subject+got.Content.Subject, "\r\n\x00\u2028\u0085\t\v") ||
				strings.HasPrefix(got.Subject, " ") {
				r.Errorf("%q became %q", evil, got.Subject)
			}
			m = message()
			m.To = "sam@example.com" + evil
			r.goesNowhere(m)
			m = message()
			m.Unsubscribe += ">, <mailto:" + evil
			if err := r.Send(r.Context(), m); err == nil {
				r.Errorf("unsubscribing at %q", m.Unsubscribe)
			}
		}
		for _, to := range []string{"", "sam", "Sam <sam@example.com>", "a@b.example, c@d.example"} {
			m := message()
			m.To = to
			r.goesNowhere(m)
		}
	})
}

// goesNowhere expects that a message fails at once, undoes nothing and is followed.
func (r *fixture) goesNowhere(m *mail.Message) {
	r.Helper()
	waiting, followed := len(r.waiting), len(r.followed)
	id := r.sends(m)
	e := r.reads(id)
	if e.Status != mail.Failed || e.LastError == nil || len(r.waiting) != waiting || len(r.followed) != followed+1 {
		r.Errorf("to %q: %+v, %d wait, followed %v", m.To, e.Entry, len(r.waiting)-waiting, r.followed[followed:])
	}
}

// away is a store that cannot take down what became of a mail for some times.
type away struct {
	mail.Store
	times int
}

func (a *away) NoteMail(ctx context.Context, id string, n mail.Note) (bool, error) {
	if a.times--; a.times >= 0 {
		return false, fault.Of(fault.Unavailable)
	}
	return a.Store.NoteMail(ctx, id, n)
}

func TestStoreOutageDoesNotSendEmailTwice(t *testing.T) {
	onEach(t, func(r *fixture) {
		id := r.sends(message())
		r.Store = &away{r.Store, 2}
		if o := r.delivers(id); o.Status != mail.Sent || len(r.carried) != 1 {
			r.Errorf("%+v, carried %d times", o, len(r.carried))
		}
		r.now = r.now.Add(time.Hour)
		if o := r.delivers(id); o.Status != mail.Sent || len(r.carried) != 1 ||
			strings.Join(r.followed, ", ") != "live lead_1 sent" {
			r.Errorf("%+v, carried %d times, followed %v", o, len(r.carried), r.followed)
		}
	})
}

func TestErrorIsStoredWithoutLinksAndTokens(t *testing.T) {
	onEach(t, func(r *fixture) {
		const token = "tWFUnpgc-CZlmtT60eVgXWQvoyiSqofvqxnvtQqxZUU"
		r.answer = errors.New(
			"554 5.7.1 blocked: https://portal.example.com/apply/" + token + " and " + token + " " +
				strings.Repeat("é ", 500),
		)
		id := r.sends(message())
		o := r.delivers(id)
		kept := *r.reads(id).LastError
		if o.Error != kept || strings.Contains(kept, token[:20]) ||
			!strings.HasPrefix(kept, "554 5.7.1 blocked: […] and […] é é") || len([]rune(kept)) > 301 {
			r.Errorf("%q", kept)
		}
	})
}

func TestEmailSealedWithOtherKeyIsRetried(t *testing.T) {
	onEach(t, func(r *fixture) {
		id := r.sends(message())
		other, err := secret.NewBox([]byte(strings.Repeat("k", secret.KeySize)))
		if err != nil {
			r.Fatal(err)
		}
		right := r.Box
		r.Box = other
		if _, err := r.Mail(r.Context(), id); err == nil {
			r.Error("another key reads it")
		}
		if o := r.delivers(id); o.Status != mail.Queued || o.Again == 0 || len(r.carried) != 0 {
			r.Errorf("%+v", o)
		}
		r.Box = right
		if o := r.delivers(id); o.Status != mail.Sent {
			r.Errorf("%+v", o)
		}
	})
}

func TestErasedEmailKeepsItsMetadata(t *testing.T) {
	onEach(t, func(r *fixture) {
		id := r.sends(message())
		r.delivers(id)
		if n, err := mailstore.New(r.db).ForgetMails(r.Context(), clock.At(r.now)+1, 10); err != nil || n != 1 {
			r.Fatal(n, err)
		}
		if l := r.reads(id); l.Content != nil || l.To != "sam@example.com" || l.Subject != "Apply now" {
			r.Errorf("%+v", l)
		}
		if _, err := r.Mail(r.Context(), "mail_absent"); !fault.Is(err, fault.NoRecord) {
			r.Error(err)
		}
	})
}

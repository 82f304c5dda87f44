package webhook_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/db/webhookstore"
)

// follow begins a feed that ends with the test.
func (r *fixture) follow(by access.Actor, after string) *webhook.Feed {
	r.T.Helper()
	f, err := r.Feed(r.T.Context(), by, after)
	must(r.T, err)
	r.T.Cleanup(f.Close)
	return f
}

// news is all that a feed tells, for as long as it wakes its reader.
func (r *fixture) news(f *webhook.Feed, late bool) (ids []string) {
	r.T.Helper()
	for {
		must(r.T, f.Next(r.T.Context(), late, func(e *webhook.Event) error {
			ids = append(ids, e.ID)
			return nil
		}))
		select {
		case <-f.Woken():
		default:
			return ids
		}
	}
}

// happen stores events of one millisecond.
func (r *fixture) happen(in access.Portfolio, n int) (ids []string) {
	r.T.Helper()
	for range n {
		e := webhook.Event{
			ID:        id.New(id.Event, r.Clock()),
			CreatedAt: clock.At(r.Clock()),
			Type:      event.LeaseSigned,
			Body:      []byte("{}"),
		}
		must(r.T, webhookstore.New(r.DB).AddEvent(r.T.Context(), in, &e))
		ids = append(ids, e.ID)
	}
	slices.Sort(ids) // others may make ids meanwhile
	return ids
}

func TestFeedReturnsEachEventOnce(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		in := r.Demo.Portfolio
		r.happen(in, 120)
		f := r.follow(r.Demo, "")
		r.Forward(time.Millisecond)
		happened := r.happen(in, 250)
		if told := r.news(f, false); !slices.Equal(told, happened) || f.Position() != happened[249] {
			t.Fatalf("%d events are told of %d", len(told), len(happened))
		}
		if told := r.news(f, true); len(told) > 0 {
			t.Errorf("told again: %q", told)
		}
		r.Forward(-time.Second) // the clock of another node
		late := r.happen(in, 1)
		r.Forward(2 * time.Second)
		if told := r.news(f, false); len(told) > 0 {
			t.Errorf("told without looking back: %q", told)
		}
		if told := r.news(f, true); !slices.Equal(told, late) {
			t.Errorf("told is %q, want the late %q", told, late)
		}
		r.Forward(time.Minute) // all of it is forgotten
		next := r.happen(in, 1)
		if told := r.news(f, true); !slices.Equal(told, next) {
			t.Errorf("told is %q, want %q", told, next)
		}
	})
}

func TestFeedStartsAfterAnyPosition(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		in := r.Demo.Portfolio
		old := r.happen(in, 3)
		r.Forward(time.Hour)
		recent := r.happen(in, 150)
		if told := r.news(r.follow(r.Demo, old[1]), true); !slices.Equal(told, append(old[2:3:3], recent...)) {
			t.Errorf("behind an old one are told %d events", len(told))
		}
		if told := r.news(r.follow(r.Demo, recent[120]), true); !slices.Equal(told, recent[121:]) {
			t.Errorf("behind a recent one are told %d events", len(told))
		}
		if told := r.news(r.follow(r.Live, old[0]), true); len(told) > 0 {
			t.Errorf("another portfolio is told of %d events", len(told))
		}
	})
}

func TestFeedSkipsPurgedEvents(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		all := r.happen(r.Demo.Portfolio, 2)
		r.Exec("UPDATE events SET body = NULL WHERE id = $1", all[0])
		told := r.news(r.follow(r.Demo, id.New(id.Event, noon.Add(-time.Hour))), false)
		if !slices.Equal(told, all[1:]) {
			t.Errorf("told is %q", told)
		}
	})
}

func TestFeedWakesOnlyOnCommit(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		f, other := r.follow(r.Demo, ""), r.follow(r.Live, "")
		<-f.Woken()
		<-other.Woken()
		r.RolledBack(t.Context(), func(ctx context.Context) error {
			return r.Raise(ctx, r.Demo.Portfolio, event.LeaseSigned, &portfolio.Lease{})
		})
		select {
		case <-f.Woken():
			t.Error("woken by what was rolled back")
		default:
		}
		must(t, r.Raise(t.Context(), r.Demo.Portfolio, event.LeaseSigned, &portfolio.Lease{}))
		select {
		case <-f.Woken():
		default:
			t.Error("not woken by the commit")
		}
		select {
		case <-other.Woken():
			t.Error("woken by another portfolio")
		default:
		}
	})
}

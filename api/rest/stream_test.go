package rest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/rest"
	"portal/api/webhook"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/webhookstore"
)

// piece is what stands between two empty lines of a stream.
type piece struct{ id, event, data, comment string }

// watcher reads a stream.
type watcher struct {
	http.Header
	pieces chan piece // closed at the end of the stream
	leave  context.CancelFunc
	first  string // the position at the beginning
}

// watch opens a stream that must be admitted.
func (r *fixture) watch(key, query string, headers ...string) *watcher {
	r.t.Helper()
	return r.watchAt(r.server.URL, key, query, headers...)
}

func (r *fixture) watchAt(server, key, query string, headers ...string) *watcher {
	r.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server+rest.Base+"/events/stream"+query, nil)
	must(r.t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	must(r.t, err)
	r.t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		text, _ := io.ReadAll(res.Body)
		r.t.Fatalf("the stream is answered %s: %s", res.Status, text)
	}
	w := &watcher{Header: res.Header, pieces: make(chan piece, 10_000), leave: cancel}
	go func() {
		defer close(w.pieces)
		w.read(res.Body)
	}()
	w.first = w.next(r.t).id
	return w
}

func (w *watcher) read(body io.Reader) {
	var p piece
	for lines := bufio.NewReader(body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case line == "\n":
			w.pieces <- p
			p = piece{}
		case name == "":
			p.comment = value
		case name == "id":
			p.id = value
		case name == "event":
			p.event = value
		case name == "data":
			p.data = value
		}
	}
}

// next is the next piece that came.
func (w *watcher) next(t testing.TB) piece {
	t.Helper()
	select {
	case p, open := <-w.pieces:
		if !open {
			t.Fatal("the stream has ended")
		}
		return p
	case <-time.After(20 * time.Second):
		t.Fatal("nothing came")
	}
	return piece{}
}

// ended waits for the end of a stream, before which nothing but the reason comes.
func (w *watcher) ended(t testing.TB, why string) {
	t.Helper()
	if p := w.next(t); !strings.HasPrefix(p.comment, "ended: ") || !strings.Contains(p.comment, why) {
		t.Fatalf("before the end came %+v, want %q", p, why)
	}
	select {
	case p, open := <-w.pieces:
		if open {
			t.Fatalf("behind the end came %+v", p)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the stream stays open")
	}
}

// raise has something happen in a portfolio, a millisecond after all before it, and
// names the event.
func (r *fixture) raise(in access.Portfolio) webhook.Event {
	r.t.Helper()
	r.clock.add(time.Millisecond)
	ctx := context.Background()
	must(r.t, r.api.Webhook.Raise(ctx, in, event.MaintenanceCreated, &portfolio.Ticket{
		Title: "Tap\nthat drips",
	}))
	all := r.events(in)
	return all[len(all)-1]
}

func (r *fixture) events(in access.Portfolio) []webhook.Event {
	r.t.Helper()
	// The events of the fixture are older.
	all, err := webhookstore.New(r.db).EventsAfter(
		context.Background(),
		in,
		id.After(id.Event, noon.Add(-time.Hour)),
		10_000,
	)
	must(r.t, err)
	return all
}

// in is the portfolio that a key sees.
func (r *fixture) in(key string) access.Portfolio {
	r.t.Helper()
	c, err := r.developer.Authenticate(context.Background(), "Bearer "+key)
	must(r.t, err)
	return c.Portfolio
}

// until waits for something that the server does by itself.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); !holds(); <-time.After(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("in vain: %s", what)
		}
	}
}

func TestEventsAreStreamedInOrder(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.api.Pace(time.Hour, time.Hour, time.Minute) // only the commit wakes the stream
		key := r.someone()
		in := r.in(key)
		before := r.raise(in)
		w := r.watch(key, "")
		if w.first != before.ID || w.Get("X-Request-Id") == "" || w.Get("X-RateLimit-Limit") == "" {
			t.Errorf("the stream begins behind %s with %v", w.first, w.Header)
		}
		const many = 230
		for range many {
			r.clock.add(time.Millisecond)
			must(t, r.api.Webhook.Raise(t.Context(), in, "lease.signed", &portfolio.Lease{}))
		}
		for i, want := range r.events(in)[1:] {
			if p := w.next(t); p.id != want.ID || p.event != "lease.signed" || p.data != string(want.Body) {
				t.Fatalf("event %d is %+v, want %s", i, p, want.Body)
			}
		}
	})
}

func TestFirstStreamedEventCompletesOnboardingStep(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		dbtest.Exec(t, r.db, "UPDATE webhook_endpoints SET last_success_at = NULL")
		streamed := func(key string) bool {
			yes, err := developerstore.New(r.db).Delivered(t.Context(), r.in(key))
			must(t, err)
			return yes
		}
		w := r.watch(key, "")
		if streamed(key) {
			t.Error("a stream without an event is a step")
		}
		r.raise(r.in(key))
		w.next(t)
		until(t, "the event is noted", func() bool { return streamed(key) })
		live := r.in(key)
		live.ID++
		if yes, err := developerstore.New(r.db).Delivered(t.Context(), live); yes || err != nil {
			t.Errorf("it is a step of another portfolio, too: %v", err)
		}
	})
}

func TestStreamResumesAfterLastEventID(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		in := r.in(key)
		one, two, three := r.raise(in), r.raise(in), r.raise(in)
		for name, w := range map[string]*watcher{
			"parameter":             r.watch(key, "?after="+one.ID),
			"header":                r.watch(key, "", "Last-Event-ID", one.ID),
			"header over parameter": r.watch(key, "?after="+two.ID, "Last-Event-ID", one.ID),
		} {
			if a, b := w.next(t), w.next(t); w.first != one.ID || a.id != two.ID || b.id != three.ID {
				t.Errorf("%s: from %s come %s and %s", name, w.first, a.id, b.id)
			}
		}
	})
}

func TestStreamCutOffBeforeFirstEventResumesWithoutGap(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		w := r.watch(key, "")
		w.leave()
		missed := r.raise(r.in(key))
		if p := r.watch(key, "", "Last-Event-ID", w.first).next(t); p.id != missed.ID {
			t.Errorf("%+v came, want %s", p, missed.ID)
		}
	})
}

func TestOtherProcessesEventsAreStreamed(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		in := r.in(key)
		w := r.watch(key, "")
		other := webhook.New(webhookstore.New(r.db), nil, r.clock.now, false)
		must(t, other.Raise(t.Context(), in, "lease.signed", &portfolio.Lease{}))
		first := r.events(in)[0]
		if p := w.next(t); p.id != first.ID {
			t.Fatalf("%+v came, want %s", p, first.ID)
		}
		late := webhook.Event{
			ID:        id.New(id.Event, noon.Add(-2*time.Second)),
			CreatedAt: clock.At(noon),
			Type:      "lease.signed",
			Body:      []byte(`{"late":true}`),
		}
		must(t, webhookstore.New(r.db).AddEvent(t.Context(), in, &late))
		if p := w.next(t); p.id != late.ID || p.data != `{"late":true}` {
			t.Errorf("%+v came, want the one with the lower id that committed later", p)
		}
		if last := r.raise(in); w.next(t).id != last.ID {
			t.Error("something came twice")
		}
	})
}

func TestStreamSendsKeepAlives(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.api.Pace(time.Hour, time.Millisecond, time.Minute)
		w := r.watch(r.someone(), "")
		for range 3 {
			if p := w.next(t); p != (piece{comment: "still here"}) {
				t.Fatalf("%+v came", p)
			}
		}
	})
}

func TestStreamChecksRunInDocumentedOrder(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		live := *r.key("ada@example.com", access.Live).Plaintext
		for _, c := range []struct {
			query, key, header string
			status             int
			code, param        string
		}{
			{"?x=1", "", "", 401, "missing_api_key", ""},
			{"?x=1", live, "", 403, "test_key_required", ""},
			{"?afer=" + id.New(id.Event, noon), key, "", 400, "unknown_parameter", "afer"},
			{"?after=evt_1", key, "", 400, "invalid_cursor", "after"},
			{"?after=" + id.New(id.Lease, noon), key, "", 400, "invalid_cursor", "after"},
			{"", key, "yesterday", 400, "invalid_cursor", "Last-Event-ID"},
		} {
			var headers []string
			if c.header != "" {
				headers = []string{"Last-Event-ID", c.header}
			}
			f := r.do(http.MethodGet, "/events/stream"+c.query, c.key, headers...).expect(t, c.status, c.code)
			if got := f.Error.Param; c.param == "" && got != nil || c.param != "" && (got == nil || *got != c.param) {
				t.Errorf("%s: the param is %v, want %q", c.query, got, c.param)
			}
		}
		wrong := r.do(http.MethodPost, "/events/stream", key)
		wrong.expect(t, 405, "method_not_allowed")
		if allow := wrong.header.Get("Allow"); allow != "GET, HEAD" {
			t.Errorf("Allow is %q", allow)
		}
		a := r.do(http.MethodHead, "/events/stream", key)
		if a.status != 200 || a.header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("HEAD is answered %d with %v", a.status, a.header)
		}
	})
}

func TestLostAPIKeyAccessEndsStream(t *testing.T) {
	for name, c := range map[string]struct {
		do  func(t *testing.T, r *fixture, keyID string)
		why string
	}{
		"revoked": {
			func(t *testing.T, r *fixture, keyID string) { must(t, r.developer.RevokeKey(t.Context(), keyID)) },
			"revoked",
		},
		"expired": {func(_ *testing.T, r *fixture, _ string) { r.clock.add(2 * time.Hour) }, "expired"},
		"another plan": {func(t *testing.T, r *fixture, _ string) {
			must(t, r.developer.SetPlan(t.Context(), "ada@example.com", developer.Plan{Tier: developer.Pro}))
		}, "changed"},
		"no access": {func(t *testing.T, r *fixture, _ string) {
			_, err := r.developer.Reviews.RevokeAccess(t.Context(), "ada@example.com", nil)
			must(t, err)
		}, "revoked"},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, r *fixture) {
				r.landlord("ada@example.com", unlimited())
				k, err := r.developer.CreateKey(t.Context(), "ada@example.com", developer.KeyCreate{
					Name:      "Listener",
					Mode:      access.Test,
					ExpiresAt: new(clock.At(noon.Add(time.Hour))),
				})
				must(t, err)
				w := r.watch(*k.Plaintext, "")
				began := time.Now()
				c.do(t, r, k.ID)
				w.ended(t, c.why)
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("the stream ended after %s", took)
				}
				until(t, "the stream is let go of", func() bool { return r.api.Streams() == 0 })
			})
		})
	}
}

func TestRolledBackEventIsNeverStreamed(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		in := r.in(key)
		w := r.watch(key, "")
		back := errors.New("back")
		err := r.db.Atomically(t.Context(), func(ctx context.Context) error {
			must(t, r.api.Webhook.Raise(ctx, in, "lease.signed", &portfolio.Lease{}))
			return back
		})
		if err != back {
			t.Fatal(err)
		}
		if happened := r.raise(in); w.next(t).id != happened.ID {
			t.Error("what did not happen was told")
		}
	})
}

func TestOtherPortfoliosEventsAreNeverStreamed(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		live := *r.key("ada@example.com", access.Live).Plaintext
		r.landlord("bob@example.com", unlimited())
		foreign := *r.key("bob@example.com", access.Test).Plaintext
		w := r.watch(key, "")
		r.raise(r.in(live))
		r.raise(r.in(foreign))
		if own := r.raise(r.in(key)); w.next(t).id != own.ID {
			t.Error("an event of another portfolio came")
		}
	})
}

func TestStalledStreamReaderIsDropped(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.api.Pace(10*time.Millisecond, time.Hour, 200*time.Millisecond)
		key := r.someone()
		in := r.in(key)
		conn, err := net.Dial("tcp", r.server.Listener.Addr().String())
		must(t, err)
		defer conn.Close()
		fmt.Fprintf(conn,
			"GET %s/events/stream?after=%s HTTP/1.1\r\nHost: portal\r\nAuthorization: Bearer %s\r\n\r\n",
			rest.Base, id.New(id.Event, noon), key)
		until(t, "the stream is open", func() bool { return r.api.Streams() == 1 })
		big := []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
		for range 40 { // more than the buffers of a connection hold
			must(t, webhookstore.New(r.db).AddEvent(t.Context(), in, &webhook.Event{
				ID:        id.New(id.Event, noon.Add(time.Second)),
				CreatedAt: clock.At(noon),
				Type:      "lease.signed",
				Body:      big,
			}))
		}
		until(t, "the reader is dropped", func() bool { return r.api.Streams() == 0 })
		if said := r.complaints(); len(said) > 0 {
			t.Errorf("the log complains: %+v", said)
		}
	})
}

func TestAPIKeyStreamsAreLimited(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		var open []*watcher
		for range 5 {
			open = append(open, r.watch(key, ""))
		}
		refused := r.get("/events/stream", key)
		refused.expect(t, 429, "rate_limited")
		if wait, err := strconv.Atoi(refused.header.Get("Retry-After")); err != nil || wait < 1 {
			t.Errorf("Retry-After is %d: %v", wait, err)
		}
		r.watch(*r.key("ada@example.com", access.Test).Plaintext, "") // another key has its own
		open[2].leave()
		until(t, "the place is free", func() bool { return r.api.Streams() == 5 })
		r.watch(key, "")
	})
}

func TestServerShutdownEndsAllStreamsImmediately(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.api.Pace(time.Hour, time.Hour, time.Minute)
		key := r.someone()
		one, two := r.watch(key, ""), r.watch(key, "")
		r.api.Stop()
		one.ended(t, "is stopping")
		two.ended(t, "is stopping")
		r.api.Stop() // again changes nothing
	})
}

func TestStreamIsLoggedAsOneRequestWhenItEnds(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		w := r.watch(key, "")
		event := r.raise(r.in(key))
		w.next(t)
		if len(r.lines()) != 0 || r.answers.Load() != 0 {
			t.Error("it is recorded before its end")
		}
		w.leave()
		l := r.logged(t, 1)[0]
		bytes, err := strconv.Atoi(l.bytes)
		must(t, err)
		if l.id != w.Get("X-Request-Id") || l.operation != "stream_events" || l.status != "200" ||
			l.code != "-" || bytes < len(event.Body) {
			t.Errorf("recorded is %+v", l)
		}
		var me struct {
			RateLimit struct{ Remaining int } `json:"rate_limit"`
		}
		a := r.get("/me", key)
		a.ok(t, &me)
		if left := a.header.Get("X-RateLimit-Remaining"); left != "999998" {
			t.Errorf("%s requests are left", left)
		}
	})
}

func TestServerTimeoutsDoNotEndStream(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		short := 50 * time.Millisecond
		server := httptest.NewUnstartedServer(r.server.Config.Handler)
		server.Config.ReadTimeout, server.Config.WriteTimeout = short, short
		server.Start()
		defer server.Close()
		r.api.Pace(time.Hour, 2*short, time.Minute)
		key := r.someone()
		w := r.watchAt(server.URL, key, "")
		defer w.leave()
		for range 4 {
			w.next(t)
		}
		event, came := r.raise(r.in(key)), false
		for range 200 { // between signs of life
			if came = came || w.next(t).id == event.ID; came {
				break
			}
		}
		if !came {
			t.Error("the event did not come")
		}
	})
}

package dispatch_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/webhook"
	"portal/api/webhook/dispatch"
	"portal/api/webhook/send"
	"portal/api/webhook/signature"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/webhookstore"
	"portal/jobs"
)

// post is a system that sends: the service over a real database, with a clock that runs
// and can be put forward, its dispatcher, and the queue that retries go to.
type post struct {
	*fixture
	*dispatch.Dispatcher
	store   dispatch.Store // of the dispatcher
	queue   *jobs.Queue
	end     func() // begins a stop
	stop    func()
	forward atomic.Int64
}

func (p *post) clock() time.Time { return time.Now().Add(time.Duration(p.forward.Load())) }

// later puts the clock forward, as far as the jobs of that time have run.
func (p *post) later(by time.Duration) {
	p.T.Helper()
	p.forward.Add(int64(by))
	must(p.T, p.Due(p.T.Context(), p.retries()))
}

// retries are the deliveries of all jobs whose time has come.
func (p *post) retries() webhook.Due {
	p.T.Helper()
	due, args := webhook.Due{}, "json(args)"
	if p.DB.Postgres() != nil {
		args = "CAST(args AS TEXT)"
	}
	for _, text := range p.Texts(args + " FROM river_job WHERE kind = 'webhook_retry'") {
		var args struct{ Deliveries webhook.Due }
		must(p.T, json.Unmarshal([]byte(text), &args))
		for in, all := range args.Deliveries {
			due[in] = append(due[in], all...)
		}
	}
	return due
}

// sending starts one over a database.
func sending(t testing.TB, d *db.DB) *post {
	p := idle(t, d)
	p.start()
	return p
}

func init() { dbtest.Besides("river", jobs.Migrate) }

// idle is one that has not begun to send.
func idle(t testing.TB, d *db.DB) *post {
	t.Helper()
	p := &post{fixture: over(t, d)}
	p.Service, p.store = webhook.New(webhookstore.New(d), p.Box, p.clock, true), webhookstore.New(d)
	var err error
	p.queue, err = jobs.NewQueue(d)
	must(t, err)
	return p
}

// pending are the deliveries that are not at their end.
func (p *post) pending() int { return p.Count("deliveries WHERE status = 'pending'") }

// start runs a dispatcher, as a process does, until stop.
func (p *post) start() {
	sender := send.NewSender(true, "test")
	shards := 1
	if p.DB.Postgres() != nil {
		shards = 4
	}
	p.Dispatcher = dispatch.New(p.Service, p.store, p.clock, dispatch.Config{
		Sender:  sender,
		Retries: p.queue,
		Shards:  shards,
		Log:     slog.New(slog.NewTextHandler(p.T.Output(), nil)),
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(p.T.Context()))
	done := make(chan struct{})
	d := p.Dispatcher
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	p.end = cancel
	p.stop = sync.OnceFunc(func() { cancel(); <-done })
	p.T.Cleanup(p.stop)
}

// over each database.
func sendingOverBoth(t *testing.T, promise func(t *testing.T, p *post)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { promise(t, sending(t, d)) })
}

// got is what a receiver was sent.
type got struct {
	http.Header
	body []byte
	at   time.Time
}

// receiver is a receiver that remembers what it was sent and answers as it is told.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	all    []got
	came   chan struct{} // one for each
	answer func(n int, w http.ResponseWriter)
}

func newReceiver(t testing.TB, answer func(n int, w http.ResponseWriter)) *receiver {
	s := &receiver{came: make(chan struct{}, 100_000), answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := s.receive(r)
		if s.answer != nil {
			s.answer(n, w)
		}
		s.came <- struct{}{}
	}))
	t.Cleanup(s.Close)
	return s
}

// receive remembers a request and counts it.
func (s *receiver) receive(r *http.Request) int {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, got{r.Header, body, time.Now()})
	return len(s.all)
}

// wait waits for so many deliveries.
func (s *receiver) wait(t testing.TB, n int) []got {
	t.Helper()
	deadline := time.After(60 * time.Second)
	for range n {
		select {
		case <-s.came:
		case <-deadline:
			t.Fatalf("only %d of %d deliveries came", len(s.all), n)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]got{}, s.all...)
}

// until waits until a condition on the stored rows holds.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: %s", what)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func TestEventIsSignedSentAndRecorded(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		s := newReceiver(t, func(_ int, w http.ResponseWriter) {
			w.Header().Set("X-Seen", "yes")
			_, _ = io.WriteString(w, "thanks")
		})
		e := p.Create(p.Live, s.URL+"/hooks")
		tested, err := p.Test(t.Context(), p.Live, e.ID)
		must(t, err)
		one := s.wait(t, 1)[0]
		var body struct {
			ID, Object, Type, Mode string
			Data                   struct{ Object map[string]any }
		}
		must(t, json.Unmarshal(one.body, &body))
		if body.Object != "event" || body.Type != "endpoint.test" || body.Mode != "live" ||
			body.Data.Object["id"] != e.ID || body.Data.Object["secret"] != nil {
			t.Errorf("the body is %s", one.body)
		}
		if one.Get("Webhook-Id") != body.ID || !strings.HasPrefix(one.Get("X-Service-Signature"), "t=") {
			t.Errorf("the headers are %v", one.Header)
		}
		want := http.Header{}
		signature.Sign(want, body.ID, stamp(t, one), one.body, signature.Secrets{Present: *e.Secret})
		for name := range want {
			if one.Get(name) != want.Get(name) {
				t.Errorf("%s is %s, want %s", name, one.Get(name), want.Get(name))
			}
		}
		var d *webhook.Delivery
		until(t, "the attempt is noted", func() bool {
			d, err = p.Delivery(t.Context(), p.Live, tested.After.ID)
			must(t, err)
			return d.Status == webhook.Succeeded
		})
		a := d.Attempts[0]
		if len(d.Attempts) != 1 || a.Number != 1 || *a.StatusCode != 200 || a.Error != nil ||
			*a.ResponseBody != "thanks" || a.ResponseHeaders["X-Seen"][0] != "yes" || a.Trigger != webhook.BySchedule {
			t.Errorf("noted: %+v", d)
		}
		stored := p.Stored(p.Live, e.ID)
		if stored.LastDeliveryAt == nil || stored.LastSuccessAt == nil || stored.Version != 1 {
			t.Errorf("the endpoint is %+v", stored)
		}
	})
}

func stamp(t testing.TB, g got) time.Time {
	t.Helper()
	n, err := json.Number(g.Get("Webhook-Timestamp")).Int64()
	must(t, err)
	return time.Unix(n, 0)
}

package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio/records"
	"portal/api/portfolio/upload"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// noon is when the tests take place, for all but River.
var noon = time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC)

func atNoon() time.Time { return noon }

// eachDatabase runs a test on a store of each kind with River's tables.
func eachDatabase(t *testing.T, test func(*testing.T, *db.DB)) {
	withRiver.Both(t, test)
}

// withRiver are databases with River's tables.
var withRiver = dbtest.Seed{Make: func(t testing.TB, d *db.DB) {
	if err := Migrate(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}}

func TestMain(m *testing.M) { os.Exit(withRiver.Main(m)) }

// lines keeps what is logged.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// started starts jobs, with one more beside the usual ones, and stops them when
// the test ends.
func started(t *testing.T, d *db.DB, log *lines, more func(*river.Config)) *Jobs {
	t.Helper()
	config := configure(d, Services{
		Portfolio: records.New(portfoliostore.New(d), atNoon),
		Mail:      mail.New(mail.Config{}),
		Webhook:   webhook.New(webhookstore.New(d), nil, atNoon, false),
		Uploads:   &upload.Service{Store: portfoliostore.New(d)},
	}, atNoon, slog.New(slog.NewTextHandler(log, nil)))
	if more != nil {
		more(config)
	}
	j, err := newJobs(d, config)
	if err != nil {
		t.Fatal(err)
	}
	if j.Running() {
		t.Error("jobs run before their start")
	}
	if err := j.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stop(t, j, 5*time.Second) }) // the test has stopped them, or has failed
	return j
}

func stop(t *testing.T, j *Jobs, within time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), within)
	defer cancel()
	return j.Stop(ctx)
}

// logged are so many requests, one every millisecond from a moment on.
func logged(t *testing.T, d *db.DB, from time.Time, n int) {
	t.Helper()
	batch := make([]developer.Request, n)
	for i := range batch {
		at := from.Add(time.Duration(i) * time.Millisecond)
		batch[i] = developer.Request{ID: id.New(id.Request, at), At: clock.At(at), Method: "GET"}
	}
	if err := developerstore.New(d).AddRequests(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
}

// portions are how much was forgotten at a time.
type portions struct{ sizes, calls []int64 }

// of is what is kept for some time, where portions of the log and of the tool calls are noted.
func (p *portions) of(d *db.DB) []retention {
	all := forgettable(d)
	for i, a := range all {
		note := map[string]*[]int64{"requests": &p.sizes, "tool calls": &p.calls}[a.what]
		if note == nil {
			continue
		}
		all[i].forget = func(ctx context.Context, before clock.Time, most int) (int64, error) {
			n, err := a.forget(ctx, before, most)
			*note = append(*note, n)
			return n, err
		}
	}
	return all
}

func TestLogLinesOlderThan90DaysArePurgedInBatches(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		limit := noon.AddDate(0, 0, -90)
		logged(t, d, limit.Add(-4500*time.Millisecond), 4600) // a hundred of them from the limit on
		p := &portions{}
		w := &forgetWorker{all: p.of(d), now: atNoon}
		if err := w.Work(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.sizes); got != "[2000 2000 500]" {
			t.Errorf("portions of %s", got)
		}
		left, err := developerstore.New(d).ForgetRequests(t.Context(), clock.At(noon), 1000)
		if err != nil || left != 100 {
			t.Errorf("%d lines were left, %v", left, err)
		}
	})
}

func TestAssistantCallsArePurgedAfter90Days(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		limit := noon.AddDate(0, 0, -90)
		var calls []developer.ToolCall
		for i := range 2300 { // a hundred of them from the limit on
			at := limit.Add(time.Duration(i-2200) * time.Millisecond)
			calls = append(calls, developer.ToolCall{
				ID:          id.New(id.Call, at),
				At:          clock.At(at),
				PortfolioID: int64(i % 3),
			})
		}
		clients := []developer.Client{
			{UserAgent: "gone", LastSeenAt: clock.At(limit) - 1},
			{UserAgent: "stays", LastSeenAt: clock.At(limit)},
		}
		if err := errors.Join(
			developerstore.New(d).AddToolCalls(t.Context(), calls),
			developerstore.New(d).SeeClients(t.Context(), clients),
		); err != nil {
			t.Fatal(err)
		}
		p := &portions{}
		if err := (&forgetWorker{all: p.of(d), now: atNoon}).Work(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.calls); got != "[2000 200]" {
			t.Errorf("portions of %s", got)
		}
		left, err := developerstore.New(d).ForgetToolCalls(t.Context(), clock.At(noon), 1000)
		clients, failed := developerstore.New(d).Clients(t.Context(), access.Portfolio{}, "", 10)
		if err != nil || failed != nil || left != 100 || len(clients) != 1 || clients[0].UserAgent != "stays" {
			t.Errorf("%d calls were left, %v; %+v, %v", left, err, clients, failed)
		}
	})
}

func TestPurgeStopsOnContextCancel(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := (&forgetWorker{all: forgettable(d), now: atNoon}).Work(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestStartedJobsPurgeOldLogLines(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		logged(t, d, noon.AddDate(-1, 0, 0), 3)
		logged(t, d, noon, 1)
		log := &lines{}
		forgotten := make(chan struct{})
		j := started(t, d, log, func(c *river.Config) {
			w := &portions{}
			c.Workers = river.NewWorkers()
			river.AddWorker(c.Workers, &rolloverWorker{
				store:     portfoliostore.New(d),
				portfolio: records.New(portfoliostore.New(d), atNoon).Calendar,
			})
			river.AddWorker(c.Workers, &telling{forgetWorker{all: w.of(d), now: atNoon}, forgotten})
		})
		<-forgotten
		if err := stop(t, j, 5*time.Second); err != nil {
			t.Error(err)
		}
		left, err := developerstore.New(d).ForgetRequests(t.Context(), clock.At(noon)+1, 10)
		if err != nil || left != 1 {
			t.Errorf("%d lines were left, %v", left, err)
		}
	})
}

// telling is a worker that says when it is done.
type telling struct {
	forgetWorker
	done chan struct{}
}

func (w *telling) Work(ctx context.Context, job *river.Job[forgetArgs]) error {
	defer close(w.done)
	return w.forgetWorker.Work(ctx, job)
}

func TestIdleJobsRunQuietlyUntilStopped(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		log := &lines{}
		j := started(t, d, log, nil)
		<-time.After(time.Second) // in which River looks for work some times
		if !j.Running() {
			t.Error("the jobs do not run")
		}
		if err := stop(t, j, 5*time.Second); err != nil {
			t.Error(err)
		}
		if j.Running() {
			t.Error("stopped jobs run")
		}
		if err := stop(t, j, time.Second); err != nil {
			t.Errorf("stopped again: %v", err)
		}
		if log.String() != "" {
			t.Error(log.String())
		}
	})
}

// soon is well below the time that a job may run, and above what a stop may take
// on a machine that is busy.
const soon = jobTimeout / 2

// blockArgs is a job that does not end by itself.
type blockArgs struct{}

func (blockArgs) Kind() string { return "block" }

type blockWorker struct {
	river.WorkerDefaults[blockArgs]
	began chan struct{}
	stays <-chan struct{} // until when it does not listen to its context, nil where it does
	ended chan error
}

func (w *blockWorker) Work(ctx context.Context, _ *river.Job[blockArgs]) error {
	close(w.began)
	if w.stays != nil {
		<-w.stays
	} else {
		<-ctx.Done()
	}
	w.ended <- ctx.Err()
	return river.JobCancel(errors.New("interrupted"))
}

func blocking(w *blockWorker) func(*river.Config) {
	return func(c *river.Config) {
		river.AddWorker(c.Workers, w)
		c.PeriodicJobs = append(c.PeriodicJobs, every(time.Hour, blockArgs{}))
	}
}

func TestStopCancelsHungJob(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		w := &blockWorker{began: make(chan struct{}), ended: make(chan error, 1)}
		j := started(t, d, &lines{}, blocking(w))
		<-w.began
		began := time.Now()
		err := stop(t, j, 200*time.Millisecond)
		if took := time.Since(began); took > soon {
			t.Errorf("the stop took %v, and says %v", took, err)
		}
		if err := <-w.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the job's context: %v", err)
		}
		<-j.client.Stopped()
	})
}

func TestStopDoesNotWaitForJobIgnoringCancellation(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		stays := make(chan struct{})
		w := &blockWorker{began: make(chan struct{}), stays: stays, ended: make(chan error, 1)}
		j := started(t, d, &lines{}, blocking(w))
		defer close(stays)
		<-w.began
		began := time.Now()
		if err := stop(t, j, 200*time.Millisecond); err == nil {
			t.Error("a job that runs was told as stopped")
		}
		if took := time.Since(began); took > soon {
			t.Errorf("the stop took %v", took)
		}
	})
}

// An import holds the one writing connection of SQLite for seconds, and River
// works on it too.
func TestStopDoesNotWaitForLongTransaction(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		j := started(t, d, &lines{}, nil)
		held, letGo := make(chan struct{}), make(chan struct{})
		var writer sync.WaitGroup
		writer.Go(func() {
			err := d.Atomically(t.Context(), func(ctx context.Context) error {
				close(held)
				<-letGo
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-held
		began := time.Now()
		_ = stop(t, j, 200*time.Millisecond) // well or ill, but soon
		if took := time.Since(began); took > soon {
			t.Errorf("the stop took %v", took)
		}
		close(letGo)
		writer.Wait()
	})
}

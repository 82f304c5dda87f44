package dispatch_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"portal/api/clock"
	"portal/api/webhook"
	"portal/api/webhook/send"
	"portal/api/webhook/signature"
	"portal/db/webhookstore"
)

// oneArgs is a job for one delivery, as a sender without a dispatcher has it.
type oneArgs struct{ Event, Endpoint, Delivery string }

func (oneArgs) Kind() string { return "deliver" }

type oneWorker struct {
	river.WorkerDefaults[oneArgs]
	p      *post
	sender *send.Sender
}

// Work reads what is to be sent and where, makes the attempt and notes how it ended.
func (w *oneWorker) Work(ctx context.Context, job *river.Job[oneArgs]) error {
	in, now := w.p.Live.Portfolio, w.p.clock()
	event, err := webhookstore.New(w.p.DB).Event(ctx, in, job.Args.Event)
	if err != nil {
		return err
	}
	e, err := webhookstore.New(w.p.DB).Endpoint(ctx, in, job.Args.Endpoint)
	if err != nil {
		return err
	}
	h := webhook.Headers(event.Type, job.Args.Delivery)
	signature.Sign(h, event.ID, now, event.Body, signature.Secrets{Present: "whsec_AAAA"})
	a := w.sender.Send(ctx, send.Post{URL: e.URL, Header: h, Body: event.Body}, nil)
	if !a.Acknowledged() {
		return errors.New(a.Error)
	}
	_, err = webhookstore.New(w.p.DB).Conclude(ctx, webhook.EndpointRef{
		Portfolio: in,
		Endpoint:  e.ID,
	}, "river", []webhook.Conclusion{{
		Work: &webhook.Work{ID: job.Args.Delivery, Attempt: 1}, Status: webhook.Succeeded, Attempt: webhook.Attempt{
			Number:          1,
			At:              clock.At(now),
			StatusCode:      &a.StatusCode,
			RequestHeaders:  h,
			ResponseHeaders: a.Header,
			Trigger:         webhook.BySchedule,
		},
	}})
	return err
}

// river queues a job for each delivery and has as many workers as the dispatcher has
// slots for twenty endpoints.
func (p *post) river() {
	workers := river.NewWorkers()
	river.AddWorker(workers, &oneWorker{p: p, sender: send.NewSender(true, "test")})
	config := &river.Config{
		Queues: map[string]river.QueueConfig{
			river.QueueDefault: {
				MaxWorkers:        200,
				FetchCooldown:     time.Millisecond,
				FetchPollInterval: 10 * time.Millisecond,
			},
		},
		Workers: workers, Logger: slog.New(slog.DiscardHandler),
	}
	var jobs []river.InsertManyParams
	p.Exec("UPDATE deliveries SET ready = false, claimed_by = 'river', claimed_at = 1, claimed_until = 1, attempts = 1")
	for _, row := range p.Texts("event_id || ' ' || endpoint_id || ' ' || id FROM deliveries") {
		ids := strings.Fields(row)
		jobs = append(jobs, river.InsertManyParams{Args: oneArgs{ids[0], ids[1], ids[2]}})
	}
	if pool := p.DB.Postgres(); pool != nil {
		c, err := river.NewClient[pgx.Tx](riverpgxv5.New(pool), config)
		must(p.T, err)
		run(p, c, jobs)
		return
	}
	c, err := river.NewClient[*sql.Tx](riversqlite.New(p.DB.SQLite()), config)
	must(p.T, err)
	run(p, c, jobs)
}

func run[T any](p *post, c *river.Client[T], jobs []river.InsertManyParams) {
	ctx := context.WithoutCancel(p.T.Context())
	_, err := c.InsertMany(ctx, jobs)
	must(p.T, err)
	must(p.T, c.Start(ctx))
	p.stop = func() { must(p.T, c.StopAndCancel(ctx)) }
}

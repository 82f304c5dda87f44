package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"portal/api/webhook"
)

// takeOverEvery is how often what crashed processes left is looked for: often, so that a delivery waits little longer
// than is needed to know that its process is gone.
const takeOverEvery = 10 * time.Second

// retryArgs is the job that lets deliveries be tried again whose time has come. Those that
// fall due close to each other share one.
type retryArgs struct {
	Deliveries webhook.Due `json:"deliveries"`
}

// Kind names the job.
func (retryArgs) Kind() string { return "webhook_retry" }

// InsertOpts: the job is a single statement, so that it fails only with the database.
func (retryArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 20} }

// Retry has deliveries tried again at a time, if the transaction of the context commits.
func (q *Queue) Retry(ctx context.Context, at time.Time, due webhook.Due) error {
	return q.insertAt(ctx, retryArgs{due}, &river.InsertOpts{ScheduledAt: at})
}

// takeOverArgs is the job that takes up the deliveries of a process that is gone.
type takeOverArgs struct{}

// Kind names the job.
func (takeOverArgs) Kind() string { return "webhook_take_over" }

// InsertOpts keeps a second one away while one waits. The next one comes soon.
func (takeOverArgs) InsertOpts() river.InsertOpts { return once(takeOverEvery, 1) }

// missedArgs is the job that queues a part of the events that an endpoint has missed, and
// along with it the job of the next part.
type missedArgs struct {
	Rest webhook.MissedRest `json:"rest"`
}

// Kind names the job.
func (missedArgs) Kind() string { return "webhook_missed" }

// InsertOpts: a part is one transaction, and doing it again queues nothing twice.
func (missedArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 20} }

// QueueMissed has the rest of what an endpoint has missed queued, if the transaction of the
// context commits.
func (q *Queue) QueueMissed(ctx context.Context, rest webhook.MissedRest) error {
	return q.insert(ctx, missedArgs{rest})
}

// failingEvery is how often failing endpoints are looked for, and so how late their owners
// may be told.
const failingEvery = 10 * time.Minute

// failingArgs is the job that tells owners of endpoints of which nothing but failures has
// come for a day.
type failingArgs struct{}

// Kind names the job.
func (failingArgs) Kind() string { return "webhook_failing" }

// InsertOpts keeps a second one away while one waits. The next one comes soon.
func (failingArgs) InsertOpts() river.InsertOpts { return once(failingEvery, 1) }

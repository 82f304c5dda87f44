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
func (retryArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 20}
}

// Retry has deliveries tried again at a time, if the transaction of the context commits.
func (q *Queue) Retry(ctx context.Context, at time.Time, due webhook.Due) error {
	return q.insertAt(ctx, retryArgs{due}, &river.InsertOpts{ScheduledAt: at})
}

type retryWorker struct {
	river.WorkerDefaults[retryArgs]
	webhook interface {
		Due(ctx context.Context, due webhook.Due) error
	}
}

func (w *retryWorker) Work(ctx context.Context, job *river.Job[retryArgs]) error {
	return w.webhook.Due(ctx, job.Args.Deliveries)
}

// takeOverArgs is the job that takes up the deliveries of a process that is gone.
type takeOverArgs struct{}

// Kind names the job.
func (takeOverArgs) Kind() string { return "webhook_take_over" }

// InsertOpts keeps a second one away while one waits. The next one comes soon.
func (takeOverArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{
		MaxAttempts: 1,
		UniqueOpts:  river.UniqueOpts{ByArgs: true, ByPeriod: takeOverEvery},
	}
}

type takeOverWorker struct {
	river.WorkerDefaults[takeOverArgs]
	webhook interface {
		TakeOver(ctx context.Context) error
	}
}

func (w *takeOverWorker) Work(ctx context.Context, _ *river.Job[takeOverArgs]) error {
	return w.webhook.TakeOver(ctx)
}

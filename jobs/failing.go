package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

// failingEvery is how often failing endpoints are looked for, and so how late their owners
// may be told.
const failingEvery = 10 * time.Minute

// failingArgs is the job that tells owners of endpoints of which nothing but failures has
// come for a day.
type failingArgs struct{}

// Kind names the job.
func (failingArgs) Kind() string { return "webhook_failing" }

// InsertOpts keeps a second one away while one waits. The next one comes soon.
func (failingArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: failingEvery}}
}

type failingWorker struct {
	river.WorkerDefaults[failingArgs]
	webhook interface {
		TellOfFailing(ctx context.Context) error
	}
}

func (w *failingWorker) Work(ctx context.Context, _ *river.Job[failingArgs]) error {
	return w.webhook.TellOfFailing(ctx)
}

package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"portal/api/webhook"
)

// missedArgs is the job that queues a part of the events that an endpoint has missed, and
// along with it the job of the next part.
type missedArgs struct {
	Rest webhook.MissedRest `json:"rest"`
}

// Kind names the job.
func (missedArgs) Kind() string { return "webhook_missed" }

// InsertOpts: a part is one transaction, and doing it again queues nothing twice.
func (missedArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 20}
}

// QueueMissed has the rest of what an endpoint has missed queued, if the transaction of the
// context commits.
func (q *Queue) QueueMissed(ctx context.Context, rest webhook.MissedRest) error {
	return q.insert(ctx, missedArgs{rest})
}

type missedWorker struct {
	river.WorkerDefaults[missedArgs]
	webhook interface {
		QueueMissed(ctx context.Context, rest webhook.MissedRest) error
	}
}

func (w *missedWorker) Work(ctx context.Context, job *river.Job[missedArgs]) error {
	return w.webhook.QueueMissed(ctx, job.Args.Rest)
}

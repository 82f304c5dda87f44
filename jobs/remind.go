package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"portal/api/clock"
)

// remindEvery is how often signers are looked for who are to be reminded.
const remindEvery = time.Hour

// remindArgs is the job that reminds those who have yet to sign a lease.
type remindArgs struct{}

// Kind names the job.
func (remindArgs) Kind() string { return "signing_reminders" }

// InsertOpts keeps a second one away while one waits. The next one comes soon.
func (remindArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: remindEvery}}
}

type remindWorker struct {
	river.WorkerDefaults[remindArgs]
	signings interface {
		Remind(ctx context.Context, now time.Time) error
	}
	now clock.Clock
}

func (w *remindWorker) Work(ctx context.Context, _ *river.Job[remindArgs]) error {
	return w.signings.Remind(ctx, w.now())
}

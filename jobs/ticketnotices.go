package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"portal/api/clock"
)

// ticketNoticesEvery is how often emails about tickets are looked for that are due.
const ticketNoticesEvery = time.Minute

// ticketNoticesArgs is the job that emails tenants and landlords what has happened to tickets since the latest email.
type ticketNoticesArgs struct{}

// Kind names the job.
func (ticketNoticesArgs) Kind() string { return "ticket_notices" }

// InsertOpts keeps a second one away while one waits. What one of them leaves undone the next one does.
func (ticketNoticesArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: ticketNoticesEvery}}
}

type ticketNoticesWorker struct {
	river.WorkerDefaults[ticketNoticesArgs]
	tenants interface {
		SendNotices(ctx context.Context, now time.Time) error
	}
	now clock.Clock
}

// Timeout is for many emails at once; each of them takes milliseconds.
func (w *ticketNoticesWorker) Timeout(*river.Job[ticketNoticesArgs]) time.Duration {
	return ticketNoticesEvery
}

func (w *ticketNoticesWorker) Work(ctx context.Context, _ *river.Job[ticketNoticesArgs]) error {
	return w.tenants.SendNotices(ctx, w.now())
}

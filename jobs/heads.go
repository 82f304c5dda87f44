package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"portal/api/clock"
)

// Heads of the logs of leases are told once a UTC day. An hourly insert looks whether the day's job is there.
const (
	lookForHeadsEvery = time.Hour
	headsEvery        = 24 * time.Hour
)

// headsArgs is the job that tells the heads of the logs of leases.
type headsArgs struct{}

// Kind names the job.
func (headsArgs) Kind() string { return "evidence_heads" }

// InsertOpts keeps a second one away for the rest of the UTC day. It is tried again, as the next one is a day
// away, and a node of an earlier version may have been the one that took it.
func (headsArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 10, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: headsEvery}}
}

type headsWorker struct {
	river.WorkerDefaults[headsArgs]
	heads interface {
		Tell(ctx context.Context, now time.Time) error
	}
	now clock.Clock
}

// Timeout is for all portfolios; each of them takes milliseconds.
func (w *headsWorker) Timeout(*river.Job[headsArgs]) time.Duration { return 10 * time.Minute }

func (w *headsWorker) Work(ctx context.Context, _ *river.Job[headsArgs]) error {
	return w.heads.Tell(ctx, w.now())
}

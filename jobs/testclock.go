package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"portal/api/access"
	"portal/api/clock"
)

// clockTime is for two years of the largest demo portfolio. What a killed process left is looked for every
// resumeEvery, and at the start.
const clockTime = 5 * time.Minute

// clockArgs is the job that advances the test clock of a demo portfolio to where it is to go.
type clockArgs struct {
	Portfolio int64  `json:"portfolio"`
	Zone      string `json:"zone"`
}

// Kind names the job.
func (clockArgs) Kind() string { return "test_clock" }

// InsertOpts: a day that fails again and again ends the advance.
func (clockArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 4} }

// AdvanceClock has the test clock of a demo portfolio advanced.
func (q *Queue) AdvanceClock(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	return q.insert(ctx, clockArgs{in.ID, zone.String()})
}

type clockWorker struct {
	river.WorkerDefaults[clockArgs]
	demos interface {
		Continue(ctx context.Context, in access.Portfolio, zone *time.Location) error
		StopClock(ctx context.Context, in access.Portfolio) error
	}
}

// Timeout is for the whole way.
func (*clockWorker) Timeout(*river.Job[clockArgs]) time.Duration { return clockTime }

func (w *clockWorker) Work(ctx context.Context, job *river.Job[clockArgs]) error {
	zone, err := clock.Zone(job.Args.Zone)
	if err != nil {
		return err
	}
	in := access.Portfolio{ID: job.Args.Portfolio, Mode: access.Test}
	err = w.demos.Continue(ctx, in, zone)
	if err != nil && job.Attempt >= job.MaxAttempts && ctx.Err() == nil {
		err = errors.Join(err, w.demos.StopClock(ctx, in))
	}
	return err
}

// clocksArgs is the job that goes on with the test clocks of a process that is gone.
type clocksArgs struct{}

// Kind names the job.
func (clocksArgs) Kind() string { return "test_clocks" }

// InsertOpts keeps a second one away while one waits. The next one comes soon.
func (clocksArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: resumeEvery}}
}

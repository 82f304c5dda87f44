package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"portal/api/access"
	"portal/api/clock"
)

// rolloverEvery is how often the calendar is looked at: every hour, so that a day turns within the hour after
// the landlord's midnight, whatever the time zone.
const rolloverEvery = time.Hour

// rolloverArgs is the job that brings every portfolio to the present day.
type rolloverArgs struct{}

// Kind names the job.
func (rolloverArgs) Kind() string { return "turn" }

// InsertOpts keeps a second one away while one waits.
func (rolloverArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: rolloverEvery}}
}

type rolloverWorker struct {
	river.WorkerDefaults[rolloverArgs]
	store interface {
		Portfolios(ctx context.Context, each func(in access.Portfolio, zone string) error) error
	}
	portfolio interface {
		RollOver(ctx context.Context, in access.Portfolio, zone *time.Location) error
	}
}

// Timeout is for all portfolios; each of them takes milliseconds.
func (w *rolloverWorker) Timeout(*river.Job[rolloverArgs]) time.Duration { return 10 * time.Minute }

// Work turns one portfolio after the other. One that fails keeps no other back, and
// is tried again with the job; those that are at the present day take no time then.
func (w *rolloverWorker) Work(ctx context.Context, _ *river.Job[rolloverArgs]) error {
	var failed []error
	err := w.store.Portfolios(ctx, func(in access.Portfolio, zone string) error {
		if err := w.rollOver(ctx, in, zone); err != nil {
			failed = append(failed, fmt.Errorf("turn portfolio %d: %w", in.ID, err))
		}
		return ctx.Err()
	})
	return errors.Join(append(failed, err)...)
}

func (w *rolloverWorker) rollOver(ctx context.Context, in access.Portfolio, zone string) error {
	location, err := clock.Zone(zone)
	if err != nil {
		return err
	}
	return w.portfolio.RollOver(ctx, in, location)
}

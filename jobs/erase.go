package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"portal/api/account"
	"portal/api/clock"
)

// eraseEvery is how often accounts are looked for that were closed long enough ago.
const eraseEvery = 6 * time.Hour

// eraseArgs is the job that forgets the persons of closed accounts, and years later their
// books.
type eraseArgs struct{}

// Kind names the job.
func (eraseArgs) Kind() string { return "erase" }

// InsertOpts keeps a second one away while one waits.
func (eraseArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: eraseEvery}}
}

type eraseWorker struct {
	river.WorkerDefaults[eraseArgs]
	store interface {
		ToErase(ctx context.Context, before clock.Time) ([]string, error)
		EraseAccount(ctx context.Context, accountID string, now clock.Time) error
		ToDelete(ctx context.Context, before clock.Time) ([]string, error)
		DeleteAccount(ctx context.Context, accountID string) error
	}
	now clock.Clock
}

// Timeout is for large accounts.
func (w *eraseWorker) Timeout(*river.Job[eraseArgs]) time.Duration { return 10 * time.Minute }

func (w *eraseWorker) Work(ctx context.Context, _ *river.Job[eraseArgs]) error {
	now := w.now()
	return errors.Join(
		w.each(
			ctx,
			clock.At(now.Add(-account.EraseAfter)),
			w.store.ToErase,
			func(ctx context.Context, id string) error {
				return w.store.EraseAccount(ctx, id, clock.At(now))
			},
		),
		w.each(ctx, clock.At(now.Add(-account.DeleteAfter)), w.store.ToDelete, w.store.DeleteAccount),
	)
}

// each does something with one account after the other. One that fails keeps no other
// back.
func (w *eraseWorker) each(
	ctx context.Context,
	before clock.Time,
	find func(context.Context, clock.Time) ([]string, error),
	do func(context.Context, string) error,
) error {
	ids, err := find(ctx, before)
	failed := []error{err}
	for _, id := range ids {
		if err := do(ctx, id); err != nil {
			failed = append(failed, fmt.Errorf("erase %s: %w", id, err))
		}
	}
	return errors.Join(failed...)
}

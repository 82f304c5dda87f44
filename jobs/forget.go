package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/idempotency"
	"portal/api/portfolio/upload"
)

// A line of the request log is kept for 90 days (service.md, Limits), and so are what
// assistants did, the clients they came with, what stands in a mail, what was sent to webhook
// endpoints and what came of it by the hour. Old ones go in portions, so that no request waits long for the
// database.
const (
	keepTime      = 90 * 24 * time.Hour
	forgetEvery   = time.Hour
	forgetPortion = 2000
)

// forgetArgs is the job that deletes what is past its keeping.
type forgetArgs struct{}

// Kind names the job.
func (forgetArgs) Kind() string { return "forget" }

// InsertOpts keeps a second one away while one waits.
func (forgetArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: forgetEvery}}
}

// aged is what is kept for keepTime.
type aged interface {
	ForgetRequests(ctx context.Context, before clock.Time, most int) (int64, error)
	ForgetToolCalls(ctx context.Context, before clock.Time, most int) (int64, error)
	ForgetClients(ctx context.Context, before clock.Time, most int) (int64, error)
	ForgetUsage(ctx context.Context, before clock.Time, most int) (int64, error)
	ForgetHours(ctx context.Context, before clock.Time, most int) (int64, error)
	ForgetMails(ctx context.Context, before clock.Time, most int) (int64, error)
	ForgetEvents(ctx context.Context, before clock.Time, most int) (int64, error)
	ForgetAttempts(ctx context.Context, before clock.Time, most int) (int64, error)
}

// passing is what is kept for a time of its own.
type passing interface {
	ForgetAnswers(ctx context.Context, before clock.Time, most int) (int64, error)
	ForgetExpired(ctx context.Context, now clock.Time, most int) (int64, error)
	ForgetExchanges(ctx context.Context, before clock.Time, most int) (int64, error)
	ForgetUploads(ctx context.Context, before clock.Time, most int) (int64, error)
}

type forgetWorker struct {
	river.WorkerDefaults[forgetArgs]
	store interface {
		aged
		passing
	}
	now clock.Clock
}

func (w *forgetWorker) Work(ctx context.Context, _ *river.Job[forgetArgs]) error {
	before := clock.At(w.now().Add(-keepTime))
	return errors.Join(
		portionwise(ctx, before, w.store.ForgetRequests),
		portionwise(ctx, before, w.store.ForgetToolCalls),
		portionwise(ctx, before, w.store.ForgetClients),
		portionwise(ctx, before, w.store.ForgetHours),
		portionwise(ctx, clock.At(w.now().Add(-developer.UsageTime)), w.store.ForgetUsage),
		portionwise(ctx, before, w.store.ForgetMails),
		portionwise(ctx, before, w.store.ForgetEvents),
		portionwise(ctx, before, w.store.ForgetAttempts),
		portionwise(ctx, clock.At(w.now().Add(-idempotency.Keep)), w.store.ForgetAnswers),
		portionwise(ctx, clock.At(w.now().Add(-upload.Keep)), w.store.ForgetUploads),
		portionwise(ctx, clock.At(w.now().Add(-developer.ExchangeTime)), w.store.ForgetExchanges),
		portionwise(ctx, clock.At(w.now()), w.store.ForgetExpired))
}

func portionwise(ctx context.Context, before clock.Time, forget func(context.Context, clock.Time, int) (int64, error)) error {
	for {
		n, err := forget(ctx, before, forgetPortion)
		if err != nil || n < forgetPortion {
			return err
		}
	}
}

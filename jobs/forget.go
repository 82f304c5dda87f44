package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"portal/api/account"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/idempotency"
	"portal/api/portfolio/upload"
	"portal/db"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/retentionstore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
)

// A line of the request log is kept for 90 days (docs/operations.md), and so are what
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
func (forgetArgs) InsertOpts() river.InsertOpts { return once(forgetEvery, 3) }

// retention is what is kept for some time.
type retention struct {
	what   string
	keep   time.Duration
	forget portion
}

// portion forgets what is older than a moment, at most so much, and tells how much it was.
type portion func(ctx context.Context, before clock.Time, most int) (int64, error)

// forgettable is all that is kept for some time.
func forgettable(d *db.DB) []retention {
	usage := developerstore.New(d)
	webhooks := webhookstore.New(d)
	return []retention{
		{"requests", keepTime, usage.ForgetRequests},
		{"tool calls", keepTime, usage.ForgetToolCalls},
		{"clients", keepTime, usage.ForgetClients},
		{"hours", keepTime, usage.ForgetHours},
		{"usage", developer.UsageTime, usage.ForgetUsage},
		{"requests by the hour", developer.UsageTime, usage.ForgetRequestHours},
		{"mails", keepTime, mailstore.New(d).ForgetMails},
		{"events", keepTime, webhooks.ForgetEvents},
		{"attempts", keepTime, webhooks.ForgetAttempts},
		{"answers", idempotency.Keep, servicestore.NewAnswers(d).ForgetAnswers},
		{"uploads", upload.Keep, portfoliostore.New(d).ForgetUploads},
		{"exchanges", developer.ExchangeTime, usage.ForgetExchanges},
		{"documents of drafts", agreement.DraftTime, retentionstore.New(d).ForgetDrafts},
		{"growth of demo portfolios", 0, servicestore.NewDemos(d).FoldGrowth},
		{"what has expired", 0, retentionstore.New(d).ForgetExpired},
	}
}

type forgetWorker struct {
	river.WorkerDefaults[forgetArgs]
	all []retention
	now clock.Clock
}

func (w *forgetWorker) Work(ctx context.Context, _ *river.Job[forgetArgs]) error {
	now, failed := w.now(), []error(nil)
	for _, a := range w.all {
		if err := inPortions(ctx, clock.At(now.Add(-a.keep)), a.forget); err != nil {
			failed = append(failed, fmt.Errorf("forget %s: %w", a.what, err))
		}
	}
	return errors.Join(failed...)
}

func inPortions(ctx context.Context, before clock.Time, forget portion) error {
	for {
		n, err := forget(ctx, before, forgetPortion)
		if err != nil || n < forgetPortion {
			return err
		}
	}
}

// eraseEvery is how often accounts are looked for that were closed long enough ago.
const eraseEvery = 6 * time.Hour

// eraseArgs is the job that forgets the persons of closed accounts, and years later their
// books.
type eraseArgs struct{}

// Kind names the job.
func (eraseArgs) Kind() string { return "erase" }

// InsertOpts keeps a second one away while one waits.
func (eraseArgs) InsertOpts() river.InsertOpts { return once(eraseEvery, 3) }

type eraseWorker struct {
	river.WorkerDefaults[eraseArgs]
	store retentionstore.Accounts
	now   clock.Clock
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

// sealExpiryEvery is how often the end of the seal's certificate is looked at.
const sealExpiryEvery = 24 * time.Hour

// sealExpiryArgs is the job that tells the staff of the end of the certificate that leases are sealed with.
type sealExpiryArgs struct{}

// Kind names the job.
func (sealExpiryArgs) Kind() string { return "seal_expiry" }

// InsertOpts keeps a second one away for a day. It is tried again, as the next one is a day away, and
// a node of an earlier version may have been the one that took it.
func (sealExpiryArgs) InsertOpts() river.InsertOpts { return once(sealExpiryEvery, 10) }

package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

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
func (forgetArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: forgetEvery}}
}

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

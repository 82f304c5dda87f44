package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"portal/api/payment"
)

// paymentNewsTime is for what a processor is asked about one event.
const paymentNewsTime = time.Minute

// paymentNewsArgs is the job that asks a processor what has become of what an event is about.
type paymentNewsArgs struct {
	payment.News
}

// Kind names the job.
func (paymentNewsArgs) Kind() string { return "payment_news" }

// InsertOpts keeps a second job of the same event away. A processor that does not answer is asked again for some hours,
// and by reconcile_payments after that.
func (paymentNewsArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// PaymentNews has news of a processor looked at.
func (q *Queue) PaymentNews(ctx context.Context, n payment.News) error {
	return q.insert(ctx, paymentNewsArgs{n})
}

// lookAfterEvery is how often accounts are looked for of which a day was not compared, and lookAfterTime for all.
const (
	lookAfterEvery = time.Hour
	lookAfterTime  = 30 * time.Minute
)

// lookAfterArgs is the job that looks after the accounts of landlords with processors.
type lookAfterArgs struct{}

// Kind names the job.
func (lookAfterArgs) Kind() string { return "compare_payments" }

// InsertOpts keeps a second one away while one waits. What one of them leaves undone the next one does.
func (lookAfterArgs) InsertOpts() river.InsertOpts { return once(lookAfterEvery, 1) }

package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
)

// sealExpiryEvery is how often the end of the seal's certificate is looked at.
const sealExpiryEvery = 24 * time.Hour

// sealExpiryArgs is the job that tells the staff of the end of the certificate that leases are sealed with.
type sealExpiryArgs struct{}

// Kind names the job.
func (sealExpiryArgs) Kind() string { return "seal_expiry" }

// InsertOpts keeps a second one away for a day. It is tried again, as the next one is a day away, and
// a node of an earlier version may have been the one that took it.
func (sealExpiryArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 10, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: sealExpiryEvery}}
}

type sealExpiryWorker struct {
	river.WorkerDefaults[sealExpiryArgs]
	seal interface {
		TellOfExpiry(ctx context.Context) error
	}
}

func (w *sealExpiryWorker) Work(ctx context.Context, _ *river.Job[sealExpiryArgs]) error {
	return w.seal.TellOfExpiry(ctx)
}

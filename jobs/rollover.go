package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio/lease"
	"portal/db/portfoliostore"
)

// rolloverEvery is how often the calendar is looked at: every hour, so that a day turns within the hour after
// the landlord's midnight, whatever the time zone.
const rolloverEvery = time.Hour

// rolloverArgs is the job that brings every portfolio to the present day.
type rolloverArgs struct{}

// Kind names the job.
func (rolloverArgs) Kind() string { return "turn" }

// InsertOpts keeps a second one away while one waits.
func (rolloverArgs) InsertOpts() river.InsertOpts { return once(rolloverEvery, 0) }

type rolloverWorker struct {
	river.WorkerDefaults[rolloverArgs]
	store     *portfoliostore.Store
	portfolio *lease.Calendar
}

// Timeout is for all portfolios; each of them takes milliseconds.
func (w *rolloverWorker) Timeout(*river.Job[rolloverArgs]) time.Duration { return 10 * time.Minute }

// Work turns one portfolio after the other. One that fails keeps no other back, and
// is tried again with the job; those that are at the present day take no time then.
func (w *rolloverWorker) Work(ctx context.Context, _ *river.Job[rolloverArgs]) error {
	var failed []error
	err := w.store.Portfolios(ctx, func(in access.Portfolio, zone string) error {
		location, err := clock.Zone(zone)
		if err == nil {
			err = w.portfolio.RollOver(ctx, in, location)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("turn portfolio %d: %w", in.ID, err))
		}
		return ctx.Err()
	})
	return errors.Join(append(failed, err)...)
}

// Heads of the logs of leases are told once a UTC day. An hourly insert looks whether the day's job is there.
const (
	lookForHeadsEvery = time.Hour
	headsEvery        = 24 * time.Hour
	headsTime         = 10 * time.Minute // for all portfolios, each of which takes milliseconds
)

// headsArgs is the job that tells the heads of the logs of leases.
type headsArgs struct{}

// Kind names the job.
func (headsArgs) Kind() string { return "evidence_heads" }

// InsertOpts keeps a second one away for the rest of the UTC day. It is tried again, as the next one is a day
// away, and a node of an earlier version may have been the one that took it.
func (headsArgs) InsertOpts() river.InsertOpts { return once(headsEvery, 10) }

// remindEvery is how often signers are looked for who are to be reminded.
const remindEvery = time.Hour

// remindArgs is the job that reminds those who have yet to sign a lease.
type remindArgs struct{}

// Kind names the job.
func (remindArgs) Kind() string { return "signing_reminders" }

// InsertOpts keeps a second one away while one waits. The next one comes soon.
func (remindArgs) InsertOpts() river.InsertOpts { return once(remindEvery, 1) }

// sendUnblockedEvery is how often leases are looked for that waited to be sent for signature and that nothing blocks
// any more. A change of the lease itself sends it at once.
const sendUnblockedEvery = time.Minute

// sendUnblockedArgs is the job that sends them.
type sendUnblockedArgs struct{}

// Kind names the job.
func (sendUnblockedArgs) Kind() string { return "send_unblocked_leases" }

// InsertOpts keeps a second one away while one waits. The next one comes soon.
func (sendUnblockedArgs) InsertOpts() river.InsertOpts { return once(sendUnblockedEvery, 1) }

// rentNoticesEvery is how often tenants are looked for who are to be emailed about rent.
const rentNoticesEvery = time.Hour

// rentNoticesTime is for all portfolios.
const rentNoticesTime = 10 * time.Minute

// rentNoticesArgs is the job that emails tenants about rent.
type rentNoticesArgs struct{}

// Kind names the job.
func (rentNoticesArgs) Kind() string { return "rent_notices" }

// InsertOpts keeps a second one away while one waits. What one of them leaves undone the next one does.
func (rentNoticesArgs) InsertOpts() river.InsertOpts { return once(rentNoticesEvery, 1) }

// reconcileEvery is how often payments are looked for of which a processor has told nothing for a while.
const reconcileEvery = 5 * time.Minute

// reconcileTime is for all of them.
const reconcileTime = 4 * time.Minute

// reconcileArgs is the job that asks processors what became of payments.
type reconcileArgs struct{}

// Kind names the job.
func (reconcileArgs) Kind() string { return "reconcile_payments" }

// InsertOpts keeps a second one away while one waits. What one of them leaves undone the next one does.
func (reconcileArgs) InsertOpts() river.InsertOpts { return once(reconcileEvery, 1) }

// ticketNoticesEvery is how often emails about tickets are looked for that are due.
const ticketNoticesEvery = time.Minute

// ticketNoticesArgs is the job that emails tenants and landlords what has happened to tickets since the latest email.
type ticketNoticesArgs struct{}

// Kind names the job.
func (ticketNoticesArgs) Kind() string { return "ticket_notices" }

// InsertOpts keeps a second one away while one waits. What one of them leaves undone the next one does.
func (ticketNoticesArgs) InsertOpts() river.InsertOpts { return once(ticketNoticesEvery, 1) }

// Package jobs is the work that River carries: what must happen later, again, or
// at its hour.
//
// It decides nothing; it calls the rules and the store with what a job's
// arguments say.
//
// It knows nothing of HTTP.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"portal/api/agreement/ceremony"
	"portal/api/agreement/evidence"
	"portal/api/agreement/sealing"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/payment"
	"portal/api/portfolio/records"
	"portal/api/portfolio/simulate"
	"portal/api/portfolio/upload"
	"portal/api/tenantportal"
	"portal/api/triage"
	"portal/api/webhook"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/retentionstore"
)

// A job runs for at most jobTimeout. One that a killed process left behind is
// taken up again after rescueAfter, looked for every few seconds: within 20 s.
const (
	jobTimeout  = 10 * time.Second
	rescueAfter = 15 * time.Second
	workers     = 10
	fetchEvery  = time.Second // how late a job may be
)

// Jobs runs the jobs of this process.
type Jobs struct {
	client  client
	running atomic.Bool
}

// Services are what the jobs call.
type Services struct {
	Portfolio *records.Service
	Mail      *mail.Service
	Webhook   *webhook.Service
	Uploads   *upload.Service
	Signings  *ceremony.Service     // may be nil: nobody is reminded to sign
	Demos     *simulate.Simulator   // may be nil: no test clock is advanced
	Tenants   *tenantportal.Service // may be nil: no tenant is emailed about tickets or rent
	Payments  *payment.Service      // may be nil: no processor is asked what became of payments
	Seal      *sealing.Notices      // may be nil: nobody is told of the end of its certificate
	Heads     *evidence.HeadNotices // may be nil: nobody is told the heads of the logs of leases
	LLM       *triage.LLM           // may be nil
}

// New makes the jobs over a store whose migrations have run. What a process has no mail
// server or no language model for it leaves to others, or until it has one.
func New(d *db.DB, s Services, now clock.Clock, log *slog.Logger) (*Jobs, error) {
	return newJobs(d, configure(d, s, now, log))
}

// configure says what is worked on, and how.
func configure(d *db.DB, s Services, now clock.Clock, log *slog.Logger) *river.Config {
	config := &river.Config{
		Queues:  map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workers}},
		Workers: river.NewWorkers(),
		PeriodicJobs: []*river.PeriodicJob{
			every(forgetEvery, forgetArgs{}), every(rolloverEvery, rolloverArgs{}), every(eraseEvery, eraseArgs{}),
		},
		Logger:               slog.New(quiet{log.Handler()}),
		JobTimeout:           jobTimeout,
		RescueStuckJobsAfter: rescueAfter,
		FetchPollInterval:    fetchEvery,
		PollOnly:             d.SQLite() != nil, // which tells of new jobs by being asked 20 times a second
	}
	river.AddWorker(config.Workers, &forgetWorker{all: forgettable(d), now: now})
	river.AddWorker(config.Workers, &eraseWorker{store: retentionstore.New(d), now: now})
	river.AddWorker(config.Workers, &rolloverWorker{
		store:     portfoliostore.New(d),
		portfolio: s.Portfolio.Calendar,
	})
	addCall(config, 0, func(ctx context.Context, a retryArgs) error { return s.Webhook.Due(ctx, a.Deliveries) })
	takeOverEvery := takeOverEvery
	if d.SQLite() != nil { // one process sends alone: there is no other to take over from, but retries may be lost
		takeOverEvery = time.Minute
	}
	addPeriodic(config, takeOverEvery, 0, takeOverArgs{}, s.Webhook.TakeOver)
	addCall(config, 0, func(ctx context.Context, a missedArgs) error {
		return s.Webhook.MissedEvents.QueueMissed(ctx, a.Rest)
	})
	addPeriodic(config, failingEvery, 0, failingArgs{}, s.Webhook.TellOfFailing)
	river.AddWorker(config.Workers, &importWorker{uploads: s.Uploads})
	addPeriodic(config, resumeEvery, importTime, resumeArgs{}, s.Uploads.Resume)
	at := func(do func(context.Context, time.Time) error) func(context.Context) error {
		return func(ctx context.Context) error { return do(ctx, now()) }
	}
	if s.Demos != nil {
		addPeriodic(config, resumeEvery, clockTime, clocksArgs{}, s.Demos.ContinueAll)
		river.AddWorker(config.Workers, &clockWorker{demos: s.Demos})
	}
	if s.Signings != nil {
		addPeriodic(config, remindEvery, 0, remindArgs{}, at(s.Signings.Remind))
		addPeriodic(config, sendUnblockedEvery, 0, sendUnblockedArgs{}, s.Signings.SendUnblocked)
	}
	if s.Tenants != nil {
		addPeriodic(config, ticketNoticesEvery, ticketNoticesEvery, ticketNoticesArgs{}, at(s.Tenants.SendNotices))
		addPeriodic(config, rentNoticesEvery, rentNoticesTime, rentNoticesArgs{}, s.Tenants.SendAllRentNotices)
	}
	if s.Payments != nil {
		addPeriodic(config, reconcileEvery, reconcileTime, reconcileArgs{}, at(s.Payments.Reconcile))
		addPeriodic(config, lookAfterEvery, lookAfterTime, lookAfterArgs{}, s.Payments.LookAfterAccounts)
		addCall(config, paymentNewsTime, func(ctx context.Context, a paymentNewsArgs) error {
			return s.Payments.Look(ctx, a.News)
		})
	}
	if s.Seal != nil {
		addPeriodic(config, sealExpiryEvery, 0, sealExpiryArgs{}, s.Seal.TellOfExpiry)
	}
	if s.Heads != nil {
		addPeriodic(config, lookForHeadsEvery, headsTime, headsArgs{}, at(s.Heads.Tell))
	}
	if s.Mail.Sends() {
		config.Queues[mailQueue] = river.QueueConfig{MaxWorkers: mailWorkers}
		river.AddWorker(config.Workers, &mailWorker{mail: s.Mail, log: log})
	}
	if s.LLM != nil {
		config.Queues[triageQueue] = river.QueueConfig{MaxWorkers: triageWorkers}
		river.AddWorker(config.Workers, &refineWorker{portfolio: s.Portfolio.Tickets, llm: s.LLM, log: log})
	}
	return config
}

// call works on jobs that are one call each.
type call[A river.JobArgs] struct {
	river.WorkerDefaults[A]
	timeout time.Duration
	do      func(context.Context, A) error
}

// addCall adds a call that may take some time, 0 for as long as most jobs.
func addCall[A river.JobArgs](c *river.Config, timeout time.Duration, do func(context.Context, A) error) {
	river.AddWorker(c.Workers, &call[A]{timeout: timeout, do: do})
}

func (c *call[A]) Timeout(*river.Job[A]) time.Duration { return c.timeout }

func (c *call[A]) Work(ctx context.Context, job *river.Job[A]) error { return c.do(ctx, job.Args) }

func newJobs(d *db.DB, config *river.Config) (*Jobs, error) {
	c, err := newClient(d, config)
	return &Jobs{client: c}, err
}

// client is a client of River over either database.
type client interface {
	Start(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
	Stop(ctx context.Context) error
	Stopped() <-chan struct{}
	JobList(ctx context.Context, p *river.JobListParams) (*river.JobListResult, error)
	JobGet(ctx context.Context, id int64) (*rivertype.JobRow, error)
	count(ctx context.Context) (map[rivertype.JobState]int, error)
	// insert and retry take part in the transaction of the context, which there must be.
	insert(ctx context.Context, args river.JobArgs, opts *river.InsertOpts) error
	retry(ctx context.Context, id int64) (*rivertype.JobRow, error)
}

// clientOf is a client of a database with its type of transactions.
type clientOf[T any] struct {
	*river.Client[T]
	driver riverdriver.Driver[T]
	tx     func(context.Context) (T, bool, error) // that a context is in
}

func newClient(d *db.DB, config *river.Config) (client, error) {
	if pool := d.Postgres(); pool != nil {
		return newClientOf(riverpgxv5.New(pool), config, d.PostgresTx)
	}
	return newClientOf(riversqlite.New(d.SQLite()), config, d.SQLiteTx)
}

func newClientOf[T any](
	driver riverdriver.Driver[T], config *river.Config, tx func(context.Context) (T, bool, error),
) (client, error) {
	c, err := river.NewClient(driver, config)
	return clientOf[T]{c, driver, tx}, err
}

func (c clientOf[T]) count(ctx context.Context) (map[rivertype.JobState]int, error) {
	return c.driver.GetExecutor().JobCountByAllStates(ctx, &riverdriver.JobCountByAllStatesParams{})
}

func (c clientOf[T]) insert(ctx context.Context, args river.JobArgs, opts *river.InsertOpts) error {
	tx, err := c.inside(ctx)
	if err == nil {
		_, err = c.InsertTx(ctx, tx, args, opts)
	}
	return err
}

func (c clientOf[T]) retry(ctx context.Context, id int64) (*rivertype.JobRow, error) {
	tx, err := c.inside(ctx)
	if err != nil {
		return nil, err
	}
	return c.JobRetryTx(ctx, tx, id)
}

func (c clientOf[T]) inside(ctx context.Context) (T, error) {
	tx, inside, err := c.tx(ctx)
	if err == nil && !inside {
		err = errNoTransaction
	}
	return tx, err
}

// Start begins to work.
func (j *Jobs) Start(ctx context.Context) error {
	if err := j.client.Start(ctx); err != nil {
		return fmt.Errorf("start the jobs: %w", err)
	}
	j.running.Store(true)
	return nil
}

// Running reports whether jobs are worked on.
func (j *Jobs) Running() bool {
	select {
	case <-j.client.Stopped():
		return false
	default:
		return j.running.Load()
	}
}

// Stop lets jobs that run finish until the context ends, then cancels them.
func (j *Jobs) Stop(ctx context.Context) error {
	j.running.Store(false)
	if err := j.client.Stop(ctx); err == nil {
		return nil
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return j.client.StopAndCancel(end)
}

// Migrate brings River's own tables to what this binary needs.
func Migrate(ctx context.Context, d *db.DB) error {
	if pool := d.Postgres(); pool != nil {
		return migrate(ctx, d, riverpgxv5.New(pool))
	}
	return migrate(ctx, d, riversqlite.New(d.SQLite()))
}

func migrate[T any](ctx context.Context, d *db.DB, driver riverdriver.Driver[T]) error {
	m, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err == nil {
		err = known(ctx, d, m)
	}
	if err == nil {
		_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	if err != nil {
		return fmt.Errorf("migrate the jobs: %w", err)
	}
	return nil
}

// known refuses tables that are newer than what this binary knows. River says of those only
// that a migration is not found.
func known[T any](ctx context.Context, d *db.DB, m *rivermigrate.Migrator[T]) error {
	_, unknown := m.ExistingVersions(ctx)
	if unknown == nil {
		return nil
	}
	have, err := d.RiverVersion(ctx)
	if err != nil {
		return errors.Join(unknown, err)
	}
	all := m.AllVersions()
	if most := int64(all[len(all)-1].Version); have > most {
		return &db.NewerSchemaError{Tables: "River", Have: have, Known: most}
	}
	return unknown
}

// quiet passes on River's warnings and errors only; it tells a lot.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle leaves out what a stop has cut short; River takes it up again.
func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	cut := false
	r.Attrs(func(a slog.Attr) bool {
		cut = strings.HasSuffix(a.Value.String(), context.Canceled.Error())
		return !cut
	})
	if cut {
		return nil
	}
	return q.Handler.Handle(ctx, r)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }

// Queue puts jobs into the transaction of a context: they are worked on if and only
// if it commits, by whichever process works.
type Queue struct {
	db     *db.DB
	client client
}

// NewQueue makes the queue over a store whose migrations have run.
func NewQueue(d *db.DB) (*Queue, error) {
	c, err := newClient(d, &river.Config{Logger: slog.New(slog.DiscardHandler)}) // what fails is returned too
	return &Queue{d, c}, err
}

// Deliver has a mail delivered.
func (q *Queue) Deliver(ctx context.Context, id string) error { return q.insert(ctx, mailArgs{id}) }

var errNoTransaction = errors.New("a job goes along with a transaction, and there is none")

func (q *Queue) insert(ctx context.Context, args river.JobArgs) error {
	return q.insertAt(ctx, args, nil)
}

// insertAt puts a job with options of its own.
func (q *Queue) insertAt(ctx context.Context, args river.JobArgs, opts *river.InsertOpts) error {
	if err := q.client.insert(ctx, args, opts); err != nil {
		return fmt.Errorf("enqueue the job %s: %w", args.Kind(), err)
	}
	return nil
}

// addPeriodic adds a call that is made again and again, and may take some time, as with addCall.
func addPeriodic[A river.JobArgs](
	c *river.Config,
	span, timeout time.Duration,
	args A,
	do func(context.Context) error,
) {
	c.PeriodicJobs = append(c.PeriodicJobs, every(span, args))
	addCall(c, timeout, func(ctx context.Context, _ A) error { return do(ctx) })
}

// once keeps a second job with the same arguments away for a time. A job is tried so often, 0 for as often as River
// does.
func once(span time.Duration, attempts int) river.InsertOpts {
	return river.InsertOpts{MaxAttempts: attempts, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: span}}
}

// every is a job that comes again and again. It runs at the start too: a process that was down has something to catch
// up with.
func every(span time.Duration, args river.JobArgs) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(span),
		func() (river.JobArgs, *river.InsertOpts) { return args, nil },
		&river.PeriodicJobOpts{ID: args.Kind(), RunOnStart: true})
}

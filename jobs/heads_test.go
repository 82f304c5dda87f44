package jobs

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"portal/api/access"
	"portal/api/agreement/evidence"
	"portal/api/mail"
	"portal/api/portfolio/records"
	"portal/api/portfolio/upload"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// asked is a store that tells when it is asked for portfolios.
type asked struct {
	evidence.HeadStore
	untold chan struct{}
}

// Untold implements evidence.HeadStore.
func (s asked) Untold(ctx context.Context, behind int64, most int) ([]access.Portfolio, error) {
	s.untold <- struct{}{}
	return s.HeadStore.Untold(ctx, behind, most)
}

// markArgs is a job that comes with every start.
type markArgs struct{}

// Kind names the job.
func (markArgs) Kind() string { return "mark" }

type markWorker struct {
	river.WorkerDefaults[markArgs]
	done chan struct{}
}

func (w *markWorker) Work(context.Context, *river.Job[markArgs]) error {
	w.done <- struct{}{}
	return nil
}

func TestHeadNoticesRunOncePerDayAcrossRestarts(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		today := func() string { return time.Now().UTC().Format(time.DateOnly) }
		day := ""
		for day != today() { // once more where a day has begun meanwhile, which has notices of its own
			day = today()
			dbtest.Exec(t, d, "DELETE FROM river_job")
			jobs, more := headNotices(t, d)
			if day == today() && (jobs != "1" || more > 0) {
				t.Errorf("%s jobs, %d more runs", jobs, more)
			}
		}
	})
}

// headNotices starts the jobs twice, and is how many jobs of notices there are then, and how many ran after the first.
func headNotices(t *testing.T, d *db.DB) (jobs string, more int) {
	t.Helper()
	untold, marked := make(chan struct{}, 10), make(chan struct{}, 10)
	for n := range 2 {
		config := configure(d, Services{
			Portfolio: records.New(portfoliostore.New(d), atNoon),
			Mail:      mail.New(mail.Config{}),
			Webhook:   webhook.New(webhookstore.New(d), nil, atNoon, false),
			Uploads:   &upload.Service{Store: portfoliostore.New(d)},
			Heads:     &evidence.HeadNotices{Store: asked{portfoliostore.New(d), untold}, Log: slog.Default()},
		}, atNoon, slog.New(slog.NewTextHandler(&lines{}, nil)))
		config.PeriodicJobs = append(config.PeriodicJobs, every(time.Hour, markArgs{})) // inserted with the others
		river.AddWorker(config.Workers, &markWorker{done: marked})
		j, err := newJobs(d, config)
		dbtest.OK(t, err)
		dbtest.OK(t, j.Start(context.WithoutCancel(t.Context())))
		<-marked
		if n == 0 {
			<-untold
		}
		dbtest.OK(t, stop(t, j, 5*time.Second))
	}
	return dbtest.Texts(t, d, "SELECT CAST(COUNT(*) AS TEXT) FROM river_job WHERE kind = 'evidence_heads'")[0], len(
		untold,
	)
}

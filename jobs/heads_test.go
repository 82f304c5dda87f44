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
		got := dbtest.Texts(t, d, "SELECT CAST(COUNT(*) AS TEXT) FROM river_job WHERE kind = 'evidence_heads'")
		if got[0] != "1" || len(untold) > 0 {
			t.Errorf("%s jobs, %d more runs", got[0], len(untold))
		}
	})
}

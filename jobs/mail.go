package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"portal/api/mail"
)

// Mail has a queue of its own, so that a mail server that hangs holds up no other job.
const (
	mailQueue   = "mail"
	mailWorkers = 5
)

// mailArgs is the job that delivers one mail.
type mailArgs struct {
	ID string `json:"id"`
}

// Kind names the job.
func (mailArgs) Kind() string { return "mail" }

// InsertOpts leaves it to the mail when to give up: the attempts of the job are those
// that ended otherwise than by the mail server, with the process for example.
func (mailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: mailQueue, MaxAttempts: 100}
}

type mailWorker struct {
	river.WorkerDefaults[mailArgs]
	mail interface {
		Deliver(ctx context.Context, id string) (mail.Outcome, error)
	}
	log *slog.Logger
}

// Timeout leaves room for the note of what became of the mail.
func (*mailWorker) Timeout(*river.Job[mailArgs]) time.Duration {
	return mail.SendTime + mail.NoteTime + 5*time.Second
}

// Work tries once, and sleeps until the next attempt is due.
func (w *mailWorker) Work(ctx context.Context, job *river.Job[mailArgs]) error {
	o, err := w.mail.Deliver(ctx, job.Args.ID)
	if err != nil {
		w.log.Error(
			"mail not noted",
			"mail",
			job.Args.ID,
			"attempt",
			o.Attempt,
			"status",
			string(o.Status),
			"error",
			err,
		)
		return err
	}
	if o.Error != "" {
		w.log.Warn("mail not sent", "mail", job.Args.ID, "attempt", o.Attempt, "status", string(o.Status),
			"error", o.Error, "again_in", o.Again.String())
	}
	if o.Again > 0 {
		return river.JobSnooze(o.Again)
	}
	return nil
}

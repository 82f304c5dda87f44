package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio/ticket"
	"portal/api/portfolio/upload"
	"portal/api/triage"
)

// An import may take importTime. What a killed process left is looked for every
// resumeEvery, and at the start: nobody waits for River to find that a job is stuck.
const (
	importTime  = 2 * time.Minute
	resumeEvery = 15 * time.Second
)

// importArgs is the job that imports a rent roll.
type importArgs struct {
	Order upload.Order `json:"order"`
}

// Kind names the job.
func (importArgs) Kind() string { return "import" }

// InsertOpts: what fails by a fault of ours is given back after a few attempts.
func (importArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 4} }

// Import has an upload imported.
func (q *Queue) Import(ctx context.Context, o upload.Order) error {
	return q.insert(ctx, importArgs{o})
}

type importWorker struct {
	river.WorkerDefaults[importArgs]
	uploads *upload.Service
}

// Timeout is for the largest file.
func (*importWorker) Timeout(*river.Job[importArgs]) time.Duration { return importTime }

func (w *importWorker) Work(ctx context.Context, job *river.Job[importArgs]) error {
	err := w.uploads.Fulfil(ctx, job.Args.Order)
	if err != nil && job.Attempt >= job.MaxAttempts && ctx.Err() == nil {
		err = errors.Join(err, w.uploads.GiveUp(ctx, job.Args.Order))
	}
	return err
}

// resumeArgs is the job that takes up the imports of a process that is gone.
type resumeArgs struct{}

// Kind names the job.
func (resumeArgs) Kind() string { return "import_resume" }

// InsertOpts keeps a second one away while one waits. The next one comes soon.
func (resumeArgs) InsertOpts() river.InsertOpts { return once(resumeEvery, 1) }

// A language model that is slow holds up no other job.
const (
	triageQueue   = "triage"
	triageWorkers = 4
)

// refineArgs is the job that asks a language model about a ticket.
type refineArgs struct {
	Portfolio int64       `json:"portfolio"`
	Mode      access.Mode `json:"mode"`
	Ticket    string      `json:"ticket"`
	TriagedAt clock.Time  `json:"triaged_at"`
}

// Kind names the job.
func (refineArgs) Kind() string { return "refine" }

// InsertOpts: the built-in answer stands already, so that a second try is for a process
// that died, not for a model that is away.
func (refineArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: triageQueue, MaxAttempts: 2}
}

// Refine has a ticket looked at again.
func (q *Queue) Refine(ctx context.Context, in access.Portfolio, ticket string, triagedAt clock.Time) error {
	return q.insert(ctx, refineArgs{in.ID, in.Mode, ticket, triagedAt})
}

type refineWorker struct {
	river.WorkerDefaults[refineArgs]
	portfolio *ticket.Tickets
	llm       *triage.LLM
	log       *slog.Logger
}

// Work asks once. Where no answer comes, or none that can be used, the built-in one
// stands.
func (w *refineWorker) Work(ctx context.Context, job *river.Job[refineArgs]) error {
	in := access.Portfolio{ID: job.Args.Portfolio, Mode: job.Args.Mode}
	text, err := w.portfolio.TicketText(ctx, in, job.Args.Ticket, job.Args.TriagedAt)
	if fault.Is(err, fault.NoRecord) {
		return nil // its demo portfolio was reset
	}
	if err != nil || text == "" {
		return err
	}
	opinion, err := w.llm.Ask(ctx, text)
	if err != nil {
		w.log.Warn("triage stays the built-in one", "ticket", job.Args.Ticket, "error", err)
		return nil
	}
	return w.portfolio.RefineTicket(ctx, in, job.Args.Ticket, job.Args.TriagedAt, opinion, w.llm.Model)
}

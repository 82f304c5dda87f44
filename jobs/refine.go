package jobs

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/triage"
)

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
	portfolio interface {
		TicketText(ctx context.Context, in access.Portfolio, ticketID string, triagedAt clock.Time) (string, error)
		RefineTicket(
			ctx context.Context, in access.Portfolio, ticketID string,
			triagedAt clock.Time, o triage.Opinion, model string,
		) error
	}
	llm *triage.LLM
	log *slog.Logger
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

package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/job"
)

// Board shows the jobs of all processes, and has one tried again.
type Board struct {
	Queue *Queue
	Audit audit.Log
}

// Counts is how many jobs there are in each state.
func (b Board) Counts(ctx context.Context) (map[job.State]int, error) {
	counts, err := b.Queue.client.count(ctx)
	if err != nil {
		return nil, fmt.Errorf("count the jobs: %w", err)
	}
	all := map[job.State]int{}
	for state, n := range counts {
		all[job.State(state)] = n
	}
	return all, nil
}

// Jobs lists jobs, the newest first unless the filter says otherwise.
func (b Board) Jobs(ctx context.Context, f job.Filter) ([]job.Job, error) {
	order, behind := river.SortOrderDesc, "id < @before"
	if f.OldestFirst {
		order, behind = river.SortOrderAsc, "id > @before"
	}
	p := river.NewJobListParams().OrderBy(river.JobListOrderByID, order).First(f.Limit)
	if f.State != "" {
		p = p.States(rivertype.JobState(f.State))
	}
	if f.Kind != "" {
		p = p.Kinds(f.Kind)
	}
	if f.Before > 0 {
		p = p.Where(behind, river.NamedArgs{"before": f.Before})
	}
	found, err := b.Queue.client.JobList(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("list the jobs: %w", err)
	}
	all := make([]job.Job, len(found.Jobs))
	for i, row := range found.Jobs {
		all[i] = shown(row)
	}
	return all, nil
}

// Job is one job, or fault.NoRecord.
func (b Board) Job(ctx context.Context, id int64) (job.Job, error) {
	row, err := b.Queue.client.JobGet(ctx, id)
	if err != nil {
		return job.Job{}, missing(id, err)
	}
	return shown(row), nil
}

func missing(id int64, err error) error {
	if errors.Is(err, rivertype.ErrNotFound) {
		return fault.New(fault.NoRecord, "There is no job %d; those that have ended are kept for a day or a week.", id)
	}
	return fmt.Errorf("the job %d: %w", id, err)
}

// Retry has a job begun anew now, unless it runs or is done.
func (b Board) Retry(ctx context.Context, id int64) error {
	return b.Queue.db.Atomically(ctx, func(ctx context.Context) error {
		row, err := b.Queue.client.retry(ctx, id)
		switch {
		case err != nil:
			return missing(id, err)
		case row.State == rivertype.JobStateRunning:
			return fault.New(fault.InvalidTransition, "The job runs at this moment.")
		}
		return b.Audit.Record(ctx, audit.Event{Action: "job.retried", Target: strconv.FormatInt(id, 10)})
	})
}

func shown(row *rivertype.JobRow) job.Job {
	j := job.Job{
		ID:          row.ID,
		Kind:        row.Kind,
		Queue:       row.Queue,
		State:       job.State(row.State),
		Attempt:     row.Attempt,
		MaxAttempts: row.MaxAttempts,
		Args:        string(row.EncodedArgs),
		CreatedAt:   clock.At(row.CreatedAt),
		ScheduledAt: clock.At(row.ScheduledAt),
		AttemptedAt: moment(row.AttemptedAt),
		FinalizedAt: moment(row.FinalizedAt),
	}
	for _, e := range row.Errors {
		j.Errors = append(j.Errors, job.Failure{Attempt: e.Attempt, At: clock.At(e.At), Error: e.Error})
	}
	slices.Reverse(j.Errors)
	return j
}

func moment(t *time.Time) *clock.Time {
	if t == nil {
		return nil
	}
	return new(clock.At(*t))
}

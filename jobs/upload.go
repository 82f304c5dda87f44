package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"portal/api/portfolio/upload"
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
	uploads interface {
		Fulfil(ctx context.Context, o upload.Order) error
		GiveUp(ctx context.Context, o upload.Order) error
	}
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
func (resumeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: resumeEvery}}
}

type resumeWorker struct {
	river.WorkerDefaults[resumeArgs]
	uploads interface {
		Resume(ctx context.Context) error
	}
}

// Timeout is for the largest file.
func (*resumeWorker) Timeout(*river.Job[resumeArgs]) time.Duration { return importTime }

func (w *resumeWorker) Work(ctx context.Context, _ *river.Job[resumeArgs]) error {
	return w.uploads.Resume(ctx)
}

package jobs

import (
	"time"

	"github.com/riverqueue/river"
)

// periodic are the jobs that come again and again. Each runs at the start too: a
// process that was down has something to catch up with.
func periodic() []*river.PeriodicJob {
	return []*river.PeriodicJob{
		every(forgetEvery, forgetArgs{}),
		every(turnEvery, turnArgs{}),
		every(takeOverEvery, takeOverArgs{}),
	}
}

func every(span time.Duration, args river.JobArgs) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(span),
		func() (river.JobArgs, *river.InsertOpts) { return args, nil },
		&river.PeriodicJobOpts{ID: args.Kind(), RunOnStart: true})
}

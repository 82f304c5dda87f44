package jobs

import (
	"time"

	"github.com/riverqueue/river"
)

// periodic are the jobs that come again and again. Each runs at the start too: a
// process that was down has something to catch up with. Where one process sends alone
// there is no other to take over from, and the job only looks for retries that are lost.
func periodic(alone bool) []*river.PeriodicJob {
	takeOverEvery := takeOverEvery
	if alone {
		takeOverEvery = time.Minute
	}
	return []*river.PeriodicJob{
		every(forgetEvery, forgetArgs{}),
		every(rolloverEvery, rolloverArgs{}),
		every(eraseEvery, eraseArgs{}),
		every(takeOverEvery, takeOverArgs{}),
		every(failingEvery, failingArgs{}),
		every(resumeEvery, resumeArgs{}),
	}
}

func every(span time.Duration, args river.JobArgs) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(span),
		func() (river.JobArgs, *river.InsertOpts) { return args, nil },
		&river.PeriodicJobOpts{ID: args.Kind(), RunOnStart: true})
}

// Package job is what the staff sees of the work that is done behind the requests.
//
// It does not know the queue that carries the work, which fills it.
package job

import (
	"strconv"

	"portal/api/clock"
)

// State is how far a job has come.
type State string

// The states of a job.
const (
	Available State = "available" // may be worked on now
	Running   State = "running"
	Scheduled State = "scheduled" // its time has not come
	Retryable State = "retryable" // failed, and is tried again
	Pending   State = "pending"
	Completed State = "completed"
	Cancelled State = "cancelled"
	Discarded State = "discarded" // failed for the last time
)

// States are all states, those that somebody should look at first.
func States() []State {
	return []State{Discarded, Retryable, Running, Available, Scheduled, Pending, Cancelled, Completed}
}

// Job is a piece of work.
type Job struct {
	ID          int64
	Kind        string
	Queue       string
	State       State
	Attempt     int // how often it was begun
	MaxAttempts int
	Args        string // JSON
	CreatedAt   clock.Time
	ScheduledAt clock.Time
	AttemptedAt *clock.Time
	FinalizedAt *clock.Time
	Errors      []Failure // the latest first
}

// Identity is the id of the job, which is its place in the list.
func (j *Job) Identity() string { return strconv.FormatInt(j.ID, 10) }

// Revision is the same for all: a job keeps its place.
func (*Job) Revision() int64 { return 1 }

// Failure is an attempt that failed.
type Failure struct {
	Attempt int
	At      clock.Time
	Error   string
}

// Filter narrows a list of jobs, which comes the newest first.
type Filter struct {
	OldestFirst bool  // instead
	State       State // "" for all
	Kind        string
	Before      int64 // only those behind the job of this id in the list, 0 for all
	Limit       int   // 1 or more
}

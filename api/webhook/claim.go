package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
)

// Place is an endpoint of a portfolio.
type Place struct {
	Portfolio access.Portfolio
	Endpoint  string
}

// Claim is a process that takes deliveries, until when it has them for itself.
type Claim struct {
	By        string
	At, Until clock.Time
	Most      int // deliveries, where one place is named alone
	InFlight  int // attempts that all processes together may have running at the endpoint
}

// Wanted is how many deliveries are wanted of a place at most.
type Wanted struct {
	Place
	Most int
}

// Ended are attempts at a place that have ended.
type Ended struct {
	Place
	All []Conclusion
}

// Claimed is what a process has taken, with where it goes.
type Claimed struct {
	URL              string
	Secret, Previous []byte // sealed; Previous is nil where none signs
	PreviousUntil    *clock.Time
	Work             []Work
}

// Work is a delivery whose next attempt starts.
type Work struct {
	ID      string // of the delivery
	EventID string
	Type    Kind
	Body    []byte
	Attempt int        // the number of this one
	Try     int        // its number since Since
	Since   clock.Time // when the first attempt of the schedule started
	Trigger Trigger
}

// Conclusion is how an attempt has ended.
type Conclusion struct {
	Work    *Work
	Status  DeliveryStatus // Pending where another attempt follows
	Next    *clock.Time    // when it does; nil for at once
	Unsent  bool           // no attempt was made after all: nothing is noted but the end of the claim
	Broken  bool           // it failed by a fault of ours, and says nothing of the receiver
	Repeat  bool           // it is repeated at once, which is no step of the schedule
	Attempt Attempt
}

// Concluded is what has come of noting how attempts at an endpoint ended.
type Concluded struct {
	Waiting      []bool      // for each conclusion: another attempt follows at its time
	Lost         int         // conclusions of claims that others had taken over
	FailingSince *clock.Time // since when nothing but failures came of the endpoint
}

// dispatch is what sending needs of the store. Its methods see all portfolios, as a
// process sends for all; each names the portfolio of what it touches.
type dispatch interface {
	// Ready are places that have a delivery whose attempt may start.
	Ready(ctx context.Context, now clock.Time) ([]Place, error)
	// ClaimEach takes deliveries of places whose attempts may start, the longest due first;
	// nil for a place where another process is just now. Those of a disabled endpoint are
	// cancelled instead.
	ClaimEach(ctx context.Context, c Claim, places []Wanted) ([]*Claimed, error)
	// ConcludeEach notes how attempts ended whose claims a process still has, by ascending
	// endpoint.
	ConcludeEach(ctx context.Context, by string, ended []Ended) ([]Concluded, error)
	// Due lets attempts start that waited for their time.
	Due(ctx context.Context, portfolio int64, deliveries []string) error
	// TakeOver ends claims that have run out at a moment and those of processes that are
	// gone, each with an attempt that says so, and lets retries start that should have
	// started by another moment: at most so many. It tells how many there were.
	TakeOver(ctx context.Context, now, overdue clock.Time, most int) (int, error)
}

// processes is what those that send need of each other.
type processes interface {
	// MayStart tells whether an endpoint is enabled, once all who change it now are through.
	MayStart(ctx context.Context, at Place) (bool, error)
	// Claimants are the processes that have claims at an endpoint.
	Claimants(ctx context.Context, at Place) ([]string, error)
	// Claimed are the places of an account at which processes have claims.
	Claimed(ctx context.Context, accountID string) ([]Place, error)
	// Present lets other processes know that this one is alive, until the context ends, and
	// has it hear what they tell; heard must return soon.
	Present(ctx context.Context, process string, heard func(message string))
	// Tell tells all processes that are present, this one too, whatever transaction the
	// context is in. Nobody may hear it.
	Tell(ctx context.Context, message string) error
}

// Retries is who remembers, along with the transaction, when failed deliveries are due.
type Retries interface {
	Retry(ctx context.Context, at time.Time, due Due) error
}

// Due are deliveries to try again, by the number of their portfolio.
type Due map[int64][]string

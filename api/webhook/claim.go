package webhook

import (
	"portal/api/access"
	"portal/api/clock"
)

// EndpointRef is an endpoint of a portfolio.
type EndpointRef struct {
	Portfolio access.Portfolio
	Endpoint  string
}

// Claim is a process that takes deliveries, until when it has them for itself.
type Claim struct {
	By        string
	At, Until clock.Time
	Most      int // deliveries, where one endpoint is named alone
	InFlight  int // attempts that all processes together may have running at the endpoint
}

// Wanted is how many deliveries are wanted of an endpoint at most.
type Wanted struct {
	EndpointRef
	Most int
}

// Ended are attempts at an endpoint that have ended.
type Ended struct {
	EndpointRef
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

// Due are deliveries to try again, by the number of their portfolio.
type Due map[int64][]string

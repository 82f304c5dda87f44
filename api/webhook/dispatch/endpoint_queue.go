package dispatch

import (
	"math"
	"time"

	"portal/api/webhook"
)

// How many attempts may run (docs/decisions/0023: one slow, dead or busy endpoint never
// delays another's). Slots are shared by the time that they are used for, see share.go.
const (
	perEndpoint  = 10
	defaultSlots = 1024 // of a process that has descriptors enough
	failedOften  = 3    // in a row: from then on an endpoint is failing
)

// useTime is over how long the use of slots is averaged: what lies further back counts for
// less and less.
const useTime = 10 * time.Second

// keepIdle is how long what is known of an endpoint is kept that has nothing to send.
const keepIdle = 10 * time.Minute

// endpointQueue is an endpoint that this process sends to.
type endpointQueue struct {
	endpoint webhook.EndpointRef
	running  int  // attempts, up to the note of how they ended
	sending  int  // attempts that have not ended
	ready    bool // something may be there to claim
	queued   bool
	failures int       // in a row
	known    bool      // an attempt has ended, so that its use of slots says something
	used     float64   // attempts that it had going on average, up to counted
	counted  time.Time // up to when used is counted
	stale    time.Time // until when its connections that were used before are not used
}

// freshTime is how long the attempts at an endpoint have connections of their own once one
// that was used before has ended in the middle of a request.
const freshTime = 5 * time.Second

// distrust has the next attempts use connections of their own.
func (l *endpointQueue) distrust(now time.Time) { l.stale = now.Add(freshTime) }

// fresh reports whether attempts use connections of their own.
func (l *endpointQueue) fresh(now time.Time) bool { return now.Before(l.stale) }

// failing tells the queue of an endpoint of which nothing but failures comes.
func (l *endpointQueue) failing() bool { return l.failures >= failedOften }

// learn takes from how an attempt ended what to expect of the next one.
func (l *endpointQueue) learn(acknowledged bool) {
	l.known = true
	l.failures++
	if acknowledged {
		l.failures = 0
	}
}

// use is how many attempts the endpoint queue had going on average until now. That they wait to be
// noted is no fault of the receiver.
func (l *endpointQueue) use(now time.Time) float64 {
	if span := now.Sub(l.counted); span > 0 {
		kept := math.Exp(-span.Seconds() / useTime.Seconds())
		l.used = l.used*kept + float64(l.sending)*(1-kept)
		l.counted = now
	}
	return l.used
}

// send has the endpoint queue have more attempts going, or fewer, from now on.
func (l *endpointQueue) send(more int, now time.Time) {
	l.use(now)
	l.sending += more
}

// idle tells an endpoint queue that has nothing to do or to wait for.
func (l *endpointQueue) idle() bool { return l.running == 0 && !l.ready && !l.queued }

package dispatch

import (
	"math"
	"time"

	"portal/api/webhook"
)

// Slots are shared by recent use: the more an endpoint uses, the earlier it must wait. An
// endpoint that uses none may take the last free slot; one that uses evenUse on average may take
// a slot while fewer than half of them are taken, and so on. However many endpoints hang, some
// slots stay free for endpoints that use little. Use counts from the first moment of an attempt,
// not only once it fails.
const (
	evenUse = 1.5
	// unknownWeight is as how many each attempt counts until the first one at its endpoint has ended,
	// which leaves a part of the slots to the others.
	unknownWeight = 4
	unknownShare  = 0.8
	// failingShare is the part of the slots that failing endpoints get together, at a limited pace: a
	// refused connection takes no time, but it takes work.
	failingShare = 0.5
	failingPace  = 200 // attempts a second
)

// cycleSlots is how many endpoints one cycle claims for. Fewer make the next cycle start sooner.
const cycleSlots = 32

// levels are the limits of use between the queues. Endpoints of a lower level go first; within a
// level they take turns.
var levels = [...]float64{0.2, 0.7, 2}

// endpointQueues are the endpoints that have something to send.
type endpointQueues struct {
	all     map[string]*endpointQueue
	queues  [len(levels) + 1][]*endpointQueue // by level, in the order of their turns
	failing []*endpointQueue
	running int
	failed  int       // of those that run, in endpoint queues that were failing when they began
	slots   int       // attempts that may run
	pace    float64   // attempts a second of failing endpoint queues
	tokens  float64   // attempts that failing endpoint queues may begin now
	filled  time.Time // up to when tokens are counted
	swept   time.Time
	more    bool // the last pick left something that could have been started
	held    bool // the last pick left something that has to wait for slots or pace
	first   bool // the last cycle was for those alone that use little
}

// newEndpointQueues are one of so many shares of the slots that a process has.
func newEndpointQueues(all, shares int, now time.Time) endpointQueues {
	return endpointQueues{
		all:    map[string]*endpointQueue{},
		slots:  all / shares,
		pace:   failingPace / float64(shares),
		filled: now,
		swept:  now,
	}
}

// call notes that an endpoint may have something to send, and reports whether nothing of
// it runs.
func (l *endpointQueues) call(p webhook.EndpointRef, now time.Time) (idle bool) {
	one := l.all[p.Endpoint]
	if one == nil {
		one = &endpointQueue{endpoint: p, counted: now}
		l.all[p.Endpoint] = one
	}
	one.ready = true
	l.enqueue(one, now)
	return one.running == 0 && !one.failing()
}

// enqueue puts the queue of an endpoint at the end of its level if it can start something.
func (l *endpointQueues) enqueue(one *endpointQueue, now time.Time) {
	if one.queued || !one.ready || one.running >= perEndpoint {
		return
	}
	one.queued = true
	if one.failing() {
		l.failing = append(l.failing, one)
		return
	}
	n := 0
	for use := one.use(now); n < len(levels) && use >= levels[n]; {
		n++
	}
	l.queues[n] = append(l.queues[n], one)
}

// room is how many slots an endpoint queue may take now.
func (l *endpointQueues) room(one *endpointQueue, now time.Time) (n int) {
	weight, most := 1.0, float64(l.slots)
	if !one.known {
		weight, most = unknownWeight, most*unknownShare
	}
	load := one.use(now) + weight*float64(one.running)
	for one.running+n < perEndpoint && float64(l.running+n) < min(most, float64(l.slots)*evenUse/(evenUse+load)) {
		load += weight
		n++
	}
	return n
}

// pick is an endpoint queue and how much it may claim.
type pick struct {
	queue *endpointQueue
	most  int
}

// pick takes endpoint queues, those that use little first and those that fail last,
// for at most so many claims. What is picked counts as running until it is returned.
func (l *endpointQueues) pick(most int, now time.Time) (picks []pick) {
	l.more, l.held = false, false
	for level := range l.queues {
		l.queues[level], picks = l.take(l.queues[level], &most, picks, now)
	}
	l.refill(now)
	free := min(int(l.tokens), int(failingShare*float64(l.slots))-l.failed, most)
	if free <= 0 {
		l.held = l.held || len(l.failing) > 0
		return picks
	}
	left := free
	l.failing, picks = l.take(l.failing, &left, picks, now)
	l.tokens -= float64(free - left)
	return picks
}

// urgent reports whether the next cycle is only for endpoints that use little, so that they wait
// for one cycle at most. It is true if there are any, but not twice in a row.
func (l *endpointQueues) urgent() bool {
	l.first = !l.first && len(l.queues[0]) > 0
	return l.first
}

// pickFirst is pick for endpoints that use little, and no others. There may be more to do.
func (l *endpointQueues) pickFirst(most int, now time.Time) (picks []pick) {
	l.more = true
	l.queues[0], picks = l.take(l.queues[0], &most, nil, now)
	return picks
}

// take takes endpoint queues from a level. One that has no room now waits at the end of the level.
func (l *endpointQueues) take(
	queue []*endpointQueue, most *int, picks []pick, now time.Time,
) ([]*endpointQueue, []pick) {
	var waiting []*endpointQueue
	for i, one := range queue {
		if *most <= 0 || len(picks) >= cycleSlots {
			l.more = true
			return append(queue[i:], waiting...), picks
		}
		n := min(l.room(one, now), *most)
		if n == 0 {
			l.held = true
			waiting = append(waiting, one)
			continue
		}
		one.queued, one.ready = false, false
		one.running, l.running = one.running+n, l.running+n
		*most -= n
		picks = append(picks, pick{one, n})
	}
	return waiting, picks
}

// refill lets time bring new attempts for failing endpoint queues, at most a quarter of a second's.
func (l *endpointQueues) refill(now time.Time) {
	l.tokens = min(l.tokens+max(now.Sub(l.filled).Seconds(), 0)*l.pace, l.pace/4)
	l.filled = now
}

// giveBack returns what was picked and not claimed; more reports whether there may be
// something left to claim.
func (l *endpointQueues) giveBack(p pick, claimed int, more bool, now time.Time) {
	unused := p.most - claimed
	p.queue.running, l.running = p.queue.running-unused, l.running-unused
	p.queue.ready = p.queue.ready || more
	l.enqueue(p.queue, now)
}

// end notes that an attempt of an endpoint queue is over and noted.
func (l *endpointQueues) end(one *endpointQueue, now time.Time) {
	one.running, l.running = one.running-1, l.running-1
	l.enqueue(one, now)
}

// sweep forgets, now and then, endpoint queues that have had nothing to do for long.
func (l *endpointQueues) sweep(now time.Time) {
	if now.Sub(l.swept) < keepIdle/10 {
		return
	}
	l.swept = now
	for id, one := range l.all {
		if one.idle() && now.Sub(one.counted) > keepIdle {
			delete(l.all, id)
		}
	}
}

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

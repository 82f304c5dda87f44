package webhook

import "time"

// How many attempts may run (decisions.md §5: one slow, dead or busy endpoint never
// delays another's). A lane that is in trouble shares half of the places and a pace
// with its like, so that none of them can use up what the others need.
const (
	perEndpoint  = 10
	places       = 1024
	troubledPace = 200 // attempts a second of all lanes in trouble
	slowAnswer   = 2 * time.Second
	failedOften  = 3 // in a row
)

// lane is an endpoint that this process sends to.
type lane struct {
	place    Place
	running  int  // attempts, up to the note of how they ended
	ready    bool // something may be there to claim
	queued   bool
	failures int // in a row
	slow     bool
}

// troubled tells a lane whose receiver fails or dawdles.
func (l *lane) troubled() bool { return l.failures >= failedOften || l.slow }

// learn takes from how an attempt ended what to expect of the next one.
func (l *lane) learn(acknowledged bool, took time.Duration) {
	l.failures++
	if acknowledged {
		l.failures = 0
	}
	l.slow = took > slowAnswer
}

// lanes are the endpoints that have something to send, each in its turn.
type lanes struct {
	all      map[string]*lane
	healthy  []*lane // in the order of their turns, as troubled
	troubled []*lane
	running  int
	trouble  int     // of those that run, in lanes in trouble when they began
	places   int     // attempts that may run
	pace     float64 // attempts a second of lanes in trouble
	tokens   float64 // attempts that lanes in trouble may begin now
	filled   time.Time
}

// newLanes are one of so many shares of what a process has.
func newLanes(shares int, now time.Time) lanes {
	return lanes{all: map[string]*lane{}, places: places / shares, pace: troubledPace / float64(shares), filled: now}
}

// call notes that an endpoint may have something to send, and tells whether nothing of
// it runs.
func (l *lanes) call(p Place) (idle bool) {
	one := l.all[p.Endpoint]
	if one == nil {
		one = &lane{place: p}
		l.all[p.Endpoint] = one
	}
	one.ready = true
	l.enqueue(one)
	return one.running == 0 && !one.troubled()
}

// enqueue puts a lane at the end of its queue if it can start something.
func (l *lanes) enqueue(one *lane) {
	switch {
	case one.queued || !one.ready || one.running >= perEndpoint:
		return
	case one.troubled():
		l.troubled = append(l.troubled, one)
	default:
		l.healthy = append(l.healthy, one)
	}
	one.queued = true
}

// waiting tells whether a healthy lane could start something now.
func (l *lanes) waiting() bool { return len(l.healthy) > 0 && l.running < l.places }

// pick is a lane and how much it may claim.
type pick struct {
	lane *lane
	most int
}

// pick takes lanes from the queues, the healthy ones first, for at most so many claims.
// What is picked counts as running until it is returned.
func (l *lanes) pick(most int, now time.Time) (picks []pick) {
	most = min(most, l.places-l.running)
	l.healthy, picks = l.take(l.healthy, most, picks)
	for _, p := range picks {
		most -= p.most
	}
	l.refill(now)
	healthy := len(picks)
	l.troubled, picks = l.take(l.troubled, min(most, int(l.tokens), l.places/2-l.trouble), picks)
	for _, p := range picks[healthy:] {
		l.tokens -= float64(p.most)
	}
	return picks
}

func (l *lanes) take(queue []*lane, most int, picks []pick) ([]*lane, []pick) {
	for len(queue) > 0 && most > 0 {
		one := queue[0]
		queue = queue[1:]
		n := min(perEndpoint-one.running, most)
		one.queued, one.ready = false, false
		one.running, l.running, most = one.running+n, l.running+n, most-n
		picks = append(picks, pick{one, n})
	}
	return queue, picks
}

// refill lets time bring new attempts for lanes in trouble, at most a quarter of a
// second's.
func (l *lanes) refill(now time.Time) {
	l.tokens = min(l.tokens+max(now.Sub(l.filled).Seconds(), 0)*l.pace, l.pace/4)
	l.filled = now
}

// giveBack returns what was picked and not claimed; more tells whether there may be
// something left to claim.
func (l *lanes) giveBack(p pick, claimed int, more bool) {
	unused := p.most - claimed
	p.lane.running, l.running = p.lane.running-unused, l.running-unused
	p.lane.ready = p.lane.ready || more
	l.enqueue(p.lane)
	l.forget(p.lane)
}

// end notes that an attempt of a lane is over and noted.
func (l *lanes) end(one *lane) {
	one.running--
	l.running--
	l.enqueue(one)
	l.forget(one)
}

// forget lets go of a lane that has nothing to tell.
func (l *lanes) forget(one *lane) {
	if one.running == 0 && !one.ready && !one.queued && !one.troubled() {
		delete(l.all, one.place.Endpoint)
	}
}

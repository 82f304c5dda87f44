// Package dispatch sends the deliveries that are queued: it claims those that are due, fairly
// among endpoints, makes their attempts and notes how they ended, many in one transaction.
//
// What an endpoint, an event and a delivery are is said in package webhook; how a request
// reaches a receiver in package send.
//
// It knows nothing of pages or HTTP routes.
package dispatch

import (
	"context"
	"crypto/rand"
	"hash/fnv"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"portal/api/clock"
	"portal/api/webhook"
	"portal/api/webhook/send"
)

// Timing and size of the cycles.
const (
	pollTime  = 500 * time.Millisecond // how often it looks for what others have queued
	paceTime  = 50 * time.Millisecond  // how often endpoints that wait for a slot or for pace are tried
	linger    = 3 * time.Millisecond   // how long the end of an attempt waits for others to be noted with
	lingerOn  = 20 * time.Millisecond  // the same for attempts that took long or failed
	cycleSize = 32                     // claims in one transaction, and ends of attempts
	noteSize  = 32                     // ends of attempts that do not wait for more
	stopGrace = 5 * time.Second        // how long a stop waits for attempts that run
)

// fewestSlots is how many slots each shard has, so that those that hang leave some to others.
const fewestSlots = 16

// Config is what a dispatcher is made of.
type Config struct {
	Sender  *send.Sender
	Retries Retries
	Log     *slog.Logger
	// Shards is how many transactions it has at once, at least one: as many as the database
	// takes side by side.
	Shards int
	// Slots is how many attempts may run at a time: 1,024 where it is 0 or more than that.
	Slots int
}

// Dispatcher sends what is queued: it claims deliveries that are due, makes their
// attempts and notes how they ended, many in one transaction. Several processes share a
// database's deliveries; each delivery is claimed by one of them.
//
// An endpoint belongs to one shard, in which one goroutine decides; each attempt has its
// own.
type Dispatcher struct {
	Config
	rules  *webhook.Service
	store  Store
	now    clock.Clock
	node   string
	shards []*shard
	asked  pendingStops
	Counts Counts
}

// found is what the store has that is due at the endpoints of a shard.
type found struct {
	endpoints []webhook.EndpointRef
	err       error
}

// Counts are what a dispatcher has done, for metrics.
type Counts struct{ Acknowledged, Failed, Running atomic.Int64 }

// shard sends to some of the endpoints.
type shard struct {
	*Dispatcher
	queues endpointQueues
	ended  chan *try
	woken  chan struct{}
	found  chan found // what is due at endpoints of this shard

	notes     []*try    // have ended and are to be noted
	fresh     bool      // an idle endpoint has something to send
	unhurried bool      // all results that wait are of attempts that took long or failed
	late      bool      // results, or what the last cycle left, have waited long enough
	failing   bool      // the store did not take the last cycle; wait for the next look
	size      int       // how much a cycle claims, and how much it notes
	urgent    time.Time // when the last cycle was for those alone that use little
	linger    *time.Timer

	mu      sync.Mutex // guards what follows
	called  map[webhook.EndpointRef]struct{}
	running map[string]map[*try]struct{} // by endpoint
	barred  map[string]struct{}          // endpoints stopped since the present cycle began
}

// New makes the dispatcher of this process, which sends for the rules from then on.
func New(rules *webhook.Service, store Store, now clock.Clock, c Config) *Dispatcher {
	d := &Dispatcher{
		Config: c,
		rules:  rules,
		store:  store,
		now:    now,
		node:   rand.Text(),
	}
	all := defaultSlots
	if c.Slots > 0 {
		all = min(c.Slots, defaultSlots)
	}
	n := max(1, min(c.Shards, all/fewestSlots))
	for range n {
		d.shards = append(d.shards, &shard{
			Dispatcher: d,
			queues:     newEndpointQueues(all, n, realNow()),
			size:       cycleSize,
			ended:      make(chan *try, defaultSlots),
			woken:      make(chan struct{}, 1),
			found:      make(chan found),
			linger:     time.NewTimer(time.Hour),
			called:     map[webhook.EndpointRef]struct{}{},
			running:    map[string]map[*try]struct{}{},
			barred:     map[string]struct{}{},
		})
	}
	rules.SendBy(d)
	return d
}

// realNow is the moment by which spans are measured, which no test puts forward.
func realNow() time.Time { return time.Now() } //nolint:forbidigo // a measured span, not a moment anybody sees

// of is the shard that an endpoint belongs to.
func (d *Dispatcher) of(endpoint string) *shard {
	h := fnv.New32a()
	_, _ = h.Write([]byte(endpoint)) // never fails
	return d.shards[h.Sum32()%uint32(len(d.shards))]
}

// Run sends until the context ends, then lets attempts that run finish for a while.
func (d *Dispatcher) Run(ctx context.Context) {
	// Attempts and their notes outlive the context: a stop is no reason to lose them.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	d.store.Present(work, d.node, func(message string) { d.onMessage(work, message) })
	var all sync.WaitGroup
	for _, s := range d.shards {
		all.Go(func() { s.run(ctx, work) })
	}
	all.Go(func() { d.look(ctx) })
	all.Wait()
	d.Sender.Close()
}

// Wake tells that an endpoint of a portfolio may have something to send.
func (d *Dispatcher) Wake(p webhook.EndpointRef) { d.of(p.Endpoint).wake(p) }

// wake tells that an endpoint may have something to send.
func (d *shard) wake(p webhook.EndpointRef) {
	d.mu.Lock()
	d.called[p] = struct{}{}
	d.mu.Unlock()
	select {
	case d.woken <- struct{}{}:
	default:
	}
}

// run sends until the context ends; work is the context of what outlives that.
func (d *shard) run(ctx, work context.Context) {
	for {
		d.cycleIfDue(work)
		var paced <-chan time.Time
		if d.queues.held {
			paced = time.After(paceTime)
		}
		select {
		case <-ctx.Done():
			d.stop(work)
			return
		case <-d.woken:
			d.drainCalls()
		case t := <-d.ended:
			d.batch(t)
		case <-d.linger.C:
			d.late = true
		case <-paced:
			d.fresh = true
		case f := <-d.found:
			d.take(f)
		}
	}
}

// drainCalls takes the calls that have come, without waiting for more.
func (d *shard) drainCalls() {
	d.mu.Lock()
	called := d.called
	d.called = make(map[webhook.EndpointRef]struct{}, len(called))
	d.mu.Unlock()
	now := realNow()
	for p := range called {
		if d.queues.call(p, now) {
			d.fresh = true
		}
	}
}

// look asks the store what is due, at once and then from time to time until the context ends:
// queued by other processes, or by a job of its time. No shard waits for the answer.
func (d *Dispatcher) look(ctx context.Context) {
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	for {
		endpoints, err := d.store.Ready(ctx, clock.At(d.now()))
		if err != nil && ctx.Err() == nil {
			d.Log.Warn("webhooks: nobody knows what is due", "error", err)
		}
		of := map[*shard][]webhook.EndpointRef{}
		for _, p := range endpoints {
			of[d.of(p.Endpoint)] = append(of[d.of(p.Endpoint)], p)
		}
		for _, s := range d.shards {
			select {
			case s.found <- found{of[s], err}:
			case <-ctx.Done():
				return
			}
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return
		}
	}
}

// take takes what a look has shown. A store that did not take the last cycle is tried again.
func (d *shard) take(f found) {
	d.failing = false
	if f.err != nil {
		return
	}
	now := realNow()
	d.queues.sweep(now)
	for _, p := range f.endpoints {
		d.queues.call(p, now)
		d.fresh = true
	}
}

// batch takes the end of an attempt, and of those that have ended meanwhile.
func (d *shard) batch(t *try) {
	for {
		d.wait(t)
		d.notes = append(d.notes, t)
		d.finished(t)
		select {
		case t = <-d.ended:
		default:
			return
		}
	}
}

// wait has the note of an attempt wait for others, not for long where its endpoint is quick
// and may have more to send.
func (d *shard) wait(t *try) {
	quick := t.answer.Acknowledged() && t.answer.Duration < lingerOn
	switch {
	case quick && (len(d.notes) == 0 || d.unhurried):
		d.linger.Reset(linger)
		d.unhurried = false
	case len(d.notes) == 0:
		d.linger.Reset(lingerOn)
		d.unhurried = true
	}
}

// finished lets go of an attempt.
func (d *shard) finished(t *try) {
	endpoint := t.queue.endpoint.Endpoint
	d.mu.Lock()
	delete(d.running[endpoint], t)
	if len(d.running[endpoint]) == 0 {
		delete(d.running, endpoint)
	}
	d.mu.Unlock()
	t.queue.send(-1, realNow())
	if t.failing {
		d.queues.failed--
	}
	if t.unsent() {
		return
	}
	if t.answer.Repeat {
		t.queue.distrust(realNow())
	}
	acknowledged := t.answer.Acknowledged()
	t.queue.learn(acknowledged)
	if acknowledged {
		d.Counts.Acknowledged.Add(1)
	} else {
		d.Counts.Failed.Add(1)
	}
}

// cycleIfDue runs a cycle if there is something to claim for an endpoint that waits, or to
// note: at once for many, after a while for a few. While a commit runs, more gathers.
func (d *shard) cycleIfDue(ctx context.Context) {
	open := d.queues.running - len(d.notes)
	enough := len(d.notes) > 0 && (len(d.notes) >= noteSize || len(d.notes) >= open)
	if d.failing || !d.fresh && !d.late && !enough {
		return
	}
	d.fresh, d.late = false, false
	d.cycle(ctx)
	if d.queues.more || len(d.notes) > 0 { // what the cycle has left does not wait for others
		d.linger.Reset(0)
	}
}

// stop lets attempts that run finish, cuts off those that take too long, and notes all.
func (d *shard) stop(ctx context.Context) {
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	for d.queues.running > len(d.notes) {
		select {
		case t := <-d.ended:
			d.batch(t)
		case <-grace.C:
			d.cut()
		}
	}
	if err := d.transact(ctx, d.notes, nil, nil); err != nil {
		d.Log.Error(
			"webhooks: the last attempts are not noted and will be made again",
			"attempts",
			len(d.notes),
			"error",
			err,
		)
	}
}

// cut ends the attempts that run.
func (d *shard) cut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, all := range d.running {
		for t := range all {
			t.start.stop()
			t.stopping = true
			t.cancel()
		}
	}
}

// Store is what sending needs of the store. Its methods see all portfolios, as a process
// sends for all; each names the portfolio of what it touches.
type Store interface {
	// Promptly runs a short transaction, which does not wait for a connection until others
	// have ended.
	Promptly(ctx context.Context, do func(context.Context) error) error
	// Ready are endpoints that have a delivery whose attempt may start.
	Ready(ctx context.Context, now clock.Time) ([]webhook.EndpointRef, error)
	// ClaimEach takes deliveries of endpoints whose attempts may start, the longest due first;
	// nil for an endpoint that another process holds just now. Those of a disabled endpoint are
	// cancelled instead.
	ClaimEach(ctx context.Context, c webhook.Claim, endpoints []webhook.Wanted) ([]*webhook.Claimed, error)
	// ConcludeEach notes how attempts ended whose claims a process still has, by ascending
	// endpoint.
	ConcludeEach(ctx context.Context, by string, ended []webhook.Ended) ([]webhook.Concluded, error)
	// MayStart reports whether an endpoint is enabled, once all who change it now are through.
	MayStart(ctx context.Context, at webhook.EndpointRef) (bool, error)
	// Claimants are the processes that have claims at an endpoint.
	Claimants(ctx context.Context, at webhook.EndpointRef) ([]string, error)
	// Present lets other processes know that this one is alive, until the context ends, and
	// has it hear what they tell; heard must return soon.
	Present(ctx context.Context, process string, heard func(message string))
	// Tell tells all processes that are present, this one too, whatever transaction the
	// context is in. Nobody may hear it.
	Tell(ctx context.Context, message string) error
}

// Retries remembers, along with the transaction, when failed deliveries are due.
type Retries interface {
	Retry(ctx context.Context, at time.Time, due webhook.Due) error
}

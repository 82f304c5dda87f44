package dispatch

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/webhook"
)

// A retry is a job that is due a little before its time, as jobs run late: it lets the
// attempt start, which the dispatcher then does in time. Those that fall due close to
// each other share a job.
const (
	retryLead = 3 * time.Second
	retryPart = 20 // of a pause: what is close
)

// cycle notes in one transaction how attempts ended and claims the next ones, in the slots
// that fall free too, and starts those once it is durable.
func (d *shard) cycle(ctx context.Context) {
	d.mu.Lock()
	clear(d.barred)
	d.mu.Unlock()
	now := realNow()
	until := now.Add(webhook.StartTime)
	notes, picks := d.due(now)
	claims := make([]*webhook.Claimed, len(picks))
	err := d.transact(ctx, notes, picks, claims)
	d.measure(now, realNow(), max(len(notes), len(picks)))
	if err != nil {
		d.failing = true
		d.reclaim(notes)
		d.failed(ctx, notes, picks, err)
		return
	}
	for i, p := range picks {
		d.start(ctx, p, claims[i], until)
	}
}

// due is what a cycle notes and claims. The slots of what is noted can be taken again at once.
func (d *shard) due(now time.Time) (notes []*try, picks []pick) {
	if d.queues.urgent() {
		d.urgent = now
		return nil, d.queues.pickFirst(cycleSize, now)
	}
	n := min(len(d.notes), d.size)
	notes = d.notes[:n:n]
	d.notes = d.notes[n:]
	d.free(notes)
	return notes, d.queues.pick(d.size, now)
}

// How long a cycle should take while endpoints that use little come: between these, each cycle
// does less or more than the last one. They wait for a cycle of the others first.
const (
	cycleLong  = 12 * time.Millisecond
	cycleShort = 6 * time.Millisecond
	cycleLeast = cycleSize / 4
	urgentFor  = time.Second // how long after one that uses little another is expected
)

// measure takes from how long a cycle took how much the next ones do. One that had little to do
// is no reason to do more in the next one, which may have much.
func (d *shard) measure(began, ended time.Time, did int) {
	took := ended.Sub(began)
	switch {
	case ended.Sub(d.urgent) > urgentFor:
		d.size = cycleSize
	case d.queues.first: // it says nothing of the others
	case took > cycleLong:
		d.size = max(cycleLeast, d.size/2)
	case took < cycleShort && did >= d.size:
		d.size = min(cycleSize, d.size*2)
	}
}

// transact is the transaction of a cycle.
func (d *shard) transact(ctx context.Context, notes []*try, picks []pick, claims []*webhook.Claimed) error {
	if len(notes)+len(picks) == 0 {
		return nil
	}
	var failing []endpointFailure
	err := d.store.Promptly(ctx, func(ctx context.Context) (err error) {
		if failing, err = d.conclude(ctx, notes); err != nil || len(picks) == 0 {
			return err
		}
		now, wanted := d.now(), make([]webhook.Wanted, len(picks))
		for i, p := range picks {
			wanted[i] = webhook.Wanted{EndpointRef: p.queue.endpoint, Most: p.most}
		}
		c := webhook.Claim{
			By:       d.node,
			At:       clock.At(now),
			Until:    clock.At(now.Add(webhook.ClaimTime)),
			InFlight: perEndpoint,
		}
		all, err := d.store.ClaimEach(ctx, c, wanted)
		copy(claims, all)
		return err
	})
	if err == nil {
		for _, i := range failing {
			go d.giveUpOn(ctx, i)
		}
	}
	return err
}

// failed keeps what could not be noted for the next cycle while the store is away. What the
// store cannot take for another reason is noted and claimed in parts, so that one bad row
// holds up no other; the claim of a bad note will run out.
func (d *shard) failed(ctx context.Context, notes []*try, picks []pick, err error) {
	if d.keep(notes, err) {
		for _, p := range picks {
			d.queues.giveBack(p, 0, true, realNow())
		}
		return
	}
	d.noteInHalves(ctx, notes)
	for _, p := range picks {
		d.claimAlone(ctx, p)
	}
}

// claimAlone claims for one endpoint what could not be claimed for several. Where that
// fails too, the next look finds the endpoint again.
func (d *shard) claimAlone(ctx context.Context, p pick) {
	claims, until := make([]*webhook.Claimed, 1), realNow().Add(webhook.StartTime)
	if err := d.transact(ctx, nil, []pick{p}, claims); err != nil {
		d.Log.Error("webhooks: nothing can be claimed", "endpoint", p.queue.endpoint.Endpoint, "error", err)
		d.queues.giveBack(p, 0, false, realNow())
		return
	}
	d.start(ctx, p, claims[0], until)
}

// keep has notes written later, where the store is away.
func (d *shard) keep(notes []*try, err error) bool {
	if !fault.Is(err, fault.Unavailable) {
		return false
	}
	d.Log.Warn("webhooks: the store is away", "attempts", len(notes), "error", err)
	d.notes = append(d.notes, notes...)
	return true
}

// noteInHalves notes in halves what could not be noted together.
func (d *shard) noteInHalves(ctx context.Context, notes []*try) {
	if len(notes) == 0 {
		return
	}
	for part := range slices.Chunk(notes, (len(notes)+1)/2) {
		err := d.transact(ctx, part, nil, nil)
		switch {
		case err == nil:
			d.free(part)
		case d.keep(part, err):
		case len(part) == 1:
			d.Log.Error(
				"webhooks: an attempt is not noted and will be made again",
				"delivery",
				part[0].work.ID,
				"error",
				err,
			)
			d.free(part)
		default:
			d.noteInHalves(ctx, part)
		}
	}
}

// reclaim takes back the slots of attempts whose results could not be stored.
func (d *shard) reclaim(notes []*try) {
	for _, t := range notes {
		t.queue.running++
		d.queues.running++
	}
}

// free lets go of what is noted.
func (d *shard) free(notes []*try) {
	now := realNow()
	for _, t := range notes {
		t.queue.ready = t.queue.ready || t.answer.Repeat
		d.queues.end(t.queue, now)
	}
}

// start begins the attempts that were claimed, but for those of an endpoint that was
// disabled meanwhile. They may start until a moment, or ask again.
func (d *shard) start(ctx context.Context, p pick, c *webhook.Claimed, until time.Time) {
	if c == nil {
		d.queues.giveBack(p, 0, false, realNow()) // the next look finds it again
		return
	}
	now := realNow()
	d.queues.giveBack(p, len(c.Work), len(c.Work) == p.most, now)
	p.queue.send(len(c.Work), now)
	secrets, unreadable := d.rules.Unseal(c)
	if unreadable != nil {
		d.Log.Error(
			"webhooks: a signing secret cannot be read",
			"endpoint",
			p.queue.endpoint.Endpoint,
			"error",
			unreadable,
		)
	}
	for i := range c.Work {
		t := &try{
			queue:    p.queue,
			work:     &c.Work[i],
			url:      c.URL,
			secrets:  secrets,
			unsigned: unreadable != nil,
			failing:  p.queue.failing(),
			fresh:    p.queue.fresh(now),
		}
		if t.failing {
			d.queues.failed++
		}
		running, cancel := context.WithCancel(ctx)
		t.cancel = cancel
		t.start.cancel, t.start.until = cancel, until
		t.start.renew = func(ctx context.Context) bool { return d.mayStart(ctx, p.queue.endpoint) }
		d.register(t)
		d.Counts.Running.Add(1)
		go func() {
			t.run(running, d.Sender, d.now)
			d.Counts.Running.Add(-1)
			d.ended <- t
		}()
	}
}

// register makes a try known to changes that disable its endpoint.
func (d *shard) register(t *try) {
	endpoint := t.queue.endpoint.Endpoint
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, disabled := d.barred[endpoint]; disabled {
		t.start.stop()
	}
	if d.running[endpoint] == nil {
		d.running[endpoint] = map[*try]struct{}{}
	}
	d.running[endpoint][t] = struct{}{}
}

// mayStart asks the store whether an attempt may still start that took long to connect.
func (d *shard) mayStart(ctx context.Context, at webhook.EndpointRef) bool {
	may, err := d.store.MayStart(ctx, at)
	if err != nil {
		d.Log.Warn("webhooks: nobody knows whether an endpoint is enabled still", "endpoint", at.Endpoint, "error", err)
	}
	return may && err == nil
}

// conclude notes how attempts ended, endpoint by endpoint in a fixed order, and has
// remembered when those that failed are due. It names the endpoints of which nothing but
// failures has come for too long.
func (d *shard) conclude(ctx context.Context, notes []*try) (failing []endpointFailure, err error) {
	if len(notes) == 0 {
		return nil, nil
	}
	now := d.now()
	ended := byEndpoint(notes, now)
	all, err := d.store.ConcludeEach(ctx, d.node, ended)
	if err != nil {
		return nil, err
	}
	jobs := map[int64]webhook.Due{} // by moment in milliseconds
	for i, e := range ended {
		for j := range e.All {
			if all[i].Waiting[j] {
				remember(jobs, e.EndpointRef, &e.All[j])
			}
		}
		if all[i].Lost > 0 {
			d.Log.Warn("webhooks: attempts ended after their claims", "endpoint", e.Endpoint, "attempts", all[i].Lost)
		}
		since := all[i].FailingSince
		if last := lastFailure(e.All); last != nil && since != nil && now.Sub(since.Std()) >= webhook.GiveUpOnEndpoint {
			failing = append(failing, endpointFailure{e.EndpointRef, last})
		}
	}
	for _, at := range slices.Sorted(maps.Keys(jobs)) {
		if err := d.Retries.Retry(ctx, time.UnixMilli(at), jobs[at]); err != nil {
			return nil, err
		}
	}
	return failing, nil
}

// byEndpoint are the conclusions of each endpoint, by ascending endpoint.
func byEndpoint(notes []*try, now time.Time) (ended []webhook.Ended) {
	sorted := slices.Clone(notes)
	slices.SortStableFunc(
		sorted,
		func(a, b *try) int { return cmp.Compare(a.queue.endpoint.Endpoint, b.queue.endpoint.Endpoint) },
	)
	for _, t := range sorted {
		if n := len(ended); n == 0 || ended[n-1].EndpointRef != t.queue.endpoint {
			ended = append(ended, webhook.Ended{EndpointRef: t.queue.endpoint})
		}
		last := &ended[len(ended)-1]
		last.All = append(last.All, t.conclusion(now))
	}
	return ended
}

// remember adds a delivery to the job of its time.
func remember(jobs map[int64]webhook.Due, at webhook.EndpointRef, c *webhook.Conclusion) {
	part := (pause(c.Work.Try) / retryPart).Milliseconds()
	moment := int64(*c.Next)/part*part - retryLead.Milliseconds()
	if jobs[moment] == nil {
		jobs[moment] = webhook.Due{}
	}
	jobs[moment][at.Portfolio.ID] = append(jobs[moment][at.Portfolio.ID], c.Work.ID)
}

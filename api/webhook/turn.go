package webhook

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"portal/api/clock"
	"portal/api/fault"
)

// A retry is a job that is due a little before its time, as jobs run late: it lets the
// attempt start, which the dispatcher then does in time. Those that fall due close to
// each other share a job.
const (
	retryLead = 3 * time.Second
	retryPart = 20 // of a pause: what is close
)

// turn notes in one transaction how attempts ended and claims the next ones, in the places
// that fall free too, and starts those once it is durable.
func (d *shard) turn(ctx context.Context) {
	d.mu.Lock()
	clear(d.barred)
	d.mu.Unlock()
	now := realNow()
	until := now.Add(startTime)
	notes, picks := d.due(now)
	claims := make([]*Claimed, len(picks))
	err := d.settle(ctx, notes, picks, claims)
	d.measure(now, realNow(), max(len(notes), len(picks)))
	if err != nil {
		d.failing = true
		d.regain(notes)
		d.failed(ctx, notes, picks, err)
		return
	}
	for i, p := range picks {
		d.start(ctx, p, claims[i], until)
	}
}

// due is what a turn notes and claims. The places of what is noted can be taken again at once.
func (d *shard) due(now time.Time) (notes []*try, picks []pick) {
	if d.lanes.urgent() {
		d.urgent = now
		return nil, d.lanes.pickFirst(turnSize, now)
	}
	n := min(len(d.notes), d.size)
	notes = d.notes[:n:n]
	d.notes = d.notes[n:]
	d.let(notes)
	return notes, d.lanes.pick(d.size, now)
}

// How long a turn should take while endpoints that use little come: between these, each turn
// does less or more than the last one. They wait for a turn of the others first.
const (
	turnLong  = 12 * time.Millisecond
	turnShort = 6 * time.Millisecond
	turnLeast = turnSize / 4
	urgentFor = time.Second // how long after one that uses little another is expected
)

// measure takes from how long a turn took how much the next ones do. One that had little to do
// is no reason to do more in the next one, which may have much.
func (d *shard) measure(began, ended time.Time, did int) {
	took := ended.Sub(began)
	switch {
	case ended.Sub(d.urgent) > urgentFor:
		d.size = turnSize
	case d.lanes.first: // it says nothing of the others
	case took > turnLong:
		d.size = max(turnLeast, d.size/2)
	case took < turnShort && did >= d.size:
		d.size = min(turnSize, d.size*2)
	}
}

// settle is the transaction of a turn.
func (d *shard) settle(ctx context.Context, notes []*try, picks []pick, claims []*Claimed) error {
	if len(notes)+len(picks) == 0 {
		return nil
	}
	var ill []illness
	err := d.s.store.Promptly(ctx, func(ctx context.Context) (err error) {
		if ill, err = d.conclude(ctx, notes); err != nil || len(picks) == 0 {
			return err
		}
		now, wanted := d.s.now(), make([]Wanted, len(picks))
		for i, p := range picks {
			wanted[i] = Wanted{p.lane.place, p.most}
		}
		c := Claim{By: d.node, At: clock.At(now), Until: clock.At(now.Add(claimTime)), InFlight: perEndpoint}
		all, err := d.s.store.ClaimEach(ctx, c, wanted)
		copy(claims, all)
		return err
	})
	if err == nil {
		for _, i := range ill {
			go d.giveUpOn(ctx, i)
		}
	}
	return err
}

// failed keeps what could not be noted for the next turn while the store is away. What the
// store cannot take for another reason is noted and claimed in parts, so that one bad row
// holds up no other; the claim of a bad note will run out.
func (d *shard) failed(ctx context.Context, notes []*try, picks []pick, err error) {
	if d.keep(notes, err) {
		for _, p := range picks {
			d.lanes.giveBack(p, 0, true, realNow())
		}
		return
	}
	d.apart(ctx, notes)
	for _, p := range picks {
		d.claimAlone(ctx, p)
	}
}

// claimAlone claims for one endpoint what could not be claimed for several. Where that
// fails too, the next look finds the endpoint again.
func (d *shard) claimAlone(ctx context.Context, p pick) {
	claims, until := make([]*Claimed, 1), realNow().Add(startTime)
	if err := d.settle(ctx, nil, []pick{p}, claims); err != nil {
		d.Log.Error("webhooks: nothing can be claimed", "endpoint", p.lane.place.Endpoint, "error", err)
		d.lanes.giveBack(p, 0, false, realNow())
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

// apart notes in halves what could not be noted together.
func (d *shard) apart(ctx context.Context, notes []*try) {
	if len(notes) == 0 {
		return
	}
	for part := range slices.Chunk(notes, (len(notes)+1)/2) {
		err := d.settle(ctx, part, nil, nil)
		switch {
		case err == nil:
			d.let(part)
		case d.keep(part, err):
		case len(part) == 1:
			d.Log.Error("webhooks: an attempt is not noted and will be made again", "delivery", part[0].work.ID, "error", err)
			d.let(part)
		default:
			d.apart(ctx, part)
		}
	}
}

// regain takes back the places of what could not be noted.
func (d *shard) regain(notes []*try) {
	for _, t := range notes {
		t.lane.running++
		d.lanes.running++
	}
}

// let lets go of what is noted.
func (d *shard) let(notes []*try) {
	now := realNow()
	for _, t := range notes {
		t.lane.ready = t.lane.ready || t.answer.Repeat
		d.lanes.end(t.lane, now)
	}
}

// start begins the attempts that were claimed, but for those of an endpoint that was
// disabled meanwhile. They may start until a moment, or ask again.
func (d *shard) start(ctx context.Context, p pick, c *Claimed, until time.Time) {
	if c == nil {
		d.lanes.giveBack(p, 0, false, realNow()) // the next look finds it again
		return
	}
	now := realNow()
	d.lanes.giveBack(p, len(c.Work), len(c.Work) == p.most, now)
	p.lane.send(len(c.Work), now)
	secrets, unreadable := d.s.unseal(c)
	if unreadable != nil {
		d.Log.Error("webhooks: a signing secret cannot be read", "endpoint", p.lane.place.Endpoint, "error", unreadable)
	}
	for i := range c.Work {
		t := &try{lane: p.lane, work: &c.Work[i], url: c.URL, secrets: secrets, unsigned: unreadable != nil, failing: p.lane.failing(),
			fresh: p.lane.fresh(now)}
		if t.failing {
			d.lanes.failed++
		}
		running, cancel := context.WithCancel(ctx)
		t.cancel = cancel
		t.start.cancel, t.start.until = cancel, until
		t.start.renew = func(ctx context.Context) bool { return d.mayStart(ctx, p.lane.place) }
		d.register(t)
		d.Counts.Running.Add(1)
		go func() {
			t.run(running, d.Sender, d.s.now)
			d.Counts.Running.Add(-1)
			d.ended <- t
		}()
	}
}

// register makes a try known to whoever disables its endpoint.
func (d *shard) register(t *try) {
	endpoint := t.lane.place.Endpoint
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
func (d *shard) mayStart(ctx context.Context, at Place) bool {
	may, err := d.s.store.MayStart(ctx, at)
	if err != nil {
		d.Log.Warn("webhooks: nobody knows whether an endpoint is enabled still", "endpoint", at.Endpoint, "error", err)
	}
	return may && err == nil
}

// conclude notes how attempts ended, endpoint by endpoint in a fixed order, and has
// remembered when those that failed are due. It names the endpoints of which nothing but
// failures has come for too long.
func (d *shard) conclude(ctx context.Context, notes []*try) (ill []illness, err error) {
	if len(notes) == 0 {
		return nil, nil
	}
	now := d.s.now()
	ended := byPlace(notes, now)
	all, err := d.s.store.ConcludeEach(ctx, d.node, ended)
	if err != nil {
		return nil, err
	}
	jobs := map[int64]Due{} // by moment in milliseconds
	for i, e := range ended {
		for j := range e.All {
			if all[i].Waiting[j] {
				remember(jobs, e.Place, &e.All[j])
			}
		}
		if all[i].Lost > 0 {
			d.Log.Warn("webhooks: attempts ended after their claims", "endpoint", e.Endpoint, "attempts", all[i].Lost)
		}
		since := all[i].FailingSince
		if last := lastFailure(e.All); last != nil && since != nil && now.Sub(since.Std()) >= giveUpOnEndpoint {
			ill = append(ill, illness{e.Place, last})
		}
	}
	for _, at := range slices.Sorted(maps.Keys(jobs)) {
		if err := d.Retries.Retry(ctx, time.UnixMilli(at), jobs[at]); err != nil {
			return nil, err
		}
	}
	return ill, nil
}

// byPlace are the conclusions of each endpoint, by ascending endpoint.
func byPlace(notes []*try, now time.Time) (ended []Ended) {
	sorted := slices.Clone(notes)
	slices.SortStableFunc(sorted, func(a, b *try) int { return cmp.Compare(a.lane.place.Endpoint, b.lane.place.Endpoint) })
	for _, t := range sorted {
		if n := len(ended); n == 0 || ended[n-1].Place != t.lane.place {
			ended = append(ended, Ended{Place: t.lane.place})
		}
		last := &ended[len(ended)-1]
		last.All = append(last.All, t.conclusion(now))
	}
	return ended
}

// remember adds a delivery to the job of its time.
func remember(jobs map[int64]Due, at Place, c *Conclusion) {
	part := (pause(c.Work.Try) / retryPart).Milliseconds()
	moment := int64(*c.Next)/part*part - retryLead.Milliseconds()
	if jobs[moment] == nil {
		jobs[moment] = Due{}
	}
	jobs[moment][at.Portfolio.ID] = append(jobs[moment][at.Portfolio.ID], c.Work.ID)
}

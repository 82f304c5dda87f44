package dispatch

import (
	"fmt"
	"testing"
	"time"

	"portal/api/webhook"
	"portal/api/webhook/send"
)

var dawn = time.Unix(0, 0)

func refOf(endpoint string) webhook.EndpointRef { return webhook.EndpointRef{Endpoint: endpoint} }

func TestEndpointsTakeTurnsWithinLimit(t *testing.T) {
	t.Parallel()
	l := newEndpointQueues(defaultSlots, 1, dawn)
	for _, e := range []string{"a", "b", "c"} {
		l.call(refOf(e), dawn)
		l.call(refOf(e), dawn)
	}
	picks := l.pick(25, dawn)
	if len(picks) != 3 || picks[0].most != 10 || picks[1].most != 10 || picks[2].most != 5 || l.running != 25 {
		t.Fatalf("%+v", picks)
	}
	for _, p := range picks {
		l.giveBack(p, p.most, true, dawn)
	}
	again := l.pick(100, dawn)
	if len(again) != 1 || again[0].queue.endpoint.Endpoint != "c" || again[0].most != 5 {
		t.Fatalf("only c has slots: %+v", again)
	}
}

func TestFailingEndpointsAreRateLimited(t *testing.T) {
	t.Parallel()
	l := newEndpointQueues(defaultSlots, 1, dawn)
	l.call(refOf("a"), dawn)
	one := l.all["a"]
	one.known = true
	for range failedOften {
		one.learn(false)
	}
	p := l.pick(100, dawn) // it was queued before it failed
	l.giveBack(p[0], 0, true, dawn)
	if p := l.pick(100, dawn); len(p) != 0 || !l.held {
		t.Errorf("it starts without a token: %+v", p)
	}
	if p := l.pick(100, dawn.Add(25*time.Millisecond)); len(p) != 1 || p[0].most != 5 {
		t.Errorf("25 ms bring 5 attempts of 200 a second: %+v", p)
	}
	if one.learn(true); one.failing() {
		t.Error("an acknowledgement does not end the failing")
	}
}

func TestUsageCountsFromStartAndDecays(t *testing.T) {
	t.Parallel()
	one := &endpointQueue{counted: dawn}
	one.send(1, dawn)
	if u := one.use(dawn.Add(time.Second)); u < 0.09 || u > 0.1 {
		t.Errorf("one slot for a second of ten: %f", u)
	}
	if u := one.use(dawn.Add(time.Minute)); u < 0.99 {
		t.Errorf("one slot for a minute: %f", u)
	}
	one.send(-1, dawn.Add(time.Minute))
	if u := one.use(dawn.Add(2 * time.Minute)); u > 0.01 {
		t.Errorf("nothing for a minute: %f", u)
	}
}

func TestUnprovenEndpointGetsSmallSlotShare(t *testing.T) {
	t.Parallel()
	l := newEndpointQueues(defaultSlots, 1, dawn)
	l.running = defaultSlots / 3
	unknown, known := &endpointQueue{counted: dawn}, &endpointQueue{counted: dawn, known: true}
	if a, b := l.room(unknown, dawn), l.room(known, dawn); a != 1 || b != 3 {
		t.Errorf("it gets %d slots, one that is known to be quick %d", a, b)
	}
	l.running = defaultSlots * 9 / 10
	if a, b := l.room(unknown, dawn), l.room(known, dawn); a != 0 || b != 1 {
		t.Errorf("of the last tenth it gets %d slots, one that is known to be quick %d", a, b)
	}
}

func TestLeastUsedEndpointsComeFirst(t *testing.T) {
	t.Parallel()
	l := newEndpointQueues(defaultSlots, 1, dawn)
	for i := range 200 {
		e := fmt.Sprint(i)
		l.all[e] = &endpointQueue{
			endpoint: refOf(e),
			known:    true,
			used:     0.4,
			counted:  dawn,
		}
		l.call(refOf(e), dawn)
	}
	l.call(refOf("quiet"), dawn)
	if !l.urgent() {
		t.Error("it has to wait for the others")
	}
	if p := l.pickFirst(defaultSlots, dawn); len(p) != 1 || p[0].queue.endpoint.Endpoint != "quiet" || !l.more {
		t.Errorf("its cycle is for %d endpoints", len(p))
	}
	l.call(refOf("another"), dawn)
	if l.urgent() {
		t.Error("the others have to wait twice in a row")
	}
	if p := l.pick(defaultSlots, dawn); len(p) != cycleSlots {
		t.Errorf("the next cycle is for %d endpoints", len(p))
	}
}

func TestLongIdleEndpointsAreEvicted(t *testing.T) {
	t.Parallel()
	l := newEndpointQueues(defaultSlots, 1, dawn)
	for i := range 100 {
		l.call(refOf(fmt.Sprint(i)), dawn)
	}
	for _, p := range l.pick(defaultSlots, dawn) {
		l.giveBack(p, 0, false, dawn)
	}
	l.sweep(dawn.Add(keepIdle + time.Second))
	if len(l.all) != 100-cycleSlots {
		t.Errorf("%d are known; those that wait are not forgotten", len(l.all))
	}
}

// A simulation is a process whose attempts take no time but that of their receivers.
type simulation struct {
	endpointQueues
	now      time.Time
	backlog  map[string]int
	sent     map[string]int
	takes    func(endpoint string, n int) time.Duration // the n-th attempt, from 0
	attempts []simulated
	quiet    []time.Duration // from its events to their attempts
	raised   time.Time       // the event of the quiet one that waits
}

type simulated struct {
	queue *endpointQueue
	ends  time.Time
	took  time.Duration
}

func simulate(takes func(string, int) time.Duration) *simulation {
	return &simulation{
		endpointQueues: newEndpointQueues(defaultSlots, 1, dawn),
		now:            dawn,
		backlog:        map[string]int{},
		sent:           map[string]int{},
		takes:          takes,
	}
}

// raise queues events for an endpoint.
func (s *simulation) raise(endpoint string, events int) {
	s.backlog[endpoint] += events
	s.call(refOf(endpoint), s.now)
}

// cycle ends attempts whose time has come, and starts others.
func (s *simulation) cycle() {
	left := s.attempts[:0]
	for _, a := range s.attempts {
		if a.ends.After(s.now) {
			left = append(left, a)
			continue
		}
		a.queue.send(-1, s.now)
		a.queue.learn(a.took < send.Total)
		s.end(a.queue, s.now)
	}
	s.attempts = left
	for more := true; more; more = s.more {
		pick := s.pick
		if s.urgent() {
			pick = s.pickFirst
		}
		for _, p := range pick(cycleSize, s.now) {
			s.start(p)
		}
	}
}

func (s *simulation) start(p pick) {
	endpoint := p.queue.endpoint.Endpoint
	n := min(p.most, s.backlog[endpoint])
	s.backlog[endpoint] -= n
	p.queue.send(n, s.now)
	for range n {
		took := s.takes(endpoint, s.sent[endpoint])
		s.sent[endpoint]++
		s.attempts = append(s.attempts, simulated{p.queue, s.now.Add(took), took})
	}
	if endpoint == "quiet" && n > 0 {
		s.quiet = append(s.quiet, s.now.Sub(s.raised))
	}
	s.giveBack(p, n, s.backlog[endpoint] > 0, s.now)
}

// TestQuietEndpointIsNeverStarvedByFailingOnes: each bad endpoint gets an event a
// second, whose retries are left out, at rest and with a full queue at the start.
func TestQuietEndpointIsNeverStarvedByFailingOnes(t *testing.T) {
	t.Parallel()
	const step, seconds = 20 * time.Millisecond, 40
	for kind, takes := range map[string]func(string, int) time.Duration{
		"hanging":     func(string, int) time.Duration { return send.Total },
		"slow":        func(string, int) time.Duration { return 1800 * time.Millisecond },
		"alternating": func(_ string, n int) time.Duration { return time.Duration(n%2) * 1800 * time.Millisecond },
		"turning":     func(_ string, n int) time.Duration { return time.Duration(n/10) * 1800 * time.Millisecond },
	} {
		for _, bad := range []int{40, 120, 500} {
			for _, queued := range []int{0, 100} {
				s := simulate(func(endpoint string, n int) time.Duration {
					if endpoint == "quiet" {
						return time.Millisecond
					}
					return min(takes(endpoint, n), send.Total)
				})
				for i := range bad {
					s.raise(fmt.Sprint(i), queued)
				}
				most := 0
				for tick := range seconds * int(time.Second/step) {
					for i := tick % 50; i < bad; i += 50 {
						s.raise(fmt.Sprint(i), 1)
					}
					if tick%5 == 0 {
						s.raised = s.now
						s.raise("quiet", 1)
					}
					s.cycle()
					most = max(most, s.running)
					s.now = s.now.Add(step)
				}
				for i, waited := range s.quiet {
					if waited > 0 {
						t.Errorf("%d %s, %d queued: event %d waited for %s", bad, kind, queued, i, waited)
						break
					}
				}
				if most >= defaultSlots || len(s.quiet) != seconds*10 {
					t.Errorf("%d %s, %d queued: up to %d of %d slots are held, %d events were sent",
						bad, kind, queued, most, defaultSlots, len(s.quiet))
				}
			}
		}
	}
}

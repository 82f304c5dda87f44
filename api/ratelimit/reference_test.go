package ratelimit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

func name(l Limit) string { return fmt.Sprintf("%d/%d", l.Sustained, l.Burst) }

func TestDecisionsMatchReferenceModel(t *testing.T) {
	limits := [][]Limit{
		{starter}, {{7, 20}}, {{1, 1}}, {{100, 20}}, {{37, 41}, {60, 120}, {3, 5}}, {starter, pro, {59, 119}},
	}
	both(t, func(t *testing.T, r fixture) {
		for seed, ls := range limits {
			p := pair{r: r, subject: fmt.Sprint(seed), limits: ls}
			p.run(t, rand.New(rand.NewPCG(uint64(seed), 42)), 2000)
		}
	})
}

// pair asks the limiter and the model the same.
type pair struct {
	r       fixture
	subject string
	limits  []Limit
	limit   Limit
	model   *model
	last    Decision
}

func (p *pair) run(t *testing.T, r *rand.Rand, steps int) {
	p.begin()
	for range steps {
		p.pass(r.IntN(12), r.Int64N(1_500_000))
		cost := 1
		if r.IntN(4) == 0 {
			cost += r.IntN(21)
		}
		p.ask(t, r.IntN(40), cost)
	}
}

func (p *pair) begin() {
	p.limit = p.limits[0]
	p.model = newModel(p.r.clock.us.Load(), p.limit)
}

// pass lets time pass: mostly none or little, often to the very edge of what was announced.
func (p *pair) pass(how int, some int64) {
	now := p.r.clock.us.Load()
	switch how {
	case 0, 1:
		now += some
	case 2:
		now += some / 1000
	case 3:
		now += some * 20
	case 4:
		now = max(now, p.last.Reset*second)
	case 5, 6:
		now += int64(p.last.RetryAfter) * second
	case 7:
		if len(p.model.log) > 0 { // the last microsecond of the window, the first after it, the next
			now = max(now, p.model.log[0]+minute-1+some%3)
		}
	default:
		return
	}
	p.r.clock.set(now)
}

func (p *pair) ask(t *testing.T, how, cost int) {
	now := p.r.clock.us.Load()
	if how == 0 {
		p.limit = p.limits[cost%len(p.limits)]
	}
	if how == 1 {
		got, want := p.r.Peek(context.Background(), p.subject, p.limit), p.model.peek(now, p.limit)
		p.same(t, "peek", got, want)
		return
	}
	got := p.r.take(p.subject, p.limit, cost)
	p.same(t, fmt.Sprint("take ", cost), got, p.model.take(now, p.limit, cost))
	p.last = got
}

func (p *pair) same(t *testing.T, what string, got, want Decision) {
	t.Helper()
	if got != want {
		t.Fatalf("%+v at %d: %s\n got %+v\nwant %+v", p.limit, p.r.clock.us.Load(), what, got, want)
	}
}

func FuzzMemoryDecidesAsTheModel(f *testing.F) {
	f.Add([]byte{0, 5, 1, 0, 9, 200, 20, 3, 255, 7, 1, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		c := newClock()
		m := NewMemory(c.now)
		p := pair{r: fixture{m, c}, subject: "key", limits: []Limit{{7, 20}, {60, 30}, {1, 3}}}
		p.begin()
		for b = b[:min(len(b), 800)]; len(b) >= 4; b = b[4:] {
			p.pass(int(b[0]%12), int64(b[1])*int64(b[2])*40)
			p.ask(t, int(b[2]%16), 1+int(b[3]%24))
			if b[3] > 250 {
				restart(t, m)
			}
		}
	})
}

// A subject may be dropped at any time that it is idle, which nobody can tell.
func TestSweepChangesNoDecision(t *testing.T) {
	t.Parallel()
	c := newClock()
	m := NewMemory(c.now)
	p := pair{r: fixture{m, c}, subject: "key", limits: []Limit{starter, pro, {30, 20}}}
	p.begin()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		p.pass(r.IntN(12), r.Int64N(30*time.Second.Microseconds()))
		p.ask(t, r.IntN(20), 1+r.IntN(10))
		if r.IntN(3) == 0 {
			m.Changed()
		}
	}
}

// restart writes all of a limiter down and reads it back.
func restart(t *testing.T, m *Memory) {
	for i := range m.shards {
		for subject, e := range m.shards[i].subjects {
			if err := m.Restore(subject, e.snapshot()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

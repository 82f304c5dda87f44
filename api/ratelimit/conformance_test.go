package ratelimit

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestFreshStarterKeyIsThrottledAt121stRequest(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		for i := range 120 {
			want := Decision{
				Admitted:  true,
				Limit:     60,
				Remaining: max(0, 59-i),
				Reset:     epoch/second + 61,
			}
			if d := r.take("key", starter, 1); d != want {
				t.Fatalf("request %d: %+v, want %+v", i+1, d, want)
			}
		}
		// the bucket has a token after 1 s, the window a place after 60 s
		want := Decision{Limit: 60, Reset: epoch/second + 61, RetryAfter: 60}
		if d := r.take("key", starter, 1); d != want {
			t.Fatalf("request 121: %+v, want %+v", d, want)
		}
	})
}

func TestAverageRateNeverExceedsSustainedLimit(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		admitted := 0
		for range 10 * 60 {
			for r.take("key", starter, 1).Admitted {
				admitted++
			}
			r.clock.add(time.Second)
		}
		if most := 120 + 10*60; admitted > most || admitted < most-60 {
			t.Errorf("%d admitted in 10 minutes of pressing, want the burst and 60 a minute, %d", admitted, most)
		}
	})
}

func TestThrottledRequestIsFree(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		for r.take("key", starter, 1).Admitted {
		}
		first := r.take("key", starter, 1)
		for range 1000 {
			if d := r.take("key", starter, 1); d != first {
				t.Fatalf("the answer went from %+v to %+v", first, d)
			}
		}
		r.clock.add(time.Minute)
		if d := r.take("key", starter, 1); !d.Admitted || d.Remaining != 59 {
			t.Errorf("a minute later: %+v", d)
		}
	})
}

func TestTokenIsAvailableAtExactMicrosecond(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		l := Limit{7, 20}
		r.take("key", l, 20)
		r.clock.add(time.Minute) // seven tokens, and an empty window
		r.take("key", l, 7)
		r.clock.add(8_571_428 * time.Microsecond) // a token takes 4/7 of a microsecond more
		if d := r.take("key", l, 1); d.Admitted || d.RetryAfter != 1 {
			t.Fatalf("too soon: %+v", d)
		}
		r.clock.add(time.Microsecond)
		if d := r.take("key", l, 1); !d.Admitted {
			t.Errorf("in time: %+v", d)
		}
	})
}

func TestBatchIsAdmittedAllOrNothing(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		r.take("key", Limit{60, 30}, 20)
		if d := r.take("key", Limit{60, 30}, 11); d.Admitted || d.Remaining != 40 {
			t.Fatalf("11 of 10: %+v", d)
		}
		if d := r.take("key", Limit{60, 30}, 10); !d.Admitted || d.Remaining != 30 {
			t.Errorf("10 of 10: %+v", d)
		}
	})
}

func TestCostAboveBurstIsNeverAdmittedOrCounted(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		if d := r.take("key", Limit{60, 20}, 21); d.Admitted || d.RetryAfter < 1 || d.Remaining != 60 {
			t.Fatalf("%+v", d)
		}
		if d := r.take("key", Limit{60, 20}, 20); !d.Admitted || d.Remaining != 40 {
			t.Errorf("%+v", d)
		}
	})
}

func TestCostBelowOneCountsAsOne(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		r.take("key", starter, 0)
		if d := r.take("key", starter, -5); d.Remaining != 58 {
			t.Errorf("%+v", d)
		}
	})
}

func TestOutOfRangeLimitIsClamped(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		if d := r.take("low", Limit{-3, 0}, 1); !d.Admitted || d.Limit != 1 {
			t.Errorf("%+v", d)
		}
		if d := r.take("low", Limit{-3, 0}, 1); d.Admitted || d.RetryAfter != 60 {
			t.Errorf("%+v", d)
		}
		if d := r.take("high", Limit{1 << 40, 1 << 40}, 1); d.Limit != MaxRate {
			t.Errorf("%+v", d)
		}
	})
}

func TestPeekConsumesNothing(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		fresh := Decision{
			Admitted:  true,
			Limit:     60,
			Remaining: 60,
			Reset:     epoch/second + 1,
		}
		if d := r.Peek(context.Background(), "key", starter); d != fresh {
			t.Fatalf("fresh: %+v", d)
		}
		r.take("key", starter, 20)
		for range 200 {
			if d := r.Peek(context.Background(), "key", starter); !d.Admitted || d.Remaining != 40 {
				t.Fatalf("after 20: %+v", d)
			}
		}
	})
}

func TestSubjectsAreCountedSeparately(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		for r.take("one", starter, 1).Admitted {
		}
		if d := r.take("two", starter, 1); d.Remaining != 59 {
			t.Errorf("%+v", d)
		}
	})
}

func TestConcurrentRequestsAdmitExactlyBurst(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		if n := together(500, r); n != 120 {
			t.Errorf("%d of 500 were admitted, want 120", n)
		}
	})
}

// together sends requests of one subject at once, by turns to each limiter.
func together(n int, nodes ...Limiter) int {
	var wg sync.WaitGroup
	var admitted atomic.Int64
	for i := range n {
		wg.Go(func() {
			if nodes[i%len(nodes)].Take(context.Background(), "key", starter, 1).Admitted {
				admitted.Add(1)
			}
		})
	}
	wg.Wait()
	return int(admitted.Load())
}

func TestChangedLimitAppliesToNextRequest(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		for r.take("key", starter, 1).Admitted {
		}
		if d := r.take("key", pro, 1); !d.Admitted || d.Remaining != 600-121 {
			t.Errorf("raised: %+v", d)
		}
		if d := r.take("key", starter, 1); d.Admitted || d.RetryAfter != 60 {
			t.Errorf("lowered: %+v", d)
		}
	})
}

func TestClockStepBackLocksNobodyOut(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		for r.take("key", starter, 1).Admitted {
		}
		r.clock.add(-24 * time.Hour)
		d := r.take("key", starter, 1)
		if now := r.clock.us.Load(); d.Admitted || d.RetryAfter != 60 || d.Reset != now/second+61 {
			t.Fatalf("just after: %+v", d)
		}
		r.clock.add(time.Minute)
		if d := r.take("key", starter, 1); !d.Admitted || d.Remaining != 59 {
			t.Errorf("a minute after: %+v", d)
		}
	})
}

func TestClockJumpForwardAdmitsAtMostBurst(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		r.take("key", prime, 20)
		r.clock.add(200 * 365 * 24 * time.Hour)
		n := 0
		for r.take("key", starter, 1).Admitted {
			n++
		}
		if n != 120 {
			t.Errorf("%d were admitted, want 120", n)
		}
	})
}

// The property that the docs promise to clients.
func TestClientThatPausesAtZeroRemainingIsNeverThrottled(t *testing.T) {
	both(t, func(t *testing.T, r fixture) {
		for seed, l := range []Limit{starter, pro, prime, {60, 60}} {
			c := client{r: r, limit: l, rand: rand.New(rand.NewPCG(uint64(seed), 7))}
			for range 3 * l.Sustained {
				c.step(t)
			}
		}
	})
}

type client struct {
	r     fixture
	limit Limit
	rand  *rand.Rand
	last  Decision
}

func (c *client) step(t *testing.T) {
	clock := c.r.clock
	if c.last.Limit > 0 && c.last.Remaining == 0 {
		clock.set(max(clock.us.Load(), c.last.Reset*second))
		c.last = c.r.Peek(context.Background(), name(c.limit), c.limit)
		return
	}
	if c.rand.IntN(3) == 0 {
		clock.add(time.Duration(c.rand.Int64N(int64(2 * time.Minute / time.Duration(c.limit.Sustained)))))
	}
	cost := 1
	if most := min(c.last.Remaining, 20); most > 1 && c.rand.IntN(10) == 0 {
		cost += c.rand.IntN(most)
	}
	if c.last = c.r.take(name(c.limit), c.limit, cost); !c.last.Admitted {
		t.Fatalf("%+v: throttled: %+v", c.limit, c.last)
	}
}

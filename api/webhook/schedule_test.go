package webhook

import (
	"testing"
	"time"
)

// walked are the moments at which a delivery is tried that always fails, after the first.
func walked(chance float64, retryAfter time.Duration) (after []time.Duration) {
	since := time.Unix(1_790_000_000, 0)
	now := since
	for try := 1; ; try++ {
		next, again := nextTry(try, since, now, retryAfter, chance)
		if !again {
			return after
		}
		now = next
		after = append(after, now.Sub(since))
	}
}

func TestAttemptsStepBackForADayAndThenEnd(t *testing.T) {
	t.Parallel()
	for _, chance := range []float64{0, 0.25, 0.5, 0.75, 0.999} {
		at, last := walked(chance, 0), time.Duration(0)
		if len(at) != 13 {
			t.Errorf("%d attempts after the first with the chance %v: %v", len(at), chance, at)
		}
		for i, a := range at {
			step, want := a-last, firstPause<<i
			if low, high := want*9/10, want*11/10; (step < low || step > high) && a != GiveUp {
				t.Errorf("step %d is %s, want %s ±10 %%", i+1, step, want)
			}
			if a > GiveUp {
				t.Errorf("attempt %d comes %s after the first", i+2, a)
			}
			last = a
		}
		if last < 18*time.Hour {
			t.Errorf("the last attempt comes after %s", last)
		}
	}
}

func TestARetryAfterDelaysAnAttemptUpToItsNextStep(t *testing.T) {
	t.Parallel()
	since := time.Unix(1_790_000_000, 0)
	for _, c := range []struct {
		tries            int
		retryAfter, want time.Duration
	}{
		{1, 0, 10 * time.Second},
		{1, 5 * time.Second, 10 * time.Second},
		{1, 15 * time.Second, 15 * time.Second},
		{1, 20 * time.Second, 20 * time.Second},
		{1, time.Hour, 20 * time.Second},
		{3, time.Minute, time.Minute},
		{3, 24 * time.Hour, 80 * time.Second},
	} {
		next, again := nextTry(c.tries, since, since, c.retryAfter, 0.5)
		if got := next.Sub(since); !again || got != c.want {
			t.Errorf("try %d with %s: %s, want %s", c.tries, c.retryAfter, got, c.want)
		}
	}
	at := walked(0.5, 24*time.Hour)
	if last := at[len(at)-1]; last > GiveUp {
		t.Errorf("a receiver has put off the last attempt to %s", last)
	}
}

func TestLanesTakeTurnsAndThoseInTroubleShareTheirHalf(t *testing.T) {
	t.Parallel()
	l := newLanes(1, time.Unix(0, 0))
	at := func(endpoint string) Place { return Place{Endpoint: endpoint} }
	for _, e := range []string{"a", "b", "c"} {
		l.call(at(e))
		l.call(at(e))
	}
	picks := l.pick(25, time.Unix(0, 0))
	if len(picks) != 3 || picks[0].most != 10 || picks[1].most != 10 || picks[2].most != 5 || l.running != 25 {
		t.Fatalf("%+v", picks)
	}
	for _, p := range picks {
		l.giveBack(p, p.most, true)
	}
	if again := l.pick(100, time.Unix(0, 0)); len(again) != 1 || again[0].lane.place.Endpoint != "c" || again[0].most != 5 {
		t.Errorf("only c has places: %+v", again)
	} else {
		l.giveBack(again[0], 0, false)
	}
	a := picks[0].lane
	for range failedOften {
		a.learn(false, time.Millisecond)
	}
	for range 10 {
		l.end(a)
	}
	if p := l.pick(100, time.Unix(0, 0)); len(p) != 0 {
		t.Errorf("a lane in trouble starts without a token: %+v", p)
	}
	if p := l.pick(100, time.Unix(0, 25e6)); len(p) != 1 || p[0].most != 5 {
		t.Errorf("25 ms bring 5 attempts of 200 a second: %+v", p)
	}
	a.learn(true, time.Millisecond)
	if a.troubled() {
		t.Error("an acknowledgement does not end the trouble")
	}
	a.learn(true, 3*time.Second)
	if !a.troubled() {
		t.Error("a slow receiver is not in trouble")
	}
}

func TestLanesInTroubleLeaveHalfOfThePlacesToTheOthers(t *testing.T) {
	t.Parallel()
	l := newLanes(1, time.Unix(0, 0))
	for i := range 200 {
		p := Place{Endpoint: string(rune('a'+i%26)) + string(rune('a'+i/26))}
		l.all[p.Endpoint] = &lane{place: p, slow: true}
		l.call(p)
	}
	now, started := time.Unix(1, 0), 0
	for range 1000 {
		for _, p := range l.pick(turnSize, now) {
			started += p.most
			l.trouble += p.most
			l.giveBack(p, p.most, true)
		}
		now = now.Add(time.Second)
	}
	if started != places/2 {
		t.Errorf("%d attempts of lanes in trouble run, want %d", started, places/2)
	}
	l.call(Place{Endpoint: "good"})
	if p := l.pick(turnSize, now); len(p) != 1 || p[0].most != perEndpoint {
		t.Errorf("a good endpoint gets %+v", p)
	}
}

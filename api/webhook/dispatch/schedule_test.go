package dispatch

import (
	"testing"
	"time"

	"portal/api/webhook"
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

func TestAttemptsBackOffForADayThenStop(t *testing.T) {
	t.Parallel()
	for _, chance := range []float64{0, 0.25, 0.5, 0.75, 0.999} {
		at, last := walked(chance, 0), time.Duration(0)
		if len(at) != 13 {
			t.Errorf("%d attempts after the first with the chance %v: %v", len(at), chance, at)
		}
		for i, a := range at {
			step, want := a-last, firstPause<<i
			if low, high := want*9/10, want*11/10; (step < low || step > high) && a != webhook.GiveUp {
				t.Errorf("step %d is %s, want %s ±10 %%", i+1, step, want)
			}
			if a > webhook.GiveUp {
				t.Errorf("attempt %d comes %s after the first", i+2, a)
			}
			last = a
		}
		if last < 18*time.Hour {
			t.Errorf("the last attempt comes after %s", last)
		}
	}
}

func TestRetryAfterIsCappedAtNextBackoffStep(t *testing.T) {
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
	if last := at[len(at)-1]; last > webhook.GiveUp {
		t.Errorf("a receiver has put off the last attempt to %s", last)
	}
}

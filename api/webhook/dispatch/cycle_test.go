package dispatch

import (
	"testing"
	"time"
)

func TestCyclesShrinkWhileLightEndpointsWait(t *testing.T) {
	t.Parallel()
	s := &shard{size: cycleSize, urgent: dawn}
	now := dawn
	for _, c := range []struct {
		took  time.Duration
		first bool // a cycle for those alone that use little
		did   int
		want  int
	}{
		{cycleLong + time.Millisecond, false, cycleSize, cycleSize / 2},
		{cycleLong + time.Millisecond, true, cycleSize, cycleSize / 2},
		{cycleLong, false, cycleSize, cycleSize / 2},
		{time.Second / 10, false, cycleSize, cycleLeast},
		{time.Second / 10, false, cycleSize, cycleLeast},
		{cycleShort, false, cycleSize, cycleLeast},
		{cycleShort - time.Millisecond, false, cycleLeast - 1, cycleLeast}, // it had little to do
		{cycleShort - time.Millisecond, false, cycleLeast, cycleLeast * 2},
		{time.Millisecond, true, cycleSize, cycleLeast * 2},
		{time.Millisecond, false, cycleSize, cycleSize},
		{time.Millisecond, false, cycleSize, cycleSize},
		{time.Second / 10, false, cycleSize, cycleSize / 2},
		{urgentFor, false, 1, cycleSize}, // none of them has come for a while
	} {
		s.queues.first = c.first
		began := now
		now = now.Add(c.took)
		if s.measure(began, now, c.did); s.size != c.want {
			t.Errorf("after %s (for them alone: %v) a cycle does %d, want %d", c.took, c.first, s.size, c.want)
		}
	}
}

package webhook

import (
	"testing"
	"time"
)

func TestTurnsDoLessWhileEndpointsThatUseLittleWaitForLongOnes(t *testing.T) {
	t.Parallel()
	s := &shard{size: turnSize, urgent: dawn}
	now := dawn
	for _, c := range []struct {
		took  time.Duration
		first bool // a turn for those alone that use little
		did   int
		want  int
	}{
		{turnLong + time.Millisecond, false, turnSize, turnSize / 2},
		{turnLong + time.Millisecond, true, turnSize, turnSize / 2},
		{turnLong, false, turnSize, turnSize / 2},
		{time.Second / 10, false, turnSize, turnLeast},
		{time.Second / 10, false, turnSize, turnLeast},
		{turnShort, false, turnSize, turnLeast},
		{turnShort - time.Millisecond, false, turnLeast - 1, turnLeast}, // it had little to do
		{turnShort - time.Millisecond, false, turnLeast, turnLeast * 2},
		{time.Millisecond, true, turnSize, turnLeast * 2},
		{time.Millisecond, false, turnSize, turnSize},
		{time.Millisecond, false, turnSize, turnSize},
		{time.Second / 10, false, turnSize, turnSize / 2},
		{urgentFor, false, 1, turnSize}, // none of them has come for a while
	} {
		s.lanes.first = c.first
		began := now
		now = now.Add(c.took)
		if s.measure(began, now, c.did); s.size != c.want {
			t.Errorf("after %s (for them alone: %v) a turn does %d, want %d", c.took, c.first, s.size, c.want)
		}
	}
}

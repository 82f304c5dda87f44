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
		want  int
	}{
		{turnLong + time.Millisecond, false, turnSize / 2},
		{turnLong + time.Millisecond, true, turnSize / 2},
		{turnLong, false, turnSize / 2},
		{time.Second / 10, false, turnLeast},
		{time.Second / 10, false, turnLeast},
		{turnShort, false, turnLeast},
		{turnShort - time.Millisecond, false, turnLeast * 2},
		{time.Millisecond, true, turnLeast * 2},
		{time.Millisecond, false, turnSize},
		{time.Millisecond, false, turnSize},
		{time.Second / 10, false, turnSize / 2},
		{urgentFor, false, turnSize}, // none of them has come for a while
	} {
		s.lanes.first = c.first
		began := now
		now = now.Add(c.took)
		if s.measure(began, now); s.size != c.want {
			t.Errorf("after %s (for them alone: %v) a turn does %d, want %d", c.took, c.first, s.size, c.want)
		}
	}
}

package httpserver

import (
	"net"
	"testing"
	"time"
)

// A request that comes while room is made is not lost: its connection may have waited for the
// longest time until then.
func TestRoomIsMadeOfWhatIsIdleOrSlowAndNeverOfARequest(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for name, c := range map[string]struct {
		longest *conn
		closed  bool // it, and not the one that has been idle for a second
	}{
		"idle for a minute":      {&conn{since: ago(time.Minute), last: ago(time.Minute)}, true},
		"a head that is slow":    {&conn{since: ago(time.Minute), partial: true, began: ago(slow), last: now}, true},
		"a head that has begun":  {&conn{since: ago(time.Minute), partial: true, began: ago(slow - 1), last: now}, false},
		"a request being served": {&conn{since: ago(time.Minute), partial: true, began: ago(time.Second), handling: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(Config{Now: func() time.Time { return now }})
			other := &conn{since: ago(time.Second), last: ago(time.Second)}
			for _, one := range []*conn{c.longest, other} {
				here, there := net.Pipe()
				t.Cleanup(func() { here.Close(); there.Close() })
				one.Conn, one.server = here, s
				s.open[one] = struct{}{}
				s.keep(one, 1)
			}
			if !s.evict(nil) || c.longest.isTold() != c.closed || other.isTold() == c.closed || s.kept != 1 {
				t.Errorf("the longest is told: %v, the other one: %v, kept are %d", c.longest.isTold(), other.isTold(), s.kept)
			}
		})
	}
}

// What waits and is then found busy leaves the choice to the next one.
func TestAHeadThatBecameARequestIsNotCut(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	s := New(Config{Now: func() time.Time { return now }})
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	c := &conn{Conn: here, server: s, partial: true, began: now.Add(-time.Minute), handling: true}
	if c.cut() || c.isTold() {
		t.Error("a request was cut off")
	}
	c.handling = false
	if !c.cut() || !c.isTold() {
		t.Error("a slow head was not cut off")
	}
}

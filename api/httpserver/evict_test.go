package httpserver

import (
	"net"
	"net/http"
	"testing"
	"time"
)

// A request that comes while room is made is not lost: its connection may have waited for the
// longest time until then.
func TestOnlyIdleOrSlowConnectionsAreEvicted(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for name, c := range map[string]struct {
		longest *conn
		closed  bool // it, and not the one that has been idle for a second
	}{
		"idle for a minute": {&conn{since: ago(time.Minute), last: ago(time.Minute)}, true},
		"a head that is slow": {&conn{
			since:   ago(time.Minute),
			partial: true,
			began:   ago(slow),
			last:    now,
		}, true},
		"a head that has begun": {
			&conn{
				since:   ago(time.Minute),
				partial: true,
				began:   ago(slow - 1),
				last:    now,
			},
			false,
		},
		"a request being served": {
			&conn{
				since:    ago(time.Minute),
				partial:  true,
				began:    ago(time.Second),
				handling: true,
			},
			false,
		},
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
			if !s.evict(nil, false) || c.longest.isTold() != c.closed || other.isTold() == c.closed || s.kept != 1 {
				t.Errorf("the longest is told: %v, the other one: %v, kept are %d", c.longest.isTold(),
					other.isTold(), s.kept)
			}
		})
	}
}

// What waits and is then found busy leaves the choice to the next one.
func TestHeaderThatBecameRequestIsNotCutOff(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	s := New(Config{Now: func() time.Time { return now }})
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	c := &conn{
		Conn:     here,
		server:   s,
		partial:  true,
		began:    now.Add(-time.Minute),
		handling: true,
	}
	if c.cut() || c.isTold() {
		t.Error("a request was cut off")
	}
	c.handling = false
	if !c.cut() || !c.isTold() {
		t.Error("a slow head was not cut off")
	}
}

// A request that was read with the one before it is handled on a connection that stays.
func TestClosingConnectionStaysOpenForPipelinedRequest(t *testing.T) {
	t.Parallel()
	s := New(Config{Now: time.Now, Times: Times{Read: time.Minute}})
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	c := &conn{Conn: here, server: s}
	s.open[c] = struct{}{}
	s.keep(c, 1)
	if !c.tell(0) || s.kept != 0 {
		t.Fatalf("the connection is not told to close, kept are %d", s.kept)
	}
	c.begin(nil, &http.Request{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1})
	if c.isTold() || s.kept != 1 {
		t.Errorf("it is still told to close, kept are %d", s.kept)
	}
	go func() { _, _ = there.Write([]byte("x")) }()
	if n, err := here.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("its body cannot be read: %v", err)
	}
}

// Connections that could not be closed when others came are closed for the next one.
func TestConnectionsOverLimitAreClosedOnceEvictable(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	s := New(Config{Now: func() time.Time { return now }, Limits: Limits{Connections: 2, Address: 2}})
	add := func(young bool) *conn {
		here, there := net.Pipe()
		t.Cleanup(func() { here.Close(); there.Close() })
		c := &conn{
			Conn:    here,
			server:  s,
			network: "a",
			since:   now,
			last:    now,
			partial: young,
			began:   now,
		}
		s.open[c] = struct{}{}
		s.keep(c, 1)
		s.makeRoom(c)
		return c
	}
	var heads []*conn
	for range 5 {
		heads = append(heads, add(true))
	}
	if s.kept != 5 || !s.beyond(heads[4]) {
		t.Fatalf("kept are %d", s.kept)
	}
	now = now.Add(slow)
	last := add(false)
	if s.kept != 2 || last.isTold() {
		t.Errorf("kept are %d, the newcomer is closed: %v", s.kept, last.isTold())
	}
}

package ratelimit

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func held(m *Memory) int {
	n := 0
	for i := range m.shards {
		n += len(m.shards[i].subjects)
	}
	return n
}

func TestIdleSubjectIsDroppedAndReportedOnce(t *testing.T) {
	t.Parallel()
	c := newClock()
	m := NewMemory(c.now)
	fixture{m, c}.take("key", starter, 20)
	if got := m.Changed(); len(got) != 1 || got["key"] == nil {
		t.Fatalf("after a request: %v", got)
	}
	c.add(time.Minute - time.Microsecond)
	if got := m.Changed(); len(got) != 0 {
		t.Fatalf("while it is counted: %v", got)
	}
	c.add(10 * time.Second)
	if got, reported := m.Changed()["key"]; !reported || got != nil {
		t.Fatalf("once it is idle: %v, %v", got, reported)
	}
	if got := m.Changed(); len(got) != 0 || held(m) != 0 {
		t.Errorf("afterwards: %v, %d held", got, held(m))
	}
}

func TestUnstoredSubjectIsNotReportedAsDropped(t *testing.T) {
	t.Parallel()
	c := newClock()
	m := NewMemory(c.now)
	fixture{m, c}.take("key", starter, 1)
	c.add(2 * time.Minute)
	if got := m.Changed(); len(got) != 0 || held(m) != 0 {
		t.Errorf("%v, %d held", got, held(m))
	}
}

func TestUnreportedDropSurvivesSubjectReturning(t *testing.T) {
	t.Parallel()
	c := newClock()
	m := NewMemory(c.now)
	s := m.lock("key")
	s.mu.Unlock()
	take := func() { fixture{m, c}.take("key", starter, 1) }
	sweep := func() {
		c.add(time.Hour)
		s.sweep(m.micros())
	}
	take()
	m.Changed()
	sweep()
	take()
	sweep()
	if got, reported := m.Changed()["key"]; !reported || got != nil {
		t.Errorf("%v, %v", got, reported)
	}
}

func TestThrottledRequestChangesNoState(t *testing.T) {
	t.Parallel()
	c := newClock()
	r := fixture{NewMemory(c.now), c}
	m := r.Limiter.(*Memory)
	for r.take("key", starter, 1).Admitted {
	}
	m.Changed()
	r.take("key", starter, 1)
	r.take("giant", starter, 1000)
	r.Peek(context.Background(), "another", starter)
	if got := m.Changed(); len(got) != 0 || held(m) != 1 {
		t.Errorf("%v, %d held", got, held(m))
	}
}

func TestAddressFloodStaysBoundedAndKeepsBusySubjects(t *testing.T) {
	t.Parallel()
	c := newClock()
	m := NewMemory(c.now)
	m.room = 32
	r := fixture{m, c}
	for range 100 {
		r.take("busy", starter, 1)
	}
	for i := range 100_000 {
		r.take(fmt.Sprint("address ", i), pro, 1)
		c.add(10 * time.Microsecond)
	}
	if n := held(m); n > 32*shardCount {
		t.Errorf("%d subjects are held", n)
	}
	pending := 0
	for i := range m.shards {
		pending += len(m.shards[i].changed)
	}
	if pending > 32*shardCount {
		t.Errorf("%d changes wait to be reported", pending)
	}
	if d := r.Peek(context.Background(), "busy", starter); d.Remaining != 0 {
		t.Errorf("the busy one was forgotten: %+v", d)
	}
}

func TestLogAllocatesOnlyForAdmittedRequests(t *testing.T) {
	t.Parallel()
	c := newClock()
	m := NewMemory(c.now)
	fixture{m, c}.take("key", Limit{MaxRate, MaxRate}, 1)
	if n := cap(m.lock("key").subjects["key"].log.slots); n > 4 {
		t.Errorf("room for %d after one request", n)
	}
}

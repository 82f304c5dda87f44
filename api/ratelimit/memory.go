package ratelimit

import (
	"context"
	"hash/maphash"
	"strings"
	"sync"

	"portal/api/clock"
)

// MaxSubjects is the most subjects that a Memory holds. See Memory for what happens there.
const MaxSubjects = 1 << 16

const shardCount = 64

// Memory is the limiter of one process.
//
// A subject is dropped when nothing of it is left to remember: its window empty, its bucket
// full. That is looked for every ten seconds. Past MaxSubjects a new subject displaces,
// of eight drawn by chance, the one with the fewest counted requests, which begins anew
// if it comes again. So a flood of addresses with a request or two each displaces itself,
// and not the busy ones, and displacing never gives back more than those few requests.
type Memory struct {
	now    clock.Clock
	seed   maphash.Seed
	room   int // subjects a shard
	shards [shardCount]shard
}

// shard is a part of the subjects under a lock of its own.
type shard struct {
	mu       sync.Mutex
	subjects map[string]*entry
	changed  map[string]struct{} // what Changed has yet to report
	swept    int64
}

type entry struct {
	state
	changed bool // is in shard.changed
	stored  bool // was reported or restored, so that its drop is reported too
}

// NewMemory makes an empty limiter. The clock is read under a lock and must not block.
func NewMemory(now clock.Clock) *Memory {
	m := &Memory{now: now, seed: maphash.MakeSeed(), room: MaxSubjects / shardCount}
	for i := range m.shards {
		m.shards[i].subjects = map[string]*entry{}
		m.shards[i].changed = map[string]struct{}{}
	}
	return m
}

// Take implements Limiter.
func (m *Memory) Take(_ context.Context, subject string, l Limit, cost int) Decision {
	s := m.lock(subject)
	defer s.mu.Unlock()
	return s.take(subject, m.micros(), l.bounded(), max(cost, 1), m.room)
}

// Peek implements Limiter.
func (m *Memory) Peek(_ context.Context, subject string, l Limit) Decision {
	s := m.lock(subject)
	defer s.mu.Unlock()
	return s.peek(subject, m.micros(), l.bounded())
}

// lock finds the shard of a subject and locks it. The clock is read after that, so that
// the moments of a subject come in order.
func (m *Memory) lock(subject string) *shard {
	s := &m.shards[maphash.String(m.seed, subject)%shardCount]
	s.mu.Lock()
	return s
}

func (m *Memory) micros() int64 { return m.now().UnixMicro() }

func (s *shard) take(name string, now int64, l Limit, cost, room int) Decision {
	e, known := s.subjects[name]
	if !known {
		e = &entry{state: fresh(now, l)}
	}
	was := e.limit
	d := e.take(now, l, cost)
	if !known && d.Admitted {
		name = strings.Clone(name)
		s.insert(name, e, now, room)
	}
	if d.Admitted || known && was != l {
		s.touch(name, e)
	}
	return d
}

func (s *shard) peek(name string, now int64, l Limit) Decision {
	e, known := s.subjects[name]
	if !known {
		e = &entry{state: fresh(now, l)}
	}
	e.advance(now)
	as := e.state // shares the log, which neither of the following touches
	as.adopt(l)
	return as.report(as.look(1))
}

// touch notes that the subject is to be reported by Changed.
func (s *shard) touch(name string, e *entry) {
	if !e.changed {
		e.changed = true
		s.changed[name] = struct{}{}
	}
}

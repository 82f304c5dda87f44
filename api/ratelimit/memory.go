package ratelimit

import (
	"context"
	"encoding/binary"
	"errors"
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

// Changed reports the subjects that changed since the last call, each with a snapshot for
// Restore, and with nil where the subject was dropped and its stored snapshot is to be
// deleted. What was reported is not reported again: a caller that fails to store it keeps
// it and lays the next report over it.
func (m *Memory) Changed() map[string][]byte {
	out := map[string][]byte{}
	for i := range m.shards {
		m.shards[i].report(m, out)
	}
	return out
}

func (s *shard) report(m *Memory, out map[string][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := m.micros()
	s.sweep(now)
	for name := range s.changed {
		e, held := s.subjects[name]
		if !held {
			out[name] = nil
			continue
		}
		e.advance(now)
		out[name] = e.snapshot()
		e.changed, e.stored = false, true
	}
	clear(s.changed)
}

// Restore brings back a subject from a snapshot of Changed, in place of what is held of
// it. A snapshot that is not of our making is an error and changes nothing. Time has passed
// meanwhile: a subject with nothing left to remember is reported by Changed as dropped.
func (m *Memory) Restore(subject string, snapshot []byte) error {
	st, err := parseSnapshot(snapshot)
	if err != nil {
		return err
	}
	s := m.lock(subject)
	defer s.mu.Unlock()
	now := m.micros()
	st.advance(now)
	s.restore(strings.Clone(subject), &entry{state: st, stored: true}, now, m.room)
	return nil
}

func (s *shard) restore(name string, e *entry, now int64, room int) {
	delete(s.subjects, name)
	delete(s.changed, name)
	if e.idle() {
		s.drop(name, e)
		return
	}
	s.insert(name, e, now, room)
}

// snapshotVersion is the first byte of a snapshot. Varints follow: sustained, burst, the moment, the debt, the
// number of admissions, and for each, the newest first, how much older it is than what
// stands before it. A busy subject takes two or three bytes an admission.
const snapshotVersion = 1

const latest = 1 << 53 // the year 2255, far from any overflow

var errSnapshot = errors.New("not a snapshot of a rate limit")

func (s *state) snapshot() []byte {
	b := make([]byte, 1, 32+3*s.log.count)
	b[0] = snapshotVersion
	for _, v := range []int64{int64(s.limit.Sustained), int64(s.limit.Burst), s.at, s.debt, int64(s.log.count)} {
		b = binary.AppendUvarint(b, uint64(v))
	}
	before := s.at
	for i := s.log.count - 1; i >= 0; i-- {
		b = binary.AppendUvarint(b, uint64(before-s.log.at(i)))
		before = s.log.at(i)
	}
	return b
}

func parseSnapshot(b []byte) (state, error) {
	if len(b) == 0 || b[0] != snapshotVersion {
		return state{}, errSnapshot
	}
	r := reader{rest: b[1:]}
	s := state{
		limit: Limit{int(r.between(1, MaxRate)), int(r.between(1, MaxRate))},
		at:    r.between(0, latest),
	}
	s.debt = r.between(0, int64(s.limit.Burst)*minute)
	s.log = r.moments(s.at)
	if r.failed || len(r.rest) > 0 {
		return state{}, errSnapshot
	}
	return s, nil
}

// reader reads varints until one fails; after that it reads zeros.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) between(low, high int64) int64 {
	v, n := binary.Uvarint(r.rest)
	if r.failed || n <= 0 || v < uint64(low) || v > uint64(high) {
		r.failed = true
		return 0
	}
	r.rest = r.rest[n:]
	return int64(v)
}

// moments reads the log. All of it lies in the 60 s before a moment.
func (r *reader) moments(until int64) ring {
	count := int(r.between(0, int64(len(r.rest)))) // a moment takes a byte at least
	slots := make([]int64, count)
	moment := until
	for i := count - 1; i >= 0 && !r.failed; i-- {
		moment -= r.between(0, minute-1-(until-moment))
		slots[i] = moment
	}
	return ring{slots: slots, count: count}
}

const (
	sweepEvery = 10 * second
	drawn      = 8 // subjects compared when one has to go
)

// insert adds a subject, whose name the shard keeps, and makes room for it first.
func (s *shard) insert(name string, e *entry, now int64, room int) {
	s.sweep(now)
	if len(s.subjects) >= room {
		s.displace(now)
	}
	if _, pending := s.changed[name]; pending {
		e.stored = true // an unreported drop: there is a row to delete
	}
	s.subjects[name] = e
}

// sweep drops the idle subjects, if that was not done in the last ten seconds.
func (s *shard) sweep(now int64) {
	if since := now - s.swept; 0 <= since && since < sweepEvery {
		return
	}
	s.swept = now
	for name, e := range s.subjects {
		if e.advance(now); e.idle() {
			s.drop(name, e)
		}
	}
}

// displace drops, of a few subjects, the one with the least to forget.
func (s *shard) displace(now int64) {
	var least string
	var victim *entry
	tries := drawn
	for name, e := range s.subjects { // Go begins a range over a map at a random place
		e.advance(now)
		if victim == nil || e.log.count < victim.log.count {
			least, victim = name, e
		}
		if tries--; tries == 0 {
			break
		}
	}
	s.drop(least, victim)
}

func (s *shard) drop(name string, e *entry) {
	delete(s.subjects, name)
	if e.stored {
		s.changed[name] = struct{}{}
	} else {
		delete(s.changed, name)
	}
}

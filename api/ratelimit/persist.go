package ratelimit

import "strings"

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

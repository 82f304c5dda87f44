package ratelimit

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

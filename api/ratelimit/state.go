package ratelimit

// minute is the window in microseconds. It is also the number of parts of one token, so
// that a microsecond refills exactly sustained parts.
const minute = 60_000_000

const second = 1_000_000

// state is what is remembered of a subject. All moments are microseconds since 1970.
// take.lua keeps the same and says the same.
type state struct {
	limit Limit
	at    int64 // when debt and log were last brought up to date
	debt  int64 // parts of tokens that the bucket lacks, 0 to burst × minute
	log   ring  // the admissions of the last 60 s
}

func fresh(now int64, l Limit) state { return state{limit: l, at: now} }

// take counts a cost of at least 1 if both conditions hold.
func (s *state) take(now int64, l Limit, cost int) Decision {
	s.advance(now)
	s.adopt(l)
	d := s.look(cost)
	if d.Admitted {
		s.log.push(s.at, cost)
		s.debt += int64(cost) * minute
	}
	return s.report(d)
}

// advance lets time pass until now. Where the clock has stepped back no time has passed,
// and the past moves along, so that nobody waits for the old time to come again.
func (s *state) advance(now int64) {
	if now < s.at {
		s.log.shift(now - s.at)
		s.at = now
	}
	rate := int64(s.limit.Sustained)
	enough := s.debt/rate + 1 // bounds the product below
	s.debt = max(0, s.debt-rate*min(now-s.at, enough))
	s.log.forget(now - minute)
	s.at = now
}

// adopt changes the limit. A higher burst adds the difference to the bucket, a lower one
// cuts the tokens off at the new burst; what was admitted stays counted.
func (s *state) adopt(l Limit) {
	if cut := int64(s.limit.Burst - l.Burst); cut > 0 {
		s.debt = max(0, s.debt-cut*minute)
	}
	s.limit = l
}

// look reports whether a cost is admitted now, and if not, when.
func (s *state) look(cost int) Decision {
	wait := s.wait(min(cost, s.limit.Burst))
	if wait == 0 && cost <= s.limit.Burst {
		return Decision{Admitted: true}
	}
	return Decision{RetryAfter: int(max(1, ceil(wait, second)))}
}

// wait is the microseconds until both conditions admit a cost of at most the burst.
func (s *state) wait(cost int) int64 {
	var wait int64
	if over := s.log.count + cost - s.limit.Burst; over > 0 {
		wait = s.log.at(over-1) + minute - s.at
	}
	if lack := s.debt + int64(cost-s.limit.Burst)*minute; lack > 0 {
		wait = max(wait, ceil(lack, int64(s.limit.Sustained)))
	}
	return wait
}

// report fills in what the headers say.
func (s *state) report(d Decision) Decision {
	d.Limit = s.limit.Sustained
	d.Remaining = max(0, s.limit.Sustained-s.log.count)
	d.Reset = ceil(s.at, second)
	if s.log.count > 0 {
		d.Reset = ceil(s.log.at(0)+minute, second)
	}
	return d
}

// idle reports whether nothing is left to remember. It expects a settled state.
func (s *state) idle() bool { return s.log.count == 0 && s.debt == 0 }

func ceil(a, b int64) int64 {
	q := a / b
	if q*b < a {
		q++
	}
	return q
}

// ring holds moments, oldest first. It doubles its room when it is full, so a quiet
// subject stays small.
type ring struct {
	slots []int64
	first int // where the oldest stands
	count int
}

const smallestRing = 4

// at is the i-th oldest moment, from 0 to count-1.
func (r *ring) at(i int) int64 { return r.slots[r.index(i)] }

func (r *ring) index(i int) int {
	i += r.first
	if i >= len(r.slots) {
		i -= len(r.slots)
	}
	return i
}

// push adds a moment, no older than the newest, a number of times.
func (r *ring) push(moment int64, times int) {
	r.reserve(r.count + times)
	for range times {
		r.slots[r.index(r.count)] = moment
		r.count++
	}
}

func (r *ring) reserve(room int) {
	if room <= len(r.slots) {
		return
	}
	slots := make([]int64, max(smallestRing, room, 2*len(r.slots)))
	for i := range r.count {
		slots[i] = r.at(i)
	}
	r.slots, r.first = slots, 0
}

// forget drops the moments up to and including one.
func (r *ring) forget(until int64) {
	for r.count > 0 && r.slots[r.first] <= until {
		r.first = r.index(1)
		r.count--
	}
}

// shift moves all moments by microseconds.
func (r *ring) shift(by int64) {
	for i := range r.slots {
		r.slots[i] += by
	}
}

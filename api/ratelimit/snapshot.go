package ratelimit

import (
	"encoding/binary"
	"errors"
)

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

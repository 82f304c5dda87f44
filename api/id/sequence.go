package id

import (
	"crypto/rand"
	"encoding/binary"
	mathrand "math/rand/v2"
	"sync"
)

// remembered is how many milliseconds a sequence knows at once, some 500 KB. Clocks that
// stand still and records that are dated back use old milliseconds beside new ones.
const remembered = 8192

// made holds the identifiers of this process.
var made sequence

// sequence makes the random part of identifiers, which ascends within a millisecond.
type sequence struct {
	mu       sync.Mutex
	indexes  map[uint64]int // in instants, by millisecond
	instants []instant
	hand     int // where the next instant to forget is looked for
}

// instant is the random part that was last made for a millisecond.
type instant struct {
	ms   uint64
	high uint16
	low  uint64
	used bool // since the hand passed by
}

// next is the random part of the next identifier of a millisecond, 10 bytes.
func (s *sequence) next(ms uint64) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, known := s.indexes[ms]
	if !known {
		at = s.free()
		s.instants[at] = begun(ms)
		s.indexes[ms] = at
	}
	i := &s.instants[at]
	i.used = known
	was := i.low
	i.low += 1 + uint64(mathrand.Uint32()) //nolint:gosec // an id is no secret
	if i.low < was {
		i.high++ // has room: see begun
	}
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint16(make([]byte, 0, 10), i.high), i.low)
}

// begun is a millisecond without identifiers. Its first bit is clear, so that the 2^47
// steps after it do not run over.
func begun(ms uint64) instant {
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails
	return instant{
		ms:   ms,
		high: binary.BigEndian.Uint16(b[:]) &^ (1 << 15),
		low:  binary.BigEndian.Uint64(b[2:]),
	}
}

// free is a free place: a new one, or that of an instant that was not used since
// the hand passed it.
func (s *sequence) free() int {
	if s.indexes == nil {
		s.indexes = map[uint64]int{}
	}
	if len(s.instants) < remembered {
		s.instants = append(s.instants, instant{})
		return len(s.instants) - 1
	}
	for s.instants[s.hand].used {
		s.instants[s.hand].used = false
		s.hand = (s.hand + 1) % remembered
	}
	at := s.hand
	s.hand = (s.hand + 1) % remembered
	delete(s.indexes, s.instants[at].ms)
	return at
}

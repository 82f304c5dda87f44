package ratelimit

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

package main

import (
	"math/rand/v2"
	"testing"

	"portal/api/sampled"
)

// proving reports whether loops of kills run whole (`make prove`). Otherwise each run takes
// other samples of them, fewer on PostgreSQL, where a process takes longer to start.
var proving = sampled.Whole

// sampled is how often a test over these data repeats something: all of it for `make prove`,
// otherwise some on each database.
func (o *preparedDemo) sampled(all, sqlite, postgres int) int {
	switch {
	case proving:
		return all
	case o.pg != nil:
		return postgres
	}
	return sqlite
}

// sample is n of them, in their order, and says which; all of them where there are no more.
func sample[T any](t *testing.T, all []T, n int) (some []T) {
	t.Helper()
	if len(all) <= n {
		return all
	}
	chosen := map[int]bool{}
	for _, i := range rand.Perm(len(all))[:n] {
		chosen[i] = true
	}
	for i, one := range all {
		if chosen[i] {
			some = append(some, one)
		}
	}
	t.Logf("a sample: %v", some)
	return some
}

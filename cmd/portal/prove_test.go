package main

import (
	"math/rand/v2"
	"os"
	"testing"
)

// proving reports whether loops of kills run whole on PostgreSQL too (`make prove`).
// Otherwise each run takes other samples of them there, and the whole of them on SQLite.
var proving = os.Getenv("PORTAL_PROVE") != ""

// sampled reports whether a test over these data takes samples.
func (o *preparedDemo) sampled() bool { return o.pg != nil && !proving }

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

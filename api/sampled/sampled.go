// Package sampled lets a test look at a part of what it could look at, in each run at another one: CI samples what
// `make prove` proves whole.
package sampled

import (
	"math/rand/v2"
	"os"
	"testing"
)

// Whole reports whether tests look at everything (`make prove`).
var Whole = os.Getenv("PORTAL_PROVE") != ""

// OneIn tells which of numbered things a run looks at: one of n that follow each other, in each run another one, and
// says which; all of them for `make prove`.
func OneIn(t testing.TB, n int) func(number int) bool {
	t.Helper()
	turn := rand.IntN(n) //nolint:gosec // what a test looks at is no secret
	t.Logf("a sample: number %d of %d, and each %dth from there on", turn, n, n)
	return func(number int) bool { return Whole || number%n == turn }
}

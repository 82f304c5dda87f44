package documenttest

import (
	"testing"

	"portal/api/agreement/document/seal"
	"portal/api/clock"
)

// Sealer seals with a key that it has made.
func Sealer(t testing.TB) *seal.Sealer {
	t.Helper()
	key, cert, err := seal.SelfMade("Portal", clock.Day(2026, 1, 1).Std())
	if err != nil {
		t.Fatal(err)
	}
	s, err := seal.New(key, cert)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

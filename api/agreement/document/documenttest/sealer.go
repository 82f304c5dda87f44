package documenttest

import (
	"testing"
	"time"

	"portal/api/agreement/document/seal"
)

// Sealer seals with a key that it has made.
func Sealer(t testing.TB) *seal.Sealer {
	t.Helper()
	key, cert, err := seal.SelfMade("Portal", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	s, err := seal.New(key, cert)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

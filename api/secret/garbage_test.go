package secret_test

import (
	"runtime"
	"testing"

	"portal/api/secret"
)

// Not in parallel: it counts the collections of the whole process.
func TestHashMemoryIsCollectedImmediately(t *testing.T) {
	ballast := make([]byte, 200<<20) // with it the next collection would come after ten hashes
	runtime.GC()
	h := secret.NewHasher(secret.StandardCost)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const hashes = 3
	for range hashes {
		if _, err := h.Hash(t.Context(), "correct horse"); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.NumGC - before.NumGC; n < hashes {
		t.Errorf("%d collections for %d hashes", n, hashes)
	}
	runtime.KeepAlive(ballast)
}

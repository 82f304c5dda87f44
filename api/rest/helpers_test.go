package rest_test

import (
	"math/rand/v2"
	"testing"
	"time"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// shuffle puts words into another order.
func shuffle(words []string) {
	rand.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
}

func parse(t testing.TB, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	must(t, err)
	return at
}

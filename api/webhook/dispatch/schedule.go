package dispatch

import (
	"math/rand/v2"
	"time"

	"portal/api/webhook"
)

// When attempts are made (docs/webhooks.md): at once, then firstPause after the one
// that failed, twice as long after each next one, until GiveUp after the first.
const (
	firstPause = 10 * time.Second
	jitter     = 0.1
)

// pause is the step after so many tries, at least one.
func pause(tries int) time.Duration {
	if tries > 20 { // far beyond GiveUp
		tries = 20
	}
	return firstPause << (tries - 1)
}

// nextTry is when a delivery is tried again that has failed now, for the so manyth time
// since its first attempt; false where it is given up. chance lies between 0 and 1. What a
// receiver asks for by Retry-After delays the attempt up to its next step. The last
// attempt falls within GiveUp of the first.
func nextTry(tries int, since, now time.Time, retryAfter time.Duration, chance float64) (time.Time, bool) {
	step := pause(tries)
	wait := time.Duration(float64(step) * (1 + jitter*(2*chance-1)))
	wait = max(wait, min(retryAfter, pause(tries+1)))
	left := since.Add(webhook.GiveUp).Sub(now)
	if left < step/2 {
		return time.Time{}, false
	}
	return now.Add(min(wait, left)), true
}

func chance() float64 { return rand.Float64() } //nolint:gosec // spreads load, guards nothing

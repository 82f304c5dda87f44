// Package ratelimit is the limiter: it decides whether a request of a subject (an API
// key, a client's address) is admitted now, and what the rate-limit headers say.
//
// Two conditions admit a request: fewer than burst were admitted in the last 60 s, a
// rolling window counted from a log of admissions, and a bucket of burst tokens, refilled
// at sustained/60 a second, is not empty. Both are exact to the microsecond, in integers.
//
// A client that pauses while Remaining is 0 is never throttled, provided its burst is at
// least its sustained rate: no 60 s then hold more than sustained admissions, so the
// bucket is never short of more than sustained tokens.
//
// The package knows nothing of HTTP, of keys or of plans, and never sees a secret.
package ratelimit

import "context"

// MaxRate is the highest Sustained and Burst, in requests a minute.
const MaxRate = 1_000_000

// Limit is what a subject may do, in requests a minute. Both figures are 1 to MaxRate; one
// outside is taken as the nearest bound. To admit every batch, Burst is at least the
// largest cost (20).
type Limit struct {
	Sustained int
	Burst     int
}

// Decision is the answer to one request, with what its headers say.
type Decision struct {
	Admitted bool
	// Limit is X-RateLimit-Limit: the sustained rate, in requests a minute.
	Limit int
	// Remaining is X-RateLimit-Remaining: the sustained rate less what was admitted in
	// the last 60 s, this request included; never below 0.
	Remaining int
	// Reset is X-RateLimit-Reset: Unix seconds, rounded up, when the oldest counted
	// request leaves the window; the present when none is counted.
	Reset int64
	// RetryAfter is Retry-After: the fewest whole seconds, at least 1, after which the
	// same request is admitted if no other comes before. 0 when it is admitted.
	RetryAfter int
}

// Limiter decides about requests. It is safe for concurrent use and never fails: without
// its store it still limits, by what this process has seen.
type Limiter interface {
	// Take counts cost requests (below 1 counts as 1) if all of them are admitted, and
	// none of them otherwise. A cost above the burst is never admitted; its RetryAfter
	// is that of the whole burst.
	Take(ctx context.Context, subject string, l Limit, cost int) Decision
	// Peek is what Take would answer to one request, without counting it: Remaining and
	// Reset are those of the present.
	Peek(ctx context.Context, subject string, l Limit) Decision
}

func (l Limit) bounded() Limit {
	return Limit{min(max(l.Sustained, 1), MaxRate), min(max(l.Burst, 1), MaxRate)}
}

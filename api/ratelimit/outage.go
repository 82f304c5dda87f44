package ratelimit

import (
	"log/slog"
	"sync/atomic"
)

const askAgainEvery = second

// outage remembers whether Redis is away, so that requests do not wait for it: while it is,
// one request a second asks. It speaks once at the beginning and once at the end.
type outage struct {
	now   func() int64 // microseconds
	log   *slog.Logger
	again atomic.Int64 // microseconds: when Redis is asked next; 0 while it answers
}

// admits reports whether a request may ask Redis, and whether it does so as the probe of an
// outage.
func (o *outage) admits() (asked, probe bool) {
	again := o.again.Load()
	if again == 0 {
		return true, false
	}
	t := o.now()
	if early := again - t; 0 < early && early <= askAgainEvery { // more: the clock stepped back
		return false, false
	}
	probe = o.again.CompareAndSwap(again, t+askAgainEvery)
	return probe, probe
}

func (o *outage) begin(cause error) {
	if o.again.CompareAndSwap(0, o.now()+askAgainEvery) {
		o.log.Warn("Redis is away: this node limits rates by its own memory", "error", cause)
	}
}

// end is the probe's to call. An answer to a request from before the outage ends nothing.
func (o *outage) end() {
	if o.again.Swap(0) != 0 {
		o.log.Info("Redis answers again: rate limits are shared")
	}
}

func (o *outage) is() bool { return o.again.Load() != 0 }

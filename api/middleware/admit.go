package middleware

import (
	"portal/api/access"
	"portal/api/fault"
	"portal/api/ratelimit"
)

// PerAddress is the limit of those who come without a valid key, an address.
var PerAddress = ratelimit.Limit{Sustained: 600, Burst: 1200}

// Admit finds the caller and counts the request: against the key if it is valid,
// against the client's address if not, so that trying keys is throttled and a
// valid key never is by others at its address.
func (x *Request) Admit() error {
	if err := x.Identify(); err != nil {
		return err
	}
	return x.Charge(1)
}

// Identify finds the caller. One without a valid key is counted, and refused.
func (x *Request) Identify() error {
	r := x.HTTP
	caller, err := x.Developer.Authenticate(r.Context(), r.Header.Get("Authorization"))
	if err != nil {
		address := "ip:" + access.ParseClient(x.Address)
		if fault.From(err).Code.Entry().Type != fault.Authentication { // perhaps a valid key: not counted
			x.count(x.Limiter.Peek(r.Context(), address, PerAddress))
		} else if throttled := x.take(address, PerAddress, 1); throttled != nil {
			return throttled
		}
		return err
	}
	x.Caller = caller
	return nil
}

// Charge counts so many requests of the caller's key, all or none of them.
func (x *Request) Charge(cost int) error {
	err := x.take(x.Caller.Key.ID, x.limit(), cost)
	if err == nil {
		x.Cost += cost
	}
	return err
}

// Uncharged sets the rate-limit headers of a request that costs nothing. A caller who is
// throttled is refused all the same.
func (x *Request) Uncharged() error {
	return x.judge(x.Limiter.Peek(x.HTTP.Context(), x.Caller.Key.ID, x.limit()), x.limit())
}

func (x *Request) limit() ratelimit.Limit {
	limits := x.Caller.Plan.Limits()
	return ratelimit.Limit{Sustained: limits.Sustained, Burst: limits.Burst}
}

func (x *Request) take(subject string, l ratelimit.Limit, cost int) error {
	return x.judge(x.Limiter.Take(x.HTTP.Context(), subject, l, cost), l)
}

func (x *Request) judge(d ratelimit.Decision, l ratelimit.Limit) error {
	x.count(d)
	if d.Admitted {
		return nil
	}
	f := fault.New(fault.RateLimited,
		"More than %d requests within 60 seconds, or more than %d a minute in the long run. Try again in %d s.",
		l.Burst, l.Sustained, d.RetryAfter)
	f.Retry = d.RetryAfter
	return f
}

package rest

import (
	"net/netip"
	"net/url"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/ratelimit"
)

// perAddress is the limit of those who come without a valid key, an address.
var perAddress = ratelimit.Limit{Sustained: 600, Burst: 1200}

// admit finds the caller and counts the request: against the key if it is valid,
// against the client's address if not, so that trying keys is throttled and a
// valid key never is by others at its address.
func (x *exchange) admit() error {
	r := x.c.Request()
	caller, err := x.Developer.Authenticate(r.Context(), r.Header.Get("Authorization"))
	if err != nil {
		address := "ip:" + network(x.c.RealIP())
		if fault.From(err).Code.Entry().Type != fault.Authentication { // perhaps a valid key: not counted
			x.count(x.Limiter.Peek(r.Context(), address, perAddress))
		} else if throttled := x.take(address, perAddress); throttled != nil {
			return throttled
		}
		return err
	}
	x.caller = caller
	limits := caller.Plan.Limits()
	return x.take(caller.Key.ID, ratelimit.Limit{Sustained: limits.Sustained, Burst: limits.Burst})
}

func (x *exchange) take(subject string, l ratelimit.Limit) error {
	d := x.Limiter.Take(x.c.Request().Context(), subject, l, 1)
	x.count(d)
	if d.Admitted {
		return nil
	}
	f := fault.New(fault.RateLimited, "More than %d requests within 60 seconds, or more than %d a minute in the long run. Try again in %d s.", l.Burst, l.Sustained, d.RetryAfter)
	f.Retry = d.RetryAfter
	return f
}

// network is what an address is counted as: an IPv4 address, or the /64 that an
// IPv6 client can choose addresses of at will.
func network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return "unknown"
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	p, err := ip.Prefix(64)
	if err != nil {
		return ip.String()
	}
	return p.String()
}

// operate answers an operation. The checks come in the order of decisions.md §1:
// key, limit, scope, parameters and body, Idempotency-Key, record.
func (x *exchange) operate() error {
	if err := x.admit(); err != nil {
		return err
	}
	actor := x.caller.Actor()
	if err := actor.Need(x.op.Scope); err != nil {
		return err
	}
	from, err := x.request()
	if err != nil {
		return err
	}
	d, err := x.op.Decode(from)
	if err != nil {
		return err
	}
	ctx := withExchange(access.With(x.c.Request().Context(), actor), x)
	if x.op.Changes {
		return x.write(ctx, d)
	}
	if d.Missing != nil {
		return d.Missing
	}
	out, err := x.op.Call(ctx, d.Input)
	if err != nil {
		return err
	}
	x.deliver(out)
	return nil
}

// parameter is a parameter of the path, which echo leaves as the caller escaped it.
func (x *exchange) parameter(name string) string {
	v := x.c.Param(name)
	if x.c.Request().URL.RawPath == "" {
		return v
	}
	if plain, err := url.PathUnescape(v); err == nil {
		return plain
	}
	return v
}

// clip bounds what the log keeps of a caller's text.
func clip(s string, limit int) string {
	if len(s) > limit {
		s = s[:limit]
	}
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "")
}

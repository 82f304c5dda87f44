package rest

import (
	"net/url"

	"portal/api/access"
	"portal/api/fault"
)

// operate answers an operation. The checks come in the order of docs/site/records.md:
// key, limit, scope, parameters and body, Idempotency-Key, record.
func (x *request) operate() error {
	if err := x.req.Admit(); err != nil {
		return err
	}
	actor := x.req.Caller.Actor()
	if err := actor.Need(x.op.Scope); err != nil {
		return err
	}
	if x.op.TestKeys && actor.Portfolio.Mode != access.Test {
		return fault.Of(fault.TestKeyRequired)
	}
	from, err := x.request()
	if err != nil {
		return err
	}
	d, err := x.op.Decode(from)
	if err != nil {
		return err
	}
	ctx := withRequest(access.With(x.req.HTTP.Context(), actor), x)
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
func (x *request) parameter(name string) string {
	v := x.c.Param(name)
	if x.req.HTTP.URL.RawPath == "" {
		return v
	}
	if plain, err := url.PathUnescape(v); err == nil {
		return plain
	}
	return v
}

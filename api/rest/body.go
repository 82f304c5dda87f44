package rest

import (
	"portal/api/operation"
)

// largestBody is what an operation reads at most (docs/site/limits.md).
const largestBody = 256 << 10

// request is what the operation reads its input from. The body of an operation that takes none
// is read too: what a client sends there it expects to have an effect.
func (x *request) request() (operation.Request, error) {
	from := operation.Request{Path: x.parameter, Query: x.req.HTTP.URL.RawQuery, Header: x.req.HTTP.Header.Values}
	if x.op.TakesBody() {
		from.Today = x.api.Portfolio.Today(*x.req.Caller.Actor())
	}
	var err error
	from.Body, err = x.req.Body(largestBody)
	return from, err
}

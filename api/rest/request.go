package rest

import (
	"strings"

	"github.com/labstack/echo/v4"

	"portal/api/developer"
	"portal/api/idempotency"
	"portal/api/middleware"
	"portal/api/operation"
	"portal/api/redact"
	"portal/api/texts"
)

// request is the state of one request of the surface.
type request struct {
	api *API
	req *middleware.Request
	c   echo.Context
	op  *operation.Operation // nil where no operation has the path

	dry      bool // nothing was saved, on the caller's wish
	replayed bool // the answer is one that was given before
}

// serve is the handler of an operation.
func (a *API) serve(op *operation.Operation) echo.HandlerFunc {
	return func(c echo.Context) error {
		for _, v := range c.ParamValues() {
			if strings.Contains(v, "/") { // echo gives the last parameter all that is left of a path
				return a.NoRoute(c)
			}
		}
		return a.request(c, op, (*request).operate)
	}
}

// request runs a request: answer writes the answer or returns why it cannot.
func (a *API) request(c echo.Context, op *operation.Operation, answer func(*request) error) error {
	x := &request{
		api: a,
		req: a.Begin(c.Response(), c.Request(), c.RealIP()),
		c:   c,
		op:  op,
	}
	if op != nil {
		x.req.Operation, x.req.Keep = op.Name, op.Changes
		if op.Secrets != nil {
			x.req.Secrets = append(x.req.Secrets, op.Secrets)
		}
	}
	x.req.Complete = x.complete
	x.req.Run(func() error { return answer(x) })
	return nil
}

// complete adds to the log what was special about a write.
func (x *request) complete(line *developer.Request) {
	if x.op != nil && x.op.Changes {
		line.IdempotencyKey = redact.Text(texts.ClipBytes(x.req.HTTP.Header.Get(idempotencyKey), idempotency.Longest))
		line.Replayed, line.DryRun = x.replayed, x.dry
	}
}

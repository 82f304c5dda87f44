package rest

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
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

	file    *sentFile // that the body has, nil for none
	closing []func()  // what is done once the request is answered
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
	defer x.close()
	x.req.Run(func() error { return answer(x) })
	return nil
}

// close gives back what the request has kept.
func (x *request) close() {
	for _, done := range slices.Backward(x.closing) {
		done()
	}
}

// complete adds to the log what was special about a write.
func (x *request) complete(line *developer.Request) {
	if x.op != nil && x.op.Changes {
		line.IdempotencyKey = redact.Text(texts.ClipBytes(x.req.HTTP.Header.Get(idempotencyKey), idempotency.Longest))
		line.Replayed, line.DryRun = x.replayed, x.dry
	}
}

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
	ctx := context.WithValue(access.With(x.req.HTTP.Context(), actor), requestKey{}, x)
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
	if x.op.File != nil {
		from.Body, err = x.parts()
		return from, err
	}
	from.Body, err = x.req.Body(largestBody)
	return from, err
}

// requestKey is under what the one operation that speaks of the request itself finds it.
type requestKey struct{}

// buffers are for the bodies of answers.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keptBuffer is the largest buffer that is kept.
const keptBuffer = 1 << 20

// deliver writes the answer of an operation: the ETag of a record, the link to the
// next page of a list.
func (x *request) deliver(out any) {
	h := x.req.Writer.Header()
	switch out := out.(type) {
	case operation.Versioned:
		h["ETag"] = []string{`"` + strconv.FormatInt(out.Revision(), 10) + `"`}
	case operation.Paged:
		if cursor, more := out.Next(); more {
			h["Link"] = []string{"<" + x.nextPage(cursor) + `>; rel="next"`}
		}
	}
	buffer := buffers.Get().(*[]byte)
	body := x.op.Append((*buffer)[:0], out)
	x.req.Send(x.op.Status, body)
	if cap(body) <= keptBuffer {
		*buffer = body
		buffers.Put(buffer)
	}
}

// nextPage is the address of the same list behind a cursor.
func (x *request) nextPage(cursor string) string {
	u := x.req.HTTP.URL
	if u.RawQuery == "" {
		return x.req.BaseURL + u.Path + "?starting_after=" + cursor
	}
	q := u.Query()
	q.Set("starting_after", cursor)
	return x.req.BaseURL + u.Path + "?" + q.Encode()
}

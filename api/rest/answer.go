package rest

import (
	"context"
	"strconv"
	"sync"

	"portal/api/operation"
)

type requestKey struct{}

// withRequest lets the one operation that speaks of the request itself find it.
func withRequest(ctx context.Context, x *request) context.Context {
	return context.WithValue(ctx, requestKey{}, x)
}

func requestOf(ctx context.Context) *request { return ctx.Value(requestKey{}).(*request) }

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

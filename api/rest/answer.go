package rest

import (
	"context"
	"net/http"
	"strconv"

	"portal/api/fault"
	"portal/api/operation"
	"portal/api/redact"
)

type exchangeKey struct{}

// withExchange lets the one operation that speaks of the request itself find it.
func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

func exchangeOf(ctx context.Context) *exchange { return ctx.Value(exchangeKey{}).(*exchange) }

// deliver writes the answer of an operation: the ETag of a record, the link to the
// next page of a list.
func (x *exchange) deliver(out any) {
	h := x.c.Response().Header()
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
	x.send(x.op.Status, body)
	if cap(body) <= keptBuffer {
		*buffer = body
		buffers.Put(buffer)
	}
}

// nextPage is the address of the same list behind a cursor.
func (x *exchange) nextPage(cursor string) string {
	u := x.c.Request().URL
	if u.RawQuery == "" {
		return x.BaseURL + u.Path + "?starting_after=" + cursor
	}
	q := u.Query()
	q.Set("starting_after", cursor)
	return x.BaseURL + u.Path + "?" + q.Encode()
}

// refuse writes the error envelope. What is no fault of the caller's is logged,
// with its cause.
func (x *exchange) refuse(f *fault.Error) {
	if x.abandoned(f) {
		f = fault.Of(fault.Unavailable).Because(f)
	}
	x.fault = f
	e := f.Code.Entry()
	if e.Status >= http.StatusInternalServerError {
		x.Log.Error("request failed", "request_id", x.id, "method", x.c.Request().Method, "path", redact.Text(clip(x.c.Request().URL.Path, 500)), "error", f)
	}
	if x.c.Response().Committed { // a stream that broke: nothing more can be said in it
		return
	}
	h := x.c.Response().Header()
	if e.Status == http.StatusUnauthorized {
		h["WWW-Authenticate"] = bearer
	}
	if f.Retry > 0 {
		h["Retry-After"] = []string{strconv.Itoa(f.Retry)}
	}
	x.send(e.Status, x.envelope(f, e))
}

var bearer = []string{"Bearer"}

// abandoned tells whether a request failed only because its client went away or
// the server is stopping.
func (x *exchange) abandoned(f *fault.Error) bool {
	return f.Code == fault.Internal && x.c.Request().Context().Err() != nil
}

// Failure is the error envelope (service.md, Errors).
type Failure struct {
	Error FailureBody `json:"error" doc:"What went wrong."`
}

// SchemaName is what the schema is called outside.
func (Failure) SchemaName() string { return "Error" }

// FailureBody is what the envelope holds.
type FailureBody struct {
	Type      fault.Type     `json:"type" doc:"Class of the error."`
	Code      fault.Code     `json:"code" doc:"Machine code; the dictionary lists all of them."`
	Message   string         `json:"message" example:"limit must be a whole number between 1 and 100; not \"500\"." doc:"What went wrong and how to mend it, for a person."`
	Param     *string        `json:"param" example:"limit" doc:"Dotted path of the first field at fault; null where no field is."`
	Errors    []fault.Detail `json:"errors" doc:"Every field at fault; empty where no field is."`
	RequestID string         `json:"request_id" format:"id" prefix:"req" doc:"Identifier of the request, as in X-Request-Id; support finds the request by it for 90 days."`
	DocURL    string         `json:"doc_url" format:"uri" example:"https://portal.example.com/docs/errors#invalid_field" doc:"The entry of the error dictionary."`
}

// SchemaName is what the schema is called outside.
func (FailureBody) SchemaName() string { return "ErrorBody" }

var encodeFailure = operation.Encoder[Failure]()

func (x *exchange) envelope(f *fault.Error, e fault.Entry) []byte {
	body := Failure{FailureBody{Type: e.Type, Code: e.Code, Message: f.Message, Errors: f.Details, RequestID: x.id, DocURL: x.errors + string(e.Code)}}
	if f.Param != "" {
		body.Error.Param = &f.Param
	}
	if f.Param != "" && len(f.Details) == 0 {
		body.Error.Errors = []fault.Detail{{Param: f.Param, Code: e.Code, Message: f.Message}}
	}
	return encodeFailure(nil, &body)
}

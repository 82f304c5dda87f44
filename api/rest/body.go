package rest

import (
	"io"
	"mime"
	"net/http"
	"strings"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/operation"
)

// largestBody is what an operation reads at most (decisions.md §1).
const largestBody = 256 << 10

// request is what the operation reads its input from.
func (x *exchange) request() (operation.Request, error) {
	r := x.c.Request()
	from := operation.Request{Path: x.parameter, Query: r.URL.RawQuery, Header: r.Header.Values}
	if !x.op.TakesBody() {
		return from, nil
	}
	var err error
	from.Today = clock.DateOf(x.Now(), x.caller.Zone)
	from.Body, err = body(r)
	return from, err
}

// body reads the body of a request whole.
func body(r *http.Request) ([]byte, error) {
	if r.ContentLength > largestBody {
		return nil, tooLarge(r)
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, largestBody+1))
	switch {
	case err != nil:
		return nil, fault.New(fault.InvalidJSON, "The body could not be read to its end. Send it again.").Because(err)
	case len(text) > largestBody:
		return nil, tooLarge(r)
	case len(text) > 0:
		return text, declared(r.Header)
	}
	return nil, nil
}

// patience is how much of a body that is too large is read nevertheless.
const patience = 4 << 20

// tooLarge refuses a body after its end: many clients send the whole of it before they
// read the answer, and would find the connection reset instead. One that asks first
// (Expect: 100-continue), or that has far more to send, is told at once.
func tooLarge(r *http.Request) error {
	if r.ContentLength <= patience && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, patience) // it is refused in any case
	}
	return fault.Of(fault.BodyTooLarge)
}

// declared refuses a body that is not declared as plain JSON in UTF-8.
func declared(h http.Header) error {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, has := params["charset"]
	encoding := h.Get("Content-Encoding")
	switch {
	case err != nil || kind != "application/json" || has && !strings.EqualFold(charset, "utf-8"):
		return fault.Of(fault.UnsupportedMediaType)
	case encoding != "" && !strings.EqualFold(encoding, "identity"):
		return fault.New(fault.UnsupportedMediaType, "The body is encoded as %s. Send it plain, without Content-Encoding.", clip(encoding, 40))
	}
	return nil
}

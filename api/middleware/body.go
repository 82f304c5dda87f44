package middleware

import (
	"io"
	"mime"
	"net/http"
	"strings"

	"portal/api/fault"
	"portal/api/texts"
)

// Body reads the body of the request whole, at most so many bytes of it; nil where none
// was sent.
func (x *Request) Body(most int64) ([]byte, error) {
	r := x.HTTP
	if r.ContentLength > most {
		return nil, tooLarge(r)
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	switch {
	case err != nil:
		return nil, fault.New(
			fault.MalformedRequest,
			"The body could not be read to its end: it is shorter than announced, came too slowly, or its chunks are malformed. Send it again.",
		).Because(err)
	case int64(len(text)) > most:
		return nil, tooLarge(r)
	case len(text) > 0:
		x.body = text
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
		return fault.New(fault.UnsupportedMediaType,
			"The body is encoded as %s. Send it plain, without Content-Encoding.", texts.ClipBytes(encoding, 40))
	}
	return nil
}

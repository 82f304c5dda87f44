package middleware

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/redact"
	"portal/api/texts"
)

// Refuse writes the error envelope.
func (x *Request) Refuse(f *fault.Error) {
	f = x.Note(f)
	if x.Status != 0 { // a stream that broke: nothing more can be said in it
		return
	}
	e := f.Code.Entry()
	h := x.Writer.Header()
	if e.Status == http.StatusUnauthorized {
		h["WWW-Authenticate"] = bearer
	}
	switch {
	case f.Retry > 0:
		h["Retry-After"] = []string{strconv.Itoa(f.Retry)}
	case e.Status == http.StatusServiceUnavailable:
		h["Retry-After"] = unavailableFor
	}
	x.Send(e.Status, x.Envelope(f, x.ID))
}

var bearer = []string{"Bearer"}

// unavailableFor is Retry-After while the database or another part is away.
var unavailableFor = []string{"5"}

// Note keeps a fault for the record of the request. What is no fault of the caller's is
// logged, with its cause, unless the caller went away meanwhile.
func (x *Request) Note(f *fault.Error) *fault.Error {
	if f.Code == fault.Internal && x.HTTP.Context().Err() != nil {
		f = fault.Of(fault.Unavailable).Because(f)
	}
	failed := f.Code.Entry().Status >= http.StatusInternalServerError
	if failed && Abandoned(x.HTTP.Context(), f) {
		x.abandoned = true
		x.Log.Debug("client went away", "request_id", x.ID, "error", f)
		return f
	}
	x.Fault = f
	if failed && f.Retry > 0 { // no fault of ours: there are too many at once, and not each is logged
		x.Log.Debug("request refused", "request_id", x.ID, "error", f)
		return f
	}
	if failed {
		x.Log.Error(
			"request failed",
			"request_id",
			x.ID,
			"method",
			x.HTTP.Method,
			"path",
			redact.Text(texts.ClipBytes(x.HTTP.URL.Path, 500)),
			"error",
			f,
		)
	}
	return f
}

// Failure is the error envelope (docs/decisions/0008).
type Failure struct {
	// What went wrong.
	Error FailureBody `json:"error"`
}

// SchemaName is the name of the OpenAPI component.
func (Failure) SchemaName() string { return "ErrorResponse" }

// FailureBody is what the envelope holds.
type FailureBody struct {
	// Class of the error.
	Type fault.Type `json:"type"`
	// Machine code; the dictionary lists all of them.
	Code fault.Code `json:"code"`
	// What went wrong and how to fix it, for people.
	Message string `json:"message" example:"limit must be a whole number between 1 and 100; not \"500\"."`
	// Dotted path of the first invalid field; null if no field is invalid.
	Param *string `json:"param" example:"limit"`
	// All invalid fields; empty if there are none.
	Errors []fault.Detail `json:"errors"`
	// ID of the request, as in X-Request-Id. Support can find the request by it for 90 days.
	RequestID string `json:"request_id" format:"id" prefix:"req"`
	// The entry of the error dictionary.
	DocURL string `json:"doc_url" format:"uri" example:"https://portal.example.com/docs/errors#invalid_field"`
}

// SchemaName is the name of the OpenAPI component.
func (FailureBody) SchemaName() string { return "ErrorBody" }

var encodeFailure = operation.Encoder[Failure]()

// Envelope is a fault as the answer to a request.
func (m *Middleware) Envelope(f *fault.Error, request string) []byte {
	e := f.Code.Entry()
	body := Failure{FailureBody{
		Type:      e.Type,
		Code:      e.Code,
		Message:   f.Message,
		Errors:    f.Details,
		RequestID: request,
		DocURL:    m.errors + string(e.Code),
	}}
	if f.Param != "" {
		body.Error.Param = &f.Param
	}
	if f.Param != "" && len(f.Details) == 0 {
		body.Error.Errors = []fault.Detail{{Param: f.Param, Code: e.Code, Message: f.Message}}
	}
	return encodeFailure(nil, &body)
}

// Malformed is the whole answer, as it is sent, to a client at an address that has sent what is
// not HTTP, with the reason as part of a sentence. It counts against the address and is
// recorded as any other request, though its method and path are not known. The connection
// ends with it.
func (m *Middleware) Malformed(address, reason string) []byte {
	w := &plainWriter{
		header: http.Header{"Connection": {"close"}, "Date": {m.Now().UTC().Format(http.TimeFormat)}},
	}
	x := m.Begin(w, &http.Request{URL: &url.URL{}, Header: http.Header{}}, address)
	x.Run(func() error {
		x.count(x.Limiter.Take(x.HTTP.Context(), "ip:"+access.ParseClient(address), PerAddress, 1))
		return fault.New(fault.MalformedRequest,
			"The request cannot be read as HTTP/1.1: %s. The connection is closed.", reason)
	})
	return w.sent.Bytes()
}

// plainWriter writes an answer as HTTP/1.1 without a server.
type plainWriter struct {
	header http.Header
	sent   bytes.Buffer
}

// Header is http.ResponseWriter's.
func (w *plainWriter) Header() http.Header { return w.header }

// WriteHeader is http.ResponseWriter's.
func (w *plainWriter) WriteHeader(status int) {
	fmt.Fprintf(&w.sent, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = w.header.Write(&w.sent) // a buffer takes everything
	w.sent.WriteString("\r\n")
}

// Write is http.ResponseWriter's.
func (w *plainWriter) Write(b []byte) (int, error) { return w.sent.Write(b) }

// Overloaded answers a request that is one too many: of its address, or of all. A browser that
// asks for a page gets one. A server that has much to do does not log each.
func (m *Middleware) Overloaded(w http.ResponseWriter, r *http.Request, address string, ofAddress bool) {
	x := m.Begin(w, r, address)
	x.Run(func() error {
		x.count(x.Limiter.Peek(r.Context(), "ip:"+access.ParseClient(address), PerAddress))
		x.Fault = fault.New(
			fault.Unavailable, "The server is answering as many requests as it can. Try again in a second.",
		)
		if ofAddress {
			x.Fault = fault.New(
				fault.RateLimited,
				"Too many connections of this address are busy at the same time. Try again in a second, over fewer "+
					"connections.",
			)
		}
		w.Header().Set("Retry-After", "1")
		body := x.Envelope(x.Fault, x.ID)
		// A browser asks for a page: the API has none.
		if !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html") {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", busyPolicy)
			body = busyPage
		}
		x.Send(x.Fault.Code.Entry().Status, body)
		return nil
	})
}

// busyStyle is the only style of busyPage, which busyPolicy allows by its hash.
const busyStyle = `:root{color-scheme:light dark}` +
	`body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f7f8f8;color:#111614;` +
	`font:1rem/1.55 system-ui,sans-serif}` +
	`main{box-sizing:border-box;max-width:30rem;margin:1rem;padding:2rem;background:#fff;` +
	`border:1px solid #e5e8e6;border-radius:12px}` +
	`h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.3;letter-spacing:-.02em}p{margin:.5rem 0 0;color:#434b47}` +
	`@media(prefers-color-scheme:dark){body{background:#0a0c0b;color:#eef1f0}` +
	`main{background:#111413;border-color:#262b29}p{color:#b9c0bd}}`

// busyPolicy lets busyPage have its style, and nothing else.
var busyPolicy = func() string {
	sum := sha256.Sum256([]byte(busyStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// busyPage is what a browser shows when there is no room for its request. It is made before and
// loads nothing, so it costs no more than the JSON that it stands for.
var busyPage = []byte(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Too many requests right now · portal</title>
<style>` + busyStyle + `</style>
</head>
<body>
<main>
<h1>Too many requests right now</h1>
<p>Nothing was changed. Wait a few seconds, then reload the page.</p>
<p>If you sent a form, go back and send it again.</p>
</main>
</body>
</html>
`)

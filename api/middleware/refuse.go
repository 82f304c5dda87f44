package middleware

import (
	"net/http"
	"strconv"

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
	if f.Retry > 0 {
		h["Retry-After"] = []string{strconv.Itoa(f.Retry)}
	}
	x.Send(e.Status, x.Envelope(f, x.ID))
}

var bearer = []string{"Bearer"}

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

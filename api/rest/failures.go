package rest

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/middleware"
	"portal/api/operation"
)

// codesOf are the error codes that an operation can answer, in the order of the
// dictionary: those of the layers that every request passes, those that its input
// brings, and those that its entry names. What is refused before an operation is found
// (an unknown path, HTTP that cannot be read) is no operation's.
func codesOf(op *operation.Operation) []fault.Code {
	codes := slices.Concat(op.Fails, op.InputFails(), []fault.Code{
		fault.MissingAPIKey, fault.MalformedAPIKey, fault.UnknownAPIKey, fault.RevokedAPIKey, fault.ExpiredAPIKey,
		fault.BodyTooLarge, fault.UnsupportedMediaType, fault.RateLimited, fault.Internal, fault.Unavailable,
	})
	if op.Scope != access.Read { // every key holds read
		codes = append(codes, fault.ScopeRequired)
	}
	if op.Changes { // by the headers Dry-Run and Idempotency-Key
		codes = append(codes, fault.InvalidField, fault.InvalidIdempotencyKey, fault.IdempotencyKeyReused)
	}
	if op.Changes && op.Method != http.MethodDelete && !op.MakesRoom { // disabling an endpoint stores nothing
		codes = append(codes, fault.DemoLimitReached)
	}
	var all []fault.Code
	for _, e := range fault.Dictionary() {
		if slices.Contains(codes, e.Code) {
			all = append(all, e.Code)
		}
	}
	return all
}

// shared are the statuses whose codes are the same wherever they are listed, by the name
// of the response that operations refer to.
var shared = map[int]string{
	http.StatusUnauthorized:          "Unauthorized",
	http.StatusNotFound:              "NotFound",
	http.StatusRequestEntityTooLarge: "BodyTooLarge",
	http.StatusUnsupportedMediaType:  "UnsupportedMediaType",
	http.StatusTooManyRequests:       "TooManyRequests",
	http.StatusInternalServerError:   "ServerError",
	http.StatusServiceUnavailable:    "Unavailable",
}

// failures describes the error responses of operations, and collects what they refer to.
type failures struct {
	envelope  *operation.Schema
	responses ordered
	shown     []fault.Code
}

func newFailures(schemas *operation.Schemas) *failures {
	return &failures{envelope: schemas.Of(reflect.TypeFor[middleware.Failure]())}
}

// of are the error responses of an operation, by status.
func (f *failures) of(op *operation.Operation) (all ordered) {
	codes := codesOf(op)
	for len(codes) > 0 {
		status := codes[0].Entry().Status
		n := slices.IndexFunc(codes, func(c fault.Code) bool { return c.Entry().Status != status })
		if n < 0 {
			n = len(codes)
		}
		all = append(all, member{strconv.Itoa(status), f.response(status, codes[:n])})
		codes = codes[n:]
	}
	return all
}

// response is the error response of a status with codes, or a reference to it.
func (f *failures) response(status int, codes []fault.Code) ordered {
	name, isShared := shared[status]
	if !isShared {
		return f.describe(status, codes)
	}
	if !slices.ContainsFunc(f.responses, func(m member) bool { return m.key == name }) {
		f.responses = append(f.responses, member{name, f.describe(status, codes)})
	}
	return ordered{{"$ref", "#/components/responses/" + name}}
}

func (f *failures) describe(status int, codes []fault.Code) ordered {
	var examples ordered
	names := make([]string, len(codes))
	for i, code := range codes {
		names[i] = "`" + string(code) + "`"
		examples = append(examples, member{string(code), ordered{{"$ref", "#/components/examples/" + string(code)}}})
		if !slices.Contains(f.shown, code) {
			f.shown = append(f.shown, code)
		}
	}
	headers := limitHeaders()
	switch status {
	case http.StatusUnauthorized:
		headers = append(headers, headerRef("WWW-Authenticate"))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		headers = append(headers, headerRef("Retry-After"))
	}
	return ordered{
		{"description", "error.code is " + strings.Join(names, " or ") + "."},
		{"headers", headers},
		{"content", content(f.envelope, member{"examples", examples})},
	}
}

// describeFailures describes what the error responses of operations refer to.
func (a *API) describeFailures(f *failures) (responses, examples ordered) {
	for _, code := range f.shown {
		examples = append(examples, member{
			string(code),
			ordered{{"summary", code.Entry().Cause}, {"value", a.exampleFailure(code)}},
		})
	}
	return f.responses, examples
}

func (a *API) exampleFailure(code fault.Code) json.RawMessage {
	f := fault.Of(code)
	switch code {
	case fault.InvalidField:
		f.Param, f.Message = "limit", `limit must be a whole number between 1 and 100; not "500".`
	case fault.UnknownParameter:
		f.Param, f.Message = "stat", `"stat" is not a parameter here; did you mean state?`
	case fault.InvalidCursor:
		f.Param = "starting_after"
	case fault.MissingField:
		f.Param, f.Message = "description", "description is required."
	case fault.UnknownField:
		f.Param, f.Message = "postcode", `"postcode" is not a field here; did you mean postal_code?`
	case fault.DateOrder:
		f.Param = "end_date"
	case fault.URLNotAllowed:
		f.Param = "url"
	case fault.InvalidIdempotencyKey:
		f.Param = idempotencyKey
	}
	return a.Envelope(f, "req_01KA5R2M7Q8D4E6F9G1H3J5K7M")
}

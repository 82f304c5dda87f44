package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"portal/api/fault"
	"portal/api/operation"
)

// Version is the version of the description (service.md, Versioning).
const Version = "0.1.0"

// ordered is a JSON object that keeps the order of its members.
type ordered []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		text, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.WriteString(strconv.Quote(m.key) + ":")
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// describe makes the OpenAPI 3.1 document of the operations.
func (a *API) describe() []byte {
	schemas := &operation.Schemas{Prefix: "#/components/schemas/"}
	var paths ordered
	for _, op := range a.operations {
		item := ordered{{strings.ToLower(op.Method), a.describeOperation(op, schemas)}}
		if n := len(paths); n > 0 && paths[n-1].key == Base+op.Path {
			paths[n-1].value = append(paths[n-1].value.(ordered), item...)
			continue
		}
		paths = append(paths, member{Base + op.Path, item})
	}
	responses := a.describeFailures(schemas)
	text, err := json.MarshalIndent(ordered{
		{"openapi", "3.1.0"},
		{"info", a.describeInfo()},
		{"servers", []ordered{{{"url", a.BaseURL}, {"description", "This service"}}}},
		{"security", []ordered{{{"apiKey", []string{}}}}},
		{"tags", describeTags()},
		{"paths", paths},
		{"components", ordered{
			{"securitySchemes", ordered{{"apiKey", ordered{{"type", "http"}, {"scheme", "bearer"}, {"bearerFormat", "sk_test_pm_… or sk_live_pm_…"},
				{"description", "An API key of the dashboard. A test key opens the demo portfolio, a live key the real one."}}}}},
			{"headers", describeHeaders()},
			{"responses", responses},
			{"schemas", schemas.Named},
		}},
	}, "", "  ")
	if err != nil {
		panic(err)
	}
	return append(text, '\n')
}

func (a *API) describeInfo() ordered {
	return ordered{
		{"title", "Portfolio Management Developer API"},
		{"version", Version},
		{"description", "One landlord's portfolio over REST: properties with their units, tenants, leases, maintenance tickets, rent-ledger rows and webhook endpoints. " +
			"The API key decides which portfolio is seen. Money is in US dollars with two decimals, dates are YYYY-MM-DD, moments are RFC 3339 in UTC."},
		{"contact", ordered{{"name", "Support"}, {"url", a.BaseURL}}},
		{"license", ordered{{"name", "Proprietary"}, {"identifier", "LicenseRef-Proprietary"}}},
	}
}

func describeTags() []ordered {
	return []ordered{
		{{"name", "Properties"}, {"description", "Buildings and plots, each with its units."}},
		{{"name", "Tenants"}, {"description", "People who rent, rented or will rent."}},
		{{"name", "Leases"}, {"description", "Agreements that let a unit to tenants."}},
		{{"name", "Maintenance"}, {"description", "Requests for repair, with their triage."}},
		{{"name", "Payments"}, {"description", "Rows of the rent ledger: rent, deposits and fees."}},
		{{"name", "Webhooks"}, {"description", "Addresses that events are sent to."}},
		{{"name", "Account"}, {"description", "The key itself, its account and its limits."}},
	}
}

func (a *API) describeOperation(op *operation.Operation, schemas *operation.Schemas) ordered {
	o := ordered{
		{"operationId", op.Name},
		{"tags", []string{op.Tag}},
		{"summary", op.Summary},
		{"description", op.Description + "\n\nScope: " + string(op.Scope) + "."},
	}
	if parameters := describeParameters(op); len(parameters) > 0 {
		o = append(o, member{"parameters", parameters})
	}
	headers := limitHeaders()
	if op.Single() {
		headers = append(headers, headerRef("ETag"))
	}
	if op.List() {
		headers = append(headers, headerRef("Link"))
	}
	responses := ordered{{strconv.Itoa(op.Status), ordered{
		{"description", "Success."},
		{"headers", headers},
		{"content", content(schemas.Of(op.Output), member{"example", operation.Example(op.Output)})},
	}}}
	for _, f := range failures {
		if f.status != http.StatusNotFound || !op.List() && len(op.Parameters()) > 0 {
			responses = append(responses, member{strconv.Itoa(f.status), ordered{{"$ref", "#/components/responses/" + f.name}}})
		}
	}
	return append(o, member{"responses", responses})
}

func describeParameters(op *operation.Operation) (all []ordered) {
	for _, p := range op.Parameters() {
		o := ordered{{"name", p.Name}, {"in", p.In}, {"description", p.Doc}}
		if p.Required {
			o = append(o, member{"required", true})
		}
		all = append(all, append(o, member{"schema", p.Schema}, member{"example", p.Example()}))
	}
	return all
}

func content(schema any, example ...member) ordered {
	return ordered{{"application/json", append(ordered{{"schema", schema}}, example...)}}
}

// failures are the error responses of every operation.
var failures = []struct {
	status int
	name   string
	codes  []fault.Code
}{
	{http.StatusBadRequest, "BadRequest", []fault.Code{fault.InvalidField, fault.UnknownParameter, fault.InvalidCursor}},
	{http.StatusUnauthorized, "Unauthorized", []fault.Code{fault.MissingAPIKey, fault.MalformedAPIKey, fault.UnknownAPIKey, fault.RevokedAPIKey, fault.ExpiredAPIKey}},
	{http.StatusForbidden, "Forbidden", []fault.Code{fault.ScopeRequired}},
	{http.StatusNotFound, "NotFound", []fault.Code{fault.NoRecord}},
	{http.StatusTooManyRequests, "TooManyRequests", []fault.Code{fault.RateLimited}},
	{http.StatusInternalServerError, "ServerError", []fault.Code{fault.Internal}},
	{http.StatusServiceUnavailable, "Unavailable", []fault.Code{fault.Unavailable}},
}

func (a *API) describeFailures(schemas *operation.Schemas) (all ordered) {
	schema := schemas.Of(reflect.TypeFor[Failure]())
	for _, f := range failures {
		var examples ordered
		for _, code := range f.codes {
			examples = append(examples, member{string(code), ordered{{"summary", code.Entry().Cause}, {"value", a.exampleFailure(code)}}})
		}
		headers := limitHeaders()
		switch f.status {
		case http.StatusUnauthorized:
			headers = append(headers, headerRef("WWW-Authenticate"))
		case http.StatusTooManyRequests:
			headers = append(headers, headerRef("Retry-After"))
		}
		all = append(all, member{f.name, ordered{
			{"description", f.codes[0].Entry().Cause},
			{"headers", headers},
			{"content", content(schema, member{"examples", examples})},
		}})
	}
	return all
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
	}
	x := &exchange{API: a, id: "req_01KA5R2M7Q8D4E6F9G1H3J5K7M"}
	return x.envelope(f, code.Entry())
}

func headerRef(name string) member {
	return member{name, ordered{{"$ref", "#/components/headers/" + name}}}
}

func limitHeaders() ordered {
	return ordered{headerRef("X-Request-Id"), headerRef("X-RateLimit-Limit"), headerRef("X-RateLimit-Remaining"), headerRef("X-RateLimit-Reset")}
}

func describeHeaders() ordered {
	header := func(name, description, kind string, example any) member {
		return member{name, ordered{{"description", description}, {"schema", ordered{{"type", kind}}}, {"example", example}}}
	}
	return ordered{
		header("X-Request-Id", "Identifier of the request; support finds the request by it for 90 days.", "string", "req_01KA5R2M7Q8D4E6F9G1H3J5K7M"),
		header("X-RateLimit-Limit", "Requests a minute that are admitted in the long run.", "integer", 600),
		header("X-RateLimit-Remaining", "Sustained requests left in the last 60 seconds. It can be 0 while the burst still admits; a client that pauses at 0 is never throttled.", "integer", 599),
		header("X-RateLimit-Reset", "Unix seconds at which the oldest counted request leaves the window.", "integer", 1795190460),
		header("Retry-After", "Whole seconds, at least 1, after which one request is admitted.", "integer", 12),
		header("ETag", "The version of the record in double quotes.", "string", `"3"`),
		header("Link", `The next page: <URL>; rel="next". Absent on the last page.`, "string", `<https://portal.example.com/api/v1/external/properties?starting_after=prop_01KA5R2M7Q8D4E6F9G1H3J5K7M>; rel="next"`),
		header("WWW-Authenticate", "Always Bearer.", "string", "Bearer"),
	}
}

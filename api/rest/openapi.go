package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"portal/api/compress"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/idempotency"
	"portal/api/operation"
)

// Version is the version of the description (docs/site/compatibility.md).
const Version = event.APIVersion

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

// described are the operations of the document, in the order of the reference.
func (a *API) described() []*operation.Operation {
	return append(slices.Clone(a.operations), a.streams.op)
}

// describe makes the OpenAPI 3.1 document of the operations.
func (a *API) describe(year int) []byte {
	schemas := &operation.Schemas{
		Prefix:          "#/components/schemas/",
		Enums:           true,
		Year:            year,
		DefaultsInWords: true,
	}
	for _, op := range a.operations {
		if op.Changes {
			schemas.Answers(op.Output)
		}
	}
	var paths ordered
	failures := newFailures(schemas)
	for _, op := range a.described() {
		item := ordered{{strings.ToLower(op.Method), a.describeOperation(op, schemas, failures)}}
		if i := slices.IndexFunc(paths, func(m member) bool { return m.key == Base+op.Path }); i >= 0 {
			paths[i].value = append(paths[i].value.(ordered), item...)
			continue
		}
		paths = append(paths, member{Base + op.Path, item})
	}
	events := describeEvents(schemas)
	responses, examples := a.describeFailures(failures)
	text, err := json.MarshalIndent(ordered{
		{"openapi", "3.1.0"},
		{"info", a.describeInfo()},
		{"servers", []ordered{{{"url", a.BaseURL}, {"description", "This service"}}}},
		{"security", []ordered{{{"apiKey", []string{}}}}},
		{"tags", describeTags()},
		{"paths", paths},
		{"webhooks", events},
		{
			"components",
			ordered{
				{
					"securitySchemes",
					ordered{
						{
							"apiKey",
							ordered{
								{"type", "http"},
								{"scheme", "bearer"},
								{"bearerFormat", "sk_test_pm_… or sk_live_pm_…"},
								{
									"description",
									"An API key from the dashboard. A test key opens the demo portfolio, a live " +
										"key the real one.",
								},
							},
						},
					},
				},
				{"parameters", describeCommon()},
				{"headers", describeHeaders()},
				{"responses", responses},
				{"examples", examples},
				{"schemas", schemas.Named},
			},
		},
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
		{
			"description",
			"One landlord's portfolio over REST: properties with their units, tenants, leases, maintenance " +
				"tickets, rent-ledger rows and webhook endpoints. " +
				"The API key determines the portfolio. Money is in US dollars with two decimals, dates are " +
				"YYYY-MM-DD, moments are RFC 3339 in UTC.",
		},
		{"contact", ordered{{"name", "Support"}, {"url", a.BaseURL}}},
		{"license", ordered{{"name", "Proprietary"}, {"identifier", "LicenseRef-Proprietary"}}},
	}
}

func describeTags() []ordered {
	return []ordered{
		{{"name", "Properties"}, {"description", "Buildings and plots, each with its units."}},
		{{"name", "Tenants"}, {"description", "People who rent, rented or will rent."}},
		{{"name", "Leases"}, {"description", "Agreements to rent a unit to tenants."}},
		{{"name", "Maintenance"}, {"description", "Repair requests, with their triage."}},
		{{"name", "Payments"}, {"description", "Rows of the rent ledger: rent, deposits, and fees."}},
		{{"name", "Webhooks"}, {"description", "Your addresses that get events."}},
		{{"name", "Events"}, {"description", "Events of the portfolio, as sent to webhook endpoints."}},
		{
			{"name", "Testing"},
			{
				"description",
				"Only with a test key, in the demo portfolio: add units and tenants, trigger events, and reset it.",
			},
		},
		{{"name", "Account"}, {"description", "Your API key, its account, and its limits."}},
	}
}

func (a *API) describeOperation(op *operation.Operation, schemas *operation.Schemas, failures *failures) ordered {
	o := ordered{
		{"operationId", op.Name},
		{"tags", []string{op.Tag}},
		{"summary", op.Summary},
		{"description", op.Description + "\n\nScope: " + string(op.Scope) + "." + failureList(op.Fails)},
	}
	if parameters := describeParameters(op, schemas); len(parameters) > 0 {
		o = append(o, member{"parameters", parameters})
	}
	if op.TakesBody() {
		o = append(o, member{"requestBody", ordered{
			{"required", op.BodyRequired()},
			{"content", content(schemas.Body(op), member{"example", op.BodyExample()})},
		}})
	}
	return append(o, member{"responses", append(a.describeSuccess(op, schemas), failures.of(op)...)})
}

// describeSuccess describes the answers of an operation that does what it should: a
// write has a second one, the preview.
func (a *API) describeSuccess(op *operation.Operation, schemas *operation.Schemas) ordered {
	headers := limitHeaders()
	if op.Single() && op.Status != http.StatusNoContent {
		headers = append(headers, headerRef("ETag"))
	}
	if op.List() {
		headers = append(headers, headerRef("Link"))
	}
	if op.Changes {
		headers = append(headers, headerRef("Idempotent-Replayed"))
	}
	example, dryRunExample := operation.Example(op.Output), any(nil)
	if op.Changes {
		w := examples()[op.Name]
		example = json.RawMessage(op.AppendWrite(nil, w, nil))
		w = hidden(w)
		dryRunExample = json.RawMessage(op.AppendWrite(nil, w, op.Preview(w)))
	}
	success := ordered{{"description", "Success."}, {"headers", headers}}
	switch {
	case op.Media != "":
		success = append(success, member{"content", ordered{{op.Media, describeStream(schemas)}}})
	case op.Status != http.StatusNoContent:
		success = append(success, member{"content", content(schemas.Of(op.Output), member{"example", example})})
	}
	if !op.Changes || op.Status == http.StatusOK {
		return ordered{{strconv.Itoa(op.Status), success}}
	}
	preview := ordered{
		{"description", "With Dry-Run: the record as it would be, and the preview. Nothing was saved."},
		{"headers", limitHeaders()},
		{"content", content(schemas.Of(op.Output), member{"example", dryRunExample})},
	}
	return ordered{{"200", preview}, {strconv.Itoa(op.Status), success}}
}

// failureList lists the codes that an operation answers beyond the usual ones, and why.
func failureList(codes []fault.Code) string {
	if len(codes) == 0 {
		return ""
	}
	lines := make([]string, len(codes))
	for i, c := range codes {
		lines[i] = "- `" + string(c) + "`: " + c.Entry().Cause
	}
	return "\n\nBeyond what every operation answers:\n\n" + strings.Join(lines, "\n")
}

func describeParameters(op *operation.Operation, schemas *operation.Schemas) (all []ordered) {
	for _, p := range op.Parameters() {
		o := ordered{{"name", p.Name}, {"in", p.In}, {"description", p.Doc}}
		if p.Required {
			o = append(o, member{"required", true})
		}
		all = append(all, append(o, member{"schema", schemas.Parameter(p)}, member{"example", p.Example()}))
	}
	if op.Changes {
		all = append(all, ordered{{"$ref", "#/components/parameters/IdempotencyKey"}}, ordered{{
			"$ref", "#/components/parameters/DryRun",
		}})
	}
	return all
}

// describeCommon describes the headers that every write takes.
func describeCommon() ordered {
	return ordered{
		{
			"IdempotencyKey",
			ordered{
				{"name", idempotencyKey},
				{"in", "header"},
				{
					"description",
					"Your own value for this request, such as a UUID. If you send the same request with the same " +
						"key within 24 hours, it happens once and you get the same response; a different request " +
						"gets 409 idempotency_key_reused.",
				},
				{
					"schema",
					ordered{
						{"type", "string"},
						{"minLength", 1},
						{"maxLength", idempotency.Longest},
						{"pattern", "^[ -~]+$"},
					},
				},
				{"example", "5f0c1d0e-6d0b-4f0e-9a55-2f5a3c6f9a10"},
			},
		},
		{
			"DryRun",
			ordered{
				{"name", dryRun},
				{"in", "header"},
				{
					"description",
					"true for a preview: the same checks run, but nothing is saved and no event or email is sent. " +
						"The response is 200 with the record as it would be, and preview.",
				},
				{"schema", ordered{{"type", "boolean"}, {"default", false}}},
				{"example", false},
			},
		},
	}
}

func content(schema any, example ...member) ordered {
	return ordered{{"application/json", append(ordered{{"schema", schema}}, example...)}}
}

func headerRef(name string) member {
	return member{name, ordered{{"$ref", "#/components/headers/" + name}}}
}

func limitHeaders() ordered {
	return ordered{
		headerRef("X-Request-Id"),
		headerRef("X-RateLimit-Limit"),
		headerRef("X-RateLimit-Remaining"),
		headerRef("X-RateLimit-Reset"),
	}
}

func describeHeaders() ordered {
	header := func(name, description, kind string, example any, bounds ...member) member {
		schema := append(ordered{{"type", kind}}, bounds...)
		return member{name, ordered{{"description", description}, {"schema", schema}, {"example", example}}}
	}
	return ordered{
		header(
			"X-Request-Id",
			"ID of the request. Support can find the request by it for 90 days.",
			"string",
			"req_01KA5R2M7Q8D4E6F9G1H3J5K7M",
		),
		header("X-RateLimit-Limit", "Requests per minute of the plan.", "integer", 600),
		header(
			"X-RateLimit-Remaining",
			"Requests left in the last 60 seconds. It can be 0 while the burst still accepts requests; if you "+
				"pause at 0, you never reach the limit.",
			"integer",
			599,
		),
		header(
			"X-RateLimit-Reset",
			"Unix seconds at which the oldest counted request leaves the window.",
			"integer",
			1795190460,
		),
		header("Retry-After", "Whole seconds, at least 1, until a request is accepted.", "integer", 12),
		header(
			"Idempotent-Replayed",
			"true if this is the recorded response to an earlier request with the same Idempotency-Key; absent "+
				"otherwise.",
			"string",
			"true",
			member{"const", "true"},
		),
		header("ETag", "The version of the record in double quotes.", "string", `"3"`),
		header(
			"Link",
			`The next page: <URL>; rel="next". Absent on the last page.`,
			"string",
			`<https://portal.example.com/api/v1/external/properties?starting_after=prop_01KA5R2M7Q8D4E6F9G1H3J5K7M>; rel="next"`,
		),
		header("WWW-Authenticate", "Always Bearer.", "string", "Bearer", member{"const", "Bearer"}),
	}
}

// yearly is a text that is made once a year.
type yearly struct {
	mu   sync.Mutex
	year int
	text *compress.Document
}

// of is the text of a year.
func (y *yearly) of(year int, describe func(year int) []byte) *compress.Document {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.text == nil || y.year != year {
		y.year, y.text = year, compress.NewDocument(describe(year))
	}
	return y.text
}

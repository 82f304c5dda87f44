package rest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"portal/api/compress"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/webhook"
)

// Version is the version of the description (docs/site/compatibility.md).
const Version = event.APIVersion

// descriptionFile has the parts of the OpenAPI document that are the same whatever the operations are.
//
//go:embed openapi.json
var descriptionFile []byte

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
	return append(slices.Clone(a.operations), a.export, a.streams.op)
}

// describe makes the OpenAPI 3.1 document of the operations.
func (a *API) describe(year int) []byte {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(descriptionFile, &parts); err != nil {
		panic(err) // it is part of the program
	}
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
	var paths, events ordered
	failures := newFailures(schemas)
	for _, op := range a.described() {
		item := ordered{{strings.ToLower(op.Method), a.describeOperation(op, schemas, failures)}}
		if i := slices.IndexFunc(paths, func(m member) bool { return m.key == Base+op.Path }); i >= 0 {
			paths[i].value = append(paths[i].value.(ordered), item...)
			continue
		}
		paths = append(paths, member{Base + op.Path, item})
	}
	for _, k := range webhook.Kinds() {
		events = append(events, describeEvent(schemas, &k, parts))
	}
	responses, examples := a.describeFailures(failures)
	text, err := json.MarshalIndent(ordered{
		{"openapi", "3.1.0"},
		{"info", a.describeInfo()},
		{"servers", []ordered{{{"url", a.BaseURL}, {"description", "This service"}}}},
		{"security", parts["security"]},
		{"tags", parts["tags"]},
		{"paths", paths},
		{"webhooks", events},
		{"components", ordered{
			{"securitySchemes", parts["securitySchemes"]},
			{"parameters", parts["parameters"]},
			{"headers", parts["headers"]},
			{"responses", responses},
			{"examples", examples},
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
			{"content", bodyContent(op, schemas)},
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
	case len(op.Media) > 0:
		success = append(success, member{"content", describeMedia(op, schemas)})
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

func bodyContent(op *operation.Operation, schemas *operation.Schemas) ordered {
	if op.File != nil {
		return ordered{{"multipart/form-data", ordered{{"schema", schemas.Body(op)}}}}
	}
	return content(schemas.Body(op), member{"example", op.BodyExample()})
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

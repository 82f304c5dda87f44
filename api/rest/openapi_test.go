package rest_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/operation"
)

func TestOpenAPIDocumentMatchesGolden(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	golden(t, "openapi", r.api.Document())
	a := r.get("/openapi.json", "")
	if a.status != http.StatusOK || string(a.body) != string(r.api.Document()) {
		t.Errorf("status %d with %d bytes", a.status, len(a.body))
	}
}

func TestReferencesResolveAndComponentsAreUsed(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	used := map[string]bool{}
	walkTree(d.tree, func(m map[string]any) {
		if ref, is := m["$ref"].(string); is {
			used[ref] = true
			d.follow(m) // fails where it leads nowhere
		}
	})
	for _, kind := range []string{"examples", "headers", "parameters", "responses", "schemas"} {
		for name := range d.at("components", kind) {
			if !used["#/components/"+kind+"/"+name] {
				t.Errorf("nothing refers to %s of the %s", name, kind)
			}
		}
	}
}

func TestEveryOperationDocumentsItsParameters(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	documented := 0
	for _, item := range d.at("paths") {
		documented += len(item.(map[string]any))
	}
	if want := len(r.api.Operations()) + 2; documented != want { // the stream of events and the export have their own
		t.Errorf("%d operations are documented of %d", documented, want)
	}
	names := map[string]bool{}
	tags := d.tree["tags"].([]any)
	for _, op := range r.api.Operations() {
		o := d.operation(op)
		if o["operationId"] != op.Name || names[op.Name] {
			t.Errorf("%s is documented as %v", op.Name, o["operationId"])
		}
		names[op.Name] = true
		if !slices.ContainsFunc(tags, func(tag any) bool { return tag.(map[string]any)["name"] == op.Tag }) {
			t.Errorf("%s has the tag %s, which is not explained", op.Name, op.Tag)
		}
		var have []string
		parameters, _ := o["parameters"].([]any)
		for _, p := range parameters {
			p := d.follow(p.(map[string]any))
			have = append(have, fmt.Sprint(p["in"], " ", p["name"], " ", p["required"] == true))
			if p["description"] == "" || p["description"] == nil {
				t.Errorf("%s: %v is not explained", op.Name, p["name"])
			}
			if example, has := p["example"]; has {
				for _, fault := range d.check(op.Name+" "+p["name"].(string), p["schema"].(map[string]any), example) {
					if p["schema"].(map[string]any)["format"] != "date-time" {
						t.Error(fault)
					}
				}
			}
		}
		var want []string
		for _, p := range op.Parameters() {
			want = append(want, fmt.Sprint(p.In, " ", p.Name, " ", p.In == "path"))
		}
		if op.Changes {
			want = append(want, "header Idempotency-Key false", "header Dry-Run false")
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s: the parameters are %q, want %q", op.Name, have, want)
		}
		for _, name := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(op.Path, -1) {
			if !slices.Contains(have, "path "+name[1]+" true") {
				t.Errorf("%s: the path has %s, which is not documented", op.Name, name[1])
			}
		}
	}
}

func TestExamplesMatchTheirSchemas(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	checked := 0
	walkTree(d.tree, func(m map[string]any) {
		content, is := m["content"].(map[string]any)
		if !is {
			return
		}
		body, is := content["application/json"].(map[string]any)
		if !is {
			return
		}
		schema := body["schema"].(map[string]any)
		if example, has := body["example"]; has {
			checked++
			for _, fault := range d.check("example", schema, example) {
				t.Errorf("%v: %s", schema, fault)
			}
		}
		examples, _ := body["examples"].(map[string]any)
		for name, example := range examples {
			checked++
			value := d.follow(example.(map[string]any))["value"]
			for _, fault := range d.check(name, schema, value) {
				t.Error(fault)
			}
			if code := value.(map[string]any)["error"].(map[string]any)["code"]; code != name {
				t.Errorf("the example %s shows %v", name, code)
			}
		}
	})
	if checked < 20 {
		t.Errorf("only %d examples were found", checked)
	}
	for name, header := range d.at("components", "headers") {
		h := header.(map[string]any)
		for _, fault := range d.check(name, h["schema"].(map[string]any), h["example"]) {
			t.Error(fault)
		}
	}
}

func TestEveryResponseHasItsDocumentedHeaders(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	d, s := read(t, r.api.Document()), seeded{1, access.Test}
	for _, op := range r.reads() {
		path := s.on(op, 1)
		if op.List() {
			path += "?limit=1"
		}
		a := r.do(op.Method, path, key)
		headersOf(t, d, op, a)
		headersOf(t, d, op, r.do(op.Method, path, ""))
		headersOf(t, d, op, r.do(op.Method, path+map[bool]string{true: "&x", false: "?x"}[op.List()], key))
		if op.List() && a.header.Get("Link") == "" || op.Single() && a.header.Get("ETag") == "" {
			t.Errorf("%s has neither a Link nor an ETag", a.to)
		}
	}
}

func TestEveryWriteResponseHasItsDocumentedHeaders(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		d, s := read(t, r.api.Document()), seeded{1, access.Test}
		r.landlord("ada@example.com", unlimited())
		reader := *r.key("ada@example.com", access.Test).Plaintext
		writer := *r.key("ada@example.com", access.Test, "write").Plaintext
		for _, m := range r.mutations(s) {
			for _, a := range []answer{
				m.by(r, ""),
				m.by(r, reader),
				m.by(r, writer, "Dry-Run", "maybe"),
				m.by(r, writer, "Idempotency-Key", m.Name),
				m.by(r, writer, "Idempotency-Key", m.Name),
				m.by(r, writer, "Dry-Run", "true"),
				// Another record, or the same request where the path has none.
				r.send(m.Method, within(m.Operation, absent("x")), writer, m.body+" ", "Idempotency-Key", m.Name),
				r.send(m.Method, m.path+"?x", writer, m.body),
			} {
				headersOf(t, d, m.Operation, a)
				news := m.Operation.Status == http.StatusCreated || m.Name == "test_webhook_endpoint"
				made := news && a.status == http.StatusOK // in a preview: there is no version yet
				has := m.Single() && a.status < 300 && a.status != http.StatusNoContent && !made
				if has != (a.header.Get("ETag") != "") {
					t.Errorf("%s: status %d with the ETag %q", a.to, a.status, a.header.Get("ETag"))
				}
			}
			if m.TakesBody() {
				headersOf(t, d, m.Operation, r.send(m.Method, m.path, writer, m.body, "Content-Type", "text/plain"))
				headersOf(
					t,
					d,
					m.Operation,
					r.send(m.Method, m.path, writer, `{"a":"`+strings.Repeat("x", 256<<10)+`"}`),
				)
			}
		}
	})
}

// headersOf checks that the status of an answer is documented, and that it has the
// headers that are documented with it. One is there only where it has something to say.
func headersOf(t *testing.T, d document, op *operation.Operation, a answer) {
	t.Helper()
	response, documented := d.operation(op)["responses"].(map[string]any)[fmt.Sprint(a.status)].(map[string]any)
	if !documented {
		t.Errorf("%s answers %d, which is not documented: %.200s", a.to, a.status, a.body)
		return
	}
	for name := range d.follow(response)["headers"].(map[string]any) {
		if n := len(a.header.Values(name)); n != 1 && (name != "Idempotent-Replayed" || n != 0) {
			t.Errorf("%s: status %d has %s %q", a.to, a.status, name, a.header.Values(name))
		}
	}
}

func TestSchemasAvoidInexactMultipleOf(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	walkTree(read(t, r.api.Document()).tree, func(m map[string]any) {
		if of, has := m["multipleOf"]; has && of != number("0.5") {
			t.Errorf("multipleOf %v: to validators that divide in floating point, 19.99 is no multiple of 0.01", of)
		}
	})
}

// Generators of clients take a field with a default for one that must be sent, so the default of a
// field of a body is said in its description.
func TestDefaultsOfBodiesStandInDescriptions(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	said := 0
	for name, schema := range d.at("components", "schemas") {
		walkTree(schema, func(m map[string]any) {
			if _, has := m["default"]; has {
				t.Errorf("%s has a field with the default %v", name, m["default"])
			}
			if about, is := m["description"].(string); is && strings.Contains(about, " Default: `") {
				said++
			}
		})
	}
	if said < 10 {
		t.Errorf("%d defaults are said", said)
	}
	for field, words := range map[string]string{
		"WebhookEndpointCreate.events":                   `["*"]`,
		"UnitCreate.unit_number":                         "1",
		"PropertyCreate.property_type":                   "single_family",
		"WebhookSecretRotate.previous_secret_expires_in": "86400",
		"MaintenanceTicketCreate.entry_permission":       "unknown",
		"LeaseGenerate.security_deposit":                 "0",
	} {
		schema, name, _ := strings.Cut(field, ".")
		about := d.at("components", "schemas", schema, "properties", name)["description"].(string)
		if !strings.HasSuffix(about, " Default: `"+words+"`.") {
			t.Errorf("%s is described as %q", field, about)
		}
	}
}

package rest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
)

// What the reference shows can be copied: each example is sent as it stands, on a record
// of one's own. An id within it is nobody's.
func TestEveryExampleOfARequestIsAccepted(t *testing.T) {
	both(t, func(t *testing.T, r *rig) {
		r.landlord("ada@example.com", unlimited())
		s, d := seeded{1, access.Test}, read(t, r.api.Document())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		for _, op := range r.api.Operations() {
			n := 2 // the records that no rule holds back: a draft, an endpoint that is enabled
			if op.Tag == "Tenants" {
				n = 1 // the other one's address is locked by that draft
			}
			path, body := s.on(op, n), ""
			var headers, query []string
			parameters, _ := d.operation(op)["parameters"].([]any)
			for _, p := range parameters {
				p := d.follow(p.(map[string]any))
				example := fmt.Sprint(p["example"])
				switch {
				case p["in"] == "query":
					query = append(query, p["name"].(string)+"="+url.QueryEscape(example))
				case p["name"] == "Idempotency-Key": // fresh for each request
					headers = append(headers, "Idempotency-Key", example+op.Name)
				case p["in"] == "header" && p["name"] != "If-Match": // of another version
					headers = append(headers, p["name"].(string), example)
				}
			}
			if schema := d.bodyOf(op); schema != nil {
				example := d.operation(op)["requestBody"].(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)["example"]
				for _, fault := range d.check(op.Name, schema, example) {
					t.Error(fault)
				}
				body = jsonOf(example)
			}
			a := r.send(op.Method, path+"?"+strings.Join(query, "&"), key, body, headers...)
			switch names := strings.Contains(body, absent("unit")) || strings.Contains(body, absent("prop")); {
			case names && a.status == http.StatusNotFound:
				a.expect(t, http.StatusNotFound, "not_found")
			case a.status != op.Status || names:
				t.Errorf("%s %s: status %d, want %d: %s", op.Name, body, a.status, op.Status, a.body)
			}
		}
	})
}

// A body that the schema takes is one that the operation takes: the answers of a write
// keep to their schema too.
func TestEveryAnswerOfAWriteKeepsToItsSchema(t *testing.T) {
	both(t, func(t *testing.T, r *rig) {
		r.landlord("ada@example.com", unlimited())
		s, d := seeded{1, access.Test}, read(t, r.api.Document())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		for _, m := range r.mutations(s) {
			if schema := d.bodyOf(m.Operation); schema != nil && m.Name != "create_property" { // which writes a state in small letters
				for _, fault := range d.check(m.Name, schema, decoded(t, []byte(m.body))) {
					t.Error(fault)
				}
			}
			a := m.by(r, key)
			if a.status == http.StatusNoContent {
				continue
			}
			responses := d.operation(m.Operation)["responses"].(map[string]any)[fmt.Sprint(a.status)].(map[string]any)
			body := a.done(t)
			for _, fault := range d.check(m.Name, responses["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any), body) {
				t.Error(fault)
			}
			for _, empty := range hollow(m.Name, body) {
				t.Error(empty)
			}
		}
	})
}

package rest_test

import (
	"testing"

	"portal/api/redact"
)

// What the request log takes out of an answer by the name of its member is what no answer
// is compressed with: each list holds the other up.
func TestResponsesThatMayHoldSecretsAreDeclared(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	found := 0
	for _, op := range r.api.Operations() {
		for status, response := range d.operation(op)["responses"].(map[string]any) {
			schema, _ := jsonContent(d.follow(response.(map[string]any)))["schema"].(map[string]any)
			if status[0] != '2' || schema == nil {
				continue
			}
			for name := range d.names(schema, map[string]bool{}) {
				if name[0] == '#' { // a reference that was followed
					continue
				}
				member := `{"` + name + `":"https://portal.example.com/sign/1Vd0"}`
				if !redact.Body([]byte(member), 1000).Hidden {
					continue
				}
				found++
				if op.Secrets == nil || !op.Secrets.In([]byte(member)) {
					t.Errorf("%s answers %s, and may be compressed", op.Name, name)
				}
			}
		}
		none := []byte(`{"esign_url":null,"secret":null,"name":"Maple Court"}`)
		if !op.Changes && op.Secrets != nil && op.Secrets.In(none) {
			t.Errorf("%s is never compressed", op.Name)
		}
	}
	if found < 10 {
		t.Errorf("only %d secrets were found", found)
	}
}

// names are those of all members that a value of a schema may have, at any depth, and the
// references that lead to them.
func (d document) names(schema map[string]any, into map[string]bool) map[string]bool {
	walkTree(d.follow(schema), func(m map[string]any) {
		if ref, is := m["$ref"].(string); is && !into[ref] {
			into[ref] = true
			d.names(m, into)
		}
		properties, _ := m["properties"].(map[string]any)
		for name := range properties {
			into[name] = true
		}
	})
	return into
}

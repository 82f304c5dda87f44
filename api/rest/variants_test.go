package rest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// A generated client tells events apart by their type only where each has its own.
func TestEveryEventHasItsOwnSchema(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	components := map[string]string{}
	for kind, item := range d.at("webhooks") {
		post := item.(map[string]any)["post"].(map[string]any)
		name := componentOf(jsonContent(post["requestBody"].(map[string]any))["schema"])
		components[kind] = "#/components/schemas/" + name
		if got := d.at("components", "schemas", name, "properties", "type")["const"]; got != kind {
			t.Errorf("the type of a %s is %v, not %q alone", name, got, kind)
		}
	}
	event := d.at("components", "schemas", "EventOut")
	var alternatives []string
	oneOf, _ := event["oneOf"].([]any)
	for _, s := range oneOf {
		alternatives = append(alternatives, s.(map[string]any)["$ref"].(string))
	}
	slices.Sort(alternatives)
	if want := slices.Sorted(maps.Values(components)); !slices.Equal(alternatives, want) {
		t.Errorf("an EventOut is one of %q, want %q", alternatives, want)
	}
	discriminator, _ := event["discriminator"].(map[string]any)
	if discriminator["propertyName"] != "type" || jsonOf(discriminator["mapping"]) != jsonOf(components) {
		t.Errorf("events are told apart by %v", discriminator)
	}
}

func TestEventRecordDiscriminatorIsObject(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	record := d.at("components", "schemas", "EventOutData", "properties", "object")
	discriminator, _ := record["discriminator"].(map[string]any)
	mapping, _ := discriminator["mapping"].(map[string]any)
	if discriminator["propertyName"] != "object" || len(mapping) != len(record["oneOf"].([]any)) {
		t.Errorf("the records are told apart by %v", discriminator)
	}
	for object, ref := range mapping {
		name := strings.TrimPrefix(ref.(string), "#/components/schemas/")
		if got := d.at("components", "schemas", name, "properties", "object")["const"]; got != object {
			t.Errorf("%s stands for %s, whose object is %v", object, name, got)
		}
	}
}

// What a description calls the only value is the only one in the schema too.
func TestSingleValueFieldIsConst(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	constants := 0
	walkTree(d.tree, func(m map[string]any) {
		about, _ := m["description"].(string)
		schema := m
		if inner, has := m["schema"].(map[string]any); has {
			schema = inner
		}
		_, fixed := schema["const"]
		if fixed {
			constants++
		}
		says := strings.HasPrefix(about, "Always ") || about == "The kind of record." || about == "The kind of object."
		if says && !fixed {
			t.Errorf("not a constant: %v", m)
		}
		if values, is := schema["enum"].([]any); is && len(values) == 1 {
			t.Errorf("a list of one value: %v", m)
		}
	})
	if constants < 30 {
		t.Errorf("only %d constants were found", constants)
	}
}

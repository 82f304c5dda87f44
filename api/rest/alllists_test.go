package rest_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/operation"
)

// documentedLists are the paths of the document whose answer is a list.
func documentedLists(t *testing.T, d document) (paths []string) {
	t.Helper()
	for path, item := range d.at("paths") {
		get, is := item.(map[string]any)["get"].(map[string]any)
		if !is {
			continue
		}
		content, _ := get["responses"].(map[string]any)["200"].(map[string]any)["content"].(map[string]any)
		body, is := content["application/json"].(map[string]any)
		if !is {
			continue
		}
		schema := d.follow(body["schema"].(map[string]any))
		if properties, _ := schema["properties"].(map[string]any); properties["has_more"] == nil {
			continue
		}
		paths = append(paths, strings.TrimPrefix(path, "/api/v1/external"))
		var names []string
		for _, p := range get["parameters"].([]any) {
			names = append(names, d.follow(p.(map[string]any))["name"].(string))
		}
		if !slices.Contains(names, "limit") || !slices.Contains(names, "starting_after") {
			t.Errorf("%s takes %v", path, names)
		}
	}
	slices.Sort(paths)
	return paths
}

func TestEveryListOfTheDocumentIsReadInPages(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	paths := documentedLists(t, read(t, r.api.Document()))
	if len(paths) < 9 || !slices.Contains(paths, "/lease_rules") {
		t.Fatalf("the lists are %v", paths)
	}
	for _, path := range paths {
		var whole, empty, first, second page
		r.get(path, key).ok(t, &whole)
		r.get(path+"?starting_after=", key).ok(t, &empty)
		if jsonOf(whole) != jsonOf(empty) {
			t.Errorf("%s: an empty cursor is not the first page", path)
		}
		r.get(path+"?limit=1&starting_after=", key).ok(t, &first)
		if len(whole.Data) == 0 {
			continue
		}
		if len(first.Data) != 1 || jsonOf(first.Data[0]) != jsonOf(whole.Data[0]) ||
			first.HasMore != (len(whole.Data) > 1) {
			t.Errorf("%s: the first page of one is %s", path, jsonOf(first))
		}
		if first.NextCursor == nil {
			continue
		}
		r.get(path+"?limit=1&starting_after="+*first.NextCursor, key).ok(t, &second)
		if len(second.Data) != 1 || jsonOf(second.Data[0]) != jsonOf(whole.Data[1]) {
			t.Errorf("%s: the second page of one is %s", path, jsonOf(second))
		}
	}
	var last page
	r.get("/lease_rules?starting_after=WV", key).ok(t, &last)
	if len(last.Data) != 1 || last.HasMore || last.NextCursor != nil {
		t.Errorf("behind West Virginia come %s", jsonOf(last))
	}
}

// A value of a cursor or a header that fits its schema is taken, and one that does not fit is refused.
func TestSchemasOfCursorsAndVersionsSayWhatIsTaken(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", unlimited())
	key := *r.key("ada@example.com", access.Test, "write").Plaintext
	for _, op := range r.api.Operations() {
		for _, p := range op.Parameters() {
			if p.Name != "starting_after" && p.Name != "If-Match" {
				continue
			}
			said := 0
			for _, v := range valuesToTry(p) {
				fits := textual("pattern", p.Schema.Pattern, v) == "" &&
					(p.Schema.MaxLength == nil || len(v) <= *p.Schema.MaxLength)
				if fits {
					said++
				}
				if taken := r.takes(op, p, key, v); taken != fits {
					t.Errorf("%s, %s: %q fits the schema: %v, is taken: %v", op.Name, p.Name, v, fits, taken)
				}
			}
			if p.Schema.Pattern == "" || said < 2 {
				t.Errorf("%s, %s: the pattern %q takes %d values", op.Name, p.Name, p.Schema.Pattern, said)
			}
		}
	}
}

// valuesToTry are some that a parameter takes, and some that it does not.
func valuesToTry(p operation.Parameter) []string {
	prefixes := []string{"prop", "ten", "lea", "tkt", "pay", "we", "del", "evt", "unit"}
	all := []string{
		"",
		"0",
		"a",
		"TX",
		"tx",
		"ZZ",
		"*",
		"**",
		`"1"`,
		`"3"`,
		`W/"3"`,
		`w/"3"`,
		`"0"`,
		`"03"`,
		`"a"`,
		`"1", "2"`,
		"prop_",
		"_01KA5R2M7Q8D4E6F9G1H3J5K7M",
		strings.Repeat("A", 101),
		p.Example().(string),
		p.Example().(string) + " x",
	}
	for _, prefix := range prefixes {
		all = append(all, absent(prefix), prefix+"_8ZZZZZZZZZZZZZZZZZZZZZZZZZ", strings.ToLower(absent(prefix)))
	}
	return all
}

// takes reports whether a value of a parameter is not refused for itself.
func (r *fixture) takes(op *operation.Operation, p operation.Parameter, key, value string) bool {
	r.t.Helper()
	path := op.Path
	for name, id := range map[string]string{"id": absent("prop"), "endpoint_id": absent("we")} {
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	var a answer
	if p.In == "query" {
		a = r.get(path+"?"+p.Name+"="+url.QueryEscape(value), key)
	} else {
		a = r.send(op.Method, path, key, `{"x":1}`, p.Name, value)
	}
	return !strings.Contains(string(a.body), `"param":"`+p.Name+`"`)
}

package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
)

// TestBodylessOperationAcceptsNoneOrEmptyObject walks all of them: what a client sends
// there it expects to have an effect, so it is refused instead of dropped.
func TestBodylessOperationAcceptsNoneOrEmptyObject(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key, s := *r.key("ada@example.com", access.Test, "payments").Plaintext, seeded{1, access.Test}
		all := r.mutations(s)
		for _, op := range r.reads() {
			all = append(all, mutation{op, s.on(op, 1), ""})
		}
		walked := 0
		for _, m := range all {
			if m.TakesBody() {
				continue
			}
			walked++
			before := r.dump()
			for _, refused := range []struct {
				body, kind string
				status     int
				code       string
			}{
				{`{"x":1}`, "application/json", http.StatusBadRequest, "unknown_field"},
				{`[]`, "application/json", http.StatusBadRequest, "invalid_json"},
				{`{"x":1,"x":2}`, "application/json", http.StatusBadRequest, "invalid_json"},
				{"{}", "text/plain", http.StatusUnsupportedMediaType, "unsupported_media_type"},
				{"x=1", "application/x-www-form-urlencoded", http.StatusUnsupportedMediaType, "unsupported_media_type"},
			} {
				a := r.send(m.Method, m.path, key, refused.body, "Content-Type", refused.kind)
				if a.status != refused.status || a.code() != refused.code {
					t.Errorf("%s with %s as %s answers %d %s", m.Name, refused.body, refused.kind, a.status, a.body)
				}
				if refused.code == "unknown_field" && !strings.Contains(string(a.body),
					`\"x\" is not a field here; this operation takes none.`) {
					t.Errorf("%s says %s", m.Name, a.body)
				}
			}
			dbtest.Unchanged(t, m.Name, before, r.dump())
			empty := r.send(m.Method, m.path, key, " {} ", "Content-Type", "application/json")
			if m.Name == "discard_import" {
				r.undiscarded(seeded{1, access.Test})
			}
			none := r.send(m.Method, m.path, key, "")
			if empty.status != none.status || none.status >= 300 && none.code() != "not_found" {
				t.Errorf("%s answers %d without a body, and %d %s with an empty object", m.Name, none.status,
					empty.status, empty.body)
			}
		}
		if walked < 20 {
			t.Errorf("only %d operations take no body", walked)
		}
	})
}

package rest_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
)

// bounds are the outermost values that the schema of a field takes, and what lies just
// beyond them.
func (d document) bounds(p bodyField) (within, beyond []string) {
	for _, part := range parts(p.schema) {
		w, b := d.bounds(bodyField{p.path, d.follow(part)})
		within, beyond = append(within, w...), append(beyond, b...)
	}
	step := func(n json.Number, by int64) string {
		f, err := n.Float64()
		if err != nil {
			panic(err)
		}
		return jsonOf(f + float64(by))
	}
	if n, has := p.schema["minimum"].(json.Number); has {
		within, beyond = append(within, n.String()), append(beyond, step(n, -1))
	}
	if n, has := p.schema["maximum"].(json.Number); has {
		within, beyond = append(within, n.String()), append(beyond, step(n, 1))
	}
	if n, has := p.schema["maxLength"].(json.Number); has && p.schema["format"] == nil {
		length, _ := n.Int64()
		within = append(within, jsonOf(strings.Repeat("ä", int(length))))
		beyond = append(beyond, jsonOf(strings.Repeat("ä", int(length)+1)))
	}
	values, _ := p.schema["enum"].([]any)
	for _, v := range values {
		within = append(within, jsonOf(v))
	}
	return within, beyond
}

// ofItself is what is said of a value that is wrong whatever the record says.
var ofItself = regexp.MustCompile(`^\S+ must (be|have) `)

// The document and the server agree at the bounds of every field of every body.
func TestEveryFieldAcceptsExactlyItsSchemaBounds(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, d := seeded{1, access.Test}, read(t, r.api.Document())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		tried := 0
		for _, m := range r.mutations(s) {
			schema := d.bodyOf(m.Operation)
			if schema == nil {
				continue
			}
			for _, p := range d.bodyFields(schema) {
				within, beyond := d.bounds(p)
				for i, value := range slices.Concat(within, beyond) {
					tried++
					a := r.send(m.Method, m.path, key, with(m.body, p, value), "Dry-Run", "true")
					refused := a.status ==
						http.StatusBadRequest && slices.ContainsFunc(a.failed(t).Error.Errors, func(f detail) bool {
						return strings.HasPrefix(f.Param+".", p.String()+".") && f.Code == "invalid_field" &&
							ofItself.MatchString(f.Message)
					})
					if refused != (i >= len(within)) {
						t.Errorf("%s with %.60s for %s, which its schema says is %v: %d %.200s",
							m.Name, value, p, i < len(within), a.status, a.body)
					}
				}
			}
		}
		if tried < 150 {
			t.Errorf("only %d values were tried", tried)
		}
	})
}

// What moves with the calendar is as it is on the day on which it is asked for.
func TestOpenAPIMaximumYearFollowsClock(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		most := func() json.Number {
			d := read(t, r.get("/openapi.json", "").body)
			return d.at("components", "schemas", "PropertyCreate", "properties", "year_built")["maximum"].(json.Number)
		}
		if got := most(); got != "2027" {
			t.Errorf("in 2026 the latest year is %s", got)
		}
		r.clock.add(100 * 24 * 60 * 60 * 1e9)
		if got := most(); got != "2028" {
			t.Errorf("in 2027 the latest year is %s", got)
		}
	})
}

package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
)

const oneGuarantor = `[{"first_name":"Robin","last_name":"Vance","email":"robin.vance@example.com"}]`

// guarantorsOf are the names of the parties of a lease with the role guarantor, and those of guarantors.
func guarantorsOf(l record) (parties, shown []string) {
	for _, p := range l["tenants"].([]any) {
		if p := p.(record); p["role"] == "guarantor" {
			parties = append(parties, p["name"].(string))
		}
	}
	for _, g := range l["guarantors"].([]any) {
		g := g.(record)
		shown = append(shown, fmt.Sprint(g["first_name"], " ", g["last_name"], " ", g["email"]))
	}
	return parties, shown
}

func TestGuarantorsAreGeneratedAndChanged(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("bob@example.com", unlimited())
		s := seeded{1, access.Test}
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		stranger := *r.key("bob@example.com", access.Test, "write").Plaintext
		tenants := func() int { return len(dbtest.Texts(t, r.db, "SELECT id FROM tenants")) }
		m := r.mutation(s, "generate_lease")
		with := func(all string) string {
			return strings.TrimSuffix(m.body, "}") + `,"send":false,"guarantors":` + all + "}"
		}
		generate := func(all string, headers ...string) answer {
			return r.send(http.MethodPost, "/leases/generate", key, with(all), headers...)
		}
		before := tenants()
		if would := generate(oneGuarantor, "Dry-Run", "true").done(t); tenants() != before {
			t.Errorf("a preview has made a tenant: %v", would)
		} else if parties, _ := guarantorsOf(would); len(parties) != 1 {
			t.Errorf("a preview shows %v", would["tenants"])
		}
		first := generate(oneGuarantor, "Idempotency-Key", "k")
		made := first.done(t)
		generate(oneGuarantor, "Idempotency-Key", "k").alike(t, first)
		parties, shown := guarantorsOf(made)
		if fmt.Sprint(parties, shown) != "[Robin Vance] [Robin Vance robin.vance@example.com]" ||
			tenants() != before+1 ||
			signerOf(made, 1)["role"] != "guarantor" {
			t.Errorf("%v %v, %d tenants", parties, shown, tenants())
		}
		at := "/leases/" + made["id"].(string)
		read := r.get(at, key).done(t)
		if _, again := guarantorsOf(read); fmt.Sprint(again) != fmt.Sprint(shown) {
			t.Errorf("read again: %v", again)
		}
		patch := func(all string, headers ...string) answer {
			return r.send(http.MethodPatch, at, key, `{"guarantors":`+all+`}`, headers...)
		}
		person := func(email string) string { return `{"first_name":"A","last_name":"B","email":"` + email + `"}` }
		for param, all := range map[string]string{
			"guarantors":              `[` + person("a@b.co") + `,` + person("b@b.co") + `,` + person("c@b.co") + `]`,
			"guarantors.0.email":      `[{"first_name":"A","last_name":"B","email":"nobody"}]`,
			"guarantors.0.last_name":  `[{"first_name":"A","email":"a@b.co"}]`,
			"guarantors.1.email":      `[` + person("a@b.co") + `,` + person("A@b.co") + `]`,
			"guarantors.0.first_name": `[{"first_name":"መኪና","last_name":"B","email":"a@b.co"}]`,
		} {
			for way, a := range map[string]answer{"generated": generate(all), "changed": patch(all)} {
				f := failureOf(t, a)
				if a.status != http.StatusBadRequest && a.status != http.StatusUnprocessableEntity || f != param {
					t.Errorf("%s with %s: %d %s", way, param, a.status, a.body)
				}
			}
		}
		patch(`[{"first_name":"Ada","last_name":"L","email":"ada@example.com"}]`).
			expect(t, http.StatusBadRequest, "invalid_field")
		if would := patch("[]", "Dry-Run", "true").done(t); len(would["guarantors"].([]any)) != 0 {
			t.Errorf("a preview shows %v", would["guarantors"])
		}
		if read = r.get(at, key).done(t); len(read["guarantors"].([]any)) != 1 {
			t.Errorf("a preview has taken the guarantor off: %v", read["guarantors"])
		}
		r.send(http.MethodPatch, at, stranger, `{"guarantors":[]}`).expect(t, http.StatusNotFound, "not_found")
		// A tenant of another portfolio is nobody here.
		theirs := "kim.poe@example.com"
		r.exec("UPDATE tenants SET email = '" + theirs + "' WHERE portfolio_id <> " +
			"(SELECT portfolio_id FROM leases WHERE id = '" + made["id"].(string) + "')")
		n := tenants()
		changed := patch(`[{"first_name":"Kim","last_name":"Poe","email":"` + theirs + `"}]`).done(t)
		if parties, _ := guarantorsOf(changed); fmt.Sprint(parties) != "[Kim Poe]" || tenants() != n+1 {
			t.Errorf("an address of another portfolio: %v, %d tenants", parties, tenants()-n)
		}
		sent := r.send(http.MethodPost, at+"/send", key, "").done(t)
		if _, kept := guarantorsOf(sent); len(kept) != 1 {
			t.Errorf("sent: %v", kept)
		}
		if f := failureOf(t, patch(oneGuarantor)); f != "guarantors" {
			t.Errorf("a lease that was sent: %s", f)
		}
	})
}

// failureOf is the parameter that an error names.
func failureOf(t *testing.T, a answer) string {
	t.Helper()
	if of, is := decoded(t, a.body).(record)["error"].(record); is && of["param"] != nil {
		return of["param"].(string)
	}
	return ""
}

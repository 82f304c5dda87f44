package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
)

// patches are the mutations that take If-Match.
func (r *fixture) patches(s seeded) (all []mutation) {
	for _, m := range r.mutations(s) {
		if m.Method == http.MethodPatch && m.Name != "update_import" { // which has no version
			all = append(all, m)
		}
	}
	return all
}

func TestUpdateWithStaleVersionIsRefused(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		for _, m := range r.patches(seeded{1, access.Test}) {
			before := r.dump()
			for _, stale := range []string{`"1"`, `"2"`, `"4"`, `W/"4"`, `"999999999999999999"`} {
				for _, dry := range []string{"false", "true"} {
					f := m.by(r, key, "If-Match", stale, "Dry-Run", dry).expect(t, http.StatusConflict, "stale_write")
					seen := strings.Trim(strings.TrimPrefix(stale, "W/"), `"`)
					want := fmt.Sprintf(
						"is at version 3 now, not %s. Retrieve it, apply the change to what it says now and send "+
							"it again.",
						seen,
					)
					if !strings.HasSuffix(f.Error.Message, want) {
						t.Errorf("%s with %s: %s", m.Name, stale, f.Error.Message)
					}
				}
			}
			for _, malformed := range []string{
				"3", `"3`, `3"`, `W/3`, `W/"3`, `W/3"`, `w/"3"`, `""`, `"`, "", `"0"`, `"-3"`,
				`"03"`, `"3.0"`, `"abc"`, `"3", "4"`, `"9999999999999999999"`, `'3'`, "W/*", "**",
				`"3" ` + "\u00e4",
			} {
				f := m.by(r, key, "If-Match", malformed).expect(t, http.StatusBadRequest, "invalid_field")
				if *f.Error.Param != "If-Match" {
					t.Errorf("%s with %q: %+v", m.Name, malformed, f)
				}
			}
			f := m.by(r, key, "If-Match", `"3"`, "If-Match", `"3"`).expect(t, http.StatusBadRequest, "invalid_field")
			if f.Error.Message != "If-Match is given more than once; send it once." {
				t.Errorf("%s: %s", m.Name, f.Error.Message)
			}
			dbtest.Unchanged(t, m.Name, before, r.dump())
			for i, right := range []string{`"3"`, "*", `W/"4"`} { // the second one and the third change nothing
				a := m.by(r, key, "If-Match", right)
				if got := a.done(t); got["version"] != number("4") || a.header.Get("ETag") != `"4"` {
					t.Errorf("%s, %d: %v, ETag %s", m.Name, i, got["version"], a.header.Get("ETag"))
				}
			}
			m.by(r, key, "If-Match", `"3"`).expect(t, http.StatusConflict, "stale_write")
		}
	})
}

func TestOneConcurrentUpdatePerVersionWins(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "payments").Plaintext
		for _, c := range [][2]string{ // a property follows its leases, so it comes before them
			{"/properties/" + s.id("prop", 1), `{"name":"House %d"}`},
			{"/tenants/" + s.id("ten", 1), `{"first_name":"Dana %d"}`},
			{"/maintenance/tickets/" + s.id("tkt", 1), `{"title":"Tap %d"}`},
			{"/leases/" + s.id("lea", 1), `{"monthly_rent":%d}`},
		} {
			path, body := c[0], c[1]
			const writers = 24
			won := make([]answer, writers)
			var all sync.WaitGroup
			for i := range writers {
				all.Go(func() {
					a, err := r.try(http.MethodPatch, path, key, fmt.Sprintf(body, i+1), "If-Match", `"3"`)
					switch {
					case err != nil:
						t.Error(err)
					case a.status == http.StatusOK:
						won[i] = a
					default:
						f := a.expect(t, http.StatusConflict, "stale_write")
						if !strings.Contains(f.Error.Message, "at version 4 now, not 3") {
							t.Error(f.Error.Message)
						}
					}
				})
			}
			all.Wait()
			winners := 0
			for _, a := range won {
				if a.status == 0 {
					continue
				}
				winners++
				now := decoded(t, r.get(path, key).body).(record)
				delete(now, "units")
				got := a.done(t)
				delete(got, "warnings")
				same(t, path, []record{got}, []record{now})
			}
			if winners != 1 {
				t.Errorf("%s: %d of %d won", path, winners, writers)
			}
		}
	})
}

func TestConcurrentUpdatesOfDifferentFieldsBothApply(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "payments").Plaintext
		for round := range 8 {
			for path, fields := range map[string][]string{
				"/properties/" + s.id("prop", 2):         {"name", "city"},
				"/tenants/" + s.id("ten", 1):             {"first_name", "last_name"},
				"/leases/" + s.id("lea", 1):              {"monthly_rent", "security_deposit"},
				"/maintenance/tickets/" + s.id("tkt", 1): {"title", "entry_notes"},
			} {
				value := fmt.Sprintf("%q", fmt.Sprint("Round ", round))
				if fields[0] == "monthly_rent" {
					value = fmt.Sprintf("%d.00", round+7)
				}
				var all sync.WaitGroup
				for _, field := range fields {
					all.Go(func() {
						a, err := r.try(http.MethodPatch, path, key, `{"`+field+`":`+value+`}`)
						if err != nil || a.status != http.StatusOK {
							t.Errorf("%s: status %d: %v", field, a.status, err)
						}
					})
				}
				all.Wait()
				now, version := r.get(path, key), 2*round+5
				if strings.HasPrefix(path, "/properties") {
					version -= 2 // it began with 1
				}
				for _, field := range fields {
					if !strings.Contains(string(now.body), `"`+field+`":`+value) {
						t.Errorf("%s of %s was lost: %s", field, path, now.body)
					}
				}
				if etag := now.header.Get("ETag"); etag != fmt.Sprintf(`"%d"`, version) {
					t.Errorf("%s has the ETag %s after %d updates", path, etag, 2*round+2)
				}
			}
		}
	})
}

func TestNoOpUpdateKeepsVersion(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "payments").Plaintext
		before := r.dump()
		for path, bodies := range map[string][]string{
			"/properties/" + s.id("prop", 1): {
				`{"name":"Maple Court"}`,
				`{"year_built":1974,"state":"tx","postal_code":"787011234"}`,
				`{"year_built":1.974e3,"street_address_2":"Building C"}`,
			},
			"/properties/" + s.id("prop", 2): {
				`{"name":null,"year_built":null,"postal_code":null,"street_address_2":null}`,
			},
			"/tenants/" +
				s.id("ten", 1): {
				`{"phone":"512-555-0142","email":" Dana.Whitfield@example.com "}`,
				`{"mailing_address":{}}`,
				`{"mailing_address":{"city":"Austin","country":"US"},"emergency_contact":{}}`,
				`{"emergency_contact":{"name":"Robin Whitfield","phone":"(512) 555-0188"},` +
					`"preferred_contact_method":"sms"}`,
			},
			"/tenants/" + s.id("ten", 2): {
				`{"email":null,"phone":null,"mailing_address":null,"emergency_contact":null,` +
					`"preferred_contact_method":null}`,
			},
			"/leases/" + s.id("lea", 1): {
				`{"monthly_rent":1450.5,"security_deposit":2900.0,"status":"active"}`,
				`{"start_date":"2026-02-01","end_date":"2026-12-20","lease_type":"fixed"}`,
				`{"late_fee_amount":0.05,"late_fee_grace_days":0}`,
			},
			"/leases/" + s.id("lea", 2): {`{"end_date":null,"late_fee_amount":null,"status":"draft"}`},
			"/maintenance/tickets/" +
				s.id("tkt", 1): {
				`{"status":"completed"}`, `{"vendor":"Barton Plumbing"}`, `{"vendor":{}}`,
				`{"vendor":{"name":"Barton Plumbing","phone":"512.555.0100"},"cost_limit":0,"estimated_cost":120}`,
				`{"scheduled_start":"2026-03-01T13:00:00+01:00","due_date":"2026-03-04"}`,
			},
			"/maintenance/tickets/" + s.id("tkt", 2): {
				`{"vendor":null,"entry_notes":null,"cost_limit":null,"title":"Roof","description":"Leaks"}`,
			},
		} {
			was := r.get(path, key)
			for _, body := range bodies {
				r.clock.add(3)
				a := r.send(http.MethodPatch, path, key, body)
				got := a.done(t)
				want := decoded(t, was.body).(record)
				delete(want, "units")
				delete(got, "warnings")
				same(t, path+" "+body, []record{got}, []record{want})
				if a.header.Get("ETag") != was.header.Get("ETag") {
					t.Errorf("%s %s: ETag %s, want %s", path, body, a.header.Get("ETag"), was.header.Get("ETag"))
				}
			}
			for _, nothing := range []string{`{}`, ` { } `, ``} {
				r.send(http.MethodPatch, path, key, nothing).expect(t, http.StatusBadRequest, "empty_update")
			}
		}
		dbtest.Unchanged(t, "a change of nothing", before, r.dump())
	})
}

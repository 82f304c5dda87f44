package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
)

// stored checks that a write stores values in their one form: what it answers, and what
// is read afterwards.
func (r *fixture) stored(t *testing.T, key, request, body string, want map[string]string) {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	a := r.send(method, path, key, body)
	got := a.done(t)
	collection := path
	if method == http.MethodPost {
		collection += "/" + got["id"].(string)
	}
	again := decoded(t, r.get(collection, key).body).(record)
	for field, value := range want {
		for _, shown := range []record{got, again} {
			var v any = shown
			for name := range strings.SplitSeq(field, ".") {
				if all, is := v.([]any); is {
					v = all[0]
				}
				v = v.(record)[name]
			}
			if jsonOf(v) != value {
				t.Errorf("%s %s: %s is %s, want %s", request, body, field, jsonOf(v), value)
			}
		}
	}
}

func TestValuesAreStoredInCanonicalForm(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "payments").Plaintext
		property := "PATCH /properties/" + s.id("prop", 1)
		tenant := "PATCH /tenants/" + s.id("ten", 1)
		lease := "PATCH /leases/" + s.id("lea", 1)
		ticket := "PATCH /maintenance/tickets/" + s.id("tkt", 1)
		r.stored(t, key, lease, `{"late_fee_amount":null}`, map[string]string{
			"late_fee_amount": "null",
		}) // which rent near 0 would forbid
		for written, shown := range map[string]string{
			"1450":         "1450.00",
			"1450.5":       "1450.50",
			"1450.00":      "1450.00",
			"1.45e3":       "1450.00",
			"145000E-2":    "1450.00",
			"0":            "0.00",
			"-0":           "0.00",
			"0.10":         "0.10",
			"999999999.99": "999999999.99",
			"1450.000":     "1450.00",
		} {
			r.stored(t, key, lease, `{"monthly_rent":`+written+`}`, map[string]string{"monthly_rent": shown})
			r.stored(t, key, ticket, `{"estimated_cost":`+written+`}`, map[string]string{"estimated_cost": shown})
		}
		for written, shown := range map[string]string{
			"(512) 555-0142":    "+15125550142",
			"512-555-0143":      "+15125550143",
			"512.555.0144":      "+15125550144",
			"5125550145":        "+15125550145",
			"1 512 555 0146":    "+15125550146",
			"+1 (512) 555-0147": "+15125550147",
			"+442079460958":     "+442079460958",
			"+49 30 901820":     "+4930901820",
		} {
			r.stored(t, key, tenant, `{"phone":"`+written+`"}`, map[string]string{"phone": `"` + shown + `"`})
		}
		for written, shown := range map[string]string{
			"78701":      "78701",
			"787011234":  "78701-1234",
			"78701-1234": "78701-1234",
			"00501":      "00501",
		} {
			r.stored(t, key, property, `{"postal_code":"`+written+`"}`, map[string]string{
				"postal_code": `"` + shown + `"`,
			})
		}
		for written, shown := range map[string]string{"tx": "TX", "Ny": "NY", "DC": "DC"} {
			r.stored(t, key, property, `{"state":"`+written+`"}`, map[string]string{"state": `"` + shown + `"`})
		}
		for written, shown := range map[string]string{
			"Dana@Example.com":       "Dana@Example.com",
			" dana+x@example.co.uk ": "dana+x@example.co.uk",
		} {
			r.stored(t, key, tenant, `{"alternate_email":"`+written+`"}`, map[string]string{
				"alternate_email": `"` + shown + `"`,
			})
		}
		for written, shown := range map[string]string{
			"2026-11-02T16:20:11Z":        "2026-11-02T16:20:11.000Z",
			"2026-11-02T16:20:11.5+01:00": "2026-11-02T15:20:11.500Z",
			"2026-11-02T16:20:11.4829Z":   "2026-11-02T16:20:11.482Z",
		} {
			r.stored(t, key, ticket, `{"scheduled_start":"`+written+`","scheduled_end":null}`, map[string]string{
				"scheduled_start": `"` + shown + `"`,
				"scheduled_end":   "null",
			})
		}
		for _, text := range []string{
			`"Line one\nline two\r\n\ttabbed"`, `"\ud83c\udfe1 caf\u00e9 \u2028 \\ \" </script>"`,
			`"  spaces are kept  "`, `"'; DROP TABLE tickets; --"`, `"{{.}} ${x} %s %00"`,
		} {
			r.stored(t, key, ticket, `{"entry_notes":`+text+`,"description":`+text+`}`, map[string]string{
				"entry_notes": jsonOf(decoded(t, []byte(text))),
				"description": jsonOf(decoded(t, []byte(text))),
			})
		}
		longest := strings.Repeat("ä", 127)
		r.stored(t, key, property, `{"name":"`+longest+`"}`, map[string]string{"name": `"` + longest + `"`})
		r.stored(t, key, property, `{"year_built":1600}`, map[string]string{"year_built": "1600"})
		r.stored(t, key, property, `{"year_built":2027.0}`, map[string]string{"year_built": "2027"})
		r.stored(t, key, property, `{"year_built":null}`, map[string]string{"year_built": "null"})
	})
}

func TestPropertyIsCreatedWithDefaultUnit(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Live, "write").Plaintext
		r.stored(
			t,
			key,
			"POST /properties",
			`{"street_address":"9 Pine Street","city":"Austin","state":"tx"}`,
			map[string]string{
				"name":                   "null",
				"street_address_2":       "null",
				"postal_code":            "null",
				"country":                `"US"`,
				"property_type":          `"single_family"`,
				"year_built":             "null",
				"unit_count":             "1",
				"occupied_unit_count":    "0",
				"status":                 `"active"`,
				"verification_status":    `"unverified"`,
				"version":                "1",
				"mode":                   `"live"`,
				"object":                 `"property"`,
				"units.unit_number":      `"1"`,
				"units.bedrooms":         "null",
				"units.bathrooms":        "null",
				"units.square_feet":      "null",
				"units.market_rent":      "null",
				"units.status":           `"vacant"`,
				"units.is_default":       "true",
				"units.current_lease_id": "null",
				"units.version":          "1",
				"units.mode":             `"live"`,
			},
		)
		r.stored(
			t,
			key,
			"POST /properties",
			`{"street_address":"9 Pine Street","city":"Austin","state":"tx","name":null,"unit":null,`+
				`"postal_code":null,"year_built":null,"street_address_2":null}`,
			map[string]string{
				"units.unit_number": `"1"`,
			},
		)
		r.stored(
			t,
			key,
			"POST /properties",
			`{"street_address":"9 Pine Street","street_address_2":"Rear","city":"Austin","state":"TX","postal_code":"787011234","name":"Pine","property_type":"duplex","year_built":2027,
			"unit":{"unit_number":"A","bedrooms":0,"bathrooms":1.5,"square_feet":1,"market_rent":1450.5}}`,
			map[string]string{
				"name":              `"Pine"`,
				"street_address_2":  `"Rear"`,
				"postal_code":       `"78701-1234"`,
				"property_type":     `"duplex"`,
				"year_built":        "2027",
				"units.unit_number": `"A"`,
				"units.bedrooms":    "0",
				"units.bathrooms":   "1.5",
				"units.square_feet": "1",
				"units.market_rent": "1450.50",
			},
		)
		a := r.send(
			"POST",
			"/properties",
			key,
			`{"street_address":"9 Pine Street","city":"Austin","state":"TX","year_built":2028}`,
		)
		f := a.expect(t, http.StatusBadRequest, "invalid_field")
		if f.Error.Message != "year_built must be 2027 at the latest; not 2028." {
			t.Error(f.Error.Message)
		}
	})
}

// What is absent within a nested object stays, null clears all of it, and a new one must
// be whole.
func TestNestedObjectIsMergedLikeItsParent(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "write").Plaintext
		tenant, bare := "PATCH /tenants/"+s.id("ten", 1), "PATCH /tenants/"+s.id("ten", 2)
		r.stored(t, key, tenant, `{"mailing_address":{"city":"Waco","street_address_2":null}}`, map[string]string{
			"mailing_address": `{"city":"Waco","country":"US","postal_code":"78701","state":"TX",` +
				`"street_address":"PO Box 118","street_address_2":null}`,
		})
		r.stored(t, key, tenant, `{"emergency_contact":{"phone":null,"email":"r@example.com"}}`, map[string]string{
			"emergency_contact": `{"email":"r@example.com","name":"Robin Whitfield","phone":null,` +
				`"relationship":"sister"}`,
			"mailing_address.city": `"Waco"`,
		})
		r.stored(t, key, tenant, `{"mailing_address":null}`, map[string]string{
			"mailing_address":        "null",
			"emergency_contact.name": `"Robin Whitfield"`,
		})
		for body, want := range map[string]string{
			`{"mailing_address":{}}`: "mailing_address.street_address " +
				"mailing_address.city mailing_address.state",
			`{"mailing_address":{"city":"Waco"}}`: "mailing_address.street_address " +
				"mailing_address.state",
			`{"mailing_address":{"postal_code":null}}`: "mailing_address.street_address " +
				"mailing_address.city mailing_address.state",
			`{"emergency_contact":{"phone":null}}`: "emergency_contact.name",
			`{"mailing_address":{"state":"TX"},"emergency_contact":{}}`: "mailing_address.street_address " +
				"mailing_address.city emergency_contact.name",
		} {
			f := r.send("PATCH", strings.TrimPrefix(bare, "PATCH "), key, body).expect(
				t,
				http.StatusBadRequest,
				"missing_field",
			)
			var said []string
			for _, d := range f.Error.Errors {
				said = append(said, d.Param)
			}
			if strings.Join(said, " ") != want {
				t.Errorf("%s: %q, want %s", body, said, want)
			}
		}
		r.stored(
			t,
			key,
			bare,
			`{"mailing_address":{"street_address":"1 A","city":"B","state":"tx"},"emergency_contact":{"name":"Ann"}}`,
			map[string]string{
				"mailing_address": `{"city":"B","country":"US","postal_code":null,"state":"TX",` +
					`"street_address":"1 A","street_address_2":null}`,
				"emergency_contact": `{"email":null,"name":"Ann","phone":null,"relationship":null}`,
			},
		)
	})
}

func TestVendorIsAnObjectOrName(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "write").Plaintext
		ticket, bare := "PATCH /maintenance/tickets/"+s.id("tkt", 1), "PATCH /maintenance/tickets/"+s.id("tkt", 2)
		barton := func(trade string) string {
			return `{"email":"work@barton.example.com","name":"Barton Plumbing","phone":"+15125550100","trade":` +
				trade + `}`
		}
		for _, step := range []struct{ request, vendor, want string }{
			{ticket, `{"trade":"gas"}`, barton(`"gas"`)},
			{ticket, `{"trade":null}`, barton("null")},
			{ticket, `"Barton Plumbing"`, barton("null")},
			{ticket, `"Lamar"`, `{"email":null,"name":"Lamar","phone":null,"trade":null}`},
			{
				ticket, `{"name":"Lamar","phone":"512 555 0101"}`,
				`{"email":null,"name":"Lamar","phone":"+15125550101","trade":null}`,
			},
			{
				ticket, `{"name":"Lamar & Co","trade":"gas"}`,
				`{"email":null,"name":"Lamar \u0026 Co","phone":"+15125550101","trade":"gas"}`,
			},
			{ticket, "null", "null"},
			{bare, `"Lamar"`, `{"email":null,"name":"Lamar","phone":null,"trade":null}`},
		} {
			r.stored(t, key, step.request, `{"vendor":`+step.vendor+`}`, map[string]string{"vendor": step.want})
		}
		for vendor, want := range map[string]string{
			`{}`:                                 "missing_field vendor.name",
			`{"phone":"512 555 0101"}`:           "missing_field vendor.name",
			`""`:                                 "invalid_field vendor.name",
			`" "`:                                "invalid_field vendor.name",
			`"` + strings.Repeat("x", 128) + `"`: "invalid_field vendor.name",
			`{"name":null}`:                      "invalid_field vendor.name",
			`7`:                                  "invalid_field vendor",
			`["Lamar"]`:                          "invalid_field vendor",
			`{"name":"x","phone":"1"}`:           "invalid_field vendor.phone",
		} {
			code, param, _ := strings.Cut(want, " ")
			a := r.send(
				"POST",
				"/maintenance/tickets",
				key,
				`{"description":"It drips.","unit_id":"`+s.id("unit", 1)+`","vendor":`+vendor+`}`,
			)
			if f := a.expect(t, http.StatusBadRequest, code); *f.Error.Param != param {
				t.Errorf("%s: %s", vendor, a.body)
			}
		}
		r.stored(t, key, "POST /maintenance/tickets", `{"description":"It drips.","unit_id":"`+
			s.id("unit", 1)+`","vendor":{"name":"Lamar","email":"a@b.example"}}`, map[string]string{
			"vendor": `{"email":"a@b.example","name":"Lamar","phone":null,"trade":null}`,
		})
	})
}

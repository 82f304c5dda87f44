package rest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/db/dbtest"
)

func TestEveryMutationRequiresExactlyItsScopes(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		for i, o := range r.tenancies()[:2] {
			for _, scope := range access.Read.Values() {
				key := *r.key("ada@example.com", o.mode, scope).Plaintext
				before := r.dump()
				for _, m := range r.mutations(o.seeded) {
					if m.Name == "reset_demo_portfolio" && scope == "write" {
						continue // the next scope needs the records
					}
					if m.Name == "discard_import" {
						r.undiscarded(o.seeded)
					}
					a := m.by(r, key)
					if m.Scope == access.Payments && scope == "write" {
						f := a.expect(t, http.StatusForbidden, "scope_required")
						if !strings.Contains(f.Error.Message, "scope payments") {
							t.Errorf("%s: %s", m.Name, a.body)
						}
						continue
					}
					if m.TestKeys && scope != "read" && o.mode == access.Live {
						a.expect(t, http.StatusForbidden, "test_key_required")
						continue
					}
					if scope != "read" {
						if a.status != m.Status {
							t.Errorf("%s with the scope %s in %s mode: status %d, want %d: %s",
								m.Name, scope, o.mode, a.status, m.Status, a.body)
						}
						continue
					}
					f := a.expect(t, http.StatusForbidden, "scope_required")
					if !strings.Contains(f.Error.Message, "scope "+string(m.Scope)) || f.Error.Param != nil {
						t.Errorf("%s: %s", m.Name, a.body)
					}
				}
				if scope == "read" {
					dbtest.Unchanged(t, "a key that only reads", before, r.dump())
					continue
				}
				deleted := r.mutation(o.seeded, "delete_webhook_endpoint").path
				r.send(http.MethodPatch, deleted, key, `{"status":"enabled"}`).done(t)
			}
			if i == 0 {
				r.clock.add(time.Second) // endpoints are counted in each mode
			}
		}
	})
}

func TestChangingRentOrDepositRequiresPaymentsScope(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		o := r.tenancies()[1]
		writer := *r.key("ada@example.com", access.Live, "write").Plaintext
		payer := *r.key("ada@example.com", access.Live, "payments").Plaintext
		path := "/leases/" + o.id("lea", 1)
		for _, c := range []struct{ body, param string }{
			{`{"monthly_rent":1450.5}`, ""},
			{`{"monthly_rent":1.4505e3,"security_deposit":2900}`, ""},
			{`{"monthly_rent":1450.51}`, "monthly_rent"},
			{`{"security_deposit":0}`, "security_deposit"},
			{`{"security_deposit":1,"monthly_rent":1}`, "monthly_rent"},
			{`{"security_deposit":1,"monthly_rent":1450.50,"move_out_date":"2026-12-01"}`, "security_deposit"},
		} {
			before := r.dump()
			for _, dry := range []string{"true", "false"} {
				a := r.send("PATCH", path, writer, c.body, "Dry-Run", dry)
				if c.param == "" {
					if a.status != http.StatusOK || a.header.Get("ETag") != `"3"` {
						t.Errorf("%s: status %d, ETag %s", c.body, a.status, a.header.Get("ETag"))
					}
					continue
				}
				f := a.expect(t, http.StatusForbidden, "scope_required")
				if f.Error.Param == nil || *f.Error.Param != c.param || !strings.Contains(f.Error.Message, "payments") {
					t.Errorf("%s: %s", c.body, a.body)
				}
			}
			dbtest.Unchanged(t, c.body, before, r.dump())
		}
		got := r.send("PATCH", path, payer, `{"security_deposit":1,"monthly_rent":1}`).done(t)
		if got["version"] != number("4") || got["monthly_rent"] != number("1.00") ||
			got["security_deposit"] != number("1.00") {
			t.Errorf("the lease is %v", got)
		}
	})
}

func TestOtherPortfoliosAreNotWritable(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		all := r.tenancies()
		before := r.dump()
		for i, me := range all {
			for j, owner := range all {
				if i == j {
					continue
				}
				for _, m := range r.mutations(owner.seeded) {
					if slices.Contains([]string{
						"create_property", "create_webhook_endpoint", "create_import", "create_test_event",
						"update_lease_details", "reset_demo_portfolio", "advance_test_clock",
					}, m.Name) {
						continue // they name no record
					}
					if m.TestKeys && me.mode == access.Live {
						m.by(r, me.key).expect(t, http.StatusForbidden, "test_key_required")
						continue
					}
					a := m.by(r, me.key, "If-Match", `"77"`, "Idempotency-Key", "k")
					f := a.expect(t, http.StatusNotFound, "not_found")
					nothing := m
					nothing.path = within(m.Operation, absent(prefixOf(m.Operation)))
					nothing.body = strings.ReplaceAll(m.body, owner.id("unit", 1), absent("unit"))
					nothing.body = strings.NewReplacer(
						owner.id("unit", 2),
						absent("unit"),
						owner.id("prop", 1),
						absent("prop"),
						owner.id("ten", 1),
						absent("ten"),
						owner.id("pay", 2),
						absent("pay"),
					).Replace(nothing.body)
					if none := nothing.by(r, me.key); stripped(none) != stripped(a) {
						t.Errorf("%s: a foreign record answers %s, an absent one %s", m.Name, stripped(a),
							stripped(none))
					}
					param := "unit_id"
					if strings.Contains(m.body, `"property_id"`) {
						param = "property_id" // which comes first
					}
					inBody := strings.Contains(m.body, `_id"`) || m.Name == "create_test_payment"
					if m.Name == "create_test_payment" {
						param = "payment_ids.0"
					}
					if inBody != (f.Error.Param != nil) || inBody && *f.Error.Param != param {
						t.Errorf("%s: %s", m.Name, a.body)
					}
				}
			}
		}
		dbtest.Unchanged(t, "a key of another portfolio", before, r.dump())
	})
}

func TestForeignIDInBodyIsNotFoundAtItsField(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		all := r.tenancies()
		me, other := all[0], all[2]
		for field, prefix := range map[string]string{"unit_id": "unit", "property_id": "prop", "tenant_id": "ten"} {
			for _, id := range []string{
				other.id(prefix, 1),
				all[1].id(prefix, 1),
				absent(prefix),
				absent("x"),
				"x",
				"",
				" ",
				strings.ToLower(me.id(prefix, 1)),
				me.id(prefix, 1) + " ",
				strings.Repeat("9", 5000),
			} {
				body := `{"description":"It drips.","` + field + `":"` + id + `"`
				if field == "tenant_id" {
					body += `,"property_id":"` + me.id("prop", 1) + `"`
				}
				a := r.send("POST", "/maintenance/tickets", me.key, body+"}")
				if f := a.expect(t, http.StatusNotFound, "not_found"); f.Error.Param == nil ||
					*f.Error.Param != field || len(f.Error.Errors) != 1 || f.Error.Errors[0].Param != field {
					t.Errorf("%s %q: %s", field, id, a.body)
				}
			}
		}
		got := r.send(
			"POST",
			"/maintenance/tickets",
			me.key,
			`{"description":"It drips.","unit_id":"`+me.id("unit", 1)+`","property_id":"`+me.id("prop", 2)+`"}`,
		)
		if f := got.expect(t, http.StatusBadRequest, "invalid_field"); *f.Error.Param != "property_id" ||
			!strings.Contains(f.Error.Message, me.id("prop", 1)) {
			t.Errorf("a unit of another property: %s", got.body)
		}
	})
}

func TestRevokedOrExpiredAPIKeyWritesNothing(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s := seeded{1, access.Test}
		revoked := r.key("ada@example.com", access.Test, "payments")
		soon := r.expiring("ada@example.com", time.Minute)
		for _, m := range r.mutations(s)[:1] { // it worked before
			m.by(r, *revoked.Plaintext, "Idempotency-Key", "once").done(t)
		}
		must(t, r.developer.RevokeKey(t.Context(), revoked.ID))
		r.clock.add(time.Minute)
		before := r.dump()
		for _, m := range r.mutations(s) {
			m.by(r, *revoked.Plaintext, "Idempotency-Key", "once").expect(t, http.StatusUnauthorized, "revoked_api_key")
			m.by(r, soon).expect(t, http.StatusUnauthorized, "expired_api_key")
			m.by(r, "").expect(t, http.StatusUnauthorized, "missing_api_key")
			m.by(r, strangersKey(), "Dry-Run", "true").expect(t, http.StatusUnauthorized, "unknown_api_key")
		}
		dbtest.Unchanged(t, "a key that does not count", before, r.dump())
	})
}

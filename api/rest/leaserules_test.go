package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/contact"
	"portal/api/portfolio"
)

func TestLeaseRulesAreFoundByStateCode(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	var all struct {
		Object  string
		Data    []record
		HasMore bool `json:"has_more"`
	}
	r.get("/lease_rules", key).ok(t, &all)
	if all.Object != "list" || all.HasMore || len(all.Data) != 51 {
		t.Fatalf("%s of %d", all.Object, len(all.Data))
	}
	for i, code := range contact.State("").Values() {
		var one, lower record
		r.get("/lease_rules/"+code, key).ok(t, &one)
		r.get("/lease_rules/"+strings.ToLower(code), key).ok(t, &lower)
		if one["object"] != "lease_rules" || one["state"] != code || jsonOf(lower) != jsonOf(one) ||
			jsonOf(all.Data[i]["state"]) == "null" {
			t.Errorf("%s: %s", code, jsonOf(one))
		}
	}
	for _, odd := range []string{"ZZ", "Texas", "T", "TXX", "%00", "%FF", strings.Repeat("T", 5000)} {
		f := r.get("/lease_rules/"+odd, key).expect(t, http.StatusNotFound, "not_found")
		if f.Error.Message != "No state has this code. The API reference lists the codes." {
			t.Errorf("%.20s: %s", odd, f.Error.Message)
		}
	}
	r.get("/lease_rules/TX", "").expect(t, http.StatusUnauthorized, "missing_api_key")
	r.get("/lease_rules/TX?year=2020", key).expect(t, http.StatusBadRequest, "unknown_parameter")
}

func TestDepositOrLateFeeAboveStateLimitIsRefused(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		in := func(state string, change func(*portfolio.Lease)) *home {
			h := r.home(key, func(l *portfolio.Lease) { l.SecurityDeposit = 145_000; change(l) })
			h.send(http.MethodPatch, "/properties/"+h.property.ID, key, `{"state":"`+state+`"}`).ok(t, &struct{}{})
			return h
		}
		asIs := func(*portfolio.Lease) {}
		for _, c := range []struct{ state, body, code, param, says string }{
			{"CA", `{"security_deposit":2900.01}`, "deposit_above_legal_maximum", "security_deposit",
				"security_deposit must be at most $2,900, 2 months’ rent: the limit in California (Cal. Civ. Code " +
					"1950.5); not $2,900.01."},
			{"NY", `{"late_fee_amount":50.01}`, "late_fee_above_legal_maximum", "late_fee_amount",
				"late_fee_amount must be at most $50, 5% of the monthly rent or $50, whichever is less: the limit " +
					"in New York (Real Prop. Law 238-a(2)); not $50.01."},
			{
				"NY", `{"late_fee_amount":900,"security_deposit":9000,"rent_due_day":5}`,
				"deposit_above_legal_maximum", "security_deposit",
				"security_deposit must be at most $1,450, 1 month’s rent: the limit in New York (Gen. Oblig. Law " +
					"7-103, 7-107, 7-108); not $9,000.",
			},
		} {
			h := in(c.state, asIs)
			before := string(h.get("/leases/"+h.lease.ID, key).body)
			for _, headers := range [][]string{nil, {"Dry-Run: true"}} {
				f := h.patch(c.body, headers...).expect(t, http.StatusBadRequest, c.code)
				if f.Error.Message != c.says || *f.Error.Param != c.param {
					t.Errorf("%s: %s: %s", c.state, *f.Error.Param, f.Error.Message)
				}
			}
			if after := string(h.get("/leases/"+h.lease.ID, key).body); after != before {
				t.Errorf("%s changed the lease: %s", c.body, after)
			}
		}
		for _, c := range []struct{ state, body, warning string }{
			{"CA", `{"security_deposit":2900}`, "deposit_above_usual_maximum"},
			{"CA", `{"security_deposit":1450}`, ""},
			{"TX", `{"security_deposit":14500,"late_fee_amount":145}`, ""},
			{"TX", `{"late_fee_amount":174}`, "late_fee_above_usual_maximum"},
			{"NY", `{"monthly_rent":1000}`, "deposit_above_usual_maximum"}, // the deposit was paid before
			{"NY", `{"rent_due_day":7}`, ""},
		} {
			var got record
			in(c.state, asIs).patch(c.body).ok(t, &got)
			if warned := jsonOf(got["warnings"]); c.warning == "" && strings.Contains(warned, "usual_maximum") ||
				!strings.Contains(warned, c.warning) {
				t.Errorf("%s: %s warns of %s", c.state, c.body, warned)
			}
		}
		// What an import brought is not refused with another change.
		var got record
		in("NY", func(l *portfolio.Lease) { l.SecurityDeposit = 900_000 }).patch(`{"late_fee_amount":20}`).ok(t, &got)
		if warned := jsonOf(got["warnings"]); !strings.Contains(warned, "deposit_above_usual_maximum") {
			t.Error(warned)
		}
	})
}

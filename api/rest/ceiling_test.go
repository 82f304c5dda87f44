package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"portal/api/access"
	"portal/api/developer"
	"portal/db/dbtest"
)

const someHouse = `{"street_address":"9 Pine Street","city":"Austin","state":"TX"}`

func TestUnitLimitAppliesOnlyToLiveKeys(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		plan := unlimited()
		plan.Units = new(3)
		r.landlord("ada@example.com", plan)
		live := *r.key("ada@example.com", access.Live, "write").Plaintext
		test := *r.key("ada@example.com", access.Test, "write").Plaintext
		for range 3 {
			r.send("POST", "/properties", live, someHouse).done(t)
		}
		before := r.dump()
		for _, headers := range [][]string{nil, {"Dry-Run", "true"}, {"Idempotency-Key", "k"}} {
			f := r.send("POST", "/properties", live, someHouse, headers...).expect(
				t,
				http.StatusForbidden,
				"unit_limit_reached",
			)
			if !strings.Contains(f.Error.Message, "3 units") ||
				!strings.Contains(f.Error.Message, "limit is 3") ||
				!strings.Contains(
					f.Error.Message,
					"Ask for more units at "+base+"/usage/units.",
				) || f.Error.Param != nil ||
				f.Error.Type != "permission_error" {
				t.Errorf("%+v", f)
			}
		}
		r.send("POST", "/properties", live, `{"x":1}`).expect(t, http.StatusBadRequest, "missing_field")
		dbtest.Unchanged(t, "what is above the ceiling", before, r.dump())
		for range 3 { // beside those of the demo
			r.send("POST", "/properties", test, someHouse).done(t)
		}
		plan.Units = new(4)
		must(t, r.developer.SetPlan(t.Context(), "ada@example.com", plan))
		r.send("POST", "/properties", live, someHouse, "Idempotency-Key", "k").done(t)
		f := r.send("POST", "/properties", live, someHouse).expect(t, http.StatusForbidden, "unit_limit_reached")
		if !strings.Contains(f.Error.Message, "4 units") {
			t.Errorf("%+v", f)
		}
		r.send("POST", "/properties", live, someHouse, "Idempotency-Key", "k").done(t) // done before, told again
	})
}

func TestUnitLimitIsExactUnderConcurrency(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		plan := developer.Plan{
			Tier:      developer.Prime,
			Sustained: new(1_000_000),
			Burst:     new(1_000_000),
			Units:     new(17),
		}
		r.landlord("ada@example.com", plan)
		key := *r.key("ada@example.com", access.Live, "write").Plaintext
		var made, refused atomic.Int32
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() {
				a, err := r.try(http.MethodPost, "/properties", key, someHouse, "Idempotency-Key", fmt.Sprint(i))
				switch {
				case err != nil:
					t.Error(err)
				case a.status == http.StatusCreated:
					made.Add(1)
				default:
					a.expect(t, http.StatusForbidden, "unit_limit_reached")
					refused.Add(1)
				}
			})
		}
		all.Wait()
		var me struct{ Units struct{ Used, Limit int } }
		r.get("/me", key).ok(t, &me)
		if made.Load() != 17 || refused.Load() != 33 || me.Units.Used != 17 || me.Units.Limit != 17 {
			t.Errorf("%d were made, %d refused, %+v", made.Load(), refused.Load(), me)
		}
	})
}

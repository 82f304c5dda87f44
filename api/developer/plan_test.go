package developer_test

import (
	"fmt"
	"testing"

	"portal/api/developer"
	"portal/api/fault"
)

func TestTiersMatchPriceList(t *testing.T) {
	t.Parallel()
	want := map[string]developer.Limits{
		"starter": {Sustained: 60, Burst: 120, Units: 25},
		"pro":     {Sustained: 600, Burst: 1200, Units: 250},
		"prime":   {Sustained: 3000, Burst: 6000, Units: 2500},
	}
	for _, name := range developer.Starter.Values() {
		if got := (developer.Plan{Tier: developer.Tier(name)}).Limits(); got != want[name] {
			t.Errorf("%s admits %+v", name, got)
		}
	}
}

func TestPlanLimitsAreValidated(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com")
		for _, c := range []struct {
			plan  developer.Plan
			param string // at fault, "" where it is right
			want  string
		}{
			{developer.Plan{Tier: "starter"}, "", "{60 120 25}"},
			{developer.Plan{
				Tier:      "prime",
				Sustained: new(1),
				Burst:     new(20),
				Units:     new(0),
			}, "", "{1 20 0}"},
			{developer.Plan{Tier: "starter", Sustained: new(120)}, "", "{120 120 25}"},
			{
				developer.Plan{
					Tier:      "prime",
					Sustained: new(1_000_000),
					Burst:     new(1_000_000),
					Units:     new(1_000_000_000),
				},
				"",
				"{1000000 1000000 1000000000}",
			},
			{developer.Plan{Tier: ""}, "plan", ""},
			{developer.Plan{Tier: "Pro"}, "plan", ""},
			{developer.Plan{Tier: "gold"}, "plan", ""},
			{developer.Plan{Tier: "starter", Sustained: new(1), Burst: new(19)}, "burst", ""},
			{developer.Plan{Tier: "starter", Burst: new(0)}, "burst", ""},
			{developer.Plan{Tier: "starter", Burst: new(-1)}, "burst", ""},
			{developer.Plan{Tier: "prime", Burst: new(1_000_001)}, "burst", ""},
			{developer.Plan{Tier: "starter", Sustained: new(0)}, "sustained", ""},
			{developer.Plan{Tier: "starter", Sustained: new(121)}, "sustained", ""},
			{developer.Plan{Tier: "pro", Burst: new(599)}, "sustained", ""},
			{developer.Plan{Tier: "pro", Units: new(-1)}, "units", ""},
		} {
			err := r.SetPlan(t.Context(), "ADA@example.com", c.plan)
			if c.param != "" {
				refused(t, fmt.Sprintf("%+v", c.plan.Limits()), err, fault.InvalidField, c.param)
				continue
			}
			must(t, err)
			_, a, err := r.Account(t.Context(), "ada@example.com")
			if got := fmt.Sprint(a.Plan.Limits()); err != nil || got != c.want || a.Plan.Tier != c.plan.Tier {
				t.Errorf("the plan admits %s, want %s: %v", got, c.want, err)
			}
		}
		_, a, err := r.Account(t.Context(), "ada@example.com")
		if err != nil || a.Plan.Limits().Units != 1_000_000_000 {
			t.Errorf("a refused plan changed something: %+v, %v", a.Plan.Limits(), err)
		}
		refused(t, "nobody's plan", r.SetPlan(t.Context(), "nobody@example.com", developer.Plan{
			Tier: "pro",
		}), fault.NoRecord, "")
	})
}

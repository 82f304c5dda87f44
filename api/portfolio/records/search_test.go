package records_test

import (
	"fmt"
	"testing"

	"portal/api/access"
	"portal/api/portfolio/property"
)

func TestSearchMatchesWordPrefixesInItsPortfolio(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for i, name := range []string{"Maple Court", "100%"} {
			_, err := h.Properties.CreateProperty(h.Context(), h.by, property.Create{
				StreetAddress: fmt.Sprint(i+1, "-A Élan Road"),
				City:          "Austin",
				State:         "TX",
				PropertyType:  "condo",
				Name:          &name,
			})
			h.ok(err)
		}
		for text, want := range map[string][2]int{
			"":          {0, 0},
			"  ":        {0, 0},
			"1":         {3, 0},
			"1420":      {1, 0},
			"maple":     {2, 0},
			"MAPLE  AV": {1, 0},
			"100%":      {1, 0},
			"%":         {0, 0},
			"A Élan":    {2, 0},
			"austin":    {3, 0},
			"ROAD elan": {2, 0},
			"oad":       {0, 0},
			"rivera":    {0, 3},
			"dana":      {0, 1},
			"dana riv":  {0, 1},
			"d":         {0, 1},
			"a\x00":     {0, 0},
			"zzz":       {0, 0},
		} {
			f, err := h.Finder.Search(h.Context(), h.by, text, 10)
			h.ok(err)
			if got := [2]int{len(f.Properties), len(f.Tenants)}; got != want {
				h.Errorf("%q finds %v, want %v", text, got, want)
			}
		}
		f, err := h.Finder.Search(h.Context(), h.by, "rivera", 2)
		h.ok(err)
		if len(f.Tenants) != 2 {
			h.Errorf("%d tenants", len(f.Tenants))
		}
		f, err = h.Finder.Search(h.Context(), h.owner(access.Test), "dana", 10)
		h.ok(err)
		if len(f.Tenants) != 0 {
			h.Errorf("another portfolio shows %+v", f.Tenants)
		}
		for of, want := range map[string]string{
			h.let:                            "lea",
			h.tenants[0]:                     "ten",
			h.home.Unit[access.Live].ID:      "unit",
			h.home.Unit[access.Test].ID:      "",
			"lea_01KA5R2M7Q8D4E6F9G1H3J5K7M": "",
			"key_01KA5R2M7Q8D4E6F9G1H3J5K7M": "",
		} {
			f, err := h.Finder.Search(h.Context(), h.by, " "+of, 10)
			h.ok(err)
			if f.Prefix != want {
				h.Errorf("%s is %q, want %q", of, f.Prefix, want)
			}
		}
	})
}

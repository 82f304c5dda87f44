package condition_test

import (
	"testing"

	"portal/api/change"
	"portal/api/portfolio/lease/condition"
)

func TestChangesAreWhatSharedReportsSayBesideEachOther(t *testing.T) {
	onEach(t, func(f *fixture) {
		none := func(when string) {
			f.Helper()
			if c, err := f.Changes(f.Context(), f.owner, f.lease); err != nil || c != nil {
				f.Errorf("%s: %+v, %v", when, c, err)
			}
		}
		none("without a report")
		f.begins(condition.MoveIn)
		in := f.judges(condition.Good)
		out := f.begins(condition.MoveOut)
		_, err := f.Save(f.Context(), f.owner, f.lease, condition.MoveOut, []condition.Change{
			{
				ItemID:    item(out, 0, 0),
				Condition: change.To(new(condition.Poor)),
				Note:      change.To("A hole,\nby the door"),
			},
			{ItemID: item(out, 0, 1), Condition: change.To(new(condition.Good))},
		})
		f.ok(err)
		none("before the tenants see them")
		for _, kind := range []condition.Kind{condition.MoveIn, condition.MoveOut} {
			_, err := f.Share(f.Context(), f.owner, f.lease, kind)
			f.ok(err)
		}
		_, err = f.SaveAsTenant(f.Context(), f.sam, f.lease, condition.MoveIn, []condition.Change{
			{ItemID: item(in, 0, 0), Condition: change.To(new(condition.Fair)), Note: change.To("A crack")},
		})
		f.ok(err)
		c, err := f.Changes(f.Context(), f.owner, f.lease)
		f.ok(err)
		if c == nil || c.Agreed || len(c.Items) != 1 {
			f.Fatalf("the changes are %+v", c)
		}
		one := c.Items[0]
		if one.Room.English != in.Areas[0].Label("en") || one.Room.Spanish != in.Areas[0].Label("es") ||
			one.MovedIn.English != "Good. Tenants: Fair: A crack" ||
			one.MovedOut.English != "Poor: A hole, by the door" ||
			one.MovedOut.Spanish != "Malo: A hole, by the door" {
			f.Errorf("the change is %+v", one)
		}
		if c, err := f.Changes(f.Context(), f.sam, f.lease); err != nil || c != nil {
			f.Errorf("a tenant asks as the landlord: %+v, %v", c, err)
		}
	})
}

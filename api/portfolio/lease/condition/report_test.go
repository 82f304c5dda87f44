package condition_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
	"portal/db/dbtest"
)

func labels(r *condition.Report, l language.Language) string {
	var all []string
	for i := range r.Areas {
		all = append(all, r.Areas[i].Label(l))
	}
	return strings.Join(all, ", ")
}

func TestReportBeginsWithTheRoomsOfTheUnit(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		want := "Entry and hallway, Living room, Kitchen, Bathroom 1, Bathroom 2, Bedroom 1, Bedroom 2, Laundry, " +
			"Outside and parking, Keys and safety"
		if got := labels(r, language.English); got != want {
			t.Error(got)
		}
		want = "Entrada y pasillo, Sala, Cocina, Baño 1, Baño 2, Dormitorio 1, Dormitorio 2, Lavandería, " +
			"Exterior y estacionamiento, Llaves y seguridad"
		if got := labels(r, language.Spanish); got != want {
			t.Error(got)
		}
		if !reflect.DeepEqual(r, f.reads(condition.MoveIn)) {
			t.Errorf("it is read as another one:\n%+v\n%+v", r, f.reads(condition.MoveIn))
		}
		if r.Version != 1 || r.Unjudged() != r.Items() || len(r.Awaited) != 2 || r.Shared() || r.Complete() {
			t.Errorf("%+v", r)
		}
		for rooms, want := range map[string]string{
			"bedrooms = 0, bathrooms = 1":       "Bathroom, Laundry",
			"bedrooms = 1, bathrooms = 0":       "Bathroom, Bedroom, Laundry",
			"bedrooms = NULL, bathrooms = NULL": "Bathroom, Bedroom, Laundry",
			"bedrooms = 100, bathrooms = 200":   "Bedroom 20, Laundry",
		} {
			f.ok(f.Delete(f.Context(), f.owner, f.lease, condition.MoveIn, 1))
			dbtest.Exec(t, f.db, "UPDATE units SET "+rooms)
			r := f.begins(condition.MoveIn)
			if got := labels(r, language.English); !strings.Contains(got, want+", Outside") {
				t.Errorf("%s: %s", rooms, got)
			}
			if len(r.Areas) > condition.MostAreas || r.Items() > condition.MostItems {
				t.Errorf("%s: %d areas with %d items", rooms, len(r.Areas), r.Items())
			}
			for i := range r.Areas {
				if len(r.Areas[i].Items) == 0 || len(r.Areas[i].Items) > condition.MostAreaItems {
					t.Errorf("%s has %d items", r.Areas[i].Code, len(r.Areas[i].Items))
				}
				for k := range r.Areas[i].Items {
					one := &r.Areas[i].Items[k]
					if one.Label(language.English) == "" || one.Label(language.Spanish) == one.Label(language.English) {
						t.Errorf("%s is called %q", one.Code, one.Label(language.Spanish))
					}
				}
			}
		}
	})
}

func TestReportIsBegunOnceForLeasesThatBind(t *testing.T) {
	onEach(t, func(f *fixture) {
		for _, status := range (portfolio.LeaseStatus)("").Values() {
			dbtest.Exec(t, f.db, "UPDATE leases SET status = $1", status)
			r, err := f.Begin(f.Context(), f.owner, f.lease, condition.MoveIn)
			if !slices.Contains(portfolio.BoundLeases(), portfolio.LeaseStatus(status)) {
				f.refused(err, fault.InvalidTransition, "once the lease is signed")
				continue
			}
			f.ok(err)
			_, err = f.Begin(f.Context(), f.owner, f.lease, condition.MoveIn)
			f.refused(err, fault.InvalidTransition, "already")
			f.ok(f.Delete(f.Context(), f.owner, f.lease, condition.MoveIn, r.Version))
		}
		dbtest.Exec(t, f.db, "UPDATE leases SET status = 'active'")
		_, err := f.Begin(f.Context(), f.owner, f.lease, "visit")
		f.refused(err, fault.InvalidField, "moving in or of moving out")
		reader := f.owner
		reader.Scopes = access.Scopes{access.Read}
		_, err = f.Begin(f.Context(), reader, f.lease, condition.MoveIn)
		f.refused(err, fault.ScopeRequired, "")
		manager := f.owner
		manager.Role = access.Manager
		_, err = f.Begin(f.Context(), manager, f.lease, condition.MoveIn)
		f.ok(err)
		f.begins(condition.MoveOut)
		all, err := f.Reports(f.Context(), f.owner, f.lease)
		f.ok(err)
		if len(all) != 2 || all[0].Kind != condition.MoveIn || all[1].Kind != condition.MoveOut {
			t.Errorf("%+v", all)
		}
	})
}

func TestMoveInReportIsFoundThroughRenewals(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		f.judges(condition.Good)
		first, last := f.lease, f.lease
		for range 3 {
			l := f.newLease(f.home.Live)
			l.RenewedFromLeaseID = new(last)
			f.ok(f.store.Add(f.Context(), f.home.Live, &portfolio.Book{Leases: []portfolio.Lease{l}}))
			last = l.ID
		}
		found, err := f.MoveIn(f.Context(), f.owner, last)
		if f.ok(err); found.ID != r.ID || found.LeaseID != first {
			t.Errorf("%+v", found)
		}
		_, err = f.Report(f.Context(), f.owner, last, condition.MoveIn)
		f.refused(err, fault.NoRecord, "condition report")
		_, err = f.Begin(f.Context(), f.owner, last, condition.MoveIn)
		f.refused(err, fault.InvalidTransition, "under the lease that was renewed")

		out, err := f.Begin(f.Context(), f.owner, last, condition.MoveOut)
		f.ok(err)
		if *out.BeganWith != r.ID || labels(out, "") != labels(r, "") || item(out, 2, 3) != item(r, 2, 3) ||
			out.Unjudged() != r.Items() {
			t.Errorf("%+v", out)
		}
		// A chain that leads back to itself ends.
		dbtest.Exec(t, f.db, "DELETE FROM condition_reports")
		dbtest.Exec(t, f.db, "UPDATE leases SET renewed_from_lease_id = $1 WHERE id = $2", last, first)
		_, err = f.MoveIn(f.Context(), f.owner, last)
		f.refused(err, fault.NoRecord, "condition report")
	})
}

func TestReportsOfATenancyStandBesideEachOther(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		f.judges(condition.Good)
		f.begins(condition.MoveOut)
		_, err := f.Arrange(f.Context(), f.owner, f.lease, condition.MoveOut, condition.Arrangement{
			RemoveAreas: []string{r.Areas[1].ID}, RemoveItems: []string{item(r, 0, 1)},
			AddItems: []condition.NewItem{{AreaID: r.Areas[0].ID, Name: "Doorbell"}},
		})
		f.ok(err)
		poor := condition.Poor
		_, err = f.Save(f.Context(), f.owner, f.lease, condition.MoveOut, []condition.Change{
			{ItemID: item(r, 0, 0), Condition: change.To(&poor)},
		})
		f.ok(err)
		pairs := condition.Beside(f.reads(condition.MoveIn), f.reads(condition.MoveOut))
		if len(pairs) != len(r.Areas) || pairs[len(pairs)-1].Code != condition.Living {
			t.Errorf("%+v", pairs)
		}
		var hall []string
		for _, p := range pairs[0].Items {
			hall = append(hall, fmt.Sprintf("%s %t %t %t", p.Item().Label(""), p.In != nil, p.Out != nil, p.Changed()))
		}
		want := []string{
			"Walls and ceiling true true true", "Doors and locks true true false", "Lights and outlets true true false",
			"Closet true true false", "Doorbell false true false", "Floor true false false",
		}
		if !slices.Equal(hall, want) {
			t.Errorf("%q", hall)
		}
		// Reports that have no ids in common are paired by names.
		f.ok(f.Delete(f.Context(), f.owner, f.lease, condition.MoveIn, f.reads(condition.MoveIn).Version))
		f.begins(condition.MoveIn)
		pairs = condition.Beside(f.reads(condition.MoveIn), f.reads(condition.MoveOut))
		if len(pairs) != len(r.Areas) || pairs[0].Items[0].In == nil || pairs[0].Items[0].Out == nil {
			t.Errorf("%+v", pairs)
		}
		if alone := condition.Beside(nil, f.reads(condition.MoveOut)); len(alone) != len(r.Areas)-1 {
			t.Errorf("%+v", alone)
		}
	})
}

func TestSavingChangesOnlyWhatIsNamed(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		a, b := item(r, 0, 0), item(r, 2, 4)
		fair := condition.Fair
		r, err := f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, []condition.Change{
			{ItemID: a, Condition: change.To(&fair), Note: change.To(" A scratch\r\nby the door ")}, {ItemID: b},
		})
		f.ok(err)
		if _, i := r.Item(
			a,
		); *i.Landlord.Condition != fair || i.Landlord.Note != "A scratch\nby the door" ||
			r.Version != 2 {
			t.Errorf("%+v, version %d", i, r.Version)
		}
		r, err = f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, says(a, ""))
		f.ok(err)
		if _, i := r.Item(a); *i.Landlord.Condition != fair || i.Landlord.Note != "" || r.Version != 3 {
			t.Errorf("%+v, version %d", i, r.Version)
		}
		r, err = f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, []condition.Change{
			{ItemID: a, Condition: change.To[*condition.State](nil)},
		})
		f.ok(err)
		if r.Unjudged() != r.Items() || r.Version != 4 {
			t.Errorf("%d of %d, version %d", r.Unjudged(), r.Items(), r.Version)
		}
		r, err = f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, says(a, ""))
		if f.ok(err); r.Version != 4 {
			t.Errorf("what changes nothing makes version %d", r.Version)
		}
		wrong := condition.State("new")
		for words, c := range map[string]condition.Change{
			"is not a condition": {ItemID: a, Condition: change.To(&wrong)},
			"at most 500":        {ItemID: a, Note: change.To(strings.Repeat("é", 501))},
			"can't be shown":     {ItemID: a, Note: change.To("a\x00")},
		} {
			_, err := f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, []condition.Change{
				{ItemID: b, Note: change.To("lost")}, c,
			})
			f.refused(err, fault.InvalidField, words)
		}
		_, err = f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, says("item_1", "x"))
		f.refused(err, fault.NoRecord, "item")
		_, err = f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, says(a, strings.Repeat("é", 500)))
		f.ok(err)
		if _, i := f.reads(condition.MoveIn).Item(b); i.Landlord.Note != "" {
			t.Error("half of a save that was refused is kept")
		}
	})
}

func TestConcurrentSavesKeepEachOthersChanges(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		_, err := f.Share(f.Context(), f.owner, f.lease, condition.MoveIn)
		f.ok(err)
		var people sync.WaitGroup
		for i := range 5 {
			people.Go(func() {
				if _, err := f.Save(
					f.Context(),
					f.owner,
					f.lease,
					condition.MoveIn,
					says(item(r, 0, i), "seen"),
				); err != nil {
					t.Error(err)
				}
			})
			people.Go(func() {
				_, err := f.SaveAsTenant(f.Context(), f.sam, f.lease, condition.MoveIn, says(item(r, 0, i), "so it is"))
				if err != nil {
					t.Error(err)
				}
			})
		}
		people.Wait()
		now := f.reads(condition.MoveIn)
		for _, i := range now.Areas[0].Items {
			if i.Landlord.Note != "seen" || i.Tenant.Note != "so it is" {
				t.Errorf("%+v", i)
			}
		}
		if now.Version != 12 {
			t.Errorf("version %d", now.Version)
		}
	})
}

func TestAreasAndItemsAreArrangedWithinLimits(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		arrange := func(a condition.Arrangement) error {
			got, err := f.Arrange(f.Context(), f.owner, f.lease, condition.MoveIn, a)
			if err == nil {
				r = got
			}
			return err
		}
		f.ok(arrange(condition.Arrangement{
			RemoveAreas: []string{r.Areas[7].ID},
			RemoveItems: []string{item(r, 7, 0), item(r, 0, 1)},
			AddAreas: []condition.NewArea{
				{
					Name:  " Wine   cellar ",
					Items: []string{"Racks"},
				},
				{Code: condition.Bedroom},
				{Code: condition.Laundry},
			},
			AddItems: []condition.NewItem{{AreaID: r.Areas[0].ID, Name: "Doorbell"}},
		}))
		want := "Outside and parking, Keys and safety, Wine cellar, Bedroom 3, Laundry"
		if got := labels(
			r,
			"",
		); !strings.HasSuffix(got, "Bedroom 2, "+want) ||
			!reflect.DeepEqual(r, f.reads(condition.MoveIn)) {
			t.Error(got)
		}
		if last := r.Areas[0].Items[len(r.Areas[0].Items)-1]; last.Label(language.Spanish) != "Doorbell" {
			t.Errorf("%+v", last)
		}
		f.ok(arrange(condition.Arrangement{AddAreas: []condition.NewArea{{Code: condition.Laundry}}}))
		if got := labels(r, ""); !strings.HasSuffix(got, "Laundry 1, Laundry 2") {
			t.Error(got)
		}
		long := strings.Repeat("é", 61)
		for _, c := range []struct {
			code  fault.Code
			words string
			a     condition.Arrangement
		}{
			{fault.InvalidField, "at most 60", condition.Arrangement{AddAreas: []condition.NewArea{{Name: long}}}},
			{fault.InvalidField, "can't be shown", condition.Arrangement{AddAreas: []condition.NewArea{{Name: "a\x01"}}}},
			{fault.MissingField, "name", condition.Arrangement{AddAreas: []condition.NewArea{{Name: " "}}}},
			{fault.InvalidField, "not an area", condition.Arrangement{AddAreas: []condition.NewArea{{Code: "floor"}}}},
			{fault.InvalidField, "at most 60", condition.Arrangement{
				AddItems: []condition.NewItem{{AreaID: r.Areas[0].ID, Name: long}},
			}},
			{fault.NoRecord, "area", condition.Arrangement{AddItems: []condition.NewItem{{AreaID: "area_1", Name: "a"}}}},
			{fault.NoRecord, "area", condition.Arrangement{RemoveAreas: []string{"area_1"}}},
			{fault.NoRecord, "item", condition.Arrangement{RemoveItems: []string{"item_1"}}},
			{fault.InvalidField, "at most 30 items", condition.Arrangement{
				AddAreas: []condition.NewArea{{Name: "Hall", Items: slices.Repeat([]string{"a"}, 31)}},
			}},
			{fault.InvalidField, "at most 300 items", condition.Arrangement{
				AddAreas: slices.Repeat([]condition.NewArea{
					{Name: "Hall", Items: slices.Repeat([]string{"a"}, 30)},
				}, 8),
			}},
			{fault.InvalidField, "at most 40 areas", condition.Arrangement{
				AddAreas: slices.Repeat([]condition.NewArea{{Name: "Closet"}}, 41-len(r.Areas)),
			}},
		} {
			f.refused(arrange(c.a), c.code, c.words)
		}
		f.ok(arrange(condition.Arrangement{
			AddAreas: slices.Repeat([]condition.NewArea{{Name: strings.Repeat("é", 60)}}, 40-len(r.Areas)),
		}))
		if r.Version != 4 || len(r.Areas) != 40 {
			t.Errorf("version %d with %d areas", r.Version, len(r.Areas))
		}
	})
}

func TestWhatTenantsSaidIsNotRemoved(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		_, err := f.Share(f.Context(), f.owner, f.lease, condition.MoveIn)
		f.ok(err)
		_, err = f.AddPhoto(f.Context(), f.owner, f.lease, condition.MoveIn, item(r, 0, 1), picture("own"))
		f.ok(err)
		_, err = f.AddPhotoAsTenant(f.Context(), f.sam, f.lease, condition.MoveIn, item(r, 0, 0), picture("a"))
		f.ok(err)
		_, err = f.Arrange(f.Context(), f.owner, f.lease, condition.MoveIn, condition.Arrangement{
			RemoveAreas: []string{r.Areas[0].ID},
		})
		f.refused(err, fault.InvalidTransition, "tenants have said")
		_, err = f.Arrange(f.Context(), f.owner, f.lease, condition.MoveIn, condition.Arrangement{
			RemoveItems: []string{item(r, 0, 1)},
		})
		f.ok(err)
		if left := dbtest.Texts(t, f.db, "SELECT side FROM condition_photos"); !slices.Equal(left, []string{"tenant"}) {
			t.Errorf("photos of %q are left", left)
		}
	})
}

func TestPhotosAreKeptWithinLimits(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		_, err := f.Share(f.Context(), f.owner, f.lease, condition.MoveIn)
		f.ok(err)
		add := func(by access.Actor, i int, content string) (*condition.Report, error) {
			itemID := item(r, i/10, i%10)
			if by.TenantID != "" {
				return f.AddPhotoAsTenant(f.Context(), by, f.lease, condition.MoveIn, itemID, picture(content))
			}
			return f.AddPhoto(f.Context(), by, f.lease, condition.MoveIn, itemID, picture(content))
		}
		for _, by := range []access.Actor{f.owner, f.sam} {
			for range condition.MostItemPhotos {
				_, err := add(by, 0, "a")
				f.ok(err)
			}
			_, err := add(by, 0, "a")
			f.refused(err, fault.InvalidField, "at most 5")
		}
		_, err = add(f.thao, 0, "a")
		f.refused(err, fault.InvalidField, "at most 5")
		for i := 1; i < condition.MostPhotos/condition.MostItemPhotos; i++ {
			at := []int{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}[i]
			for range condition.MostItemPhotos {
				_, err := add(f.owner, at, "a")
				f.ok(err)
			}
		}
		_, err = add(f.owner, 30, "a")
		f.refused(err, fault.InvalidField, "at most 60")
		now, err := add(f.thao, 30, "hers")
		f.ok(err)
		if !reflect.DeepEqual(now, f.reads(condition.MoveIn)) {
			t.Error("it is read as another one")
		}
		_, i := now.Item(item(r, 3, 0))
		p := i.Photos[0]
		if p.By != condition.Tenant || *p.TenantID != f.thao.TenantID || p.Width != 4 || p.Height != 3 || p.Size != 4 ||
			p.SHA256 != "7282dc5a2015eca4afb897f24924b2a9c149287a5d3e755c52ec0ab7b81e7454" {
			t.Errorf("%+v", p)
		}
		for thumbnail, want := range map[bool]string{false: "hers", true: "small hers"} {
			own, err := f.Photo(f.Context(), f.owner, f.lease, condition.MoveIn, p.ID, thumbnail)
			f.ok(err)
			theirs, err := f.PhotoForTenant(f.Context(), f.sam, f.lease, condition.MoveIn, p.ID, thumbnail)
			if f.ok(err); string(own) != want || string(theirs) != want {
				t.Errorf("%q, %q", own, theirs)
			}
		}
		in, linked, err := f.store.LinkedPhoto(f.Context(), p.ID)
		if f.ok(err); in != f.home.Live || string(linked) != "hers" {
			t.Errorf("%v, %q", in, linked)
		}
		_, err = f.RemovePhoto(f.Context(), f.owner, f.lease, condition.MoveIn, p.ID)
		f.refused(err, fault.NoRecord, "photo")
		_, err = f.RemovePhotoAsTenant(f.Context(), f.sam, f.lease, condition.MoveIn, p.ID)
		f.refused(err, fault.NoRecord, "photo")
		_, err = f.RemovePhotoAsTenant(f.Context(), f.thao, f.lease, condition.MoveIn, p.ID)
		f.ok(err)
		_, err = f.Photo(f.Context(), f.owner, f.lease, condition.MoveIn, p.ID, false)
		f.refused(err, fault.NoRecord, "photo")
		_, first := now.Item(item(r, 0, 0))
		_, err = f.RemovePhoto(
			f.Context(),
			f.owner,
			f.lease,
			condition.MoveIn,
			first.PhotosBy(condition.Landlord)[0].ID,
		)
		f.ok(err)
		_, err = add(f.owner, 0, "b")
		f.ok(err)
		_, err = f.AddPhoto(f.Context(), f.owner, f.lease, condition.MoveIn, "item_1", picture("a"))
		f.refused(err, fault.NoRecord, "item")
	})
}

func TestReportIsSignedByTheLandlordAndAllWhoRent(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		sign := func(by access.Actor, seen string) error {
			_, err := f.SignAsLandlord(
				f.Context(),
				by,
				f.lease,
				condition.MoveIn,
				condition.Signing{Name: "Dana", Seen: seen},
			)
			return err
		}
		f.refused(sign(f.owner, r.SHA256()), fault.InvalidTransition, fmt.Sprint(r.Items(), " items have no condition"))
		r = f.judges(condition.Good)
		manager := f.owner
		manager.Role = access.Manager
		f.refused(sign(manager, r.SHA256()), fault.OwnerRequired, "owner")
		for name, code := range map[string]fault.Code{
			" ": fault.MissingField, "a\x00": fault.InvalidField, strings.Repeat("a", 201): fault.InvalidField,
		} {
			_, err := f.SignAsLandlord(f.Context(), f.owner, f.lease, condition.MoveIn, condition.Signing{
				Name: name, Seen: r.SHA256(),
			})
			f.refused(err, code, "ype your name")
		}
		_, err := f.tenantSigns(f.sam, "Sam Rivera")
		f.refused(err, fault.NoRecord, "condition report")
		_, err = f.Share(f.Context(), f.owner, f.lease, condition.MoveIn)
		f.ok(err)
		_, err = f.tenantSigns(f.sam, "Sam Rivera")
		f.refused(err, fault.InvalidTransition, "landlord signs the report first")
		seen := f.reads(condition.MoveIn).SHA256()
		_, err = f.SaveAsTenant(f.Context(), f.sam, f.lease, condition.MoveIn, says(item(r, 0, 0), "No"))
		f.ok(err)
		f.refused(sign(f.owner, seen), fault.StaleWrite, "")
		dbtest.Exec(t, f.db, "UPDATE portfolios SET ahead_days = 3 WHERE id = $1", f.home.Live.ID)
		f.owner.Portfolio.Ahead, f.sam.Portfolio.Ahead, f.thao.Portfolio.Ahead = 3, 3, 3
		signed := f.landlordSigns()
		own := signed.LandlordSignature()
		if own.Name != "Dana Cohen" || own.Address != "192.0.2.1" || own.Browser != "Mozilla/5.0" ||
			own.SHA256 != signed.SHA256() || own.SignedAt != clock.At(f.now).Later(3) || len(signed.Awaited) != 2 {
			t.Errorf("%+v", own)
		}
		f.refused(sign(f.owner, signed.SHA256()), fault.InvalidTransition, "already")

		bad := condition.Poor
		_, err = f.SaveAsTenant(f.Context(), f.thao, f.lease, condition.MoveIn, []condition.Change{
			{ItemID: item(r, 0, 0), Condition: change.To(&bad)},
		})
		f.ok(err)
		if now := f.reads(
			condition.MoveIn,
		); !now.Intact(now.LandlordSignature()) ||
			!now.Areas[0].Items[0].Disagrees() ||
			now.Areas[0].Items[1].Disagrees() {
			t.Errorf("%+v", now.Areas[0].Items[0])
		}
		_, err = f.SignAsTenant(f.Context(), f.sam, f.lease, condition.MoveIn, condition.Signing{
			Name: "Sam Rivera", Seen: signed.SHA256(),
		})
		f.refused(err, fault.StaleWrite, "changed since you saw it")
		_, err = f.tenantSigns(f.sam, "Samuel Rivera")
		f.refused(err, fault.InvalidField, "Sam Rivera")
		shown := f.reads(condition.MoveIn).SHA256()
		half, err := f.tenantSigns(f.sam, "sam  RIVERA")
		f.ok(err)
		if s := half.TenantSignature(
			f.sam.TenantID,
		); half.Complete() || len(half.Awaited) != 1 || s.Name != "sam RIVERA" ||
			s.Address != "192.0.2.7" || s.SHA256 != half.SHA256() ||
			half.Awaited[0].ID != f.thao.TenantID {
			t.Errorf("%+v", half)
		}
		_, err = f.tenantSigns(f.sam, "Sam Rivera")
		f.refused(err, fault.InvalidTransition, "already")
		// What the second tenant was shown before the first one signed still stands.
		whole, err := f.SignAsTenant(f.Context(), f.thao, f.lease, condition.MoveIn, condition.Signing{
			Name: "Nguyen Thao", Seen: shown,
		})
		f.ok(err)
		if !whole.Complete() || len(whole.Awaited) != 0 || !reflect.DeepEqual(whole, f.reads(condition.MoveIn)) {
			t.Errorf("%+v", whole)
		}
		for i := range whole.Signatures {
			if !whole.Intact(&whole.Signatures[i]) {
				t.Errorf("%+v does not stand for the report", whole.Signatures[i])
			}
		}
	})
}

func TestSignedReportsAreFrozen(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		f.judges(condition.Good)
		ctx, first := f.Context(), item(r, 0, 0)
		r, err := f.AddPhoto(ctx, f.owner, f.lease, condition.MoveIn, first, picture("a"))
		f.ok(err)
		own := r.Areas[0].Items[0].Photos[0].ID
		f.landlordSigns()
		landlord := map[string]func() error{
			"save": func() error {
				_, err := f.Save(ctx, f.owner, f.lease, condition.MoveIn, says(first, "x"))
				return err
			},
			"arrange": func() error {
				_, err := f.Arrange(ctx, f.owner, f.lease, condition.MoveIn, condition.Arrangement{
					RemoveItems: []string{first},
				})
				return err
			},
			"photo": func() error {
				_, err := f.AddPhoto(ctx, f.owner, f.lease, condition.MoveIn, first, picture("b"))
				return err
			},
			"no photo": func() error {
				_, err := f.RemovePhoto(ctx, f.owner, f.lease, condition.MoveIn, own)
				return err
			},
			"delete": func() error {
				return f.Delete(ctx, f.owner, f.lease, condition.MoveIn, f.reads(condition.MoveIn).Version)
			},
		}
		refuses := func(all map[string]func() error) {
			t.Helper()
			before := f.reads(condition.MoveIn)
			for what, do := range all {
				if err := do(); !fault.Is(err, fault.InvalidTransition) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if !reflect.DeepEqual(before, f.reads(condition.MoveIn)) {
				t.Error("the report has changed")
			}
		}
		refuses(landlord)
		_, err = f.SaveAsTenant(ctx, f.sam, f.lease, condition.MoveIn, says(first, "Not so"))
		f.ok(err)
		r, err = f.AddPhotoAsTenant(ctx, f.sam, f.lease, condition.MoveIn, first, picture("b"))
		f.ok(err)
		theirs := r.Areas[0].Items[0].PhotosBy(condition.Tenant)[0].ID

		// The landlord takes the signature back, changes something, and signs again.
		manager := f.owner
		manager.Role = access.Manager
		_, err = f.Reopen(ctx, manager, f.lease, condition.MoveIn)
		f.refused(err, fault.OwnerRequired, "")
		r, err = f.Reopen(ctx, f.owner, f.lease, condition.MoveIn)
		f.ok(err)
		if r.LandlordSignature() != nil || r.LandlordSignedAt != nil || !r.Shared() || !r.TenantsCanWrite() {
			t.Errorf("%+v", r)
		}
		_, err = f.Reopen(ctx, f.owner, f.lease, condition.MoveIn)
		f.refused(err, fault.InvalidTransition, "has not signed")
		f.ok(landlord["save"]())
		f.landlordSigns()

		_, err = f.tenantSigns(f.sam, "Sam Rivera")
		f.ok(err)
		refuses(landlord)
		refuses(map[string]func() error{
			"reopen": func() error { _, err := f.Reopen(ctx, f.owner, f.lease, condition.MoveIn); return err },
			"save": func() error {
				_, err := f.SaveAsTenant(ctx, f.thao, f.lease, condition.MoveIn, says(first, "x"))
				return err
			},
			"photo": func() error {
				_, err := f.AddPhotoAsTenant(ctx, f.thao, f.lease, condition.MoveIn, first, picture("c"))
				return err
			},
			"no photo": func() error {
				_, err := f.RemovePhotoAsTenant(ctx, f.sam, f.lease, condition.MoveIn, theirs)
				return err
			},
		})
	})
}

func TestOnlyTenantsWhoRentSeeSharedReports(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		ctx := f.Context()
		calls := func(by access.Actor) map[string]error {
			_, reads := f.ForTenant(ctx, by, f.lease, condition.MoveIn)
			_, saves := f.SaveAsTenant(ctx, by, f.lease, condition.MoveIn, says(item(r, 0, 0), "x"))
			_, adds := f.AddPhotoAsTenant(ctx, by, f.lease, condition.MoveIn, item(r, 0, 0), picture("a"))
			_, removes := f.RemovePhotoAsTenant(ctx, by, f.lease, condition.MoveIn, "pho_1")
			_, opens := f.PhotoForTenant(ctx, by, f.lease, condition.MoveIn, "pho_1", false)
			_, signs := f.SignAsTenant(ctx, by, f.lease, condition.MoveIn, condition.Signing{Name: "Gus Rivera"})
			return map[string]error{
				"read": reads, "save": saves, "photo": adds, "no photo": removes, "open": opens, "sign": signs,
			}
		}
		hidden := func(who string, by access.Actor) {
			t.Helper()
			for what, err := range calls(by) {
				if !fault.Is(err, fault.NoRecord) {
					t.Errorf("%s by %s: %v", what, who, err)
				}
			}
			if all, err := f.ReportsForTenant(
				ctx,
				by,
				f.lease,
			); len(all) > 0 ||
				err != nil && !fault.Is(err, fault.NoRecord) {
				t.Errorf("%s sees %+v, %v", who, all, err)
			}
		}
		hidden("a tenant before it is shared", f.sam)
		shared, err := f.Share(ctx, f.owner, f.lease, condition.MoveIn)
		f.ok(err)
		again, err := f.Share(ctx, f.owner, f.lease, condition.MoveIn)
		if f.ok(err); again.Version != shared.Version || shared.Version != 2 {
			t.Errorf("versions %d and %d", shared.Version, again.Version)
		}
		hidden("a guarantor", f.gus)
		hidden("a stranger", f.nobody)
		hidden("a member", f.owner)
		other := f.sam
		other.Portfolio = f.home.Test
		hidden("a tenant of another portfolio", other)
		all, err := f.ReportsForTenant(ctx, f.sam, f.lease)
		if f.ok(err); len(all) != 1 {
			t.Errorf("%+v", all)
		}
		for what, err := range calls(f.thao) {
			if missing := what == "no photo" || what == "open"; fault.Is(err, fault.NoRecord) != missing {
				t.Errorf("%s by a tenant: %v", what, err)
			}
		}
		dbtest.Exec(t, f.db, "UPDATE leases SET status = 'voided'")
		hidden("a tenant of a lease that does not bind", f.sam)
	})
}

func TestReportsOfAnotherPortfolioAreNotThere(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		r, err := f.AddPhoto(f.Context(), f.owner, f.lease, condition.MoveIn, item(r, 0, 0), picture("a"))
		f.ok(err)
		photo := r.Areas[0].Items[0].Photos[0].ID
		stranger, ctx := dbtest.NewHome(t, f.db, "robin"), f.Context()
		for _, by := range []access.Actor{
			{Portfolio: f.home.Test}, {Portfolio: stranger.Live, AccountID: stranger.AccountID},
			{Portfolio: f.home.Live, TenantID: f.sam.TenantID},
		} {
			by.Scopes, by.Role, by.Zone = f.owner.Scopes, access.Owner, f.owner.Zone
			_, begins := f.Begin(ctx, by, f.lease, condition.MoveOut)
			_, reads := f.Report(ctx, by, f.lease, condition.MoveIn)
			_, lists := f.Reports(ctx, by, f.lease)
			_, finds := f.MoveIn(ctx, by, f.lease)
			_, shares := f.Share(ctx, by, f.lease, condition.MoveIn)
			_, saves := f.Save(ctx, by, f.lease, condition.MoveIn, says(item(r, 0, 0), "x"))
			_, arranges := f.Arrange(ctx, by, f.lease, condition.MoveIn, condition.Arrangement{})
			_, adds := f.AddPhoto(ctx, by, f.lease, condition.MoveIn, item(r, 0, 0), picture("b"))
			_, removes := f.RemovePhoto(ctx, by, f.lease, condition.MoveIn, photo)
			_, opens := f.Photo(ctx, by, f.lease, condition.MoveIn, photo, false)
			_, signs := f.SignAsLandlord(
				ctx,
				by,
				f.lease,
				condition.MoveIn,
				condition.Signing{Name: "R", Seen: r.SHA256()},
			)
			_, reopens := f.Reopen(ctx, by, f.lease, condition.MoveIn)
			for what, err := range map[string]error{
				"begin": begins, "read": reads, "list": lists, "find": finds, "share": shares, "save": saves,
				"arrange": arranges, "photo": adds, "no photo": removes, "open": opens, "sign": signs,
				"reopen": reopens,
				"delete": f.Delete(ctx, by, f.lease, condition.MoveIn, r.Version),
			} {
				if !fault.Is(err, fault.NoRecord) {
					t.Errorf("%s in %d: %v", what, by.Portfolio.ID, err)
				}
			}
			page, err := f.All(ctx, by, list.Query{Limit: 10})
			if by.TenantID != "" {
				f.refused(err, fault.NoRecord, "")
			} else if f.ok(err); len(page.Data) > 0 {
				t.Errorf("%d has %+v", by.Portfolio.ID, page.Data)
			}
			// The store itself looks only into the portfolio.
			if _, err := f.store.ConditionPhoto(ctx, by.Portfolio, r.ID, photo, false); by.TenantID == "" &&
				!fault.Is(err, fault.NoRecord) {
				t.Error(err)
			}
			if by.TenantID == "" {
				f.ok(f.store.RemoveConditionPhotos(ctx, by.Portfolio, r.ID, photo))
				f.ok(f.store.DeleteConditionReport(ctx, by.Portfolio, r.ID))
			}
		}
		if !reflect.DeepEqual(r, f.reads(condition.MoveIn)) {
			t.Error("the report has changed")
		}
		page, err := f.All(ctx, f.owner, list.Query{Limit: 10})
		if f.ok(err); len(page.Data) != 1 || len(page.Data[0].Areas[0].Items[0].Photos) != 1 {
			t.Errorf("%+v", page)
		}
	})
}

func TestDeletedReportIsGoneWithItsPhotos(t *testing.T) {
	onEach(t, func(f *fixture) {
		r := f.begins(condition.MoveIn)
		now, err := f.AddPhoto(f.Context(), f.owner, f.lease, condition.MoveIn, item(r, 0, 0), picture("a"))
		f.ok(err)
		f.refused(f.Delete(f.Context(), f.owner, f.lease, condition.MoveIn, r.Version), fault.StaleWrite, "")
		f.ok(f.Delete(f.Context(), f.owner, f.lease, condition.MoveIn, now.Version))
		_, err = f.Report(f.Context(), f.owner, f.lease, condition.MoveIn)
		f.refused(err, fault.NoRecord, "condition report")
		if left := dbtest.Texts(t, f.db, "SELECT id FROM condition_photos"); len(left) > 0 {
			t.Error(left)
		}
	})
}

func TestReportsTakeRoomOfTheDemoPortfolio(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.moveIn(f.home.Test)
		room := func() (records, bytes int64) {
			dbtest.Row(
				t,
				f.db,
				`SELECT CAST(COALESCE(sum(records), 0) AS BIGINT), CAST(COALESCE(sum(bytes), 0) AS BIGINT)
				FROM (SELECT portfolio_id, records, bytes FROM demo_usage
					UNION ALL SELECT portfolio_id, records, bytes FROM demo_growth) u
				WHERE portfolio_id = $1`,
				[]any{f.home.Test.ID},
				&records,
				&bytes,
			)
			return records, bytes
		}
		records, bytes := room()
		r := f.begins(condition.MoveIn)
		more, begun := room()
		if more != records+1 || begun < bytes+1000 {
			t.Errorf("%d records with %d bytes, before %d with %d", more, begun, records, bytes)
		}
		_, err := f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, says(item(r, 0, 0), "four"))
		f.ok(err)
		if _, now := room(); now != begun+4 {
			t.Errorf("a note of 4 bytes takes %d", now-begun)
		}
		r, err = f.AddPhoto(f.Context(), f.owner, f.lease, condition.MoveIn, item(r, 0, 0), picture("abcd"))
		f.ok(err)
		if _, now := room(); now != begun+4+200+4+10 {
			t.Errorf("a photo of 14 bytes takes %d", now-begun-4)
		}
		f.ok(f.Delete(f.Context(), f.owner, f.lease, condition.MoveIn, r.Version))
		if n, now := room(); n != records || now != bytes {
			t.Errorf("%d records with %d bytes are left, before %d with %d", n, now, records, bytes)
		}
	})
}

func TestWhatMembersDoIsInTheTrail(t *testing.T) {
	onEach(t, func(f *fixture) {
		user := dbtest.Texts(t, f.db, "SELECT user_id FROM members")[0]
		ctx := audit.With(f.Context(), audit.By{UserID: user, Address: "192.0.2.9", RequestID: "req_1"})
		_, err := f.Begin(ctx, f.owner, f.lease, condition.MoveIn)
		f.ok(err)
		r := f.judges(condition.Good)
		r, err = f.SignAsLandlord(
			ctx,
			f.owner,
			f.lease,
			condition.MoveIn,
			condition.Signing{Name: "D", Seen: r.SHA256()},
		)
		f.ok(err)
		if s := r.LandlordSignature(); s.UserID != user || s.Address != "192.0.2.9" {
			t.Errorf("%+v", s)
		}
		r, err = f.Reopen(ctx, f.owner, f.lease, condition.MoveIn)
		f.ok(err)
		f.ok(f.Delete(ctx, f.owner, f.lease, condition.MoveIn, r.Version))
		did := dbtest.Texts(t, f.db, "SELECT action || ' ' || target FROM audit ORDER BY id")
		want := []string{"begun", "signed", "reopened", "deleted"}
		for i := range want {
			want[i] = "condition_report." + want[i] + " " + r.ID
		}
		if !slices.Equal(did, want) {
			t.Errorf("%q", did)
		}
	})
}

func TestHashCoversAllThatIsSaid(t *testing.T) {
	t.Parallel()
	made := func() *condition.Report {
		good, poor := condition.Good, condition.Poor
		r := &condition.Report{LeaseID: "lea_1", Kind: condition.MoveIn, Areas: []condition.Area{{
			ID: "area_1", Code: condition.Bedroom, Number: 2, Name: "n", Items: []condition.Item{{
				ID: "item_1", Code: "floor", Name: "m",
				Landlord: condition.Remark{Condition: &good, Note: "a"},
				Tenant:   condition.Remark{Condition: &poor, Note: "b"},
				Photos: []condition.Photo{
					{ID: "pho_1", By: condition.Landlord, SHA256: "1"},
					{ID: "pho_2", By: condition.Tenant, TenantID: new("ten_1"), SHA256: "2"},
				},
			}},
		}}}
		r.ID = "cond_1"
		return r
	}
	whole, landlord, fair := made().SHA256(), made().LandlordSHA256(), condition.Fair
	for name, c := range map[string]struct {
		do      func(*condition.Report, *condition.Item)
		tenants bool
	}{
		"id":            {do: func(r *condition.Report, _ *condition.Item) { r.ID = "x" }},
		"lease":         {do: func(r *condition.Report, _ *condition.Item) { r.LeaseID = "x" }},
		"kind":          {do: func(r *condition.Report, _ *condition.Item) { r.Kind = condition.MoveOut }},
		"area":          {do: func(r *condition.Report, _ *condition.Item) { r.Areas[0].ID = "x" }},
		"area's code":   {do: func(r *condition.Report, _ *condition.Item) { r.Areas[0].Code = "x" }},
		"area's number": {do: func(r *condition.Report, _ *condition.Item) { r.Areas[0].Number = 3 }},
		"area's name":   {do: func(r *condition.Report, _ *condition.Item) { r.Areas[0].Name = "x" }},
		"another area": {do: func(r *condition.Report, _ *condition.Item) {
			r.Areas = append(r.Areas, condition.Area{})
		}},
		"no items":       {do: func(r *condition.Report, _ *condition.Item) { r.Areas[0].Items = nil }},
		"item":           {do: func(_ *condition.Report, i *condition.Item) { i.ID = "x" }},
		"item's code":    {do: func(_ *condition.Report, i *condition.Item) { i.Code = "x" }},
		"item's name":    {do: func(_ *condition.Report, i *condition.Item) { i.Name = "x" }},
		"condition":      {do: func(_ *condition.Report, i *condition.Item) { i.Landlord.Condition = &fair }},
		"no condition":   {do: func(_ *condition.Report, i *condition.Item) { i.Landlord.Condition = nil }},
		"note":           {do: func(_ *condition.Report, i *condition.Item) { i.Landlord.Note = "x" }},
		"photo":          {do: func(_ *condition.Report, i *condition.Item) { i.Photos[0].ID = "x" }},
		"photo's bytes":  {do: func(_ *condition.Report, i *condition.Item) { i.Photos[0].SHA256 = "x" }},
		"photo's moment": {do: func(_ *condition.Report, i *condition.Item) { i.Photos[0].UploadedAt = 1 }},
		"no photos":      {do: func(_ *condition.Report, i *condition.Item) { i.Photos = nil }},
		"their condition": {
			do: func(_ *condition.Report, i *condition.Item) { i.Tenant.Condition = nil }, tenants: true,
		},
		"their note": {do: func(_ *condition.Report, i *condition.Item) { i.Tenant.Note = "x" }, tenants: true},
		"their photo": {
			do: func(_ *condition.Report, i *condition.Item) { i.Photos[1].SHA256 = "x" }, tenants: true,
		},
		"whose photo": {
			do: func(_ *condition.Report, i *condition.Item) { i.Photos[1].TenantID = new("ten_2") }, tenants: true,
		},
	} {
		r := made()
		c.do(r, &r.Areas[0].Items[0])
		if r.SHA256() == whole || (r.LandlordSHA256() == landlord) != c.tenants {
			t.Errorf("%s is not covered", name)
		}
	}
	if made().SHA256() != whole || whole == landlord {
		t.Error("the hash is another one for the same report")
	}
}

func TestEachCodeHasANameInBothLanguages(t *testing.T) {
	t.Parallel()
	for _, l := range []language.Language{language.English, language.Spanish} {
		for _, code := range condition.AreaCodes() {
			if code.Name(l) == "" {
				t.Errorf("%s has no name in %s", code, l)
			}
		}
		seen := map[string]bool{}
		for _, s := range condition.Good.Values() {
			label := condition.State(s).Label(l)
			if label == "" || seen[label] {
				t.Errorf("%s is called %q", s, label)
			}
			seen[label] = true
		}
		if condition.MoveIn.Label(l) == condition.MoveOut.Label(l) {
			t.Errorf("both kinds are called %s", condition.MoveIn.Label(l))
		}
	}
}

func TestSaveRefusesItemThatTheCallerHasNotSeen(t *testing.T) {
	onEach(t, func(f *fixture) {
		wall := item(f.begins(condition.MoveIn), 0, 0)
		save := func(seen condition.Remark, note string) error {
			changes := says(wall, note)
			changes[0].Seen = &seen
			_, err := f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, changes)
			return err
		}
		f.ok(save(condition.Remark{}, "A scratch"))
		for _, seen := range []condition.Remark{{}, {Note: "A scratch", Condition: new(condition.Good)}} {
			if err := save(seen, "No scratch"); !fault.Is(err, fault.StaleWrite) {
				f.Errorf("seen %+v: %v", seen, err)
			}
		}
		f.ok(save(condition.Remark{Note: "A scratch"}, "Two scratches"))
	})
}

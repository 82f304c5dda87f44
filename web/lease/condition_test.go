package lease_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/attachment"
	"portal/api/change"
	"portal/api/portfolio/lease/condition"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// picture is a JPEG.
func picture(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	pagetest.Must(t, jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 64, 64)), nil))
	return b.String()
}

// begins has a reader begin the move-in report of the lease, and returns its address.
func (e *leasePages) begins(r *pagetest.Reader) string {
	e.Helper()
	at := "/test/leases/" + e.lease
	r.Leads(r.Post(at+"/condition/move-in/begin", at, nil), at+"/condition/move-in")
	return at + "/condition/move-in"
}

// report is the move-in report as it is kept.
func (e *leasePages) report() *condition.Report {
	e.Helper()
	r, err := e.rules.Conditions.Report(e.Context(), e.Actor(), e.lease, condition.MoveIn)
	e.OK(err)
	return r
}

// judges has the landlord say of all items that they are good.
func (e *leasePages) judges() {
	e.Helper()
	var all []condition.Change
	for _, a := range e.report().Areas {
		for _, item := range a.Items {
			all = append(all, condition.Change{ItemID: item.ID, Condition: change.To(new(condition.Good))})
		}
	}
	_, err := e.rules.Conditions.Save(e.Context(), e.Actor(), e.lease, condition.MoveIn, all)
	e.OK(err)
}

// asTenant is the tenant of the lease as who asks.
func (e *leasePages) asTenant() access.Actor {
	by := e.Actor()
	by.TenantID = e.dana
	return by
}

func TestLandlordFillsInConditionReportAndSigns(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		owner := e.Member(access.Owner)
		lease := "/test/leases/" + e.lease
		shows(owner, owner.Get(lease), "Condition of the home", "Nothing is noted yet.", "Begin move-in report")
		at := e.begins(owner)
		shows(owner, owner.Get(lease), "Move-in report", "Draft")
		owner.Leads(owner.Post(at+"/begin", lease, nil), lease)
		owner.Says(owner.Get(lease), http.StatusOK, "has this condition report already")
		r := e.report()
		shows(owner, owner.Get(at), "0 of ", "Entry and hallway", "No condition yet", "Share with tenants")

		room, item := at+"/areas/"+r.Areas[0].ID, r.Areas[0].Items[0].ID
		form := owner.Shown(room)
		typed := pagetest.With(form, "condition."+item, "poor", "note."+item, "A hole\r\nin the wall", "do", "next")
		owner.Leads(owner.Post(room, room, typed), at+"/areas/"+r.Areas[1].ID)
		shows(owner, owner.Get(at), "1 of ", "Poor", "A hole")
		owner.Leads(owner.Post(room, room, pagetest.With(owner.Shown(room), "do", "good")), room)
		shows(owner, owner.Get(room), "5 of 5 items have a condition", "Entry and hallway is saved.")
		if said := e.report().Areas[0].Items[0].Landlord; *said.Condition != condition.Poor ||
			said.Note != "A hole\nin the wall" {
			t.Error("what was said of the wall is", *said.Condition, said.Note)
		}

		photos := at + "/items/" + item
		owner.Leads(owner.Post(room, room, pagetest.With(owner.Shown(room), "photos", item)), photos)
		if body := owner.Get(photos).Body.String(); !strings.Contains(body, `accept="image/*"`) ||
			!strings.Contains(body, "multiple") {
			t.Error("a phone is not asked for pictures")
		}
		form = owner.Shown(photos)
		owner.Says(sendsFile(owner, photos, form, "photos", "wall.jpg", ""), http.StatusBadRequest, "Photo 1: ")
		owner.Says(
			sendsFile(owner, photos, form, "photos", "wall.jpg", "PK\x03\x04"),
			http.StatusBadRequest,
			"Photo 1: ",
		)
		owner.Says(sendsFile(owner, photos, form, "photos", "wall.jpg", strings.Repeat("x", 11<<20)),
			http.StatusBadRequest, "Photo 1: ")
		owner.Leads(sendsFile(owner, photos, form, "photos", "wall.jpg", picture(t)), room+"#"+item)
		photo := at + "/photos/" + e.report().Areas[0].Items[0].Photos[0].ID
		shows(owner, owner.Get(room), "1 photo added.")
		for _, path := range []string{photo, photo + "/thumbnail"} {
			shown := owner.Get(path)
			if shown.Code != http.StatusOK || shown.Header().Get("Content-Type") != "image/jpeg" ||
				!strings.Contains(shown.Header().Get("Content-Security-Policy"), "sandbox") {
				t.Errorf("%s: %d %v", path, shown.Code, shown.Header())
			}
		}
		owner.Leads(owner.Post(photo+"/remove", photos, nil), photos)
		owner.Says(owner.Get(photo), http.StatusNotFound, "")
		owner.Leads(sendsFile(owner, photos, form, "photos", "wall.jpg", picture(t)), room+"#"+item)

		owner.Leads(owner.Get(at+"/sign"), at)
		owner.Says(owner.Get(at), http.StatusOK, "Choose one for each item.")
		shows(owner, owner.Get(at+"/share"), "Share the report with the tenants?")
		owner.Leads(owner.Post(at+"/share", at+"/share", owner.Shown(at+"/share")), at)
		shows(owner, owner.Get(lease), "Shared with tenants")
		owner.Leads(owner.Get(at+"/share"), at)

		_, err := e.rules.Conditions.SaveAsTenant(
			e.Context(),
			e.asTenant(),
			e.lease,
			condition.MoveIn,
			[]condition.Change{
				{ItemID: item, Condition: change.To(new(condition.Missing)), Note: change.To("There is no wall.")},
			},
		)
		e.OK(err)
		shows(owner, owner.Get(room), "Tenants disagree", "There is no wall.", "Missing")

		e.judges()
		signs := owner.Shown(at + "/sign")
		owner.Says(owner.Post(at+"/sign", at+"/sign", signs), http.StatusBadRequest, "Type your name to sign.")
		signs.Set("name", "Ada Landlord")
		changed := pagetest.With(signs, "seen", "another")
		again := owner.Post(at+"/sign", at+"/sign", changed)
		owner.Says(again, http.StatusBadRequest, "The report has changed. Read it again below")
		if body := again.Body.String(); !strings.Contains(body, "Ada Landlord") || strings.Contains(body, `"another"`) {
			t.Error("the form that is shown again does not have the name, or not what is shown now")
		}
		owner.Leads(owner.Post(at+"/sign", at+"/sign", signs), at)
		shows(owner, owner.Get(at), "Ada Landlord, landlord", "while it is signed")
		shows(owner, owner.Get(lease), "Waiting for 1 tenant")
		if s := e.report().LandlordSignature(); s == nil || s.Address == "" || s.UserID == "" {
			t.Errorf("the signature is %+v", s)
		}
		for _, path := range []string{room, photos, at + "/arrange", at + "/delete", at + "/sign"} {
			owner.Leads(owner.Get(path), at)
		}
		typed = pagetest.With(typed, "condition."+item, "fair", "was."+item, "", "note."+item, "Typed too late")
		owner.Says(owner.Post(room, lease, typed), http.StatusConflict, "Typed too late")
		owner.Leads(sendsFile(owner, photos, form, "photos", "wall.jpg", picture(t)), at)
		owner.Leads(owner.Post(at+"/delete", lease, url.Values{"version": {"1"}}), at)

		reopen := owner.Shown(at + "/reopen")
		owner.Leads(owner.Post(at+"/reopen", at+"/reopen", reopen), at)
		owner.Leads(owner.Get(at+"/reopen"), at)
		asked := owner.Shown(at + "/delete")
		e.changes(item, condition.Fair)
		owner.Says(
			owner.Post(at+"/delete", at+"/delete", asked),
			http.StatusConflict,
			"Check them and send the form again",
		)
		owner.Leads(owner.Post(at+"/delete", at+"/delete", owner.Shown(at+"/delete")), lease)
		owner.Says(owner.Get(at), http.StatusNotFound, "")
		if left := dbtest.Texts(t, e.DB, "SELECT id FROM condition_photos"); len(left) > 0 {
			t.Error("photos are left:", left)
		}
	})
}

// changes has somebody else say another condition of an item.
func (e *leasePages) changes(item string, to condition.State) {
	e.Helper()
	_, err := e.rules.Conditions.Save(e.Context(), e.Actor(), e.lease, condition.MoveIn, []condition.Change{
		{ItemID: item, Condition: change.To(&to)},
	})
	e.OK(err)
}

func TestRoomFormLosesNothingTyped(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := e.begins(owner)
	area := e.report().Areas[0]
	room, item, other := at+"/areas/"+area.ID, area.Items[0].ID, area.Items[1].ID
	typed := pagetest.With(owner.Shown(room), "condition."+item, "good", "note."+item, strings.Repeat("x", 501),
		"note."+other, "Scratched")
	again := owner.Post(room, room, typed)
	owner.Says(again, http.StatusBadRequest, "A note has at most 500 characters.")
	if body := again.Body.String(); !strings.Contains(body, strings.Repeat("x", 501)) ||
		!strings.Contains(body, "Scratched") || !strings.Contains(body, `id="field-note.`+item+`-error"`) {
		t.Error("what was typed is lost, or what is wrong is not beside its field")
	}
	owner.Says(owner.Post(room, room, pagetest.With(typed, "condition."+item, "great", "note."+item, "")),
		http.StatusBadRequest, "is not a condition")

	typed = pagetest.With(
		owner.Shown(room),
		"condition."+item,
		"good",
		"note."+item,
		"Clean",
		"note."+other,
		"Scratched",
	)
	e.changes(item, condition.Poor)
	e.changes(area.Items[2].ID, condition.Fair) // of which nothing was typed
	again = owner.Post(room, room, typed)
	owner.Says(again, http.StatusConflict, "Someone changed this after you opened the form")
	for _, text := range []string{"It says “Poor” now.", "Clean", "Scratched"} {
		if !strings.Contains(again.Body.String(), text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	if said := e.report().Areas[0].Items[1].Landlord; said.Note != "" {
		t.Error("half of the form was saved:", said.Note)
	}
	fields := pagetest.FieldsOf(pagetest.Parse(t, again.Body.String()))
	owner.Leads(owner.Post(room, room, fields), at+"#"+area.ID)
	items := e.report().Areas[0].Items
	if *items[0].Landlord.Condition != condition.Good || items[0].Landlord.Note != "Clean" ||
		items[1].Landlord.Note != "Scratched" || *items[2].Landlord.Condition != condition.Fair {
		t.Errorf("kept are %+v", items[:3])
	}

	typed = pagetest.With(owner.Shown(room), "note."+other, "Typed of what is gone")
	_, err := e.rules.Conditions.Arrange(e.Context(), e.Actor(), e.lease, condition.MoveIn,
		condition.Arrangement{RemoveItems: []string{other}})
	e.OK(err)
	owner.Says(owner.Post(room, room, typed), http.StatusConflict, "Typed of what is gone")
}

func TestLandlordArrangesConditionReport(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := e.begins(owner)
	arrange := at + "/arrange"
	first := e.report().Areas[0]
	form := func(pairs ...string) url.Values { return pagetest.With(owner.Shown(arrange), pairs...) }
	refused := func(want string, pairs ...string) {
		t.Helper()
		owner.Says(owner.Post(arrange, arrange, form(pairs...)), http.StatusBadRequest, want)
	}
	refused("Choose what to add or remove.")
	refused("Choose an area of the list, or type a name.", "area", "kitchen", "area_name", "Attic")
	refused("Choose an area of the list, or type a name.", "area_items", "Beams")
	refused("Choose an area.", "items", "Bell")
	refused("Type a name.", "to", first.ID)
	refused("A name has at most 60 characters.", "to", first.ID, "items", strings.Repeat("x", 61))
	refused("A name has at most 60 characters.", "area_name", strings.Repeat("x", 61))
	refused("is not an area of the list", "area", "moat")
	owner.Leads(owner.Post(arrange, arrange, form("area_name", "Attic", "area_items", "Beams\r\n\r\nHatch")), at)
	owner.Leads(owner.Post(arrange, arrange, form("area", "kitchen", "to", first.ID, "items", "Bell")), at)
	shows(owner, owner.Get(at), "Attic", "Beams", "Hatch", "Kitchen 2", "Bell")
	owner.Leads(owner.Post(arrange, arrange, form("remove."+first.ID, first.ID)), at)
	if body := owner.Get(at).Body.String(); strings.Contains(body, "Entry and hallway") {
		t.Error("the area is still there")
	}
	kitchen := e.report().Areas[1]
	owner.Leads(owner.Post(arrange, arrange, form("remove."+kitchen.ID, kitchen.Items[0].ID)), at)
	if now := e.report().Areas[1]; len(now.Items) != len(kitchen.Items)-1 {
		t.Errorf("%d items are left of %d", len(now.Items), len(kitchen.Items))
	}
}

func TestMoveOutReportStandsBesideMoveInReport(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := e.begins(owner)
	item := e.report().Areas[0].Items[0].ID
	_, err := e.rules.Conditions.Save(e.Context(), e.Actor(), e.lease, condition.MoveIn, []condition.Change{
		{ItemID: item, Condition: change.To(new(condition.Fair)), Note: change.To("One old stain")},
	})
	e.OK(err)
	photo, err := attachment.NewConverter(0).Convert(e.Context(), file(picture(t)))
	e.OK(err)
	_, err = e.rules.Conditions.AddPhoto(e.Context(), e.Actor(), e.lease, condition.MoveIn, item, &photo)
	e.OK(err)
	out := strings.Replace(at, "move-in", "move-out", 1)
	owner.Leads(owner.Post(out+"/begin", "/test/leases/"+e.lease, nil), out)
	for _, path := range []string{out, out + "/areas/" + e.report().Areas[0].ID} {
		page := owner.Get(path)
		shows(owner, page, "At move-in, landlord", "Fair", "One old stain")
		if !strings.Contains(page.Body.String(), at+"/photos/") {
			t.Errorf("%s does not show the photo of the move-in report", path)
		}
	}
}

func TestOnlyOwnersOfTheAccountSignConditionReport(t *testing.T) {
	e := newLeasePages(t)
	owner, manager := e.Member(access.Owner), e.Member(access.Manager)
	at := e.begins(manager)
	e.judges()
	shows(manager, manager.Get(at), "An owner of the account signs the report.")
	signs := owner.Shown(at + "/sign")
	signs.Set("name", "Max Manager")
	for _, path := range []string{at + "/sign", at + "/reopen"} {
		manager.Says(manager.Get(path), http.StatusForbidden, "Only owners can do this")
		manager.Says(manager.Post(path, at, signs), http.StatusForbidden, "Only owners can do this")
	}
	if n := len(e.report().Signatures); n > 0 {
		t.Errorf("%d signatures", n)
	}
}

func TestConditionReportOfAnotherPortfolioIsNotFound(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := e.begins(owner)
	area := e.report().Areas[0]
	photo, err := attachment.NewConverter(0).Convert(e.Context(), file(picture(t)))
	e.OK(err)
	_, err = e.rules.Conditions.AddPhoto(e.Context(), e.Actor(), e.lease, condition.MoveIn, area.Items[0].ID, &photo)
	e.OK(err)
	shot := e.report().Areas[0].Items[0].Photos[0].ID
	live := strings.Replace(at, "/test/", "/live/", 1)
	for _, path := range []string{
		"", "/areas/" + area.ID, "/items/" + area.Items[0].ID, "/photos/" + shot, "/photos/" + shot + "/thumbnail",
		"/arrange", "/share", "/sign", "/reopen", "/delete",
	} {
		owner.Says(owner.Get(live+path), http.StatusNotFound, "")
	}
	for _, path := range []string{
		"/begin", "/areas/" + area.ID, "/photos/" + shot + "/remove", "/share", "/sign", "/reopen", "/delete",
	} {
		owner.Says(owner.Post(live+path, "/settings", nil), http.StatusNotFound, "")
	}
	lease := "/test/leases/" + e.lease
	for _, path := range []string{"/move_in", "/move-out", "/else", "/move-in/areas/area_x", "/move-in/items/item_x"} {
		owner.Says(owner.Get(lease+"/condition"+path), http.StatusNotFound, "")
	}
	owner.Says(owner.Post(lease+"/condition/else/begin", lease, nil), http.StatusNotFound, "")
}

// file is a file that was sent.
type file string

func (f file) Reader() io.Reader { return strings.NewReader(string(f)) }
func (f file) Size() int         { return len(f) }
